// Signing in, over whatever the page shows: its address and its filters stay.

import { ask } from "./dialog.js";
import { html, nothing, render } from "./vendor/lit-html-3.3.3/lit-html.js";

/** @import { Page } from "./main.js" */

let isOpen = false;

/** Ask who it is until somebody is signed in. @param {Page} page @param {() => void} onSignedIn */
export async function signIn(page, onSignedIn) {
  if (isOpen) return;
  isOpen = true;
  const hasEnded = page.isRead;
  const alarm = document.getElementById("alarm");
  if (alarm !== null) alarm.textContent = hasEnded ? "Your session has ended. Sign in to go on." : "";
  const { dialog, answer } = ask(form(hasEnded, "", false, submit), { isBinding: true });
  /** @param {SubmitEvent} event */
  async function submit(event) {
    event.preventDefault();
    const fields = new FormData(/** @type {HTMLFormElement} */ (event.target));
    render(form(hasEnded, "", true, submit), dialog);
    const said = await page.server.signIn(String(fields.get("name")), String(fields.get("password")));
    if (said.status === 200) return dialog.close();
    render(form(hasEnded, refusal(said), false, submit), dialog);
    dialog.querySelector("input")?.focus();
  }
  await answer;
  isOpen = false;
  if (alarm !== null) alarm.textContent = "";
  onSignedIn();
}

/** @param {import("./types.d.ts").Answer} answer */
function refusal({ status, headers }) {
  if (status === 401) return "No account has this name and password.";
  if (status === 429) return `Too many tries. Try again in ${headers.get("Retry-After") ?? 60} s.`;
  return "The server did not answer. Try again.";
}

/** @param {boolean} hasEnded @param {string} trouble @param {boolean} isBusy @param {(event: SubmitEvent) => void} submit */
function form(hasEnded, trouble, isBusy, submit) {
  return html`<form class="sign-in" @submit=${submit}>
    <h1 id="asked">${hasEnded ? "Your session has ended" : "Sign in to Anichron"}</h1>
    ${hasEnded ? html`<p>Your session has ended. Sign in to go on.</p>` : nothing}
    <label>Name or e-mail address <input name="name" autocomplete="username" required autofocus></label>
    <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
    <p class="error" role="alert">${trouble}</p>
    <div class="buttons"><button type="submit" class="ask" aria-disabled=${isBusy}>Sign in</button></div>
  </form>`;
}
