import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { serverInfo } from "../api/server-info.js";
import { formatDateTime } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import { runRequest } from "../ui/run-request.js";
import { baseStyles, formStyles } from "../ui/styles.js";
import { withFreshLogin } from "./fresh-login.js";

/** The data of the account: download them, delete the account in a day, and cancel that. An account needs a new login. */
export class AccountData extends LitElement {
  static properties = { asking: { state: true }, error: { state: true }, busy: { state: true } };
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
    /** Whether the player must confirm the deletion. */
    this.asking = false;
    this.error = "";
    this.busy = false;
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
  }

  async #export() {
    const data = await withFreshLogin(() => request("GET", "/api/account/export"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(data, readableTimes, 2)], { type: "application/json" }));
    link.download = "faceup-account.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  async #delete() {
    serverInfo.setPlayer(await withFreshLogin(() => request("POST", "/api/account/deletion")));
    this.asking = false;
  }

  #keep() {
    return runRequest(this, async () => serverInfo.setPlayer(await request("DELETE", "/api/account/deletion")));
  }

  #renderDeletion() {
    const at = serverInfo.player?.deleted_at;
    if (at) {
      return html`<div class="warning" role="status"><p>${t("shell.data.deleted_at", { when: formatDateTime(at) })}</p>
        <div><button class="main" ?disabled=${this.busy} @click=${this.#keep}>${t("shell.data.keep")}</button></div></div>`;
    }
    if (!this.asking) return html`<div><button class="quiet" @click=${() => (this.asking = true)}>${t("shell.data.delete")}</button></div>`;
    return html`<div class="warning"><p>${t("shell.data.delete.hint")}</p>
      <div class="row cluster"><button ?disabled=${this.busy} @click=${() => runRequest(this, () => this.#delete())}>${t("shell.data.delete.confirm")}</button>
        <button class="quiet" @click=${() => (this.asking = false)}>${t("shell.data.keep")}</button></div></div>`;
  }

  render() {
    return html`<section class="panel">
      <h2>${t("shell.data")}</h2>
      <p class="soft">${t("shell.data.hint")}</p>
      <div><button ?disabled=${this.busy} @click=${() => runRequest(this, () => this.#export())}>${t("shell.data.export")}</button></div>
      ${this.#renderDeletion()}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
    </section>`;
  }
}
/**
 * Return a time in milliseconds since 1970, as which the server sends all times, as people read it. No other numbers are as large.
 *
 * @param {string} _
 * @param {unknown} value
 */
function readableTimes(_, value) {
  return typeof value === "number" && value > 1e12 && value < 1e13 ? new Date(value).toISOString() : value;
}
customElements.define("account-data", AccountData);
