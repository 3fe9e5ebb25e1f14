// Words: how times, numbers and the states of an item read, and what came of it.

import { left, rate } from "./items.js";
import { html, nothing, svg } from "./vendor/lit-html-3.3.3/lit-html.js";

/**
 * @import { Page } from "./main.js"
 * @import { Hello, Item } from "./types.d.ts"
 * @typedef {{ now: number, utc: boolean, hello: Hello | null }} When what all words about time depend on
 * @typedef {{ word: string, icon: keyof typeof ICONS, tone: string, muted?: boolean }} Chip
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HEARTBEATS_WITHOUT_NEWS = 5;
const MAIN_NUMBERS = 4;
const SIZES = ["B", "kB", "MB", "GB", "TB"];

const BYTES = /Bytes$/;

const ICONS = {
  circle: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z",
  notched: "M8 2a6 6 0 1 0 6 6M8 5v3l2 2",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 4.5V8l2.5 1.5",
  play: "M5 3.5v9l7-4.5Z",
  warning: "M8 2 1.5 13.5h13ZM8 6.5v3.5M8 11.6v.4",
  stop: "M4 4h8v8H4Z",
  tick: "M3 8.5 6.5 12 13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  barred: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM5 8h6",
  half: "M8 2a6 6 0 1 0 0 12ZM8 2a6 6 0 0 1 0 12",
  arrows: "M3 5.5h9L9.5 3M13 10.5H4L6.5 13",
};

/** @type {Chip} */
export const CANCELLING = { word: "Cancelling…", icon: "stop", tone: "cancelling" };

const decimals = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** @param {number} value */
export function number(value) {
  return decimals.format(value).replaceAll(",", "\u202f");
}

/** "12.3 MB". @param {number} bytes */
export function fileSize(bytes) {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZES.length - 1);
  return `${number(bytes / 1000 ** step)} ${SIZES[step]}`;
}

