import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { loadParties, startParty } from "./requests.js";
import { asPlayer, face } from "../art/faces.js";
import { personName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { navigate } from "../ui/navigation.js";
import { runRequest } from "../ui/run-request.js";
import { baseStyles } from "../ui/styles.js";
import { cardLinkStyles } from "../ui/list-styles.js";

/** @import { MemberView, PartyListed } from "../api/http-types.js" */

/** The parties of the player on the home page, and a button that starts one. */
export class PartyCard extends LitElement {
  static properties = { parties: { state: true }, busy: { state: true }, error: { state: true } };
  static styles = [
    baseStyles,
    cardLinkStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-2);
      }
      button.card {
        justify-content: flex-start;
        text-align: start;
        gap: var(--space-3);
        width: 100%;
        min-height: 72px;
        padding: var(--space-2) var(--space-4);
        font-weight: 400;
      }
      .words {
        overflow-wrap: anywhere;
      }
      .words span {
        color: #f0d6de;
      }
      .faces {
        display: flex;
      }
      .faces .face {
        width: 2.25rem;
        border-radius: 50%;
        margin-inline-end: -0.75rem;
        filter: drop-shadow(0 1px 2px rgb(0 0 0 / 0.4));
      }
      .faces .face:last-child {
        margin-inline-end: 0;
      }
      .another {
        justify-self: start;
        min-height: var(--target);
        padding: 0 var(--space-2);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {PartyListed[]} */
    this.parties = [];
    this.busy = false;
    this.error = "";
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    loadParties().then(
      (parties) => (this.parties = parties),
      () => undefined, // a party can be started anyway
    );
  }

  #start() {
    return runRequest(this, async () => navigate(`/party/${await startParty()}`));
  }

  /** @param {PartyListed} party */
  #renderParty(party) {
    const what = party.status ? t(`party.card.${party.status}`) : t("party.card.members", { count: party.members });
    return html`<a class="aligned tile wine" href="${BASE}/party/${party.id}">
      <span class="faces rigid" aria-hidden="true">${party.faces.slice(0, 3).map((member) => face(asPlayer(member)))}</span>
      <span class="words grow"><b class="cut">${partyName(party.name, party.faces)}</b><span>${what}</span></span>
      <span class="go">${icon("next")}</span>
    </a>`;
  }

  render() {
    return html`
      ${this.parties.slice(0, 3).map((party) => this.#renderParty(party))}
      ${this.parties.length
        ? nothing
        : html`<button class="card aligned tile wine" ?disabled=${this.busy} @click=${this.#start}>
            <span class="faces rigid" aria-hidden="true">${["fox-4", "panda-7", "owl-1"].map((faceName) => face(asPlayer({ name: "", face: faceName })))}</span>
            <span class="words grow"><b class="cut">${t("party.start")}</b><span>${t("party.start.summary")}</span></span>
            <span class="go">${icon("next")}</span>
          </button>`}
      ${this.parties.length ? html`<button class="another quiet small" ?disabled=${this.busy} @click=${this.#start}>${t("party.start.another")}</button>` : nothing}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}`;
  }
}
customElements.define("party-card", PartyCard);

/** Return the name of a party to show, also of one without a name. @param {string} name @param {MemberView[]} members */
export function partyName(name, members) {
  return name || (members.length ? t("party.unnamed.of", { name: personName(members[0].name) }) : t("party.unnamed"));
}
