// Dialogs: made when they are needed and gone when they close. The browser gives the focus back.

import { render } from "./vendor/lit-html-3.3.3/lit-html.js";

/**
 * Ask something. The buttons of a `<form method="dialog">` in it answer with their value.
 *
 * @param {unknown} content a template, with a heading whose id is "asked"
 * @param {{ isBinding?: boolean }} [options] whether Escape does not close it
 * @returns {{ dialog: HTMLDialogElement, answer: Promise<string> }} the answer; empty when it was closed without one
 */
export function ask(content, { isBinding = false } = {}) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "asked");
  render(content, dialog);
  document.getElementById("over")?.append(dialog);
  if (isBinding) {
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.addEventListener("keydown", (event) => event.key === "Escape" && event.preventDefault());
  }
  const answer = new Promise((/** @type {(answer: string) => void} */ resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
  dialog.showModal();
  return { dialog, answer };
}
