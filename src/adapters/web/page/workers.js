// Who works: every worker heard of within a day.

import { html, nothing, render } from "./vendor/lit-html-3.3.3/lit-html.js";
import { chipView, number, timeAgo } from "./words.js";

/** @import { Page } from "./main.js" */

const READ_EVERY_MS = 5_000;
const ONLINE_MS = 60_000;
const COLUMNS = ["Status", "Worker", "Serves", "Slots", "Version", "Started", "Last seen"];

/** @param {Page} page @param {HTMLElement} root */
export function show(page, root) {
  /** @type {any[] | null} */
  let workers = null;
  let isTrouble = false;
  const read = async () => {
    if (workers !== null && page.connection.state !== "live" && page.connection.state !== "polling") return;
    const answer = await page.server.ask("GET", "admin/workers");
    isTrouble = answer.status !== 200 && answer.status !== 401;
    if (answer.status === 200) workers = answer.body.items;
    page.repaint();
  };
  const reading = setInterval(read, READ_EVERY_MS);
  read();
  return {
    paint: () => render(content(page, workers, isTrouble, read), root),
    leave: () => clearInterval(reading),
  };
}

/** @param {Page} page @param {any[] | null} workers @param {boolean} isTrouble @param {() => void} read */
function content(page, workers, isTrouble, read) {
  const trouble = isTrouble
    ? html`<p class="empty">Could not read the workers. Nothing was changed. <button type="button" @click=${read}>Try again</button></p>`
    : nothing;
  if (workers === null) return html`<h1 tabindex="-1">Workers</h1>${trouble}`;
  if (workers.length === 0)
    return html`<h1 tabindex="-1">Workers</h1>${trouble}
      <p class="empty">No worker was heard of within a day. Start one: <code>anichron worker</code></p>`;
  return html`<h1 tabindex="-1">Workers</h1>${trouble}
    <table role="table"><caption class="unseen">Workers</caption>
      <thead role="rowgroup"><tr role="row">${COLUMNS.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}</tr></thead>
      <tbody role="rowgroup">${workers.map((worker) => row(worker, page))}</tbody></table>`;
}

/** @param {any} worker @param {Page} page */
function row(worker, page) {
  const isOnline = page.now() - Date.parse(worker.lastSeenAt) < ONLINE_MS;
  const state = isOnline
    ? chipView({ word: "Online", icon: "tick", tone: "succeeded" })
    : chipView({ word: "Silent", icon: "warning", tone: "stalled" });
  return html`<tr role="row"><td role="cell" data-label="Status">${state}</td>
    <th scope="row" role="rowheader" data-label="Worker">${worker.name}</th>
    <td role="cell" data-label="Serves">${worker.userId === null ? "Everybody" : page.personName(worker.userId)}</td>
    <td role="cell" data-label="Slots">${number(worker.slots)}</td>
    <td role="cell" data-label="Version">${worker.version}</td>
    <td role="cell" data-label="Started">${timeAgo(worker.startedAt, page.when())}</td>
    <td role="cell" data-label="Last seen">${timeAgo(worker.lastSeenAt, page.when())}</td></tr>`;
}
