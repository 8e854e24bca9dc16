import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE, request } from "../api/http.js";
import { serverInfo } from "../api/server-info.js";
import { LanguageController } from "../ui/controllers.js";
import { setPageTitle } from "../ui/page-title.js";
import { narrowStyles, baseStyles, formStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import { needsSecondFactor } from "../i18n/errors.js";
import { t } from "../i18n/translate.js";
import { navigate } from "../ui/navigation.js";
import { runRequest } from "../ui/run-request.js";
import { secondFactorField } from "./second-factor-field.js";

/**
 * Page for password reset links, which work once. The page removes the key of the link from the address immediately.
 */
export class PasswordPage extends LitElement {
  static properties = { error: { state: true }, busy: { state: true }, second: { state: true } };
  static styles = [
    baseStyles,
    formStyles,
    css`
      form {
        max-width: 26rem;
        margin: 8vh auto 0;
        padding: var(--space-4);
      }
    `,
    narrowStyles,
  ];

  #key = location.hash.slice(1);

  constructor() {
    super();
    this.error = "";
    this.busy = false;
    this.second = false;
    history.replaceState(null, "", `${BASE}/password`);
    setPageTitle(() => t("shell.password"));
    new LanguageController(this);
  }

  /** @param {Event} event */
  async #send(event) {
    event.preventDefault();
    const fields = Object.fromEntries(/** @type {any} */ (new FormData(/** @type {HTMLFormElement} */ (event.target))));
    const reset = async () => {
      serverInfo.setPlayer(await request("POST", "/api/account/reset", { key: this.#key, ...fields }));
      navigate("/me", { replace: true }); // the link works once
    };
    await runRequest(this, reset, (error) => {
      this.second ||= needsSecondFactor(error);
      return "reset";
    });
  }

  render() {
    return html`<top-bar></top-bar>
      <form @submit=${this.#send}>
        <h1>${t("shell.password")}</h1>
        ${this.#key
          ? html`<label for="new">${t("shell.password.new")}</label>
              <input id="new" name="new" type="password" autocomplete="new-password" minlength="8" maxlength="200" required>
              ${this.second ? secondFactorField() : nothing}
              <button class="main" ?disabled=${this.busy}>${t("shell.save")}</button>
              <p class="soft small">${t("shell.password.hint")}</p>`
          : html`<p>${t("shell.password.incomplete_link")}</p>`}
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
      </form>`;
  }
}
customElements.define("password-page", PasswordPage);
