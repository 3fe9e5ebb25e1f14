// Libraries: whose photo folders are looked after. No folder is ever shown: it may say more than its owner likes.

import { ask } from "./dialog.js";
import { filterQuery } from "./items.js";
import { html, nothing, render } from "./vendor/lit-html-3.3.3/lit-html.js";
import { chipView, counted, shortId, timeAgo } from "./words.js";

/**
 * @import { Page } from "./main.js"
 * @import { Answer, Library } from "./types.d.ts"
 */

const PATH = "admin/storage-configs";
const COLUMNS = ["Status", "Library", "Owner", "Added", "Work", "Actions"];

/** @param {Page} page @param {HTMLElement} root */
export function show(page, root) {
  const view = new Libraries(page, root);
  view.read();
  return { paint: () => view.paint() };
}

class Libraries {
  #page;
  #root;
  #isRead = false;
  #isTrouble = false;

  /** @param {Page} page @param {HTMLElement} root */
  constructor(page, root) {
    this.#page = page;
    this.#root = root;
  }

  async read() {
    const { status } = await this.#page.readLibraries();
    this.#isRead ||= status === 200;
    this.#isTrouble = status !== 200 && status !== 401;
    this.#page.repaint();
  }

  paint() {
    const page = this.#page;
    const libraries = [...page.libraries.values()];
    render(
      html`<div class="head"><h1 tabindex="-1">Libraries</h1>
          <button type="button" class="ask" @click=${() => this.#add()}>Add a library</button></div>
        ${this.#isTrouble ? html`<p class="empty">Could not read the libraries. Nothing was changed. <button type="button" @click=${() => this.read()}>Try again</button></p>` : nothing}
        ${
          libraries.length === 0
            ? html`<p class="empty">${this.#isRead ? "There is no library yet. Add one, and it is crawled at once." : nothing}</p>`
            : html`<table role="table"><caption class="unseen">Libraries</caption>
              <thead role="rowgroup"><tr role="row">${COLUMNS.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}</tr></thead>
              <tbody role="rowgroup">${libraries.map((library) => this.#row(library))}</tbody></table>`
        }`,
      this.#root,
    );
  }

  /** @param {Library} library */
  #row(library) {
    const page = this.#page;
    const { id, owner, isActive, createdAt } = library;
    const state = isActive
      ? chipView({ word: "Active", icon: "tick", tone: "succeeded" })
      : chipView({ word: "Not active", icon: "barred", tone: "cancelled" });
    const name = page.libraryName(id);
    return html`<tr role="row"><td role="cell" data-label="Status">${state}</td>
      <th scope="row" role="rowheader" data-label="Library">Library ${shortId(id)}</th>
      <td role="cell" data-label="Owner">${owner}</td>
      <td role="cell" data-label="Added">${timeAgo(createdAt, page.when())}</td>
      <td role="cell" data-label="Work"><a href=${page.href(`admin/work-items?${filterQuery({ storageConfigId: id })}`)}>Its work</a></td>
      <td role="cell" data-label="Actions" class="buttons">
        <button type="button" aria-label=${`Crawl now: ${name}`} ?disabled=${!isActive} @click=${() => page.act("crawl", id)}>Crawl now</button>
        <button type="button" aria-label=${`${isActive ? "Switch off" : "Switch on"}: ${name}`} @click=${() => this.#switch(library)}>${isActive ? "Switch off" : "Switch on"}</button>
        <button type="button" class="danger" aria-label=${`Remove: ${name}`} @click=${() => this.#remove(library)}>Remove</button></td></tr>`;
  }

  /** @param {Library} library */
  async #switch({ id, isActive }) {
    const { status } = await this.#page.server.ask("PATCH", `${PATH}/${id}`, { body: { isActive: !isActive } });
    if (status === 200) this.#page.say(isActive ? "Switched off: it gets no new work." : "Switched on.");
    else this.#refused(status, "Not changed");
    await this.read();
  }

  /** @param {Library} library */
  async #remove({ id }) {
    const page = this.#page;
    const known = page.items.matching({ statuses: [], kinds: [], storageConfigId: id, requestedBy: null }).length;
    const items = page.lists.isComplete ? counted(known, "work item") : "work items";
    const { answer } = ask(html`<form method="dialog">
      <h2 id="asked">Remove ${page.libraryName(id)}?</h2>
      <p>Its ${items} and all that is known of its photos go with it. The photos themselves are never touched.</p>
      <div class="buttons"><button value="remove" class="danger">Remove it</button><button value="" autofocus>Keep it</button></div>
    </form>`);
    if ((await answer) !== "remove") return;
    const { status, body } = await page.server.ask("DELETE", `${PATH}/${id}`);
    if (status === 200) page.say(`Removed, with ${counted(body.removedItems, "work item")}.`);
    else this.#refused(status, "Not removed");
    await this.read();
    /** @type {HTMLElement | null} */ (this.#root.querySelector("h1"))?.focus();
  }

  async #add() {
    const page = this.#page;
    const owners = new Map([...page.libraries.values()].map(({ userId, owner }) => [userId, owner]));
    if (page.server.user !== null) owners.set(page.server.user.id, page.server.user.name);
    const form = (/** @type {string} */ trouble) => html`<form @submit=${submit}>
      <h2 id="asked">Add a library</h2>
      <label>Owner <select name="userId">${[...owners].map(([id, name]) => html`<option value=${id} ?selected=${id === page.server.user?.id}>${name}</option>`)}</select></label>
      <label>Folder, as workers see it <input name="rootPath" required autocomplete="off" spellcheck="false" placeholder="/photos/ada"></label>
      <p class="sub">Whoever may read it is not checked here. It is crawled at once, and not shown again.</p>
      <p class="error" role="alert">${trouble}</p>
      <div class="buttons"><button type="submit" class="ask">Add it</button><button type="button" @click=${() => dialog.close()}>Close</button></div>
    </form>`;
    const { dialog } = ask(form(""));
    /** @param {SubmitEvent} event */
    async function submit(event) {
      event.preventDefault();
      const fields = new FormData(/** @type {HTMLFormElement} */ (event.target));
      const asked = { userId: String(fields.get("userId")), rootPath: String(fields.get("rootPath")) };
      const answer = await page.server.ask("POST", PATH, { body: asked });
      if (answer.status !== 201) return render(form(refusal(answer)), dialog);
      dialog.close();
      page.say("Library added. Its first crawl waits.");
      await page.readLibraries();
    }
  }

  /** @param {number} status @param {string} what */
  #refused(status, what) {
    if (status === 404) this.#page.say("This library is gone.");
    else if (status !== 401) this.#page.say(`${what}: the server did not answer. Try again.`);
  }
}

/** @param {Answer} answer */
function refusal({ status, body }) {
  if (status === 0 || status >= 500) return "Not added: the server did not answer. Try again.";
  return body?.errors?.[0]?.detail ?? body?.detail ?? "Not added.";
}
