import { LitElement, html, nothing } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { SITE } from "../api/site.js";
import { formatTime } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { runRequest } from "../ui/run-request.js";
import { baseStyles, formStyles } from "../ui/styles.js";
import { withFreshLogin } from "./fresh-login.js";
import { startOpenId } from "./openid.js";

/** @import { OpenIdState } from "../api/http-types.js" */

/** The link of the account to a person at the server's OpenID provider. */
export class OpenIdLink extends LitElement {
  static properties = { state: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = [baseStyles, formStyles];

  constructor() {
    super();
    /** @type {OpenIdState | null} */
    this.state = null;
    this.error = "";
    this.busy = false;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    void this.#load().catch(() => {}); // without an answer, offer nothing
  }

  async #load() {
    this.state = await request("GET", "/api/account/openid");
  }

  #link() {
    return runRequest(this, () => withFreshLogin(() => startOpenId("/api/account/openid")), "openid");
  }

  #unlink() {
    return runRequest(this, async () => {
      await withFreshLogin(() => request("DELETE", "/api/account/openid"));
      await this.#load();
      this.dispatchEvent(new Event("changed"));
    });
  }

  render() {
    if (!this.state) return nothing;
    const since = this.state.linked_at;
    return html`${since
        ? html`<div class="row between"><span>${SITE.openid} <small class="soft">${formatTime(since)}</small></span>
            <button class="quiet" ?disabled=${this.busy} @click=${this.#unlink}>${t("shell.openid.unlink")}</button></div>`
        : html`<button ?disabled=${this.busy} @click=${this.#link}>${t("shell.openid.link", { name: SITE.openid ?? "" })}</button>`}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}`;
  }
}
customElements.define("openid-link", OpenIdLink);
