import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { ask } from "../live/api.js";
import { verified } from "../live/verify.js";
import { refused } from "../words/refused.js";
import { say } from "../words/say.js";
import { icon } from "./icons.js";
import { sheet } from "./sheet.js";

/** @import { Verdict } from "../live/verify.js" */

/** What the page itself finds when it checks that nobody chose the cards of a finished table. */
export class VerdictDialog extends LitElement {
  static properties = { table: {}, verdict: { state: true }, said: { state: true } };
  static styles = [
    sheet,
    css`
      dialog {
        width: min(30rem, calc(100vw - 1.5rem));
      }
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: var(--space-3);
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
    /** @type {Verdict | null} */
    this.verdict = null;
    this.said = "";
  }

  async firstUpdated() {
    this.#dialog.showModal();
    try {
      this.verdict = verified(await ask("GET", `/api/tables/${this.table}/record`), this.table);
    } catch (error) {
      this.said = refused(error, "verify");
    }
  }

  get #dialog() {
    return /** @type {HTMLDialogElement} */ (this.renderRoot.querySelector("dialog"));
  }

  #told() {
    const { faults, seen, outcomes, others, contributors, leftOut } = /** @type {Verdict} */ (this.verdict);
    if (seen === false) return html`<p class="bad">✗ ${say("shell.fair.other")}</p>`;
    if (faults.length) return html`<p class="bad">✗ ${say("shell.fair.wrong", { entries: faults.slice(0, 5).join(", ") })}</p>`;
    return html`<p class="good">✓ ${say("shell.fair.right", { count: outcomes })}</p>
      <p>${contributors.length ? say("shell.fair.by", { names: contributors.join(", ") }) : say("shell.fair.nobody")}</p>
      ${seen ? html`<p>${say("shell.fair.seen")}</p>` : nothing}
      ${leftOut.length ? html`<p>${say("shell.fair.without", { names: leftOut.join(", ") })}</p>` : nothing}
      ${others ? html`<p>${say("shell.fair.others", { count: others })}</p>` : nothing}`;
  }

  render() {
    return html`<dialog autofocus aria-labelledby="title" @close=${() => this.remove()}>
      <header>
        <h2 id="title">${say("shell.fair.verify")}</h2>
        <button class="quiet" aria-label=${say("table.shut")} @click=${() => this.#dialog.close()}>${icon("close")}</button>
      </header>
      <div role="status">${this.verdict ? this.#told() : html`<p class=${this.said ? "bad" : "soft"}>${this.said || "…"}</p>`}</div>
    </dialog>`;
  }
}
customElements.define("verdict-dialog", VerdictDialog);

/** Check the deals of a finished table, and say what came of it. @param {string} table its id */
export function showVerdict(table) {
  const dialog = document.createElement("verdict-dialog");
  /** @type {VerdictDialog} */ (dialog).table = table;
  document.body.append(dialog);
}
