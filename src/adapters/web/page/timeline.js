// How an item came to where it is, from the runs that are kept. No time is made up.

import { html, nothing } from "./vendor/lit-html-3.3.3/lit-html.js";
import { fullTime, number, span } from "./words.js";

/**
 * @import { Page } from "./main.js"
 * @import { Detail, Item } from "./types.d.ts"
 * @typedef {{ at: string | null, what: unknown, after?: string }} Step
 */

/** @type {Record<string, string>} */
const ENDS = {
  succeeded: "Succeeded",
  failed: "Failed",
  retried: "Failed; it is tried again",
  cancelled: "Cancelled",
  released: "Handed back: its worker stopped",
  stalled: "Its worker went quiet",
  superseded: "Superseded by the same work, which waits",
};

/** @param {Item} item as it is now @param {Detail} detail with the runs that are over @param {Page} page */
export function timeline(item, detail, page) {
  return html`<ol class="timeline">${steps(item, detail, page).map(
    ({ at, what, after }) => html`<li>${after === undefined ? nothing : html`<span class="sub">${after}</span>`}
      <span>${what}</span> ${at === null ? nothing : html`<time datetime=${at}>${fullTime(at, page.utc)}</time>`}</li>`,
  )}</ol>${counters(item)}`;
}

/** @param {Item} item @param {Detail} detail @param {Page} page @returns {Step[]} */
function steps(item, detail, page) {
  /** @type {Step[]} */
  const steps = [{ at: item.requestedAt, what: `Requested by ${page.personName(item.requestedBy)}` }];
  let last = item.requestedAt;
  /** @param {string} at @param {unknown} what @param {string} word */
  const step = (at, what, word) => {
    steps.push({ at, what, after: `${word} ${span(Date.parse(at) - Date.parse(last))}` });
    last = at;
  };
  for (const run of detail.attempts) {
    step(run.startedAt, `Started, attempt ${number(run.attempt)}, worker ${run.claimedBy}`, "waited");
    const error = run.error === null ? nothing : html`: ${run.error}`;
    step(run.endedAt, html`${ENDS[run.how] ?? run.how}${error}`, "ran");
  }
  if (item.status === "running" && item.startedAt !== null) {
    step(item.startedAt, `Started, attempt ${number(item.attempt)}, worker ${item.claimedBy}`, "waited");
    steps.push({ at: null, what: `Running for ${span(page.now() - Date.parse(item.startedAt))}` });
  }
  if (item.cancelRequestedAt !== null) steps.push({ at: item.cancelRequestedAt, what: "Asked to stop" });
  if (item.finishedAt !== null && item.finishedAt !== detail.attempts.at(-1)?.endedAt)
    step(
      item.finishedAt,
      item.startedAt === null
        ? item.attempt === 0
          ? "Cancelled before it started"
          : "Cancelled while it waited"
        : "Finished",
      "after",
    );
  if (item.status === "queued" && item.runAfter !== null)
    steps.push({ at: item.runAfter, what: `Try ${number(item.retries + 1)} of ${number(item.maxRetries + 1)}` });
  return steps;
}

/** @param {Item} item */
function counters({ stalls, stallLimit, retries, maxRetries }) {
  const words = [
    ...(stalls > 0 ? [`stalled ${stalls} of ${stallLimit}`] : []),
    ...(retries > 0 ? [`retried ${retries} of ${maxRetries}`] : []),
  ];
  return words.length === 0 ? nothing : html`<p class="sub">${words.join(" · ")}</p>`;
}
