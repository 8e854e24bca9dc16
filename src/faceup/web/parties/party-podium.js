import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE, request } from "../api/http.js";
import { asPlayer, face } from "../art/faces.js";
import { errorMessage } from "../i18n/errors.js";
import { formatList } from "../i18n/format.js";
import { listedPerson } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { setPageTitle } from "../ui/page-title.js";
import "../ui/podium.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import { partyName } from "./party-card.js";
import { eveningTitle, formatWins } from "./party-evening.js";
import { loadEvening } from "./requests.js";

/** @import { Award, PartyEvening, PartyView } from "../api/http-types.js" */

/** Page with the podium of the last evening of a party, its awards, and a picture to share. */
export class PartyPodiumPage extends LitElement {
  static properties = { address: { attribute: false }, party: { state: true }, evening: { state: true }, error: { state: true } };
  static styles = [
    baseStyles,
    css`
      .all {
        max-width: 60rem;
        margin: 0 auto;
        padding: var(--space-2) var(--space-4) var(--space-7);
        gap: var(--space-4);
      }
      h1 {
        font-size: var(--text-4);
        hyphens: auto;
        text-wrap: balance;
        overflow-wrap: anywhere;
        unicode-bidi: isolate;
      }
      @media (max-width: 30rem) {
        h1 {
          font-size: var(--text-3);
        }
      }
      .heading p {
        color: #e6f1ec;
      }
      nav {
        gap: var(--space-2);
      }
      nav > * {
        flex: 1 1 12rem;
      }
      .awards {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
        gap: var(--space-3);
        margin-top: var(--space-3);
      }
      .award {
        height: 100%;
        gap: var(--space-3);
        padding: var(--space-3);
      }
      .award .face {
        flex: none;
        width: 3rem;
      }
      .award > span {
        overflow-wrap: anywhere;
        unicode-bidi: isolate;
      }
      .award b {
        color: var(--accent);
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {{party?: string}} */
    this.address = {};
    /** @type {PartyView | null} */
    this.party = null;
    /** @type {PartyEvening | null} */
    this.evening = null;
    this.error = "";
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("party.podium"));
    void this.#load(this.address.party ?? "");
  }

  /** @param {string} id */
  async #load(id) {
    try {
      [this.party, this.evening] = await Promise.all([request("GET", `/api/parties/${id}`), loadEvening(id, true)]);
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  async #share() {
    if (this.party) await (await import("../ui/share-dialog.js")).shareStandings(`/api/parties/${this.party.id}/evening.png`, this.#name, t("party.podium.text"));
  }

  get #name() {
    return this.party ? partyName(this.party.name, this.party.members) : "";
  }

  /** @param {Award} award */
  #renderAward({ kind, who, value, table }) {
    const people = (this.evening?.standings ?? []).filter(({ who: { handle } }) => who.includes(handle ?? ""));
    const [first] = people;
    const inside = html`${first ? face(asPlayer(first.who)) : nothing}
      <span><b class="block">${t(`party.award.${kind}`)}</b>${formatList(people.map((person) => listedPerson(person.who)))}
        <small class="block soft small">${t(`party.award.${kind}.for`, { count: value })}</small></span>`;
    return html`<li>${table ? html`<a class="award aligned surface" href="${BASE}/t/${table}/replay">${inside}</a>` : html`<div class="award aligned sunken">${inside}</div>`}</li>`;
  }

  /** @param {PartyEvening} evening */
  #renderEvening(evening) {
    const { games, standings, awards } = evening;
    const entrants = standings.map(({ who, place, wins }) => {
      return { ...who, name: listedPerson(who), place, score: t("party.evening.wins", { count: wins, wins: formatWins(wins) }) };
    });
    return html`<standings-podium .entrants=${entrants}>
        <div class="heading"><h1>${this.#name}</h1><p>${eveningTitle(evening)} · ${t("party.evening.games", { count: games })}</p></div>
      </standings-podium>
      <nav class="cluster" aria-label=${t("party.podium")}>
        <button class="main" @click=${this.#share}>${icon("share")}${t("party.podium.share")}</button>
        <a class="button" href="${BASE}/party/${this.party?.id}">${icon("people")}${t("party.back")}</a>
      </nav>
      ${awards.length
        ? html`<section aria-labelledby="awards"><h2 id="awards">${t("party.awards")}</h2><ul class="awards">${awards.map((award) => this.#renderAward(award))}</ul></section>`
        : nothing}`;
  }

  render() {
    const { evening, error } = this;
    return html`<top-bar></top-bar><div class="all stack">
      ${error ? html`<p class="error" role="alert">${error}</p>` : nothing}
      ${evening && !error ? (evening.standings.length ? this.#renderEvening(evening) : html`<h1>${this.#name}</h1><p>${t("party.podium.none")}</p>`) : nothing}
    </div>`;
  }
}
customElements.define("party-podium-page", PartyPodiumPage);
