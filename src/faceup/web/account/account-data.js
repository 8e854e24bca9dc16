import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { ApiError, request } from "../api/http.js";
import { serverInfo } from "../api/server-info.js";
import { formatDateTime } from "../i18n/format.js";
import { needsSecondFactor } from "../i18n/errors.js";
import { t } from "../i18n/translate.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import { runRequest } from "../ui/run-request.js";
import { baseStyles, formStyles } from "../ui/styles.js";
import { logInWithPasskey, passkeysAvailable } from "./passkey-requests.js";
import { secondFactorField } from "./second-factor.js";

/** @typedef {"export" | "delete"} Action what the player does with the account */

/** The data of the account: download them, delete the account in a day, and cancel that. An account needs a new login. */
export class AccountData extends LitElement {
  static properties = { pending: { state: true }, asking: { state: true }, second: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = [
    baseStyles,
    formStyles,
    css`
      .panel {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-3);
        padding: var(--space-5);
      }
      .warning {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-3);
        padding: var(--space-3);
        border-radius: var(--radius-small);
        background: var(--sunken);
      }
      button {
        max-width: 100%;
        white-space: normal; /* long translations in large text */
        overflow-wrap: anywhere;
      }
    `,
  ];

  constructor() {
    super();
    /** What needs a login, and follows it. @type {Action | null} */
    this.pending = null;
    /** Whether the player must confirm the deletion. */
    this.asking = false;
    this.second = false;
    this.error = "";
    this.busy = false;
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
  }

  /** Run an action; if it needs a new login, ask for one. @param {Action} action */
  #act(action) {
    return runRequest(this, () => this.#try(action));
  }

  /** @param {Action} action */
  async #try(action) {
    try {
      await (action === "export" ? this.#export() : this.#delete());
      this.pending = null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== "login_required") throw error;
      this.pending = action;
    }
  }

  async #export() {
    const data = await request("GET", "/api/account/export");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }));
    link.download = "faceup-account.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  async #delete() {
    serverInfo.setPlayer(await request("POST", "/api/account/deletion"));
    this.asking = false;
  }

  #keep() {
    return runRequest(this, async () => serverInfo.setPlayer(await request("DELETE", "/api/account/deletion")));
  }

  /** Log in again, and then do what needed it. @param {SubmitEvent} event */
  #logIn(event) {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (event.target)));
    return runRequest(
      this,
      async () => {
        try {
          await this.#continue(await request("POST", "/api/login", { login: serverInfo.player?.login, ...fields }));
        } catch (error) {
          this.second ||= needsSecondFactor(error);
          throw error;
        }
      },
      "change",
    );
  }

  #logInWithPasskey() {
    return runRequest(this, async () => this.#continue(await logInWithPasskey()), "passkey");
  }

  /** @param {import("../api/http-types.js").Me | null} you the player who has logged in */
  async #continue(you) {
    if (!you) return;
    serverInfo.setPlayer(you);
    if (this.pending) await this.#try(this.pending);
  }

  #renderLogin() {
    return html`<p role="status">${t("shell.data.login")}</p>
      ${serverInfo.player?.login
        ? html`<form @submit=${this.#logIn}>
            <label class="field">${t("shell.login.password")}<input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
            ${this.second ? secondFactorField() : nothing}
            <div><button ?disabled=${this.busy}>${t("shell.login")}</button></div></form>`
        : nothing}
      ${passkeysAvailable() ? html`<div><button ?disabled=${this.busy} @click=${this.#logInWithPasskey}>${t("shell.login.passkey")}</button></div>` : nothing}`;
  }

  #renderDeletion() {
    const at = serverInfo.player?.deleted_at;
    if (at) {
      return html`<div class="warning" role="status"><p>${t("shell.data.deleted_at", { when: formatDateTime(at) })}</p>
        <div><button class="main" ?disabled=${this.busy} @click=${this.#keep}>${t("shell.data.keep")}</button></div></div>`;
    }
    if (!this.asking) return html`<div><button class="quiet" @click=${() => (this.asking = true)}>${t("shell.data.delete")}</button></div>`;
    return html`<div class="warning"><p>${t("shell.data.delete.hint")}</p>
      <div class="row cluster"><button ?disabled=${this.busy} @click=${() => this.#act("delete")}>${t("shell.data.delete.confirm")}</button>
        <button class="quiet" @click=${() => (this.asking = false)}>${t("shell.data.keep")}</button></div></div>`;
  }

  render() {
    return html`<section class="panel">
      <h2>${t("shell.data")}</h2>
      <p class="soft">${t("shell.data.hint")}</p>
      <div><button ?disabled=${this.busy} @click=${() => this.#act("export")}>${t("shell.data.export")}</button></div>
      ${this.#renderDeletion()}
      ${this.pending ? this.#renderLogin() : nothing}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
    </section>`;
  }
}
customElements.define("account-data", AccountData);
