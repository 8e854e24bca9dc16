import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { serverInfo } from "../api/server-info.js";
import { LanguageController } from "../ui/controllers.js";
import { announce } from "../ui/live-region.js";
import { runRequest } from "../ui/run-request.js";
import { showHeading } from "../ui/show-heading.js";
import { copyText } from "../ui/share.js";
import { narrowStyles, baseStyles, formStyles } from "../ui/styles.js";
import { labelled } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { withFreshLogin } from "./fresh-login.js";
import { secondFactorField } from "./second-factor-field.js";

/** @import { SecondFactorState, StartedTotp } from "../api/http-types.js" */

/**
 * Recovery codes, and the authenticator app of an account with a password.
 *
 * @property codes new recovery codes to show, until the player has saved them
 * @fires saved when the player has saved the codes
 * @fires changed when the sessions of the account have changed
 */
export class SecondFactor extends LitElement {
  static properties = {
    codes: { attribute: false },
    state: { state: true },
    started: { state: true },
    copied: { state: true },
    rotated: { state: true },
    error: { state: true },
    at: { state: true },
    busy: { state: true },
  };
  static styles = [
    baseStyles,
    formStyles,
    css`
      :host,
      section {
        display: grid;
        gap: var(--space-3);
      }
      ol {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(12.5rem, 1fr));
        gap: var(--space-1) var(--space-3);
        padding: var(--space-3);
      }
      img {
        border-radius: var(--radius-small);
        max-width: 100%;
        height: auto;
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {string[]} */
    this.codes = [];
    /** @type {SecondFactorState | null} */
    this.state = null;
    /** @type {StartedTotp | null} */
    this.started = null;
    this.copied = false;
    /** Whether the second factor was just turned on or off, so that its section shows what holds now. */
    this.rotated = false;
    this.error = "";
    this.at = "";
    this.busy = false;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    void this.#load();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (changed.has("codes") && this.codes.length) showHeading(this.renderRoot.querySelector("#codes"));
  }

  async #load() {
    this.state = await request("GET", "/api/account/second-factor").catch(() => null);
  }

  /**
   * Send the fields of a form, and show an error at the form.
   *
   * @param {Event} event
   * @param {string} at
   * @param {string} path
   * @param {(answer: any) => void} done
   */
  async #send(event, at, path, done) {
    event.preventDefault();
    if (this.busy) return;
    const form = /** @type {HTMLFormElement} */ (event.target);
    this.at = at;
    await runRequest(
      this,
      async () => {
        const fields = Object.fromEntries(/** @type {any} */ (new FormData(form)));
        done(await withFreshLogin(() => request("POST", path, fields)));
        form.reset();
        await this.#load();
      },
      at,
    );
  }

  /**
   * @param {any} you
   * @param {boolean} totp whether the second factor is on now
   */
  #rotated(you, totp) {
    this.started = null;
    if (this.state) this.state = { ...this.state, totp };
    this.rotated = true;
    announce(t(totp ? "shell.totp.on" : "shell.totp.off"));
    serverInfo.setPlayer(you);
    this.dispatchEvent(new Event("changed"));
  }

  #forgetCodes() {
    this.codes = [];
    this.copied = false;
    this.dispatchEvent(new Event("saved"));
  }

  async #copy() {
    this.copied = await copyText(this.codes.join("\n"));
  }

  #renderError(/** @type {string} */ at) {
    return this.at === at && this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing;
  }

  #renderCodes() {
    if (this.codes.length)
      return html`<section aria-labelledby="codes">
        <h3 id="codes">${t("shell.codes")}</h3>
        <p role="status">${t("shell.codes.once")}</p>
        <ol class="sunken">${this.codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
        <div class="row">
          <button @click=${this.#copy}>${this.copied ? t("shell.share.copied") : t("shell.codes.copy")}</button>
          <button class="main" @click=${this.#forgetCodes}>${t("shell.codes.saved")}</button>
        </div>
      </section>`;
    return html`<details><summary>${t("shell.codes")}</summary>
      <form @submit=${(/** @type {Event} */ event) => this.#send(event, "codes", "/api/account/recovery-codes", (answer) => { this.codes = answer.recovery_codes; })}>
        <p class="soft">${t("shell.codes.left", { count: this.state?.recovery_codes ?? 0 })}</p>
        <div><button ?disabled=${this.busy}>${t("shell.codes.new")}</button></div>
      </form></details>${this.#renderError("codes")}`;
  }

  #renderTotp() {
    if (this.started)
      return html`<section aria-labelledby="totp">
        <h3 id="totp">${t("shell.totp")}</h3>
        <p class="soft">${t("shell.totp.scan")}</p>
        <img src=${this.started.picture} alt=${t("shell.totp.picture")} width="196" height="196">
        <p>${labelled(t("shell.totp.key"), "")}<code>${this.started.secret.replace(/(.{4})(?=.)/g, "$1 ")}</code></p>
        <form @submit=${(/** @type {Event} */ event) => this.#send(event, "confirm", "/api/account/totp/confirm", (you) => this.#rotated(you, true))}>
          <label class="field">${t("shell.totp.code")}<input name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="10"></label>
          <div class="row"><button class="main" ?disabled=${this.busy}>${t("shell.totp.confirm")}</button></div>
        </form>${this.#renderError("confirm")}
      </section>`;
    if (this.state?.totp)
      return html`<details ?open=${this.rotated}><summary>${t("shell.totp")}</summary>
        <form @submit=${(/** @type {Event} */ event) => this.#send(event, "totp", "/api/account/totp/remove", (you) => this.#rotated(you, false))}>
          <p class="soft">${t("shell.totp.on")}</p>
            ${secondFactorField()}
          <div><button ?disabled=${this.busy}>${t("shell.totp.remove")}</button></div>
        </form></details>${this.#renderError("totp")}`;
    return html`<details ?open=${this.rotated}><summary>${t("shell.totp")}</summary>
      <form @submit=${(/** @type {Event} */ event) => this.#send(event, "totp", "/api/account/totp", (started) => { this.started = started; })}>
        <p class="soft">${t("shell.totp.off")}</p>
        <div><button ?disabled=${this.busy}>${t("shell.totp.start")}</button></div>
      </form></details>${this.#renderError("totp")}`;
  }

  render() {
    return html`${this.#renderCodes()}${serverInfo.player?.login ? this.#renderTotp() : nothing}`;
  }
}
customElements.define("second-factor", SecondFactor);