/** @param {string} kind `proxy-sweep` reads "Proxy sweep", and so does any kind that nobody here knows */
export function kindTitle(kind) {
  const words = kind.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {string} id */
export const shortId = (id) => id.replaceAll("-", "").slice(-6);

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** A span of milliseconds in its two largest units: "4 min 3 s". @param {number} ms */
export function span(ms) {
  const whole = Math.max(0, Math.round(ms / SECOND));
  const parts = [
    [Math.floor(whole / 86400), "d"],
    [Math.floor((whole % 86400) / 3600), "h"],
    [Math.floor((whole % 3600) / 60), "min"],
    [whole % 60, "s"],
  ];
  const first = parts.findIndex(([value]) => value !== 0);
  if (first === -1) return "under 1 s";
  const two = parts.slice(first, first + 2).filter(([value]) => value !== 0);
  return two.map(([value, unit]) => `${value} ${unit}`).join(" ");
}

/** @param {number} at @param {boolean} utc */
const zoned = (at, utc) => {
  const date = new Date(at);
  return utc ? date : new Date(at - date.getTimezoneOffset() * MINUTE);
};

/** "14:03", or with seconds "14:03:12". @param {string | number} at @param {boolean} utc @param {boolean} [seconds] */
export function clock(at, utc, seconds = false) {
  return zoned(Number(new Date(at)), utc)
    .toISOString()
    .slice(11, seconds ? 19 : 16);
}

/** Date, time and zone in full. @param {string | number} at @param {boolean} utc */
export function fullTime(at, utc) {
  const text = zoned(Number(new Date(at)), utc)
    .toISOString()
    .slice(0, 19)
    .replace("T", " ");
  return utc ? `${text} UTC` : text;
}

/** "4 min ago". @param {string} at @param {number} now */
export function ago(at, now) {
  const ms = now - Date.parse(at);
  if (ms < 10 * SECOND) return "just now";
  if (ms < MINUTE) return `${Math.floor(ms / (10 * SECOND)) * 10} s ago`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`;
  return counted(Math.floor(ms / DAY), "day").concat(" ago");
}

/** An instant as a list shows it. @param {string | null} at @param {When} when */
export function timeAgo(at, { now, utc }) {
  if (at === null) return nothing;
  return html`<time datetime=${at} title=${fullTime(at, utc)}>${ago(at, now)}</time>`;
}

/** @param {Item} item @param {When} when @returns {Chip} */
export function chip(item, { now, utc, hello }) {
  const stalled = item.errorCode === "stalled";
  switch (item.status) {
    case "queued":
      if (item.runAfter !== null && Date.parse(item.runAfter) > now)
        return { word: `Retry at ${clock(item.runAfter, utc)}`, icon: "clock", tone: "waiting" };
      if (item.stalls > 0) return { word: "Waiting again", icon: "notched", tone: "waiting" };
      return { word: "Waiting", icon: "circle", tone: "waiting" };
    case "running":
      if (isLeaseOver(item, now)) return { word: "Not responding", icon: "warning", tone: "stalled" };
      if (item.cancelRequestedAt !== null) return CANCELLING;
      return { word: "Running", icon: "play", tone: "running", muted: silence(item, now, hello) > 0 };
    case "succeeded":
      return { word: "Succeeded", icon: "tick", tone: "succeeded" };
    case "failed":
      return { word: stalled ? "Failed · stalled" : "Failed", icon: "cross", tone: stalled ? "stalled" : "failed" };
    case "cancelled":
      if (item.errorCode === "superseded") return { word: "Superseded", icon: "arrows", tone: "cancelled" };
      if (item.partial) return { word: "Cancelled · partial", icon: "half", tone: "cancelled" };
      return { word: "Cancelled", icon: "barred", tone: "cancelled" };
    default:
      return { word: item.status, icon: "circle", tone: "waiting" };
  }
}

/** @param {Chip} chip */
export function chipView({ word, icon, tone, muted = false }) {
  const shape = svg`<path d=${ICONS[icon]}></path>`;
  return html`<span class="chip ${tone} ${muted ? "muted" : ""}"
    ><svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">${shape}</svg>${word}</span
  >`;
}

/** @param {Item} item @param {number} now */
export const isLeaseOver = (item, now) => item.leaseUntil !== null && Date.parse(item.leaseUntil) < now;

/** For how long a run has been quieter than it should be; 0 where it is not. @param {Item} item @param {number} now @param {Hello | null} hello */
export function silence(item, now, hello) {
  const quiet = now - Date.parse(item.updatedAt);
  return quiet > HEARTBEATS_WITHOUT_NEWS * (hello?.heartbeatSeconds ?? 2) * SECOND ? quiet : 0;
}

/** @param {Item} item */
export function progressText({ progress: { done, total } }) {
  if (total === null) return done === 0 ? "Starting" : `${number(done)} so far`;
  // Never 100 % before the status says so.
  const percent = total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total));
  return `${number(done)} of ${number(total)} · ${percent} %`;
}

/** "about 6 min left (estimate)", rounded as it deserves. @param {number} ms */
export function aboutLeft(ms) {
  if (ms < MINUTE) return "less than 1 min left (estimate)";
  if (ms < HOUR) return `about ${Math.round(ms / MINUTE)} min left (estimate)`;
  return `about ${number(Math.round(ms / HOUR))} h left (estimate)`;
}

/** @param {number} perSecond */
export const rateText = (perSecond) =>
  perSecond >= 1 ? `${number(Math.round(perSecond))} per s` : `${number(Math.round(perSecond * 60))} per min`;

/** The numbers of a result in words: those that are not 0, and none inside of records. @param {Record<string, unknown> | null} result */
export function resultWords(result) {
  const numbers = Object.entries(result ?? {}).filter(
    ([name, value]) => typeof value === "number" && name !== "failed",
  );
  const told = numbers.filter(([, value]) => value !== 0);
  // That nothing was to be done is an outcome, too.
  return (told.length > 0 ? told : numbers.slice(0, 1)).map(
    ([name, value]) => `${amount(name, Number(value))} ${inWords(name.replace(BYTES, ""))}`,
  );
}

/** `orphanBytes` are a size, all else are plain numbers. @param {string} name @param {number} value */
export const amount = (name, value) => (BYTES.test(name) ? fileSize(value) : number(value));

/** What ended in the last moments, in one sentence. @param {Item[]} ended */
export function endedWords(ended) {
  const failed = ended.filter(({ status }) => status === "failed");
  if (ended.length === 1) return `${kindTitle(ended[0].kind)} ${ended[0].status}.`;
  if (failed.length === 1) return `${kindTitle(failed[0].kind)} failed; ${ended.length} items finished.`;
  return `${counted(ended.length, "item")} finished${failed.length === 0 ? "" : `, ${failed.length} of them failed`}.`;
}

/** `failedByReason` reads "failed by reason". @param {string} name */
export const inWords = (name) =>
  name
    .replaceAll(/[_-]/g, " ")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();

/** Only while it can do something. @param {Item} item @param {Page} page */
export function cancelButton(item, page) {
  const isPending = page.pending.has(item.id);
  if (!item.cancellable && !isPending) return nothing;
  const title = `Cancel ${kindTitle(item.kind)}${item.storageConfigId === null ? "" : `, ${page.libraryName(item.storageConfigId)}`}`;
  return html`<button type="button" class="cancel" aria-disabled=${isPending} aria-label=${isPending ? nothing : title}
    @click=${() => isPending || page.act("cancel", item.id)}>${isPending ? "Cancelling…" : "Cancel"}</button>`;
}

/** What a run does, or what came of it. @param {Item} item @param {Page} page @param {number} [position] */
export function outcome(item, page, position) {
  switch (item.status) {
    case "queued":
      return waiting(item, page, position);
    case "running":
      return running(item, page);
    case "failed":
      return failed(item);
    default:
      return ended(item, page);
  }
}

/** @param {Item} item @param {Page} page @param {number} [position] */
function waiting(item, page, position) {
  if (item.runAfter !== null && Date.parse(item.runAfter) > page.now())
    return html`Try ${item.retries + 1} of ${item.maxRetries + 1}${item.error === null ? nothing : html` · last error: ${item.error}`}`;
  if (item.waitReason === "no-worker")
    return html`No worker serves this library. Start one with WORKER__USER set to its owner, or an all-user worker.`;
  if (item.stalls > 0) return html`Stalled ${item.stalls} of ${item.stallLimit} times`;
  if (position === 0) return "Next";
  return position === undefined ? nothing : html`Behind ${number(position)} ${position === 1 ? "other" : "others"}`;
}

/** @param {Item} item @param {Page} page */
function running(item, page) {
  const { now, utc, hello } = page.when();
  const { done, total, note } = item.progress;
  const isOver = isLeaseOver(item, now);
  // Without a value the bar tells that nobody knows how much there is; a stopped one has to have some.
  const bar =
    total === null && !isOver
      ? html`<progress aria-labelledby=${`work-${item.id}`}></progress>`
      : html`<progress aria-labelledby=${`work-${item.id}`} max=${total || 1} value=${total === null ? 0 : done}></progress>`;
  if (isOver)
    return html`${bar} <span>Its worker went quiet at ${clock(item.leaseUntil ?? "", utc)}. It goes back to the queue by itself.</span>`;
  const quiet = silence(item, now, hello);
  const samples = page.items.samples(item.id);
  const perSecond = rate(samples);
  const remaining = left(samples, total);
  const parts = [progressText(item)];
  if (perSecond !== null && perSecond > 0) parts.push(rateText(perSecond));
  if (remaining !== null && item.cancelRequestedAt === null) parts.push(aboutLeft(remaining));
  if (note !== "") parts.push(note);
  if (quiet > 0) parts.push(`No news for ${span(quiet)}`);
  return html`${bar} <span class=${quiet > 0 ? "muted" : ""}>${parts.join(" · ")}</span>`;
}

/** @param {Item} item */
function failed(item) {
  const words =
    item.errorCode === "stalled"
      ? `Its worker stopped responding ${item.stalls} times${item.claimedBy === null ? "" : `; last on ${item.claimedBy}`}.`
      : (item.error ?? "");
  const { done, total } = item.progress;
  return html`<span class="error">${words}</span>
    ${done === 0 && total === null ? nothing : html`<span class="sub">Stopped at ${number(done)}${total === null ? nothing : html` of ${number(total)}`}</span>`}`;
}

/** @param {Item} item @param {Page} page */
function ended(item, page) {
  if (item.errorCode === "superseded") {
    const query = new URLSearchParams({ status: "queued", kind: item.kind });
    return html`<a href=${page.href(`admin/work-items?${query}`)}>The same work waits already</a>`;
  }
  if (item.status === "cancelled" && item.startedAt === null)
    return item.attempt === 0 ? "Never started" : "Cancelled while it waited";
  const failures = Number(item.result?.failed ?? 0);
  const words = resultWords(item.result).slice(0, MAIN_NUMBERS);
  return html`${item.partial ? html`<b class="partial">Partial</b> ` : nothing}${words.join(" · ")}
    ${failures > 0 ? html`<span class="error">${words.length > 0 ? "· " : ""}${number(failures)} ${failures === 1 ? "file" : "files"} failed</span>` : nothing}`;
}
