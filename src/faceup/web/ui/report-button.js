import { LitElement, css, html } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { errorMessage } from "../i18n/errors.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "./controllers.js";
import { icon } from "./icons.js";
import { baseStyles } from "./styles.js";

/** Button that reports an invitation or a name to the operator of the server, at the second tap. Event: "sent". */
export class ReportButton extends LitElement {
  static properties = { path: {}, reason: {}, words: {}, confirming: { state: true }, sent: { state: true }, error: { state: true } };
  static styles = [
    baseStyles,
    css`
      button {
        padding: 0 var(--space-2);
        color: inherit;
      }
      .error {
        color: inherit;
      }
    `,
  ];

  constructor() {
    super();
    /** The path of the request. */
    this.path = "";
    /** @type {"name" | "unwanted"} */
    this.reason = "name";
    this.words = "";
    this.confirming = false;
    this.sent = false;
    this.error = "";
    new LanguageController(this);
  }

  async #report() {
    if (!this.confirming) {
      this.confirming = true;
      return;
    }
    this.confirming = false;
    this.error = "";
    try {
      await request("POST", this.path, { reason: this.reason });
      this.sent = true;
      this.dispatchEvent(new Event("sent"));
    } catch (error) {
      this.error = errorMessage(error, "report");
    }
  }

  render() {
    if (this.sent) return html`<p class="small" role="status">${t("ui.report.sent")}</p>`;
    const words = this.confirming ? t("ui.report.confirm") : this.words;
    return html`<button class="flat small" @click=${this.#report}>${icon("flag", 18)}${words}</button>
      ${this.error ? html`<p class="error small" role="alert">${this.error}</p>` : ""}`;
  }
}
customElements.define("report-button", ReportButton);
