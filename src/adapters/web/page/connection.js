// The live stream, kept open: what follows upon each way in which it can end.

import { SignedOut } from "./server.js";
import { createParser } from "./vendor/eventsource-parser-4.1.3/parse.js";

/**
 * @import { Server } from "./server.js"
 * @typedef {"connecting" | "live" | "paused" | "hidden" | "retrying" | "offline" | "restarting" | "polling"
 *   | "forbidden" | "signed-out"} State
 * @typedef {{ cursor: string | null } | "forbidden" | "signed-out" | "failed"} ListRead
 * @typedef {{ why: "bye" | "lost" | "off" | "bad-cursor" | "forbidden" | "signed-out" | "held-back",
 *   reason?: string, waitMs?: number }} End
 */

const PATH = "admin/work-items/stream";
const MAX_EVENT = 4_000_000;
const MISSED_KEEP_ALIVES = 3;
const FIRST_EVENT_MS = 5_000;
const HELD_BACK_TWICE = 2;
const POLL_MS = 10_000;
const LONGEST_WAIT_MS = 30_000;
const GOOD_LIFE_MS = 30_000;
const HIDDEN_MS = 60_000;
const JITTER = 0.3;

export class Connection {
  /** @type {State} */
  state = "connecting";
  /** When the next try is, while there is one to wait for. @type {number | null} */
  nextTryAt = null;
  lastNewsAt = 0;
  /** When the server said that it restarts. */
  restartAt = 0;

  /** @type {string | null} */
  #cursor = null;
  #retryMs = 3_000;
  #silenceMs = 45_000;
  #failures = 0;
  #heldBack = 0;
  #isPaused = false;
  #isHidden = false;
  #isPolling = false;
  #isRunning = false;
  /** Whether the next wait is not to be waited. */
  #isHurried = false;
  /** @type {AbortController | null} */
  #stream = null;
  /** Ends a wait before its time. */
  #wake = () => {};
  #server;
  #readList;
  #onEvent;
  #onState;

  /**
   * @param {Server} server
   * @param {{ readList: () => Promise<ListRead>, onEvent: (name: string, data: any) => void, onState: () => void }} parts
   */
  constructor(server, { readList, onEvent, onState }) {
    this.#server = server;
    this.#readList = readList;
    this.#onEvent = onEvent;
    this.#onState = onState;
    addEventListener("online", () => this.tryNow());
    addEventListener("offline", () => this.#stream?.abort());
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let hiding;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(hiding);
      if (document.hidden) hiding = setTimeout(() => this.#hide(true), HIDDEN_MS);
      else this.#hide(false);
    });
  }

