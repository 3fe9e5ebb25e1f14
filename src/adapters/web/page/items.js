// The store: what is known of each item. Whatever order answers and events arrive in, the highest revision stays.

/**
 * @import { Item, Sample } from "./types.d.ts"
 * @typedef {{ statuses: string[], kinds: string[], storageConfigId: string | null, requestedBy: string | null }} Filter
 */

const MOST_FINISHED = 1000;
const MOST_GONE = 2000;
const MOST_PAGES = 5;
const SAMPLES_MS = 60_000;
const CLOSE_MS = 500;
const ENOUGH_FOR_RATE_MS = 2_000;
const ENOUGH_SAMPLES_MS = 30_000;
const LARGEST_SPREAD = 0.5;
const QUARTERS = 4;

export const FINISHED = ["succeeded", "failed", "cancelled"];
export const isFinished = (/** @type {Item} */ item) => FINISHED.includes(item.status);

export class Items {
  /** @type {Map<string, Item>} */
  #byId = new Map();
  /** @type {Map<string, Sample[]>} */
  #samples = new Map();
  /** @type {Set<string>} */
  #gone = new Set();
  /** @type {Set<string>} Those put since somebody began to read the list anew. */
  #fresh = new Set();
  /** @type {Set<string>} Those whose revisions may be of another history than the server's. */
  #doubted = new Set();
  /** Raised by each change, so that readers see whether there was one. */
  version = 0;

