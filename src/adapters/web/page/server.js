// The way to the server. The access token lives in this module's memory and nowhere else; what renews it is a
// cookie that no script can read.

/** @import { Answer } from "./types.d.ts" */

const RENEW_BEFORE_MS = 60_000;
const RENEWAL = "anichron-session";

/** Where this install begins: the page's files lie at `admin/assets/<hash>/` below it. */
export const ROOT = new URL("../../../", import.meta.url);
export const API = new URL("api/v1/", ROOT);

/** Nobody is signed in, or not any more. */
export class SignedOut extends Error {}

export class Server {
  /** @type {{ token: string, renewAt: number } | null} */
  #access = null;
  /** @type {Promise<boolean> | null} */
  #renewing = null;

  /** Who is signed in. @type {{ id: string, name: string } | null} */
  user = null;
  /** Called when a session has ended, once for each. @type {() => void} */
  onSignedOut = () => {};

  /**
   * Ask the API. Renews the token when it is about to end, and once more when the server does not like it.
   * Status 401: nobody is signed in any more; status 0: there was no answer at all.
   *
   * @param {string} method
   * @param {string} path below the API's own
   * @param {{ body?: unknown, headers?: Record<string, string>, signal?: AbortSignal }} [options]
   * @returns {Promise<Answer>}
   */
  async ask(method, path, options = {}) {
    try {
      const response = await this.open(method, path, options);
      const text = await response.text();
      return { status: response.status, body: parsed(text), text, headers: response.headers };
    } catch (error) {
      return nothing(error instanceof SignedOut ? 401 : 0);
    }
  }

  /**
   * The same, with the body still to be read. Raises `SignedOut`, and whatever `fetch` raises.
   *
   * @param {string} method
   * @param {string} path
   * @param {{ body?: unknown, headers?: Record<string, string>, signal?: AbortSignal }} [options]
   */
  async open(method, path, options = {}) {
    if (this.#access === null || this.#access.renewAt < Date.now()) await this.#renewed();
    const first = await this.#send(method, path, options);
    if (first.status !== 401) return first;
    await first.body?.cancel();
    await this.#renewed();
    const second = await this.#send(method, path, options);
    if (second.status !== 401) return second;
    this.#end();
    throw new SignedOut();
  }

  /** Renew the token before it is next used. */
  distrust() {
    this.#access = null;
  }

  /** @param {string} name or e-mail address @param {string} password @returns {Promise<Answer>} */
  async signIn(name, password) {
    const answer = await this.#identify("auth/sign-in", { name, password });
    if (answer.status === 200) this.#keep(answer);
    return answer;
  }

  /** End the session here and at the server. */
  async signOut() {
    await this.#identify("auth/sign-out", undefined);
    this.#end();
  }

  async #renewed() {
    // All that wait for a token wait for the same one.
    this.#renewing ??= oneTabAtATime(() => this.#renew()).finally(() => {
      this.#renewing = null;
    });
    if (await this.#renewing) return;
    this.#end();
    throw new SignedOut();
  }

  async #renew() {
    const answer = await this.#identify("auth/refresh", undefined);
    if (answer.status === 200) this.#keep(answer);
    else if (answer.status !== 401 && answer.status !== 403) throw new TypeError(`no new token: ${answer.status}`);
    return answer.status === 200;
  }

  #end() {
    this.#access = null;
    this.onSignedOut();
  }

  /** By the server's own clock: that of this device may be wrong. @param {Answer} answer */
  #keep({ body, headers }) {
    const lasts = Date.parse(body.expiresAt) - Date.parse(headers.get("Date") ?? new Date().toISOString());
    this.user = body.user;
    this.#access = { token: body.accessToken, renewAt: Date.now() + Math.max(lasts - RENEW_BEFORE_MS, lasts / 2) };
  }

  /** @param {string} path @param {unknown} body @returns {Promise<Answer>} */
  async #identify(path, body) {
    try {
      const response = await fetch(new URL(path, API), {
        method: "POST",
        headers: body === undefined ? {} : { "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: "same-origin",
        cache: "no-store",
      });
      const text = await response.text();
      return { status: response.status, body: parsed(text), text, headers: response.headers };
    } catch {
      return nothing(0);
    }
  }

  /** @param {string} method @param {string} path @param {{ body?: unknown, headers?: Record<string, string>, signal?: AbortSignal }} options */
  #send(method, path, { body, headers = {}, signal }) {
    return fetch(new URL(path, API), {
      method,
      headers: {
        Authorization: `Bearer ${this.#access?.token}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "omit",
      cache: "no-store",
      signal,
    });
  }
}

/** Tabs share the cookie, which is good for one renewal: two at once would look like theft. @template T @param {() => Promise<T>} renew @returns {Promise<T>} */
function oneTabAtATime(renew) {
  return "locks" in navigator ? navigator.locks.request(RENEWAL, renew) : renew();
}

/** @param {number} status @returns {Answer} */
const nothing = (status) => ({ status, body: null, text: "", headers: new Headers() });

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
