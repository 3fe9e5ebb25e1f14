// The work queue: what runs, what waits and what has finished; or one table of one status.

import { FINISHED, filterOf, filterQuery, isFinished, newestFinished, nextTaken, oldestStarted } from "./items.js";
import { html, nothing, render } from "./vendor/lit-html-3.3.3/lit-html.js";
import {
  CANCELLING,
  cancelButton,
  chip,
  chipView,
  counted,
  kindTitle,
  number,
  outcome,
  span,
  timeAgo,
} from "./words.js";

/**
 * @import { Page } from "./main.js"
 * @import { Item } from "./types.d.ts"
 * @typedef {{ name: string, title: string, order: (a: Item, b: Item) => number, has: (item: Item) => boolean }} Group
 */

const SETTLE_MS = 6_000;
const LATE_MS = 10 * 60_000;
const SLOW_MS = 1_000;
const MOST_ROWS = 300;
const STATUSES = ["running", "queued", "failed", "cancelled", "succeeded"];
/** @type {Record<string, string>} */
const STATUS_WORDS = {
  running: "Running",
  queued: "Waiting",
  failed: "Failed",
  cancelled: "Cancelled",
  succeeded: "Succeeded",
};
const COLUMNS = [
  "Status",
  "Work",
  "Progress or outcome",
  "Requested",
  "Started / took",
  "Worker and attempt",
  "Action",
];

/** @type {Group[]} */
const GROUPS = [
  { name: "running", title: "Running", order: oldestStarted, has: (item) => item.status === "running" },
  { name: "waiting", title: "Waiting", order: nextTaken, has: (item) => item.status === "queued" },
  { name: "finished", title: "Finished", order: newestFinished, has: isFinished },
];

/** @param {Page} page @param {HTMLElement} root */
export function show(page, root) {
  const view = new Queue(page, root);
  return { paint: () => view.paint() };
}

class Queue {
  #page;
  #root;
  #query = "";
  /** What was read for the filter, and when. */
  #followed = "";
  /** How many each group has, shown or not. @type {Map<string, number>} */
  #totals = new Map();
  #shownAt = Date.now();
  /** @type {Map<string, Rows>} */
  #rows = new Map();
  /** Those that have ended and keep their place for a moment, with their group. @type {Map<string, { group: string, until: number }>} */
  #settling = new Map();
  /** Which group each was in. @type {Map<string, string>} */
  #placed = new Map();
  /** Finished ones that the user has seen. @type {Set<string> | null} */
  #seen = null;

  /** @param {Page} page @param {HTMLElement} root */
  constructor(page, root) {
    this.#page = page;
    this.#root = root;
  }