  /** Keep this unless something newer is known. @param {Item} item @returns {boolean} whether it was news */
  put(item) {
    const known = this.#doubted.delete(item.id) ? undefined : this.#byId.get(item.id);
    if (this.#gone.has(item.id)) return false;
    this.#fresh.add(item.id);
    if (known !== undefined && known.revision >= item.revision) return false;
    this.#byId.set(item.id, forward(item, known));
    this.#sample(item);
    this.version += 1;
    return true;
  }

  /** Forget these: they are gone, and a late answer does not bring them back. @param {string[]} ids */
  remove(ids) {
    for (const id of ids) {
      this.#byId.delete(id);
      this.#samples.delete(id);
      this.#gone.add(id);
    }
    while (this.#gone.size > MOST_GONE)
      for (const id of this.#gone) {
        this.#gone.delete(id);
        break;
      }
    this.version += 1;
  }

  /** The server may have another history now, such as a restored backup: what it says next counts, however low its revision. */
  doubt() {
    this.#doubted = new Set(this.#byId.keys());
    this.#gone.clear();
  }

  /** From here on whatever is not put is stale. */
  beginAnew() {
    this.#fresh.clear();
  }

  /** Forget what was not put since `beginAnew`. */
  endAnew() {
    for (const id of this.#byId.keys()) {
      if (this.#fresh.has(id)) continue;
      this.#byId.delete(id);
      this.#samples.delete(id);
    }
    this.version += 1;
  }

  /** @param {string} id */
  get(id) {
    return this.#byId.get(id);
  }

  /** @param {string} id @returns {Sample[]} */
  samples(id) {
    return this.#samples.get(id) ?? [];
  }

  /** Those that the filter lets through. @param {Filter} filter */
  matching(filter) {
    return [...this.#byId.values()].filter((item) => matches(item, filter));
  }

  /** How many there are of each status, and since when the oldest waits. @returns {import("./types.d.ts").Counts} */
  counts() {
    /** @type {Record<string, number>} */
    const byStatus = { queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 };
    /** @type {string | null} */
    let oldestWaitingAt = null;
    for (const { status, requestedAt } of this.#byId.values()) {
      byStatus[status] = (byStatus[status] ?? 0) + 1;
      if (status === "queued" && (oldestWaitingAt === null || requestedAt < oldestWaitingAt))
        oldestWaitingAt = requestedAt;
    }
    return { byStatus, oldestWaitingAt };
  }

  /** The kinds of those that are known. */
  kinds() {
    return new Set([...this.#byId.values()].map(({ kind }) => kind));
  }

  /** The people who asked for those that are known, and this one. @param {string | null} more */
  askers(more) {
    const asked = [...this.#byId.values()].map(({ requestedBy }) => requestedBy);
    return new Set([...asked, more].filter((id) => id !== null && id !== "schedule").map(String));
  }

  /** Let go of the oldest of very many finished ones. @returns {boolean} whether some went */
  trim() {
    if (this.#byId.size <= MOST_FINISHED) return false;
    const finished = [...this.#byId.values()].filter(isFinished).sort(newestFinished);
    for (const { id } of finished.slice(MOST_FINISHED)) this.#byId.delete(id);
    return finished.length > MOST_FINISHED;
  }

  /** @param {Item} item */
  #sample(item) {
    if (item.status !== "running") {
      this.#samples.delete(item.id);
      return;
    }
    const sample = { at: Date.parse(item.updatedAt), done: item.progress.done };
    this.#samples.set(item.id, sampled(this.samples(item.id), sample));
  }
}

/** Keep the looks of the last minute, some of each second. @param {Sample[]} samples @param {Sample} sample */
function sampled(samples, sample) {
  const last = samples.at(-1);
  // A new attempt begins again: its looks say nothing about each other.
  if (last !== undefined && (sample.done < last.done || sample.at < last.at)) return [sample];
  const before = samples.at(-2);
  const isClose = before !== undefined && sample.at - before.at < CLOSE_MS;
  return [...(isClose ? samples.slice(0, -1) : samples).filter(({ at }) => at > sample.at - SAMPLES_MS), sample];
}

/** How many a second, or null where that cannot be said. @param {Sample[]} samples */
export function rate(samples) {
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < ENOUGH_FOR_RATE_MS) return null;
  return ((last.done - first.done) / (last.at - first.at)) * 1000;
}

/** What is left, in milliseconds; null where nobody can be sure. @param {Sample[]} samples @param {number | null} total */
export function left(samples, total) {
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (total === null || first === undefined || last === undefined) return null;
  if (last.at - first.at <= ENOUGH_SAMPLES_MS) return null;
  const rates = quarterly(samples, first.at, last.at);
  const mean = rates.reduce((sum, one) => sum + one, 0) / rates.length;
  if (!(mean > 0) || (Math.max(...rates) - Math.min(...rates)) / mean >= LARGEST_SPREAD) return null;
  return ((total - last.done) / mean) * 1000;
}

/** @param {Sample[]} samples @param {number} from @param {number} to */
function quarterly(samples, from, to) {
  const edges = Array.from({ length: QUARTERS + 1 }, (_, n) => from + ((to - from) * n) / QUARTERS);
  const done = edges.map((edge) => doneAt(samples, edge));
  return done.slice(1).map((value, n) => ((value - done[n]) / (to - from)) * QUARTERS * 1000);
}

/** Between two looks a run is taken to go on evenly. @param {Sample[]} samples @param {number} at */
function doneAt(samples, at) {
  const next = samples.find((sample) => sample.at >= at) ?? samples[samples.length - 1];
  const before = samples.findLast((sample) => sample.at <= at) ?? samples[0];
  if (next.at === before.at) return next.done;
  return before.done + ((next.done - before.done) * (at - before.at)) / (next.at - before.at);
}

/** Of one attempt whose total stands, progress only grows. @param {Item} item @param {Item | undefined} known @returns {Item} */
function forward(item, known) {
  const { progress } = item;
  const isSame = known?.attempt === item.attempt && known.progress.total === progress.total && progress.total !== null;
  return isSame && known.progress.done > progress.done
    ? { ...item, progress: { ...progress, done: known.progress.done } }
    : item;
}

/** @param {Item} item @param {Filter} filter */
export function matches(item, { statuses, kinds, storageConfigId, requestedBy }) {
  return (
    (statuses.length === 0 || statuses.includes(item.status)) &&
    (kinds.length === 0 || kinds.includes(item.kind)) &&
    (storageConfigId === null || item.storageConfigId === storageConfigId) &&
    (requestedBy === null || (item.requestedBy ?? "schedule") === requestedBy)
  );
}

/** @param {(string | null)[]} a @param {(string | null)[]} b */
const inOrder = (a, b) => {
  for (const [n, value] of a.entries()) {
    const [left, right] = [value ?? "", b[n] ?? ""];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
};

/** Orders of the groups: never by the last update, so that rows stay where they are. */
export const oldestStarted = (/** @type {Item} */ a, /** @type {Item} */ b) =>
  inOrder([a.startedAt, a.id], [b.startedAt, b.id]);
export const nextTaken = (/** @type {Item} */ a, /** @type {Item} */ b) =>
  inOrder([a.runAfter ?? a.requestedAt, a.requestedAt, a.id], [b.runAfter ?? b.requestedAt, b.requestedAt, b.id]);
export const newestFinished = (/** @type {Item} */ a, /** @type {Item} */ b) =>
  inOrder([b.finishedAt, b.id], [a.finishedAt, a.id]);

/** Reads lists into the store. */
export class Lists {
  /** Where the finished ones go on, for each filter. @type {Map<string, string | null>} */
  #older = new Map();
  #server;
  #items;

  /** @param {import("./server.js").Server} server @param {Items} items */
  constructor(server, items) {
    this.#server = server;
    this.#items = items;
  }

  /**
   * The newest changes, and everything that waits or runs: one request where there are few items. Forgets what is gone.
   *
   * @returns {Promise<import("./types.d.ts").Answer>} the last answer, with the cursor of the first
   */
  async anew() {
    this.#items.beginAnew();
    const first = await this.#read({});
    if (first.status !== 200) return first;
    let last = first;
    if (first.body.nextCursor !== null) last = await this.#active();
    if (last.status !== 200) return last;
    this.#older.clear();
    if (first.body.nextCursor === null) this.#older.set("", null);
    this.#items.endAnew();
    return first;
  }

  /** Let go of very old ones: whoever wants them loads them again. */
  trim() {
    if (this.#items.trim()) this.#older.clear();
  }

  /** Whether the store holds every item there is: then nobody has to be asked how many there are. */
  get isComplete() {
    return this.#older.get("") === null;
  }

  /** What a filter shows first. @param {Filter} filter */
  async filtered(filter) {
    return this.#read(filter);
  }

  /** Whether there may be older ones. @param {Filter} filter */
  hasOlder(filter) {
    return this.#older.get("") !== null && this.#older.get(key(filter)) !== null;
  }

  /** Read on in what has finished, until that brings something. @param {Filter} filter @param {(item: Item) => boolean} isShown */
  async older(filter, isShown) {
    const statuses = filter.statuses.length === 0 ? FINISHED : filter.statuses;
    for (;;) {
      const answer = await this.#read({ ...filter, statuses }, { cursor: this.#older.get(key(filter)), limit: "50" });
      if (answer.status !== 200) return answer;
      this.#older.set(key(filter), answer.body.nextCursor);
      if (answer.body.nextCursor === null || !answer.body.items.every(isShown)) return answer;
    }
  }

  async #active() {
    let cursor;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = await this.#read({ statuses: ["queued", "running"] }, { cursor });
      if (answer.status !== 200 || answer.body.nextCursor === null) return answer;
      cursor = answer.body.nextCursor;
      if (page === MOST_PAGES - 1) return answer;
    }
    throw new Error("not reached");
  }

  /** @param {Partial<Filter>} filter @param {{ cursor?: string | null, limit?: string }} [page] */
  async #read(filter, { cursor, limit = "200" } = {}) {
    const query = filterQuery(filter);
    query.set("limit", limit);
    if (cursor) query.set("cursor", cursor);
    const answer = await this.#server.ask("GET", `admin/work-items?${query}`);
    if (answer.status === 200) for (const item of answer.body.items) this.#items.put(item);
    return answer;
  }
}

/** @param {Filter} filter */
const key = (filter) => filterQuery(filter).toString() || "all";

/** The filter as the page's own addresses and the API's both have it. @param {Partial<Filter>} filter */
export function filterQuery({ statuses = [], kinds = [], storageConfigId = null, requestedBy = null }) {
  const query = new URLSearchParams();
  for (const status of statuses) query.append("status", status);
  for (const kind of kinds) query.append("kind", kind);
  if (storageConfigId !== null) query.set("storageConfigId", storageConfigId);
  if (requestedBy !== null) query.set("requestedBy", requestedBy);
  return query;
}

/** @param {URLSearchParams} query @returns {Filter} */
export function filterOf(query) {
  return {
    statuses: query.getAll("status"),
    kinds: query.getAll("kind"),
    storageConfigId: query.get("storageConfigId"),
    requestedBy: query.get("requestedBy"),
  };
}
