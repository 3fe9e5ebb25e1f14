// What users do to items, with every answer there is. Loaded when somebody first does something.

import { ask as askIn } from "./dialog.js";
import { html, nothing } from "./vendor/lit-html-3.3.3/lit-html.js";
import { clock, kindTitle } from "./words.js";

/**
 * @import { Page } from "./main.js"
 * @import { Item } from "./types.d.ts"
 */

const STILL_STOPPING_MS = 10_000;
const NOTE_MS = 30_000;
const FOUND_MS = 3_000;

/** Kinds that an admin may ask for without saying more, and where. @type {Record<string, string>} */
const PLAIN_REQUESTS = { "proxy-sweep": "proxy-sweeps" };

/** @type {Record<string, string>} */
const ENDINGS = { succeeded: "it succeeded", failed: "it failed", cancelled: "it was cancelled before" };

/** Cancel what waits; ask what runs to stop, once the user is sure. @param {Page} page @param {string} id */
export async function cancel(page, id) {
  const item = page.items.get(id);
  if (item === undefined || page.pending.has(id)) return;
  if (item.status === "running" && (await sure(item)) !== "stop") return;
  page.pending.add(id);
  page.notes.delete(id);
  page.repaint();
  const answer = await page.server.ask("POST", `admin/work-items/${id}/cancel`);
  page.pending.delete(id);
  await cancelAnswered(page, id, answer);
  page.repaint();
}

/** @param {Page} page @param {string} id @param {import("./types.d.ts").Answer} answer */
async function cancelAnswered(page, id, { status, body }) {
  switch (status) {
    case 200:
      page.items.put(body);
      return page.say(body.attempt === 0 ? "Cancelled. It had not started." : "Cancelled.");
    case 202:
      page.items.put(body);
      setTimeout(() => stillStopping(page, id), STILL_STOPPING_MS);
      return page.say("Asked to stop.");
    case 409:
      page.items.put(body.item);
      return note(page, id, `Too late: ${ending(page, body.item)}, so nothing was cancelled.`);
    case 404:
      return gone(page, id);
    case 401:
      return undefined;
    default:
      return unanswered(page, id);
  }
}

/** @param {Page} page @param {Item} item */
const ending = (page, { status, finishedAt }) =>
  `${ENDINGS[status] ?? `it is ${status}`}${finishedAt === null ? "" : ` at ${clock(finishedAt, page.utc, true)}`}`;

/** Nobody knows whether it was done: the item itself tells. @param {Page} page @param {string} id */
async function unanswered(page, id) {
  note(page, id, "Not cancelled: the server did not answer. Try again.");
  const { status, body } = await page.server.ask("GET", `admin/work-items/${id}`);
  if (status === 404) gone(page, id);
  if (status !== 200) return;
  page.items.put(body);
  if (body.status !== "cancelled" && body.cancelRequestedAt === null) return;
  note(page, id, "No answer from the server. The item below shows what really happened.");
}

/** @param {Page} page @param {string} id */
function gone(page, id) {
  page.items.remove([id]);
  page.say("This item is gone.");
}

/** @param {Page} page @param {string} id */
function stillStopping(page, id) {
  if (page.items.get(id)?.status === "running") note(page, id, "Still stopping: it finishes its current step first.");
}

/** Under its row, and aloud. @param {Page} page @param {string} id @param {string} text */
function note(page, id, text) {
  page.notes.set(id, text);
  page.say(text);
  page.repaint();
  setTimeout(() => {
    if (page.notes.get(id) === text) page.notes.delete(id);
    page.repaint();
  }, NOTE_MS);
}

/** @param {Item} item */
function sure({ kind }) {
  return askIn(html`<form method="dialog">
    <h2 id="asked">Stop this ${kindTitle(kind).toLowerCase()}?</h2>
    <p>It stops at its next check, usually within 2 s. What is done so far is kept and marked partial.</p>
    <div class="buttons"><button value="stop" class="danger">Stop it</button>
      <button value="keep" autofocus>Keep running</button></div>
  </form>`).answer;
}

/** Offer the work that an admin may ask for. @param {Page} page */
export async function ask(page) {
  const libraries = [...page.libraries.values()].filter(({ isActive }) => isActive).map(({ id }) => id);
  const chosen = await askIn(html`<form method="dialog">
    <h2 id="asked">Ask for work</h2>
    ${libraries.length === 0 ? html`<p>There is no library yet. <a href=${page.href("admin/libraries")}>Add one</a>, and it is crawled at once.</p>` : nothing}
    <ul class="choices">
      ${libraries.map((id) => html`<li><button value=${id}>Crawl · ${page.libraryName(id)}</button></li>`)}
      ${Object.keys(PLAIN_REQUESTS).map((kind) => html`<li><button value=${kind}>${kindTitle(kind)}</button></li>`)}</ul>
    <div class="buttons"><button value="">Close</button></div>
  </form>`).answer;
  if (chosen in PLAIN_REQUESTS) await request(page, PLAIN_REQUESTS[chosen], {});
  else if (chosen !== "") await crawl(page, chosen);
}

/** Ask for a crawl. @param {Page} page @param {string} storageConfigId */
export const crawl = (page, storageConfigId) => request(page, "crawls", { storageConfigId });

/** @param {Page} page @param {string} path @param {object} asked */
async function request(page, path, asked) {
  const { status, body } = await page.server.ask("POST", `admin/work-items/${path}`, { body: asked });
  if (status === 202 || status === 200) page.items.put(body);
  if (status === 202) page.say(`${kindTitle(body.kind)} added.`);
  else if (status === 200) {
    page.say("One is already waiting, so no second one was added.");
    page.repaint();
    requestAnimationFrame(() => requestAnimationFrame(() => found(body.id)));
  } else if (status === 404) page.say("This library is gone.");
  else if (status === 409) page.say("This library is not active, so it gets no new work.");
  else if (status !== 401) page.say("Not added: the server did not answer. Try again.");
  page.repaint();
}

/** Show where it is. @param {string} id */
function found(id) {
  const row = document.getElementById(`row-${id}`);
  row?.scrollIntoView({ block: "center" });
  row?.classList.add("found");
  setTimeout(() => row?.classList.remove("found"), FOUND_MS);
}
