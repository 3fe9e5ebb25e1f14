// One item: what it does or came to, how it got there, and everything that is known of it.

import { Digits, exactly, written } from "./exact-json.js";
import { filterQuery } from "./items.js";
import { timeline } from "./timeline.js";
import { html, nothing, render } from "./vendor/lit-html-3.3.3/lit-html.js";
import {
  amount,
  CANCELLING,
  cancelButton,
  chip,
  chipView,
  counted,
  inWords,
  kindTitle,
  outcome,
  shortId,
} from "./words.js";

/**
 * @import { Page } from "./main.js"
 * @import { Detail, Item } from "./types.d.ts"
 * @typedef {{ view: () => unknown }} Rows
 */

const READ_EVERY_MS = 1_000;

/** What shows the rows of results that have some, by kind. @type {Record<string, () => Promise<{ rowsOf: (page: Page, item: Detail) => Rows }>>} */
const ROWS = { "proxy-sweep": () => import("./findings.js") };

/** @param {Page} page @param {HTMLElement} root @param {string} id */
export function show(page, root, id) {
  const view = new ItemView(page, root, decodeURIComponent(id));
  view.read();
  return { paint: () => view.paint() };
}

class ItemView {
  /** @type {Detail | null} */
  #detail = null;
  #text = "";
  #isGone = false;
  #isTrouble = false;
  #isReading = false;
  #readAt = 0;
  /** The rows of the result, once there are any. @type {Promise<void> | Rows | null} */
  #rows = null;
  #page;
  #root;
  #id;

  /** @param {Page} page @param {HTMLElement} root @param {string} id */
  constructor(page, root, id) {
    this.#page = page;
    this.#root = root;
    this.#id = id;
  }

