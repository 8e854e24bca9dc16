import { html } from "../vendor/lit/index.js";
import { t } from "../i18n/translate.js";
import { icon } from "./icons.js";

/** Close a dialog when its backdrop is clicked. @param {MouseEvent} event click on the dialog */
export function closeOnBackdrop(event) {
  if (event.target === event.currentTarget) /** @type {HTMLDialogElement} */ (event.currentTarget).close();
}

/** Render a button that closes the dialog around it. */
export function closeButton() {
  /** @param {Event} event */
  const close = (event) => /** @type {HTMLElement} */ (event.currentTarget).closest("dialog")?.close();
  return html`<button class="quiet" aria-label=${t("table.dismiss")} @click=${close}>${icon("close")}</button>`;
}
