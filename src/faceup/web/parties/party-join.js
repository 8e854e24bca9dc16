import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { ApiError, request } from "../api/http.js";
import { joinParty } from "./requests.js";
import { normalizeName, savedName, saveName, serverInfo } from "../api/server-info.js";
import { asPlayer, face } from "../art/faces.js";
import { errorMessage } from "../i18n/errors.js";
import { formatList } from "../i18n/format.js";
import { listedPerson } from "../i18n/players.js";
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
  static properties = { address: { attribute: false }, invitation: { state: true }, name: { state: true }, error: { state: true }, busy: { state: true } };
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
      .inviter .face {
        width: 6.5rem;
        border-radius: 50%;
        box-shadow: 0 0 0 4px #f6cf62, 0 3px 12px rgb(0 0 0 / 0.45);
      }
      .faces {
        display: flex;
        justify-content: center;
        flex-wrap: wrap;
        gap: 4px;
      }
      .faces .face {
        width: 2.5rem;
        filter: drop-shadow(0 2px 4px rgb(0 0 0 / 0.4));
      }
      .absent {
        opacity: 0.55;
      }
      h1,
      .party {
        overflow-wrap: anywhere;
        text-wrap: balance;
        unicode-bidi: isolate;
      }
      h1 {
        font-size: var(--text-4);
      }
      .party {
        font-size: var(--text-1);
        font-weight: 700;
      }
      p {
        color: #f0d6de;
      }
      form {
        width: 100%;
        margin-top: var(--space-2);
      }
      face-picker {
        display: block;
        --outline: var(--on-felt);
      }
      .error {
        color: #ffd9d5;
      }
      @media (max-height: 30rem) and (min-width: 40rem) {
        .tile {
          grid-template-columns: 1fr 1fr;
          align-items: center;
          column-gap: var(--space-5);
          max-width: 46rem;
          margin-block: var(--space-2);
          padding-block: var(--space-4);
        }
        .inviter .face {
          width: 4.5rem;
        }
        form {
          grid-column: 2;
          grid-row: 1 / span 4;
        }
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {{key?: string}} */
    this.address = {};
    /** @type {PartyInvitation | null} */
    this.invitation = null;
    this.name = savedName();
    this.error = "";
    this.busy = false;
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("party.join.title"));
    void this.#load();
  }

  async #load() {
    try {
      const invitation = await request("GET", `/api/party-links/${this.address.key}${location.search}`);
      if (invitation.party) return navigate(`/party/${invitation.party}`, { replace: true });
      this.invitation = invitation;
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
      const name = normalizeName(this.name);
      if (name) saveName(name);
      if (name && serverInfo.player && serverInfo.player.name !== name) serverInfo.setPlayer(await request("PATCH", "/api/me", { name }));
      navigate(`/party/${await joinParty(this.address.key ?? "")}`, { replace: true });
    } catch (error) {
      this.#showError(error);
    } finally {
      this.busy = false;
    }
  }

  /** @param {PartyInvitation} invitation */
  #renderInvitation({ by, name, members, people }) {
    const inviter = listedPerson(by);
    const present = people.filter((person) => person.here && person.handle !== by.handle).map((person) => listedPerson(person));
    const others = people.filter(({ handle }) => handle !== by.handle);
    return html`<span class="inviter" aria-hidden="true">${face(asPlayer(by))}</span>
      <div><h1>${t("party.join.by", { name: inviter })}</h1><p class="party">${name || t("party.unnamed.of", { name: inviter })}</p></div>
      <div class="tight">
        ${others.length ? html`<span class="faces" aria-hidden="true">${others.map((person) => html`<span class=${person.here ? "" : "absent"}>${face(asPlayer(person))}</span>`)}</span>` : nothing}
        <p>${present.length ? t("party.join.here", { names: formatList(present), count: present.length }) : t("party.join.members", { count: members })}</p>
      </div>
      <form class="stack" @submit=${this.#join}>
        <face-picker offers="5"></face-picker>
        <input aria-label=${t("shell.name.optional")} placeholder=${t("shell.name.optional")} maxlength="40"
          autocomplete="nickname" spellcheck="false" .value=${this.name}
          @input=${(/** @type {Event} */ event) => (this.name = /** @type {HTMLInputElement} */ (event.target).value)}>
        <button class="gold large" ?disabled=${this.busy}>${t("party.join")}</button>
      </form>
      <p class="small">${t("party.join.hint")}</p>`;
  }

  render() {
    const { invitation } = this;
    return html`<top-bar></top-bar><div class="all"><section class="stack tile wine">
      ${invitation ? this.#renderInvitation(invitation) : html`<h1>${this.error ? t("party.unnamed") : ""}</h1>`}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
    </section></div>`;
  }
}
customElements.define("party-join-page", PartyJoinPage);
