// Keys, and the help that lists them. Loaded at the first key.

import { ask } from "./dialog.js";
import { html } from "./vendor/lit-html-3.3.3/lit-html.js";

/** @import { Page } from "./main.js" */

const SETTING = "anichron-keys";
const KEYS = [
  ["/", "Go to the filter"],
  ["j, k", "Next row, previous row"],
  ["Enter", "Open the row"],
  ["c", "Cancel the row's item"],
  ["p", "Pause or resume live updates"],
  ["g w, g k, g l", "Go to the work queue, the workers, the libraries"],
  ["?", "This help"],
  ["Esc", "Close a dialog"],
];

let isAfterG = false;

/** @param {Page} page @param {KeyboardEvent} event */
export function press(page, event) {
  const target = /** @type {Element | null} */ (event.target instanceof Element ? event.target : null);
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    localStorage.getItem(SETTING) === "off"
  )
    return;
  if (document.querySelector("dialog[open]") !== null || target?.closest("input, select, textarea") != null) return;
  const action = (isAfterG ? GOING : PLAIN)[event.key];
  isAfterG = event.key === "g" && !isAfterG;
  if (action === undefined) return;
  event.preventDefault();
  action(page);
}

/** @type {Record<string, (page: Page) => void>} */
const GOING = {
  w: (page) => page.go("admin/work-items"),
  k: (page) => page.go("admin/workers"),
  l: (page) => page.go("admin/libraries"),
};

/** @type {Record<string, (page: Page) => void>} */
const PLAIN = {
  "/": () => document.getElementById("filter")?.focus(),
  "?": (page) => help(page),
  p: (page) => page.togglePause(),
  j: () => step(1),
  k: () => step(-1),
  c: () => {
    const place = document.activeElement?.closest("tr") ?? document.querySelector("main > .item, main .item");
    /** @type {HTMLElement | null | undefined} */ (place?.querySelector("button.cancel"))?.click();
  },
};

/** @param {1 | -1} by */
function step(by) {
  const links = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main tbody th a"))];
  const here = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  const next = here === -1 ? (by === 1 ? 0 : links.length - 1) : here + by;
  links[next]?.focus();
}

/** @param {Page} page */
export async function help(page) {
  const isOn = localStorage.getItem(SETTING) !== "off";
  const { dialog, answer } = ask(html`<form method="dialog">
    <h2 id="asked">Help</h2>
    <table><caption class="unseen">Keys</caption><tbody>
      ${KEYS.map(([key, what]) => html`<tr><th scope="row"><kbd>${key}</kbd></th><td>${what}</td></tr>`)}</tbody></table>
    <label class="switch"><input type="checkbox" name="keys" ?checked=${isOn}> Use these keys</label>
    <h3>Live updates are held back?</h3>
    <p>A proxy between this page and the server collects the stream instead of passing it on. With nginx, set
      <code>proxy_buffering off</code> for <code>${new URL(page.href("api/v1/admin/work-items/stream")).pathname}</code>.</p>
    <div class="buttons"><button value="">Close</button></div>
  </form>`);
  dialog.addEventListener("change", (event) => {
    const { checked } = /** @type {HTMLInputElement} */ (event.target);
    localStorage.setItem(SETTING, checked ? "on" : "off");
  });
  await answer;
}