  async read() {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#readAt = Date.now();
    const { status, body, text } = await this.#page.server.ask(
      "GET",
      `admin/work-items/${encodeURIComponent(this.#id)}`,
    );
    this.#isReading = false;
    this.#isGone = status === 404;
    this.#isTrouble = status !== 200 && status !== 404 && status !== 401;
    if (status === 200) {
      this.#detail = exactly(text);
      this.#text = text;
      const { payload, attempts, ...item } = body;
      this.#page.items.put(item);
    }
    this.#page.repaint();
  }

  paint() {
    const detail = this.#detail;
    const live = this.#page.items.get(this.#id);
    this.#readAgain(live);
    if (this.#isGone) render(this.#gone(), this.#root);
    else if (detail === null) render(this.#empty(), this.#root);
    else
      render(this.#content(live !== undefined && live.revision >= detail.revision ? live : detail, detail), this.#root);
  }

  /** The history comes with the detail only. @param {Item | undefined} live */
  #readAgain(live) {
    const detail = this.#detail;
    if (this.#isGone || Date.now() - this.#readAt < READ_EVERY_MS) return;
    const isGone = detail !== null && live === undefined && this.#page.connection.state === "live";
    const isNews =
      live !== undefined &&
      (live.attempt !== detail?.attempt || live.status !== detail.status || live.finishedAt !== null);
    if (
      isGone ||
      (isNews && live.revision > (detail?.revision ?? 0)) ||
      (detail === null && this.#page.connection.state === "live")
    )
      this.read();
  }

  #gone() {
    const page = this.#page;
    return html`<h1 tabindex="-1">Work item</h1>
      <p class="empty">This item is gone. Finished items are removed after ${counted(page.hello?.retentionDays ?? 30, "day")}, and items of a deleted library go with it.
        <a href=${page.href("admin/work-items")}>Back to the work queue</a></p>`;
  }

  #empty() {
    return html`<h1 tabindex="-1">Work item</h1>
      ${this.#isTrouble ? html`<p class="empty">Could not read the item. Nothing was changed. <button type="button" @click=${() => this.read()}>Try again</button></p>` : nothing}`;
  }

  /** @param {Item} item @param {Detail} detail */
  #content(item, detail) {
    const page = this.#page;
    const note = page.notes.get(item.id);
    return html`<article class="item">
      <div class="head"><h1 tabindex="-1" id=${`work-${item.id}`}>${kindTitle(item.kind)}</h1> ${chipView(page.pending.has(item.id) ? CANCELLING : chip(item, page.when()))}
        <span class="sub">${item.storageConfigId === null ? nothing : page.libraryName(item.storageConfigId)}</span>
        <code title=${item.id}>${shortId(item.id)}</code> <button type="button" @click=${() => copy(page, item.id)}>Copy id</button>
        ${cancelButton(item, page)}</div>
      ${note === undefined ? nothing : html`<p class="note">${note}</p>`}
      <section aria-labelledby="outcome-title"><h2 id="outcome-title">${item.finishedAt === null ? "Progress" : "Outcome"}</h2>
        ${item.partial ? html`<p class="box">Partial result: the work was stopped before it was done.</p>` : nothing}
        <div class="progress">${outcome(item, page)}</div></section>
      <section aria-labelledby="timeline-title"><h2 id="timeline-title">Timeline</h2>${timeline(item, detail, page)}</section>
      ${detail.result === null ? nothing : html`<section aria-labelledby="result-title"><h2 id="result-title">${item.partial ? "Partial result" : "Result"}</h2>${record(detail.result)}</section>`}
      ${this.#resultRows(detail)} ${this.#error(item)}
      <details><summary>Technical details</summary>
        <h3>Payload</h3><pre tabindex="0">${written(detail.payload)}</pre>
        <h3>Whole item</h3><pre tabindex="0">${written(detail)}</pre>
        <button type="button" @click=${() => copy(page, this.#text)}>Copy</button>
        <button type="button" @click=${() => download(this.#text, item.id)}>Download</button></details>
      <p><a href=${page.href(`admin/work-items?${filterQuery({ kinds: [item.kind], storageConfigId: item.storageConfigId })}`)}>Earlier runs</a></p>
    </article>`;
  }

  /** @param {Detail} detail */
  #resultRows(detail) {
    if (detail.result === null || !Object.hasOwn(ROWS, detail.kind)) return nothing;
    this.#rows ??= ROWS[detail.kind]().then(
      ({ rowsOf }) => {
        this.#rows = rowsOf(this.#page, detail);
        this.#page.repaint();
      },
      () => {
        // The next repaint tries again: a server that restarts is back soon.
        this.#rows = null;
      },
    );
    return this.#rows instanceof Promise ? nothing : this.#rows.view();
  }

  /** @param {Item} item */
  #error(item) {
    if (item.error === null) return nothing;
    const line = `itemId=${item.id} attempt=${item.attempt}`;
    return html`<section aria-labelledby="error-title"><h2 id="error-title">${item.finishedAt === null ? "Last error" : "Error"}</h2>
      <p class="error">${item.error}</p>
      <p>Code <code>${item.errorCode}</code>. The worker's log has more: search it for <code>${line}</code>
        <button type="button" @click=${() => copy(this.#page, line)}>Copy</button></p></section>`;
  }
}

/** @param {object} values @returns {unknown} */
function record(values) {
  return html`<dl>${Object.entries(values).map(([name, value]) => html`<div><dt>${inWords(name)}</dt> <dd>${shown(value, name)}</dd></div> `)}</dl>`;
}

/** @param {unknown} value @param {string} name */
function shown(value, name) {
  if (typeof value === "number") return amount(name, value);
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return value.map(String).join(", ");
  if (value !== null && typeof value === "object") return Object.keys(value).length === 0 ? "none" : record(value);
  return String(value);
}

/** Also where the page came over plain http, to which browsers give no clipboard. @param {Page} page @param {string} text */
async function copy(page, text) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  if (navigator.clipboard !== undefined) await navigator.clipboard.writeText(text);
  else {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    before?.focus();
  }
  page.say("Copied.");
}

/** @param {string} text @param {string} id */
function download(text, id) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `work-item-${id}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
