import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { formatDateTime } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { runRequest } from "../ui/run-request.js";
import { baseStyles, formStyles } from "../ui/styles.js";
import { switchStyles } from "../ui/switch-styles.js";

/** @import { ResearchState } from "../api/http-types.js" */

/** The version of the text `shell.research.text`, which the server stores with the consent. */
const VERSION = 1;

/** The choice to give games for research; empty if the server does not ask for it. */
export class ResearchConsent extends LitElement {
  static properties = { state: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = [
    baseStyles,
    formStyles,
    switchStyles,
    css`
      .panel {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-3);
        padding: var(--space-5);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {ResearchState | null} */
    this.state = null;
    this.error = "";
    this.busy = false;
    this.hidden = true;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    request("GET", "/api/research").then((state) => (this.state = state), () => {}); // without an answer, ask nothing
  }

  willUpdate() {
    this.hidden = !this.state?.offered && !this.state?.given_at;
  }

  /** Send what the switches say, and show what the server has stored. */
  async #send() {
    const [give, earlier] = /** @type {NodeListOf<HTMLInputElement>} */ (this.renderRoot.querySelectorAll("input"));
    await runRequest(this, async () => {
      this.state = await (give.checked ? request("PUT", "/api/research", { version: VERSION, earlier: Boolean(earlier?.checked) }) : request("DELETE", "/api/research"));
    });
    give.checked = Boolean(this.state?.given_at);
    if (earlier) earlier.checked = Boolean(this.state?.earlier);
  }

  render() {
    if (this.hidden) return nothing;
    const at = this.state?.given_at;
    return html`<section class="panel">
      <h2>${t("shell.research")}</h2>
      <p class="soft">${t("shell.research.text")}</p>
      <label class="switch"><input type="checkbox" .checked=${Boolean(at)} ?disabled=${this.busy} @change=${this.#send}><span>${t("shell.research.give")}${at ? html`<small>${t("shell.research.since", { when: formatDateTime(at) })}</small>` : nothing}</span></label>
      ${at ? html`<label class="switch"><input type="checkbox" .checked=${Boolean(this.state?.earlier)} ?disabled=${this.busy} @change=${this.#send}><span>${t("shell.research.earlier")}</span></label>` : nothing}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
    </section>`;
  }
}
customElements.define("research-consent", ResearchConsent);
