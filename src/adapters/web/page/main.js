// The page itself: what every view has around it, and one paint per frame for all that has changed.

import { Connection } from "./connection.js";
import { Items, Lists } from "./items.js";
import { ROOT, Server } from "./server.js";
import { html, nothing, render } from "./vendor/lit-html-3.3.3/lit-html.js";
import { clock, endedWords, shortId, span } from "./words.js";

/**
 * @import { Counts, Hello, Item, Library } from "./types.d.ts"
 * @typedef {{ paint: () => void, leave?: () => void }} View
 */

const COUNTS_EVERY_MS = 5_000;
const WORKERS_EVERY_MS = 30_000;
const LONG_WAIT_MS = 60_000;
const GATHER_MS = 5_000;
const QUIET_START_MS = 2_000;

/** @type {Record<string, { title: string, load: () => Promise<{ show: (page: Page, root: HTMLElement, rest: string) => View }> }>} */
const VIEWS = {
  "work-items": { title: "Work queue", load: () => import("./queue.js") },
  item: { title: "Work item", load: () => import("./item.js") },
  workers: { title: "Workers", load: () => import("./workers.js") },
  libraries: { title: "Libraries", load: () => import("./libraries.js") },
};
const HOME = "admin/work-items";
/** Of these very files: it stands in their address. */
const VERSION = new URL(".", import.meta.url).pathname.split("/").at(-2);

/** What a first look does not need. Once it is live, all of it is loaded: it may be wanted when the server is away. */
const LATER = [
  () => import("./actions.js"),
  () => import("./keyboard.js"),
  () => import("./sign-in.js"),
  () => import("./findings.js"),
  ...Object.values(VIEWS).map(({ load }) => load),
];
const LATER_MS = 1_000;
const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

export class Page {
  items = new Items();
  server = new Server();
  lists = new Lists(this.server, this.items);
  /** @type {Map<string, Library>} */
  libraries = new Map();
  /** @type {Hello | null} */
  hello = null;
  /** How often the lists were read. */
  reads = 0;
  /** Why the list could not be read. @type {"list" | "database" | null} */
  trouble = null;
  /** When the last worker was heard of, where none is any more; undefined while nobody had to ask. @type {string | null | undefined} */
  silentSince = undefined;
  /** What came of the user's last action on an item. @type {Map<string, string>} */
  notes = new Map();
  /** Items with an answer still to come. @type {Set<string>} */
  pending = new Set();
  isNewerRunning = false;
  utc = localStorage.getItem("anichron-zone") === "utc";
  connection = new Connection(this.server, {
    readList: () => this.#readList(),
    onEvent: (name, data) => this.#onEvent(name, data),
    onState: () => this.#onState(),
  });

  /** @type {View | null} */
  #view = null;
  #name = "";
  /** How far this device's clock is behind the server's. */
  #behindMs = 0;
  /** The server's time at which the page stands still. @type {number | null} */
  #stoodAt = null;
  #startedAt = Date.now();
  #isPainting = false;
  /** @type {Counts | null} */
  #counts = null;
  #areCountsStale = true;
  #countsReadAt = 0;
  #workersReadAt = 0;
  /** @type {Item[]} */
  #ended = [];
  #isLossTold = false;
  /** @type {((page: Page) => unknown) | null} */
  #banner = null;

