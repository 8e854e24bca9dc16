import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { face } from "../art/faces.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { baseStyles } from "../ui/styles.js";
import { formatNumber } from "../i18n/format.js";
import { playerName } from "../i18n/players.js";
import { hasTranslation, loadNamespaces, t } from "../i18n/translate.js";

/** @import { SeriesPlayer, TableView } from "../api/types.js" */

/** The maximum number of games with a column of their own. Narrow screens show fewer. */
const COLUMNS = 8;

/**
 * Running score of a series of rematches: the score in each of the last games, the total and the wins of every player.
 * It is empty in a first game.
 */
export class TableSeries extends LitElement {
  static properties = { room: { attribute: false } };
  static styles = [
    baseStyles,
    css`
      :host {
        container-type: inline-size;
      }
      h2 {
        font-size: var(--text-1);
        margin-bottom: var(--space-2);
      }
      th,
      td {
        padding: var(--space-1);
        text-align: center;
      }
      thead th {
        font-size: var(--text--1);
        font-weight: 600;
        color: var(--ink-soft);
      }
      tbody th {
        width: 100%;
        max-width: 0;
        padding-inline-start: var(--space-2);
        text-align: start;
      }
      tbody th > span {
        min-height: 2.5rem;
      }
      .face {
        width: 1.75rem;
      }
      tbody tr:nth-child(odd) {
        background: var(--sunken);
      }
      tbody tr > :first-child {
        border-radius: var(--radius-small) 0 0 var(--radius-small);
      }
      tbody tr > :last-child {
        border-radius: 0 var(--radius-small) var(--radius-small) 0;
        padding-inline-end: var(--space-2);
      }
      .gone {
        opacity: 0.6;
      }
      .me bdi {
        font-weight: 800;
      }
      tbody th bdi {
        font-weight: 500;
      }
      .score {
        display: inline-grid;
        place-items: center;
        min-width: 1.875rem;
        height: 1.875rem;
        padding: 0 5px;
        border-radius: 0.9375rem;
      }
      .first {
        color: #3a2a00;
        background: linear-gradient(180deg, #ffdd7d, #ffc940);
        font-weight: 700;
      }
      .total,
      .wins {
        font: 800 var(--text-0) / 1 var(--figures);
        white-space: nowrap;
      }
      .wins span {
        display: inline-flex;
        align-items: center;
        gap: 2px;
      }
      /* The oldest games give way first. */
      @container (max-width: 34rem) {
        .ago-7,
        .ago-6,
        .ago-5 {
          display: none;
        }
      }
      @container (max-width: 26rem) {
        .ago-4,
        .ago-3 {
          display: none;
        }
      }
      @container (max-width: 19rem) {
        .ago-2,
        .ago-1 {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {TableView | null} */
    this.room = null;
    void loadNamespaces("series");
    new LanguageController(this);
  }

  /** @param {SeriesPlayer} player */
  #isHere(player) {
    const { seats = [], reserved = [] } = this.room ?? {};
    if (player.handle) return reserved.includes(player.handle) || seats.some((seated) => seated?.handle === player.handle);
    return seats.some((seated) => seated?.kind === player.kind && seated.name === player.name);
  }

  /** @param {SeriesPlayer} player @param {number[]} columns places in the lists of the player */
  #renderPlayer(player, columns) {
    const me = this.room?.seat !== undefined && this.room.seats[this.room.seat]?.handle === player.handle && player.handle;
    return html`<tr class="${this.#isHere(player) ? "" : "gone"} ${me ? "me" : ""}">
      <th scope="row"><span class="aligned">${face(player, player.seat)}<bdi class="cut">${playerName(player)}</bdi></span></th>
      ${columns.map((at) => {
        const score = player.scores[at];
        const place = player.places[at];
        return html`<td class="ago-${player.scores.length - 1 - at}">${score === null || place === null
          ? html`<span class="soft" aria-hidden="true">–</span><span class="visually-hidden">${t("series.absent")}</span>`
          : html`<span class="score ${place === 1 ? "first" : ""}" aria-label=${t("series.place", { score, place })}>${score}</span>`}</td>`;
      })}
      <td class="total">${player.score}</td>
      <td class="wins"><span>${formatNumber(player.wins, Number.isInteger(player.wins) ? 0 : 1)}${icon("star", 16)}</span></td>
    </tr>`;
  }

  render() {
    const { series, config } = this.room ?? {};
    if (!series || !hasTranslation("series.title")) return nothing;
    const listed = series.players[0]?.scores.length ?? 0;
    const columns = Array.from({ length: Math.min(COLUMNS, listed) }, (_, index) => listed - Math.min(COLUMNS, listed) + index);
    const players = series.players.toSorted((first, second) => second.wins - first.wins || meanPlace(first) - meanPlace(second));
    const total = [`series.total.${config?.game}`].find(hasTranslation) ?? "series.total";
    return html`<h2>${t("series.title", { count: series.games })}</h2>
      <table class="figures">
        <thead><tr>
          <th scope="col"><span class="visually-hidden">${t("series.player")}</span></th>
          ${columns.map((at) => {
            const number = series.games - listed + at + 1;
            return html`<th scope="col" class="ago-${listed - 1 - at}"><span aria-hidden="true">${number}</span><span class="visually-hidden">${t("series.game", { number })}</span></th>`;
          })}
          <th scope="col">${t(total)}</th>
          <th scope="col">${t("series.wins")}</th>
        </tr></thead>
        <tbody>${players.map((player) => this.#renderPlayer(player, columns))}</tbody>
      </table>`;
  }
}
customElements.define("table-series", TableSeries);

/** Return the mean place of a player in the listed games. @param {SeriesPlayer} player */
function meanPlace({ places }) {
  const reached = places.filter((place) => place !== null);
  return reached.length ? reached.reduce((sum, place) => sum + place, 0) / reached.length : Infinity;
}
