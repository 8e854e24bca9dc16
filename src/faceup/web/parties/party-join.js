import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { ApiError, request } from "../api/http.js";
import { joinParty } from "./requests.js";
import { savedName, saveName, serverInfo } from "../api/server-info.js";
import { asPlayer, face } from "../art/faces.js";
import { errorMessage } from "../i18n/errors.js";
import { t } from "../i18n/translate.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import "../ui/face-picker.js";
import { navigate } from "../ui/navigation.js";
import { setPageTitle } from "../ui/page-title.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import "../ui/top-bar.js";

/** @import { PartyInvitation } from "../api/http-types.js" */

/** Page of the link of a party, on which people join it with one tap. */
export class PartyJoinPage extends LitElement {
  static properties = { address: { attribute: false }, found: { state: true }, name: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = [
    baseStyles,
    css`
      .tile {
        justify-items: center;
        max-width: 27rem;
        margin: var(--space-5) auto;
        padding: var(--space-6) var(--space-5);
        text-align: center;
      }
      .all {
        padding: 0 var(--space-4);
      }
      .faces {
        display: flex;
      }
      .faces .face {
        width: 3.5rem;
        margin-inline: -0.3rem;
        filter: drop-shadow(0 2px 4px rgb(0 0 0 / 0.4));
      }
      h1 {
        unicode-bidi: isolate;
      }
      p {
        color: #f0d6de;
      }
      form {
        width: 100%;
        margin-top: var(--space-2);
      }
      .named {
        gap: var(--space-3);
      }
      .error {
        color: #ffd9d5;
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {{key?: string}} */
    this.address = {};
    /** @type {PartyInvitation | null} */
    this.found = null;
    this.name = savedName();
    this.error = "";
    this.busy = false;
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(t("party.join.title"));
    void this.#load();
  }

  async #load() {
    try {
      const found = await request("GET", `/api/party-links/${this.address.key}`);
      if (found.party) return navigate(`/party/${found.party}`, { replace: true });
      this.found = found;
    } catch (error) {
      this.#showError(error);
    }
  }

  /** @param {unknown} error */
  #showError(error) {
    const kind = error instanceof ApiError ? error.kind : "";
    if (kind === "not_found") this.error = t("party.join.invalid");
    else if (kind === "forbidden") this.error = t("party.join.removed");
    else this.error = errorMessage(error);
  }

  /** @param {Event} event */
  async #join(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.error = "";
    try {
      if (!serverInfo.player && this.name) saveName(this.name);
      navigate(`/party/${await joinParty(this.address.key ?? "")}`, { replace: true });
    } catch (error) {
      this.#showError(error);
    } finally {
      this.busy = false;
    }
  }

  render() {
    const { found } = this;
    return html`<top-bar></top-bar><div class="all"><section class="stack tile wine">
      <span class="faces" aria-hidden="true">${["fox-4", "panda-7", "owl-1"].map((each) => face(asPlayer({ name: "", face: each })))}</span>
      ${found
        ? html`<p>${t("party.join.title")}</p><h1>${found.name || t("party.unnamed")}</h1>
            <p>${t("party.join.members", { count: found.members })}</p>
            <form class="stack" @submit=${this.#join}>
              ${serverInfo.player
                ? nothing
                : html`<div class="named cluster"><face-picker></face-picker><input class="grow" aria-label=${t("shell.name.optional")} placeholder=${t("shell.name.optional")} maxlength="40"
                    autocomplete="nickname" spellcheck="false" .value=${this.name}
                    @input=${(/** @type {Event} */ event) => (this.name = /** @type {HTMLInputElement} */ (event.target).value)}></div>`}
              <button class="gold large" ?disabled=${this.busy}>${t("party.join")}</button>
            </form>
            <p class="small">${t("party.join.hint")}</p>`
        : html`<h1>${this.error ? t("party.unnamed") : ""}</h1>`}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
    </section></div>`;
  }
}
customElements.define("party-join-page", PartyJoinPage);