  start() {
    this.server.onSignedOut = () => this.#signIn();
    addEventListener("popstate", () => this.#route());
    document.addEventListener("click", (event) => this.#onClick(event));
    addEventListener("keydown", (event) => import("./keyboard.js").then((keyboard) => keyboard.press(this, event)));
    setInterval(() => this.#tick(), 1_000);
    this.#route();
    this.connection.start();
    this.readLibraries();
  }

  /** Whether there is anything to show. */
  get isRead() {
    return this.reads > 0;
  }

  /** The server's time, or when the page stood still. */
  now() {
    return this.#stoodAt ?? Date.now() + this.#behindMs;
  }

  when() {
    return { now: this.now(), utc: this.utc, hello: this.hello };
  }

  /** Paint before the next frame, once, however often this is asked for. */
  repaint() {
    if (this.#isPainting) return;
    this.#isPainting = true;
    requestAnimationFrame(() => {
      this.#isPainting = false;
      this.#paint();
    });
  }

  /** Tell the user, on the screen and aloud; the same words twice are told twice. @param {string} text */
  say(text) {
    const said = element("said");
    said.textContent = "";
    setTimeout(() => {
      said.textContent = text;
    }, 50);
  }

  /** @param {string} path below this install, with its query */
  href(path) {
    return new URL(path, ROOT).href;
  }

  /** @param {string} path @param {{ replace?: boolean }} [options] */
  go(path, { replace = false } = {}) {
    history[replace ? "replaceState" : "pushState"](null, "", this.href(path));
    this.#route();
  }

  /** What users do to items and libraries; loaded when they first do. @param {"cancel" | "ask" | "crawl"} name @param {string} [id] */
  async act(name, id = "") {
    const actions = await import("./actions.js");
    return actions[name](this, id);
  }

  /** How many items there are: asked for only where this page cannot know. @returns {Counts | null} */
  get counts() {
    if (!this.isRead) return null;
    return this.lists.isComplete ? this.items.counts() : this.#counts;
  }

  async readLibraries() {
    const answer = await this.server.ask("GET", "admin/storage-configs");
    if (answer.status !== 200) return answer;
    this.libraries = new Map(answer.body.items.map((/** @type {Library} */ one) => [one.id, one]));
    this.repaint();
    return answer;
  }

  /** "Library 3f2a9c · ada": never its folder. @param {string} id */
  libraryName(id) {
    const owner = this.libraries.get(id)?.owner;
    return `Library ${shortId(id)}${owner ? ` · ${owner}` : ""}`;
  }

  /** @param {string | null} id null is nobody: the work was due */
  personName(id) {
    if (id === null) return "schedule";
    if (id === this.server.user?.id) return this.server.user.name;
    return [...this.libraries.values()].find(({ userId }) => userId === id)?.owner ?? `user ${shortId(id)}`;
  }

  /** @param {Item} item @returns {string} what its row depends on beside itself */
  stamp({ id }) {
    return `${this.notes.get(id) ?? ""} ${this.pending.has(id)}`;
  }

  /** @returns {Promise<import("./connection.js").ListRead>} */
  async #readList() {
    const answer = await this.lists.anew();
    if (answer.status === 401) return "signed-out";
    if (answer.status === 403) return "forbidden";
    this.trouble = answer.status === 200 ? null : answer.status === 503 ? "database" : "list";
    if (answer.status === 200) {
      this.reads += 1;
      this.#setClock(answer.body.serverTime);
      this.#stoodAt = null;
      this.#areCountsStale = true;
    }
    this.repaint();
    return answer.status === 200 ? { cursor: answer.body.eventCursor ?? null } : "failed";
  }

  /** @param {string} name @param {any} data */
  #onEvent(name, data) {
    if (name === "hello") {
      this.isNewerRunning = data.uiVersion !== VERSION;
      this.hello = data;
    }
    if (name === "hello" || name === "sync") this.#setClock(data.serverTime);
    if (name === "item") this.#onItem(data);
    if (name === "removed") {
      this.items.remove(data.ids);
      this.#areCountsStale = true;
    }
    if (name === "reset") {
      this.items.doubt();
      this.#readList();
    }
    this.repaint();
  }

  /** @param {Item} item */
  #onItem(item) {
    const before = this.items.get(item.id);
    if (!this.items.put(item) || before?.status === item.status) return;
    this.#areCountsStale = true;
    if (before === undefined || item.finishedAt === null || this.notes.has(item.id)) return;
    if (this.#ended.length === 0) setTimeout(() => this.#tellEnded(), GATHER_MS);
    this.#ended.push(item);
  }

  #tellEnded() {
    this.say(endedWords(this.#ended));
    this.#ended = [];
  }

  /** @param {string} serverTime */
  #setClock(serverTime) {
    this.#behindMs = Date.parse(serverTime) - Date.now();
  }

  #onState() {
    const { state } = this.connection;
    if (state === "live" || state === "polling") this.#stoodAt = null;
    else if (this.isRead) this.#stoodAt ??= this.now();
    if (state === "forbidden") element("alarm").textContent = "This account is not an administrator any more.";
    if (state === "retrying" && this.isRead && !this.#isLossTold) {
      this.#isLossTold = true;
      this.say("Connection lost. Trying again…");
    } else if (state === "live" && this.#isLossTold) {
      this.#isLossTold = false;
      this.say("Connected again.");
    }
    this.repaint();
    if (state === "live") setTimeout(() => this.#loadRest(), LATER_MS);
    if (this.isNewerRunning || !["live", "connecting"].includes(state)) this.#loadBanner();
  }

  async #loadRest() {
    await this.#loadBanner();
    await Promise.all(LATER.map((load) => load()));
  }

  async #loadBanner() {
    if (this.#banner !== null) return;
    this.#banner = (await import("./banner.js")).banner;
    this.repaint();
  }

  async #signIn() {
    const { signIn } = await import("./sign-in.js");
    signIn(this, () => {
      this.connection.start();
      this.readLibraries();
    });
  }

