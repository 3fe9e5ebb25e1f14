// What is wrong with the connection, under the header; loaded when something first is.

import { html, nothing } from "./vendor/lit-html-3.3.3/lit-html.js";

/** @import { Page } from "./main.js" */

const QUIET_RESTART_MS = 10_000;

/** @param {Page} page */
export function banner(page) {
  const { connection, trouble } = page;
  const { state } = connection;
  const retry = (/** @type {string} */ word) =>
    html`<button type="button" @click=${() => connection.tryNow()}>${word}</button>`;
  if (page.isNewerRunning)
    return html`<p class="banner">A new version is running.
      <button type="button" @click=${() => location.reload()}>Reload</button></p>`;
  if (state === "forbidden") return html`<p class="banner bad">This account is not an administrator any more.</p>`;
  if (state === "offline") return html`<p class="banner">This device is offline.</p>`;
  if (state === "polling")
    return html`<p class="banner">Live updates are held back by a proxy. Refreshing every 10 s instead.
      <button type="button" @click=${() => page.help()}>Help</button></p>`;
  if (state !== "retrying" || Date.now() - connection.restartAt < QUIET_RESTART_MS) return nothing;
  if (trouble === "database")
    return html`<p class="banner bad">The server cannot reach its database. Work in progress goes on; this page will
      refresh by itself. ${retry("Try now")}</p>`;
  if (trouble === "list")
    return html`<p class="banner bad">Could not read the queue. Nothing was changed. ${retry("Try again")}</p>`;
  const seconds = connection.nextTryAt === null ? 0 : Math.ceil((connection.nextTryAt - Date.now()) / 1000);
  return html`<p class="banner">Connection lost. ${seconds > 0 ? `Next try in ${seconds} s` : "Trying again…"}
    ${retry("Try now")}</p>`;
}
