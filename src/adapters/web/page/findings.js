// What a proxy sweep has found, some at a time, and the deletion of what is chosen of it.

import { ask } from "./dialog.js";
import { html, nothing, render } from "./vendor/lit-html-3.3.3/lit-html.js";
import { counted, fileSize, kindTitle, shortId, timeAgo } from "./words.js";

/**
 * @import { Page } from "./main.js"
 * @import { Answer, Detail, Finding, Item } from "./types.d.ts"
 */

const AT_ONCE = "100";
const KINDS = ["orphan-file", "temporary-leftover", "missing-file"];
const COLUMNS = ["Select", "What", "Path", "Size", "Modified", "Library"];

/** @param {Page} page @param {Detail} sweep that has finished */
export function rowsOf(page, sweep) {
  const findings = new Findings(page, sweep);
  findings.read();
  return findings;
}

class Findings {
  #page;
  #sweep;
  /** The kind of those that are shown; all, where it is empty. */
  #what = "";
  /** @type {Finding[]} */
  #shown = [];
  /** Where they go on; null is nowhere. @type {string | null} */
  #cursor = null;
  /** What is being read. */
  #asked = "";
  /** @type {Map<string, Finding>} */
  #chosen = new Map();
  #isRead = false;
  #isPartial = false;
  #isTrouble = false;
  /** What came of a deletion that was asked for. @type {unknown} */
  #note = nothing;

  /** @param {Page} page @param {Detail} sweep */
  constructor(page, sweep) {
    this.#page = page;
    this.#sweep = sweep;
  }

