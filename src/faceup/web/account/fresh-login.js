import { css, html, nothing } from "../vendor/lit/index.js";
import { ApiError, request } from "../api/http.js";
import { serverInfo } from "../api/server-info.js";
import { SITE } from "../api/site.js";
import { needsSecondFactor } from "../i18n/errors.js";
import { t } from "../i18n/translate.js";
import { Dialog, dialogStyles } from "../ui/dialogs.js";
import { runRequest } from "../ui/run-request.js";
import { baseStyles, formStyles } from "../ui/styles.js";
import { startOpenId } from "./openid.js";
import { logInWithPasskey, passkeysAvailable } from "./passkey-requests.js";
import { secondFactorField } from "./second-factor-field.js";

/**
 * Run a change of the account. If it needs a recent login, let the player log in, and run it again.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {ApiError} also if the player does not log in
 */
export async function withFreshLogin(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== "login_required" || !(await askForLogin())) throw error;
  }
  return work();
}

/** Show the dialog. @returns {Promise<boolean>} whether the player has logged in */
function askForLogin() {
  return new Promise((resolve) => {
    const dialog = /** @type {FreshLoginDialog} */ (document.createElement("fresh-login-dialog"));
    dialog.onEnd = resolve;
    document.body.append(dialog);
  });
}

/** Dialog in which the player of an account logs in again. */
export class FreshLoginDialog extends Dialog {
  static properties = { second: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = [
    baseStyles,
    formStyles,
    dialogStyles,
    css`
      .all {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-3);
      }
    `,
  ];

  #loggedIn = false;

  constructor() {
    super();
    /** What follows when the dialog closes. @type {(loggedIn: boolean) => void} */
    this.onEnd = () => {};
    this.second = false;
    this.error = "";
    this.busy = false;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.onEnd(this.#loggedIn);
  }

  /** @param {SubmitEvent} event */
  #logIn(event) {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (event.target)));
    const send = () => request("POST", "/api/login", { login: serverInfo.player?.login, ...fields });
    return runRequest(this, async () => this.#close(await send()), (error) => {
      this.second ||= needsSecondFactor(error);
      return "change";
    });
  }

  #logInWithPasskey() {
    return runRequest(this, async () => this.#close(await logInWithPasskey()), "passkey");
  }

  /** @param {import("../api/http-types.js").Me | null} you the player who has logged in */
  #close(you) {
    if (!you) return;
    serverInfo.setPlayer(you);
    this.#loggedIn = true;
    this.renderRoot.querySelector("dialog")?.close();
  }

  render() {
    return this.framed(
      t("shell.login"),
      html`<div class="all">
        <p class="soft">${t("shell.data.login")}</p>
        ${serverInfo.player?.login
          ? html`<form @submit=${this.#logIn}>
              <label class="field">${t("shell.login.password")}<input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
              ${this.second ? secondFactorField() : nothing}
              <div><button class="main" ?disabled=${this.busy}>${t("shell.login")}</button></div></form>`
          : nothing}
        ${passkeysAvailable() ? html`<div><button ?disabled=${this.busy} @click=${this.#logInWithPasskey}>${t("shell.login.passkey")}</button></div>` : nothing}
        ${SITE.openid ? html`<div><button ?disabled=${this.busy} @click=${() => runRequest(this, () => startOpenId("/api/login/openid", {}))}>${t("shell.openid.login", { name: SITE.openid })}</button></div>` : nothing}
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
      </div>`,
    );
  }
}
customElements.define("fresh-login-dialog", FreshLoginDialog);
