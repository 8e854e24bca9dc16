import { css, html } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { errorMessage } from "../i18n/errors.js";
import { loadNamespaces, t } from "../i18n/translate.js";
import { Dialog, dialogStyles } from "../ui/dialogs.js";
import { icon } from "../ui/icons.js";
import { baseStyles } from "../ui/styles.js";

/** Why a player can be reported. */
const REASONS = ["name", "stalling", "leaving", "reactions", "cheating"];

/** Dialog that reports a player of the table to the operator of the server. One tap on a reason sends the report. */
export class ReportDialog extends Dialog {
  static properties = { sent: { state: true }, busy: { state: true }, problem: { state: true } };
  static styles = [
    baseStyles,
    dialogStyles,
    css`
      .reasons {
        margin-top: var(--space-4);
      }
      .reasons button {
        justify-content: flex-start;
        text-align: start;
        background: var(--sunken);
        box-shadow: none;
      }
      .error,
      .sent {
        margin-top: var(--space-3);
      }
      .sent {
        gap: var(--space-3);
        font-weight: 600;
      }
      .sent svg {
        color: var(--good);
      }
    `,
  ];

  constructor() {
    super();
    this.table = "";
    this.seat = 0;
    this.name = "";
    this.sent = false;
    this.busy = false;
    this.problem = "";
  }

  render() {
    return this.framed(
      t("table.report", { name: this.name }),
      html`${this.sent ? "" : html`<p class="soft">${t("report.hint")}</p>
          <div class="reasons tight">${REASONS.map((reason) => html`<button ?disabled=${this.busy} @click=${() => this.#send(reason)}>${t(`report.${reason}`)}</button>`)}</div>`}
        <div role="status">${this.sent ? html`<p class="sent aligned">${icon("check", 28)}${t("ui.report.sent")}</p>` : ""}</div>
        ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : ""}`,
    );
  }

  /** @param {string} reason */
  async #send(reason) {
    this.busy = true;
    this.problem = "";
    try {
      await request("POST", `/api/tables/${this.table}/reports`, { seat: this.seat, reason });
      this.sent = true;
      await this.updateComplete;
      /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("header button"))?.focus();
    } catch (error) {
      this.problem = errorMessage(error, "report");
    } finally {
      this.busy = false;
    }
  }
}
customElements.define("report-dialog", ReportDialog);

/**
 * Open the dialog that reports the player at a seat.
 *
 * @param {string} table
 * @param {number} seat
 * @param {string} name
 */
export async function openReport(table, seat, name) {
  await loadNamespaces("report");
  document.body.append(Object.assign(new ReportDialog(), { table, seat, name }));
}