  /** Read those that come next, or the first ones. @returns {Promise<boolean>} whether that went well */
  async read() {
    const query = new URLSearchParams({ limit: AT_ONCE });
    if (this.#what !== "") query.set("what", this.#what);
    if (this.#cursor !== null) query.set("cursor", this.#cursor);
    const asked = query.toString();
    if (this.#asked === asked) return false;
    this.#asked = asked;
    const { status, body } = await this.#page.server.ask("GET", `admin/work-items/${this.#sweep.id}/orphans?${asked}`);
    if (this.#asked !== asked) return false;
    this.#asked = "";
    this.#isTrouble = status !== 200;
    if (status === 200) {
      this.#isRead = true;
      this.#isPartial = body.partial;
      this.#cursor = body.nextCursor;
      this.#shown.push(...body.items);
    }
    this.#page.repaint();
    return status === 200;
  }

  view() {
    return html`<section class="findings" aria-labelledby="findings-title"><h2 id="findings-title">Findings</h2>
      ${this.#isPartial ? html`<p class="box">Partial: the sweep was cancelled before it had looked at everything.</p>` : nothing}
      ${this.#tools()} ${this.#note}
      ${this.#shown.length > 0 ? this.#table() : this.#isRead ? html`<p class="empty">${this.#what === "" ? "It has found nothing." : "It has found none of these."}</p>` : nothing}
      ${
        this.#isTrouble
          ? html`<p class="empty">Could not read what was found. Nothing was changed. <button type="button" @click=${() => this.read()}>Try again</button></p>`
          : this.#cursor === null
            ? nothing
            : html`<button type="button" @click=${() => this.#more()}>Load more</button>`
      }</section>`;
  }

  #tools() {
    const files = this.#number("orphanFiles") + this.#number("temporaryLeftovers");
    const chosen = [...this.#chosen.values()];
    const size = fileSize(chosen.reduce((sum, one) => sum + one.size, 0));
    return html`<div class="filters" role="group" aria-label="Findings">
      <label>What <select id="filter" @change=${(/** @type {Event} */ event) => this.#filter(event)}><option value="">All</option>
        ${KINDS.map((kind) => html`<option value=${kind}>${kindTitle(kind)}</option>`)}</select></label>
      ${
        files === 0
          ? nothing
          : html`<button type="button" @click=${() => this.#chooseAll()}>${this.#areAllChosen ? "Select none" : "Select all shown"}</button>
            <button type="button" class="danger" aria-disabled=${chosen.length === 0} @click=${() => chosen.length > 0 && this.#deleteChosen(chosen, size)}>
              ${chosen.length === 0 ? "Delete selected" : `Delete ${chosen.length} selected (${size})`}</button>
            <button type="button" class="danger" @click=${() => this.#deleteAll(files)}>Delete all ${counted(files, "file")} (${this.#sizeOfAll})</button>`
      }</div>`;
  }

  #table() {
    return html`<table role="table"><caption class="unseen">Findings</caption>
      <thead role="rowgroup"><tr role="row">${COLUMNS.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}</tr></thead>
      <tbody role="rowgroup">${this.#shown.map((finding) => this.#row(finding))}</tbody></table>`;
  }

  /** @param {Finding} finding */
  #row(finding) {
    const { id, what, path, size, modifiedAt, storageConfigId } = finding;
    const box = html`<label class="choice"><input type="checkbox" aria-label=${`Select ${path}`} .checked=${this.#chosen.has(id)}
      @change=${() => this.#choose(finding)}></label>`;
    return html`<tr role="row"><td role="cell">${isFile(finding) ? box : nothing}</td>
      <td role="cell" data-label="What">${kindTitle(what)}</td>
      <th scope="row" role="rowheader" id=${`finding-${id}`} tabindex="-1"><code>${path}</code></th>
      <td role="cell" data-label="Size">${fileSize(size)}</td>
      <td role="cell" data-label="Modified">${timeAgo(modifiedAt, this.#page.when())}</td>
      <td role="cell" data-label="Library">${this.#page.libraryName(storageConfigId)}</td></tr>`;
  }

  /** @param {Event} event */
  async #filter(event) {
    this.#what = /** @type {HTMLSelectElement} */ (event.target).value;
    this.#shown = [];
    this.#cursor = null;
    this.#isRead = false;
    this.#chosen.clear();
    this.#page.repaint();
    if (await this.read()) this.#tellShown();
  }

  async #more() {
    const before = this.#shown.length;
    if (!(await this.read())) return;
    this.#tellShown();
    // The button goes with the last of them; what it has brought is next.
    const first = this.#shown[before]?.id;
    if (this.#cursor === null) requestAnimationFrame(() => document.getElementById(`finding-${first}`)?.focus());
  }

  #tellShown() {
    const words = counted(this.#shown.length, "finding");
    this.#page.say(this.#cursor === null ? `${words} shown.` : `${words} shown, and there are more.`);
  }

  get #areAllChosen() {
    return this.#chosen.size > 0 && this.#shown.every((one) => !isFile(one) || this.#chosen.has(one.id));
  }

  #chooseAll() {
    const isAll = this.#areAllChosen;
    this.#chosen = new Map(isAll ? [] : this.#shown.filter(isFile).map((one) => [one.id, one]));
    this.#page.say(`${this.#chosen.size} selected.`);
    this.#page.repaint();
  }

  /** @param {Finding} finding */
  #choose(finding) {
    if (!this.#chosen.delete(finding.id)) this.#chosen.set(finding.id, finding);
    this.#page.repaint();
  }

  /** @param {Finding[]} chosen @param {string} size */
  #deleteChosen(chosen, size) {
    const files = counted(chosen.length, "file");
    this.#delete(`Delete ${files} (${size})?`, files, { findingIds: chosen.map(({ id }) => id) });
  }

  /** @param {number} files */
  #deleteAll(files) {
    const words = counted(files, "file");
    this.#delete(`Delete all ${words} (${this.#sizeOfAll})?`, words, { all: true, files });
  }

  /** Ask for it once the user is sure: again after no answer, with the same key, so that it is not asked for twice.
   * @param {string} question @param {string} files @param {object} choice */
  #delete(question, files, choice) {
    const page = this.#page;
    const headers = { "Idempotency-Key": newKey() };
    const body = { sweepId: this.#sweep.id, ...choice };
    let isAsking = false;
    const form = (trouble = "") => html`<form @submit=${submit}>
      <h2 id="asked">${question}</h2>
      <p>Each is looked at once more first: what is known by then, or was changed in the last hour, is kept. The rest is gone for good. Photos are never touched.</p>
      <p class="error" role="alert">${trouble}</p>
      <div class="buttons"><button type="submit" class="danger" aria-disabled=${isAsking}>${isAsking ? "Asking…" : `Delete ${files}`}</button>
        <button type="button" autofocus @click=${() => dialog.close()}>Keep them</button></div>
    </form>`;
    const submit = async (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      if (isAsking) return;
      isAsking = true;
      render(form(), dialog);
      const answer = await page.server.ask("POST", "admin/work-items/proxy-deletions", { body, headers });
      isAsking = false;
      if (answer.status === 202 || answer.status === 200) {
        dialog.close();
        this.#added(files, answer.body.items);
      } else if (dialog.isConnected) render(form(refusal(answer)), dialog);
      else page.say(refusal(answer));
    };
    const { dialog } = ask(form());
  }

  /** @param {string} files @param {Item[]} items */
  #added(files, items) {
    const page = this.#page;
    const words = `Deletion of ${files} added.`;
    for (const item of items) page.items.put(item);
    this.#chosen.clear();
    this.#note = html`<p class="note">${words} ${items.map(
      ({ id, kind, storageConfigId }) => html`<a href=${page.href(`admin/work-items/${id}`)}
        >${kindTitle(kind)} · ${storageConfigId === null ? shortId(id) : page.libraryName(storageConfigId)}</a> `,
    )}</p>`;
    page.say(words);
    page.repaint();
  }

  get #sizeOfAll() {
    return fileSize(this.#number("orphanBytes") + this.#number("leftoverBytes"));
  }

  /** Of the sweep's result. @param {string} name */
  #number(name) {
    return Number(String(this.#sweep.result?.[name] ?? 0));
  }
}

/** A row whose file is missing has none that could be deleted. @param {Finding} finding */
const isFile = ({ what }) => what !== "missing-file";

/** Also where the page came over plain http, to which browsers give no `randomUUID`. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {Answer} answer */
function refusal({ status, body }) {
  if (status === 401) return "Your session has ended. Sign in, and try again.";
  if (status === 0 || status >= 500) return "No answer from the server. Try again: it is not asked for twice.";
  return `Nothing was deleted. ${body?.errors?.[0]?.detail ?? body?.detail ?? ""}`;
}
