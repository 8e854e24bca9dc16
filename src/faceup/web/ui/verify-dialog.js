import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { verifyDeal } from "../api/verify-deal.js";
import { joinTexts } from "../i18n/format.js";
import { errorMessage } from "../i18n/errors.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "./controllers.js";
import { closeButton, closeOnBackdrop } from "./dialog-parts.js";
import { baseStyles } from "./styles.js";

/** @import { DealCheck } from "../api/verify-deal.js" */

/** Dialog with the result of verifying a finished table's deals in the browser. */
export class VerifyDialog extends LitElement {
  static properties = { table: {}, verdict: { state: true }, error: { state: true } };
  static styles = [
    baseStyles,
    css`
      dialog {
        width: min(30rem, calc(100vw - 1.5rem));
      }
      p {
        margin: var(--space-3) 0 0;
        overflow-wrap: anywhere;
      }
      .good {
        color: var(--good);
        font-weight: 700;
        font-size: var(--text-1);
      }
      .bad {
        color: var(--danger);
        font-weight: 700;
        font-size: var(--text-1);
      }
    `,
  ];

  constructor() {
    super();
    this.table = "";
    /** @type {DealCheck | null} */
    this.verdict = null;
    this.error = "";
    new LanguageController(this);
  }

  async firstUpdated() {
    this.renderRoot.querySelector("dialog")?.showModal();
    try {
      this.verdict = verifyDeal(await request("GET", `/api/tables/${this.table}/record`), this.table);
    } catch (error) {
      this.error = errorMessage(error, "verify");
    }
  }

  #describeResult() {
    const { badEntries, sawCommitment, outcomes, unchecked, contributors, leftOut } = /** @type {DealCheck} */ (this.verdict);
    if (sawCommitment === false) return html`<p class="bad">✗ ${t("shell.fair.commitment_changed")}</p>`;
    if (badEntries.length) return html`<p class="bad">✗ ${t("shell.fair.invalid", { entries: joinTexts(badEntries.slice(0, 5)), count: badEntries.length })}</p>`;
    return html`<p class="good">✓ ${t("shell.fair.valid", { count: outcomes })}</p>
      <p>${contributors.length ? t("shell.fair.contributors", { names: joinTexts(contributors) }) : t("shell.fair.server_only")}</p>
      ${sawCommitment ? html`<p>${t("shell.fair.commitment_seen")}</p>` : nothing}
      ${leftOut.length ? html`<p>${t("shell.fair.left_out", { names: joinTexts(leftOut) })}</p>` : nothing}
      ${unchecked ? html`<p>${t("shell.fair.unchecked", { count: unchecked })}</p>` : nothing}`;
  }

  render() {
    return html`<dialog autofocus aria-labelledby="title" @close=${() => this.remove()} @click=${closeOnBackdrop}>
      <header class="apart"><h2 id="title">${t("table.result.verify")}</h2>${closeButton()}</header>
      <div role="status">${this.verdict ? this.#describeResult() : html`<p class=${this.error ? "bad" : "soft"}>${this.error || "…"}</p>`}</div>
    </dialog>`;
  }
}
customElements.define("verify-dialog", VerifyDialog);

/** Verify the deals of a finished table, and show the result. @param {string} table table id */
export function openVerifyDialog(table) {
  const dialog = document.createElement("verify-dialog");
  /** @type {VerifyDialog} */ (dialog).table = table;
  document.body.append(dialog);
}