  /** Begin, or begin again after it has ended for good. */
  start() {
    if (this.#isRunning) return this.tryNow();
    this.#isRunning = true;
    this.#failures = 0;
    this.#set("connecting");
    this.#run().finally(() => {
      this.#isRunning = false;
    });
  }

  pause() {
    this.#isPaused = true;
    this.#stream?.abort();
    this.#wake();
  }

  resume() {
    this.#isPaused = false;
    this.#wake();
  }

  tryNow() {
    if (this.state === "live") return;
    this.#failures = 0;
    this.#isHurried = true;
    this.#wake();
  }

  /** Read the list again before the stream goes on. */
  readAgain() {
    this.#cursor = null;
    this.#isHurried = true;
    this.#stream?.abort();
    this.#wake();
  }

  /** @param {boolean} isHidden */
  #hide(isHidden) {
    this.#isHidden = isHidden;
    if (isHidden) this.#stream?.abort();
    this.tryNow();
  }

  async #run() {
    for (;;) {
      await this.#allowed();
      if (this.#cursor === null || this.#isPolling) {
        const read = await this.#readList();
        if (read === "forbidden" || read === "signed-out") return this.#set(read);
        if (read === "failed") {
          await this.#backOff();
          continue;
        }
        this.#cursor = read.cursor;
      }
      if (this.#isPolling) {
        this.#set("polling");
        await this.#wait(POLL_MS);
        continue;
      }
      const end = await this.#listen();
      if (end.why === "forbidden" || end.why === "signed-out") return this.#set(end.why);
      await this.#after(end);
    }
  }

  /** @param {End} end */
  async #after(end) {
    switch (end.why) {
      case "off":
        this.#isPolling = true;
        return undefined;
      case "bad-cursor":
        this.#cursor = null;
        return this.#failures++ === 0 ? undefined : this.#backOff();
      case "held-back":
        this.#heldBack += 1;
        this.#isPolling = this.#heldBack >= HELD_BACK_TWICE;
        return undefined;
      case "bye":
        if (end.reason === "token-expired") this.#server.distrust();
        if (end.reason === "shutdown") {
          this.restartAt = Date.now();
          this.#set("restarting");
        }
        return this.#wait(spread(end.waitMs ?? 0));
      default:
        return this.#isStill() ? undefined : this.#backOff(end.waitMs);
    }
  }

  /** Wait while nobody looks, or somebody has asked for quiet, or there is no network. */
  async #allowed() {
    while (this.#isStill()) {
      this.#set(this.#isPaused ? "paused" : this.#isHidden ? "hidden" : "offline");
      this.#isHurried = false;
      await this.#wait(null);
    }
    if (["paused", "hidden", "offline"].includes(this.state)) this.#set("connecting");
  }

  #isStill() {
    return this.#isPaused || this.#isHidden || !navigator.onLine;
  }

  /** @returns {Promise<End>} */
  async #listen() {
    const stream = new AbortController();
    this.#stream = stream;
    const watch = new Watch(() => stream.abort());
    const openedAt = Date.now();
    try {
      watch.within(FIRST_EVENT_MS);
      const headers = { Accept: "text/event-stream", ...(this.#cursor ? { "Last-Event-ID": this.#cursor } : {}) };
      const response = await this.#server.open("GET", PATH, { headers, signal: stream.signal });
      const refused = refusal(response);
      if (refused !== null) return refused;
      return (await this.#read(/** @type {ReadableStream<Uint8Array>} */ (response.body), watch)) ?? { why: "lost" };
    } catch (error) {
      if (error instanceof SignedOut) return { why: "signed-out" };
      return { why: watch.isOver && this.lastNewsAt < openedAt ? "held-back" : "lost" };
    } finally {
      watch.end();
      stream.abort();
      if (this.lastNewsAt - openedAt > GOOD_LIFE_MS) this.#failures = 0;
    }
  }

  /** @param {ReadableStream<Uint8Array>} body @param {Watch} watch @returns {Promise<End | null>} */
  async #read(body, watch) {
    /** @type {End | null} */
    let end = null;
    const parser = createParser({
      maxBufferSize: MAX_EVENT,
      onRetry: (ms) => {
        this.#retryMs = ms;
      },
      onEvent: ({ id, event, data }) => {
        end = this.#event(event ?? "message", JSON.parse(data)) ?? end;
        // Only once it is dealt with: what fails is asked for again.
        if (id !== undefined) this.#cursor = id;
      },
    });
    const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || end !== null) return end;
      this.lastNewsAt = Date.now();
      parser.feed(value);
      if (end !== null) return end;
      watch.within(this.#silenceMs);
    }
  }

  /** @param {string} name @param {any} data @returns {End | null} */
  #event(name, data) {
    if (name === "hello") {
      this.#silenceMs = MISSED_KEEP_ALIVES * data.keepAliveSeconds * 1000;
      this.#heldBack = 0;
      this.#isHurried = false;
      this.#set("live");
    }
    this.#onEvent(name, data);
    if (name === "bye")
      return data.reason === "forbidden"
        ? { why: "forbidden" }
        : { why: "bye", reason: data.reason, waitMs: data.retryMs };
    return null;
  }

  /** @param {number} [atLeastMs] */
  async #backOff(atLeastMs = 0) {
    const wait = Math.min(
      Math.max(this.#retryMs, atLeastMs) * 2 ** this.#failures,
      Math.max(LONGEST_WAIT_MS, atLeastMs),
    );
    this.#failures += 1;
    const spreadMs = spread(wait);
    this.nextTryAt = Date.now() + spreadMs;
    this.#set("retrying");
    await this.#wait(spreadMs);
    this.nextTryAt = null;
  }

  /** @param {number | null} ms null waits until something has changed */
  #wait(ms) {
    if (this.#isHurried) {
      this.#isHurried = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  /** @param {State} state */
  #set(state) {
    this.state = state;
    this.#onState();
  }
}

/** Ends what takes too long. */
class Watch {
  isOver = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #end;

  /** @param {() => void} end */
  constructor(end) {
    this.#end = end;
  }

  /** The next sign of life has to come within this time. @param {number} ms */
  within(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#end();
    }, ms);
  }

  end() {
    clearTimeout(this.#timer);
  }
}

/** Why this is no stream; null where it is one. @param {Response} response @returns {End | null} */
function refusal(response) {
  const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
  if (response.status === 200 && isStream) return null;
  if (response.status === 204) return { why: "off" };
  if (response.status === 400) return { why: "bad-cursor" };
  if (response.status === 403) return { why: "forbidden" };
  return { why: "lost", waitMs: Number(response.headers.get("Retry-After") ?? 0) * 1000 || undefined };
}

/** Many pages that lose the same server do not come back at the same instant. @param {number} ms */
const spread = (ms) => ms * (1 + JITTER * (2 * Math.random() - 1));