  #tick() {
    this.lists.trim();
    if (this.connection.state === "live" || this.connection.state === "polling") {
      this.#readCounts();
      this.#lookForWorkers();
    }
    if (this.connection.state !== "paused") this.repaint();
  }

  async #readCounts() {
    if (!this.#areCountsStale || this.lists.isComplete || Date.now() - this.#countsReadAt < COUNTS_EVERY_MS) return;
    this.#areCountsStale = false;
    this.#countsReadAt = Date.now();
    const answer = await this.server.ask("GET", "admin/work-items/counts");
    if (answer.status === 200) this.#counts = answer.body;
    this.repaint();
  }

  /** Whether anybody is there at all: asked only once something has waited for long. */
  async #lookForWorkers() {
    const oldest = this.counts?.oldestWaitingAt ?? null;
    if (oldest === null || this.now() - Date.parse(oldest) < LONG_WAIT_MS) this.silentSince = undefined;
    else if (Date.now() - this.#workersReadAt > WORKERS_EVERY_MS) {
      this.#workersReadAt = Date.now();
      const answer = await this.server.ask("GET", "admin/workers");
      if (answer.status !== 200) return;
      const last = answer.body.items[0]?.lastSeenAt ?? null;
      this.silentSince = last !== null && this.now() - Date.parse(last) < LONG_WAIT_MS ? undefined : last;
    }
  }

  /** Links within the page need no load. @param {MouseEvent} event */
  #onClick(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain || event.defaultPrevented || link.hash || link.hasAttribute("download")) return;
    if (!link.href.startsWith(this.href("admin/")) || link.target) return;
    event.preventDefault();
    if (link.href !== location.href) history.pushState(null, "", link.href);
    this.#route();
  }

  async #route() {
    const [, place = "", rest = ""] = location.pathname.slice(ROOT.pathname.length).split("/");
    const name = place === "work-items" && rest !== "" ? "item" : place;
    if (!(name in VIEWS)) return this.go(HOME, { replace: true });
    const key = `${name}/${rest}`;
    if (key === this.#name) return this.repaint();
    const isFirst = this.#name === "";
    this.#name = key;
    const { title, load } = VIEWS[name];
    const { show } = await load();
    if (this.#name !== key) return;
    this.#view?.leave?.();
    const root = document.createElement("div");
    this.#view = show(this, root, rest);
    document.title = `${title} · Anichron`;
    element("main").replaceChildren(root);
    this.#paint();
    if (!isFirst) root.querySelector("h1")?.focus();
  }

  #paint() {
    render(this.#bar(), element("bar"));
    render(this.#banner?.(this) ?? nothing, element("banner"));
    const main = element("main");
    const hadFocus = main.contains(document.activeElement);
    this.#view?.paint();
    // What had it is gone: the place itself is next.
    if (hadFocus && !main.contains(document.activeElement)) main.querySelector("h1")?.focus();
  }

  #bar() {
    const place = (/** @type {string} */ path, /** @type {string} */ text) => {
      const isHere = location.pathname.startsWith(new URL(`admin/${path}`, ROOT).pathname);
      return html`<a href=${this.href(`admin/${path}`)} aria-current=${isHere ? "page" : nothing}>${text}</a>`;
    };
    const { state } = this.connection;
    return html`
      <nav aria-label="Pages">${place("work-items", "Work queue")} ${place("workers", "Workers")} ${place("libraries", "Libraries")}</nav>
      <div class="tools" role="group" aria-label="This page">
        <button type="button" @click=${() => this.togglePause()}>${state === "paused" ? "Resume" : "Pause"}</button>
        <span class="dot ${state}" title=${lastUpdate(this.connection.lastNewsAt)}>${this.#stateWord()}</span>
        <button type="button" @click=${() => this.#toggleZone()}>${this.utc ? "UTC" : "Local time"}</button>
        <label><span class="unseen">Theme</span><select @change=${chooseTheme} .value=${document.documentElement.dataset.theme || "auto"}>
          <option value="auto">Auto</option><option value="light">Light</option><option value="dark">Dark</option></select></label>
        <button type="button" aria-label="Help" @click=${() => this.help()}>?</button>
        <button type="button" @click=${() => this.server.signOut()}>Sign out</button>
      </div>`;
  }

  #stateWord() {
    const { state } = this.connection;
    if (state === "live") return "Live";
    if (state === "paused") return `Paused at ${clock(this.now(), this.utc)}`;
    if (state === "polling") return "Every 10 s";
    if (this.isRead) return `as of ${clock(this.now(), this.utc, true)}`;
    return state === "connecting" && Date.now() - this.#startedAt > QUIET_START_MS ? "Connecting…" : "";
  }

  togglePause() {
    if (this.connection.state === "paused") this.connection.resume();
    else this.connection.pause();
  }

  async help() {
    const { help } = await import("./keyboard.js");
    help(this);
  }

  #toggleZone() {
    this.utc = !this.utc;
    localStorage.setItem("anichron-zone", this.utc ? "utc" : "local");
    this.repaint();
  }
}

/** @param {number} at */
const lastUpdate = (at) => (at === 0 ? nothing : `last update ${span(Date.now() - at)} ago`);

/** The server puts the choice into the next page, so that it is there before the first paint. @param {Event} event */
function chooseTheme(event) {
  const theme = /** @type {HTMLSelectElement} */ (event.target).value;
  document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the newer way is missing over plain http
  document.cookie = `anichron-theme=${theme}; Path=${ROOT.pathname}admin; Max-Age=31536000; SameSite=Strict`;
}

new Page().start();