  paint() {
    const filter = filterOf(new URLSearchParams(location.search));
    this.#follow(filter);
    const isFlat = filter.statuses.length > 0;
    const items = this.#page.items.matching(isFlat ? { ...filter, statuses: [] } : filter);
    const groups = isFlat ? [flat(filter.statuses)] : GROUPS;
    const shown = new Map(groups.map((group) => [group.name, this.#members(group, items)]));
    const held = isFlat ? [] : this.#hold(shown);
    const focus = new Focus(this.#root);
    render(this.#frame(groups, shown, held.length, filter), this.#root);
    for (const group of groups) this.#paintRows(group, shown.get(group.name) ?? []);
    for (const [id, { until }] of this.#settling) if (until < Date.now() - SETTLE_MS) this.#settling.delete(id);
    this.#placed = new Map([...shown].flatMap(([name, members]) => members.map((item) => [item.id, name])));
    focus.restore();
  }

  /** Read what a filter shows: when it is new, and when the lists were read again. @param {import("./items.js").Filter} filter */
  async #follow(filter) {
    const page = this.#page;
    const query = filterQuery(filter).toString();
    const isNew = query !== this.#query;
    if (isNew) this.#seen = null;
    this.#query = query;
    const followed = `${page.reads} ${query}`;
    if (!page.isRead || followed === this.#followed) return;
    const isFirst = this.#followed === "";
    this.#followed = followed;
    if (query !== "" && !page.lists.isComplete) await page.lists.filtered(filter);
    if (followed !== this.#followed) return;
    if (isNew && !isFirst)
      page.say(`${counted(page.items.matching(filter).length, "item matches", "items match")} this filter.`);
    page.repaint();
  }

  /** @param {Group} group @param {Item[]} items */
  #members(group, items) {
    const now = Date.now();
    const members = items.filter((item) => {
      if (!isFinished(item)) return group.has(item);
      const before = this.#placed.get(item.id) ?? "";
      if (!this.#settling.has(item.id) && ["running", "waiting"].includes(before))
        this.#settling.set(item.id, { group: before, until: now + SETTLE_MS });
      const settling = this.#settling.get(item.id);
      return settling !== undefined && settling.until > now ? settling.group === group.name : group.has(item);
    });
    this.#totals.set(group.name, members.length);
    return members.sort(group.order).slice(0, MOST_ROWS);
  }

  /** Keep new finished rows back while somebody reads the group. @param {Map<string, Item[]>} shown @returns {Item[]} those kept back */
  #hold(shown) {
    const finished = shown.get("finished") ?? [];
    const section = this.#root.querySelector("#finished");
    const seen = this.#seen;
    const isRead = section !== null && (section.matches(":hover") || section.contains(document.activeElement));
    const isTopOut = section !== null && section.getBoundingClientRect().top < 0;
    if (seen === null || !(isRead || isTopOut)) {
      this.#seen = this.#page.isRead ? new Set(finished.map(({ id }) => id)) : null;
      return [];
    }
    const oldest = finished.findLast(({ id }) => seen.has(id));
    const isNew = (/** @type {Item} */ item) =>
      !seen.has(item.id) && (oldest === undefined || newestFinished(item, oldest) < 0);
    shown.set(
      "finished",
      finished.filter((item) => !isNew(item)),
    );
    return finished.filter(isNew);
  }

  /** @param {Group} group @param {Item[]} members */
  #paintRows(group, members) {
    const body = /** @type {HTMLElement | null} */ (this.#root.querySelector(`#${group.name} tbody`));
    if (body === null) return;
    const known = this.#rows.get(group.name);
    const rows = known?.body === body ? known : new Rows(this.#page, body);
    this.#rows.set(group.name, rows);
    rows.sync(members);
  }

  /** @param {Group[]} groups @param {Map<string, Item[]>} shown @param {number} held @param {import("./items.js").Filter} filter */
  #frame(groups, shown, held, filter) {
    const page = this.#page;
    const isSlow = Date.now() - this.#shownAt > SLOW_MS;
    if (!page.isRead)
      return html`<h1 tabindex="-1">Work queue</h1>
        <div aria-busy="true">${isSlow && page.trouble === null ? html`<p class="empty">Reading the queue…</p>` : nothing}</div>`;
    const isEmpty = [...shown.values()].every((members) => members.length === 0);
    const hides = this.#query !== "" && isEmpty;
    return html`
      <div class="head"><h1 tabindex="-1">Work queue</h1>
        <button type="button" class="ask" aria-haspopup="dialog" @click=${() => page.act("ask")}>Ask for work</button></div>
      ${this.#strip(filter)} ${this.#filters(filter)} ${this.#silentWorkers()}
      ${
        hides
          ? html`<p class="empty">${only(filter, "failed") ? `No failures. Finished items are kept for ${counted(page.hello?.retentionDays ?? 30, "day")}.` : "No item matches this filter."}
            <button type="button" @click=${() => page.go("admin/work-items")}>Clear filter</button></p>`
          : isEmpty
            ? html`<p class="empty">Nothing has run yet. Workers add their own work: a crawl starts within about 5 s of a worker starting.
              <a href=${page.href("admin/workers")}>Workers</a></p>`
            : groups.map((group) => this.#section(group, shown.get(group.name) ?? [], held, filter))
      }`;
  }

  /** @param {import("./items.js").Filter} filter */
  #strip(filter) {
    const { counts } = this.#page;
    const now = this.#page.now();
    const oldest = counts?.oldestWaitingAt ?? null;
    const waited = oldest === null ? 0 : now - Date.parse(oldest);
    return html`<nav class="strip" aria-label="By status">${STATUSES.map((status) => {
      const query = filterQuery({ ...filter, statuses: only(filter, status) ? [] : [status] });
      return html`<a href=${this.#page.href(`admin/work-items?${query}`)} aria-current=${only(filter, status) ? "true" : nothing}
        >${STATUS_WORDS[status]} <b>${counts === null ? "" : number(counts.byStatus[/** @type {"queued"} */ (status)] ?? 0)}</b></a>`;
    })}${oldest === null ? nothing : html`<span class=${waited > LATE_MS ? "late" : ""}>Oldest waiting: ${span(waited)}</span>`}</nav>`;
  }

  /** @param {import("./items.js").Filter} filter */
  #filters(filter) {
    const page = this.#page;
    const kinds = [
      ...new Set([...Object.keys(page.counts?.byKind ?? {}), ...page.items.kinds(), ...filter.kinds]),
    ].sort();
    const libraries = [
      ...new Set([...page.libraries.keys(), ...(filter.storageConfigId ? [filter.storageConfigId] : [])]),
    ];
    const people = [...page.items.askers(filter.requestedBy)];
    /** @param {Partial<import("./items.js").Filter>} change */
    const change = (change) => page.go(`admin/work-items?${filterQuery({ ...filter, ...change })}`);
    const value = (/** @type {Event} */ event) => /** @type {HTMLSelectElement} */ (event.target).value || null;
    return html`<form class="filters" role="search" aria-label="Filter" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label>Kind <select id="filter" @change=${(/** @type {Event} */ event) => change({ kinds: value(event) === null ? [] : [String(value(event))] })}>
        <option value="" ?selected=${filter.kinds.length === 0}>All</option>
        ${kinds.map((kind) => html`<option value=${kind} ?selected=${filter.kinds.includes(kind)}>${kindTitle(kind)}</option>`)}</select></label>
      <label>Library <select @change=${(/** @type {Event} */ event) => change({ storageConfigId: value(event) })}>
        <option value="" ?selected=${filter.storageConfigId === null}>All</option>
        ${libraries.map((id) => html`<option value=${id} ?selected=${filter.storageConfigId === id}>${page.libraryName(id)}</option>`)}</select></label>
      <label>Requested by <select @change=${(/** @type {Event} */ event) => change({ requestedBy: value(event) })}>
        <option value="" ?selected=${filter.requestedBy === null}>Anybody</option>
        <option value="schedule" ?selected=${filter.requestedBy === "schedule"}>Schedule</option>
        ${people.map((id) => html`<option value=${id} ?selected=${filter.requestedBy === id}>${page.personName(id)}</option>`)}</select></label>
      ${this.#query === "" ? nothing : html`<a href=${page.href("admin/work-items")}>Clear filter</a>`}</form>`;
  }

  #silentWorkers() {
    const { silentSince } = this.#page;
    if (silentSince === undefined) return nothing;
    const since = silentSince === null ? "yet" : `for ${span(this.#page.now() - Date.parse(silentSince))}`;
    return html`<p class="banner">No worker has reported ${since}. Waiting work will not start until one does.</p>`;
  }

  /** @param {Group} group @param {Item[]} members @param {number} held @param {import("./items.js").Filter} filter */
  #section(group, members, held, filter) {
    const page = this.#page;
    const isFinishedGroup = group.name === "finished" || filter.statuses.some((status) => FINISHED.includes(status));
    const total = this.#totals.get(group.name) ?? 0;
    const isShown = (/** @type {Item} */ item) => members.some(({ id }) => id === item.id);
    const older = () => page.lists.older(filter, isShown).then(() => this.#seeAll());
    return html`<section id=${group.name} aria-labelledby=${`${group.name}-title`}>
      <h2 id=${`${group.name}-title`} tabindex="-1">${group.title} <span class="sub">${total === 0 ? "" : number(total)}</span></h2>
      ${held > 0 && group.name === "finished" ? html`<button type="button" class="pill" @click=${() => this.#seeAll()}>${number(held)} newer</button>` : nothing}
      ${
        members.length === 0
          ? html`<p class="empty">${emptyWords(group.name, page)}</p>`
          : html`<table role="table" aria-labelledby=${`${group.name}-title`}>
            <caption class="unseen">${group.title} work</caption>
            <thead role="rowgroup"><tr role="row">${COLUMNS.map((column) => html`<th scope="col" role="columnheader">${column}</th>`)}</tr></thead>
            <tbody role="rowgroup"></tbody>
          </table>`
      }
      ${total > MOST_ROWS ? html`<p class="empty">and ${number(total - MOST_ROWS)} more</p>` : nothing}
      ${isFinishedGroup && page.lists.hasOlder(filter) ? html`<button type="button" @click=${older}>Load older</button>` : nothing}</section>`;
  }

  #seeAll() {
    this.#seen = null;
    this.#page.repaint();
  }
}

/** @param {import("./items.js").Filter} filter @param {string} status */
const only = (filter, status) => filter.statuses.length === 1 && filter.statuses[0] === status;

/** @param {string[]} statuses @returns {Group} */
function flat(statuses) {
  const order = statuses.includes("running") ? oldestStarted : statuses.includes("queued") ? nextTaken : newestFinished;
  const title = statuses.map((status) => STATUS_WORDS[status] ?? status).join(", ");
  return { name: "chosen", title, order, has: (item) => statuses.includes(item.status) };
}

/** @param {string} name @param {Page} page */
function emptyWords(name, page) {
  if (name === "running") return "Nothing is running right now.";
  if (name === "waiting") return "Nothing is waiting.";
  return `Nothing has finished in the last ${counted(page.hello?.retentionDays ?? 30, "day")}.`;
}

/** The rows of one table, each painted by itself and moved only where its place has changed. */
class Rows {
  /** @type {Map<string, { row: HTMLElement, stamp: string, item: Item | null }>} */
  #byId = new Map();
  #page;

  /** @param {Page} page @param {HTMLElement} body */
  constructor(page, body) {
    this.#page = page;
    this.body = body;
  }

  /** @param {Item[]} items */
  sync(items) {
    const kept = new Set(items.map(({ id }) => id));
    for (const [id, { row }] of this.#byId) {
      if (kept.has(id)) continue;
      row.remove();
      this.#byId.delete(id);
    }
    const time = `${Math.floor(this.#page.now() / 1000)} ${this.#page.utc} ${this.#page.libraries.size}`;
    /** @type {Element | null} */
    let place = this.body.firstElementChild;
    for (const [position, item] of items.entries()) {
      const row = this.#paint(item, position, `${time} ${position} ${this.#page.stamp(item)}`);
      if (row === place) place = place.nextElementSibling;
      else move(this.body, row, place);
    }
  }

  /** @param {Item} item @param {number} position @param {string} stamp */
  #paint(item, position, stamp) {
    const known = this.#byId.get(item.id) ?? newRow(item.id);
    this.#byId.set(item.id, known);
    if (known.item !== item || known.stamp !== stamp) render(cells(item, position, this.#page), known.row);
    known.item = item;
    known.stamp = stamp;
    return known.row;
  }
}

/** @param {string} id @returns {{ row: HTMLElement, stamp: string, item: Item | null }} */
function newRow(id) {
  const row = document.createElement("tr");
  row.setAttribute("role", "row");
  row.id = `row-${id}`;
  return { row, stamp: "", item: null };
}

/** Where browsers can, without losing focus. @param {HTMLElement} body @param {Element} row @param {Element | null} before */
function move(body, row, before) {
  if (row.isConnected && "moveBefore" in body) /** @type {any} */ (body).moveBefore(row, before);
  else body.insertBefore(row, before);
}

/** Keeps the focus in the page when what had it goes: to its row's link, the next row, or the group's heading. */
class Focus {
  #root;
  #focused;
  #row;
  #next;
  #section;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
    this.#focused = document.activeElement;
    this.#row = this.#focused?.closest("tr[id]") ?? null;
    this.#next = this.#row?.nextElementSibling ?? this.#row?.previousElementSibling ?? null;
    this.#section = this.#row?.closest("section")?.id ?? null;
  }

  restore() {
    if (this.#row === null || this.#section === null || document.activeElement === this.#focused) return;
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const row = document.getElementById(this.#row.id) ?? (this.#next?.isConnected ? this.#next : null);
    const heading = this.#root.querySelector(`#${this.#section} h2`) ?? this.#root.querySelector("h1");
    const target = row?.querySelector("a") ?? heading;
    /** @type {HTMLElement | null} */ (target)?.focus({ preventScroll: true });
  }
}

/** @param {Item} item @param {number} position @param {Page} page */
function cells(item, position, page) {
  const when = page.when();
  const note = page.notes.get(item.id);
  return html`<td role="cell" data-label="Status">${chipView(page.pending.has(item.id) ? CANCELLING : chip(item, when))}</td>
    <th scope="row" role="rowheader" data-label="Work"><a id=${`work-${item.id}`} href=${page.href(`admin/work-items/${item.id}`)}>${kindTitle(item.kind)}</a>
      ${item.storageConfigId === null ? nothing : html`<span class="sub">${page.libraryName(item.storageConfigId)}</span>`}</th>
    <td role="cell" data-label="Progress or outcome" class="progress">${outcome(item, page, position)}
      ${note === undefined ? nothing : html`<p class="note">${note}</p>`}</td>
    <td role="cell" data-label="Requested">${page.personName(item.requestedBy)} <span class="sub">${timeAgo(item.requestedAt, when)}</span></td>
    <td role="cell" data-label="Started / took">${took(item, when)}</td>
    <td role="cell" data-label=${item.attempt === 0 ? nothing : "Worker and attempt"}>${item.claimedBy ?? nothing} ${item.attempt === 0 ? nothing : html`<span class="sub">attempt ${number(item.attempt)}</span>`}</td>
    <td role="cell" data-label="Action">${cancelButton(item, page)}</td>`;
}

/** @param {Item} item @param {import("./words.js").When} when */
function took(item, when) {
  if (item.startedAt === null) return nothing;
  if (item.finishedAt === null) return timeAgo(item.startedAt, when);
  return html`${span(Date.parse(item.finishedAt) - Date.parse(item.startedAt))} <span class="sub">${timeAgo(item.finishedAt, when)}</span>`;
}
