import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { asPlayer, face } from "../art/faces.js";
import { errorMessage } from "../i18n/errors.js";
import { formatTime, formatNumber } from "../i18n/format.js";
import { listedPerson } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import { loadEvening } from "./requests.js";

/** @import { EveningStanding, PartyEvening, PartyView } from "../api/http-types.js" */

/** Milliseconds after its last game at which an evening is over, as on the server. */
const GAP = 4 * 60 * 60 * 1000;

/** The score of the last evening of a party, over all its games; empty before the first finished game. */
export class PartyEveningScore extends LitElement {
  static properties = { party: { attribute: false }, evening: { state: true }, error: { state: true } };
  static styles = [
    baseStyles,
    css`
      .head {
        align-items: baseline;
        gap: var(--space-1) var(--space-3);
      }
      ol {
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr));
        margin-top: var(--space-3);
      }
      li {
        gap: var(--space-3);
        min-height: 3.5rem;
        padding: var(--space-1) var(--space-3);
      }
      .first {
        background: linear-gradient(100deg, color-mix(in srgb, #ffc940 32%, var(--raised)), var(--raised) 75%);
      }
      li em {
        min-width: 1ch;
        font: 800 var(--text-1) / 1 var(--figures);
        color: var(--ink-soft);
      }
      .face {
        width: 2.5rem;
      }
      .wins {
        gap: 2px;
        font: 800 var(--text-3) / 1 var(--figures);
      }
      .wins svg {
        color: #d99a12;
      }
      .podium {
        margin-top: var(--space-3);
      }
    `,
    narrowStyles,
  ];

  /** The table and its status for which the evening is loaded. */
  #loadedFor = "";

  constructor() {
    super();
    /** @type {PartyView | null} */
    this.party = null;
    /** @type {PartyEvening | null} */
    this.evening = null;
    this.error = "";
    new LanguageController(this);
  }

  willUpdate() {
    const { id, table } = this.party ?? {};
    const now = `${id} ${table?.id} ${table?.status === "finished"}`;
    if (!id || now === this.#loadedFor) return;
    this.#loadedFor = now;
    loadEvening(id).then(
      (evening) => (this.evening = evening),
      (error) => (this.error = errorMessage(error)),
    );
  }

  /** @param {EveningStanding} standing */
  #renderStanding({ who, place, games, wins }) {
    return html`<li class="aligned sunken ${place === 1 ? "first" : ""}"><em>${place}</em>
      ${face(asPlayer(who))}
      <span class="grow"><b class="block cut">${listedPerson(who)}</b><small class="soft small">${t("party.evening.games", { count: games })}</small></span>
      <span class="wins aligned" role="img" aria-label=${t("party.evening.wins", { count: wins, wins: formatWins(wins) })}>${formatWins(wins)}${icon("star")}</span>
    </li>`;
  }

  render() {
    const { evening, party } = this;
    if (this.error) return html`<p class="error" role="alert">${this.error}</p>`;
    if (!evening?.ended_at) return nothing;
    return html`<section class="panel" aria-labelledby="evening">
      <div class="head cluster apart"><h2 id="evening">${eveningTitle(evening)}</h2><span class="soft">${t("party.evening.games", { count: evening.games })}</span></div>
      <ol class="tight columns" .style=${"--column: 17rem"}>${evening.standings.map((standing) => this.#renderStanding(standing))}</ol>
      <a class="button podium" href="${BASE}/party/${party?.id}/podium">${icon("star")}${t("party.podium")}</a>
    </section>`;
  }
}
customElements.define("party-evening", PartyEveningScore);

/** Return the title of an evening that may go on, or that is over. @param {PartyEvening} evening */
export function eveningTitle({ started_at, ended_at }) {
  if (Date.now() - (ended_at ?? 0) < GAP) return t("party.evening");
  return t("party.evening.last", { day: formatTime(started_at ?? 0) });
}

/** Format a number of wins, which is a fraction after shared wins. @param {number} wins */
export function formatWins(wins) {
  return Number.isInteger(wins) ? `${wins}` : formatNumber(wins, 1);
}
