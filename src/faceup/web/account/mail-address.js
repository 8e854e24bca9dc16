import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { language, t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { runRequest } from "../ui/run-request.js";
import { baseStyles, formStyles } from "../ui/styles.js";
import { withFreshLogin } from "./fresh-login.js";

/** @import { MailState } from "../api/http-types.js" */

/** The address that gets a mail when it is the player's turn; empty if the server sends no mail. */
export class MailAddress extends LitElement {
  static properties = { state: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = [
    baseStyles,
    formStyles,
    css`
      .panel {
        display: grid;
        gap: var(--space-3);
        padding: var(--space-5);
      }
      .row input,
      .row b {
        flex: 1 1 12rem;
        min-width: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {MailState | null} */
    this.state = null;
    this.error = "";
    this.busy = false;
    this.hidden = true;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    request("GET", "/api/mail").then((state) => (this.state = state), () => {}); // without an answer, offer nothing
  }

  /** @param {string} method @param {string} path @param {object} [body] @param {string} [about] context of the error */
  #send(method, path, body, about) {
    return runRequest(this, async () => (this.state = await withFreshLogin(() => request(method, path, body))), about);
  }

  /** Return the value of the only field of a form. @param {SubmitEvent} event @param {string} name */
  #field(event, name) {
    event.preventDefault();
    return `${new FormData(/** @type {HTMLFormElement} */ (event.target)).get(name)}`.trim();
  }

  willUpdate() {
    this.hidden = !this.state?.enabled;
  }

  #renderAddress() {
    const { address, confirmed, unconfirmed } = this.state ?? {};
    if (!address) {
      return html`<form @submit=${(/** @type {SubmitEvent} */ event) => this.#send("POST", "/api/mail", { address: this.#field(event, "address"), language: language() })}>
        <div class="row cluster aligned"><input name="address" type="email" required maxlength="254" autocomplete="email" aria-label=${t("shell.mail.address")} placeholder="ann@example.org">
          <button ?disabled=${this.busy}>${t("shell.mail.send_code")}</button></div></form>`;
    }
    const remove = html`<button type="button" class="quiet" ?disabled=${this.busy} @click=${() => this.#send("DELETE", "/api/mail")}>${t("shell.mail.remove")}</button>`;
    if (confirmed && !unconfirmed) return html`<div class="row cluster aligned"><b>${address}</b>${remove}</div>`;
    return html`<form @submit=${(/** @type {SubmitEvent} */ event) => this.#send("POST", "/api/mail/confirm", { code: this.#field(event, "code") }, "claim")}>
      <p class="soft" role="status">${t("shell.mail.sent", { address: unconfirmed ?? address })}</p>
      <div class="row cluster aligned"><input name="code" required maxlength="20" autocapitalize="characters" autocomplete="one-time-code" spellcheck="false" aria-label=${t("shell.mail.code")} placeholder="ABCD 2345">
        <button ?disabled=${this.busy}>${t("shell.mail.confirm")}</button>${remove}</div></form>`;
  }

  render() {
    if (!this.state?.enabled) return nothing;
    return html`<section class="panel">
      <h2>${t("shell.mail")}</h2>
      <p class="soft">${t("shell.mail.hint")}</p>
      ${this.#renderAddress()}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
    </section>`;
  }
}
customElements.define("mail-address", MailAddress);
