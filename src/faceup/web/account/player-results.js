import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE, request } from "../api/http.js";
import { formatPercent, formatRating, formatTime, joinTexts } from "../i18n/format.js";
import { gameTitle, variantTitle } from "../i18n/games.js";
import { errorMessage } from "../i18n/errors.js";
import { listedName } from "../i18n/players.js";
import { loadNamespaces, t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { narrowStyles, baseStyles } from "../ui/styles.js";

/** @import { GameView, Results, SeatResultView } from "../api/http-types.js" */

/** Results of a player: ratings, totals, and the list of games. */
export class PlayerResults extends LitElement {
  static properties = { results: { attribute: false }, limit: { type: Number }, games: { state: true }, more: { state: true }, error: { state: true } };
  static styles = [
    baseStyles,
    css`
      :host {
        display: grid;
        gap: var(--space-5);
      }
      .cards {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr));
        gap: var(--space-3);
      }
      .cards .panel b {
        display: block;
        font: 800 var(--text-4) / 1.1 var(--figures);
      }
      li a {
        display: grid;
        grid-template-columns: 3.2rem 1fr auto;
        gap: var(--space-1) var(--space-3);
        align-items: center;
        padding: var(--space-3) var(--space-4);
      }
      .place {
        width: 44px;
        height: 44px;
        border-radius: 50%;
        background: var(--sunken);
        font: 800 var(--text-0) / 1 var(--figures);
      }
      .won .place {
        background: #f3c65a;
        color: #4a3000;
      }
      small {
        overflow-wrap: anywhere;
      }
      time {
        white-space: nowrap;
      }
      @media (max-width: 28rem) {
        time {
          grid-column: 2;
        }
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {Results | null} */
    this.results = null;
    /** @type {GameView[]} */
    this.games = [];
    this.more = false;
    /** Number of games to show at first. */
    this.limit = 20;
    this.error = "";
    new LanguageController(this);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("results") || !this.results) return;
    this.games = this.results.games;
    this.more = this.games.length >= 20;
    void this.#needs();
  }

  /** Load the statistics element if a game has hands. */
  async #needs() {
    if (!this.results?.hands.length) return;
    await loadNamespaces("niuniu");
    await import("../games/niuniu/hand-statistics.js");
  }

  async #older() {
    if (this.games.length > this.limit) {
      this.limit = Infinity;
      return;
    }
    const last = this.games.at(-1)?.number;
    try {
      const page = await request("GET", `/api/players/${this.results?.handle}/games?before=${last}`);
      this.games = [...this.games, ...page];
      this.limit = Infinity;
      this.more = page.length >= 20;
      void this.#needs();
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  /** @param {GameView} game */
  #game(game) {
    const me = game.sides[game.seat];
    const called = (/** @type {SeatResultView} */ { who }) =>
      listedName({ ...who, kind: who.bot ?? "person" });
    const others = game.sides.filter((_, seat) => seat !== game.seat).map((side) => `${called(side)} ${side.score}`);
    return html`<li><a class="surface ${me.place === 1 ? "won" : ""}" href="${BASE}/t/${game.table}/replay">
      <span class="place centred" aria-label=${t("shell.results.place", { place: me.place, of: game.sides.length })}>${me.place}.</span>
      <span><b>${gameTitle(game.game)}</b> · ${variantTitle(game.game, game.variant)}
        <small class="block soft small">${t("shell.results.score", { count: me.score })} · ${joinTexts(others)}${` · ${t(game.rated ? "table.rated" : "table.unrated")}`}</small>
</span>
      <time class="soft small" datetime=${new Date(game.ended_at).toISOString()}>${formatTime(game.ended_at)}</time>
    </a></li>`;
  }

  /** @param {import("../api/http-types.js").VariantTotals | undefined} totals */
  #renderTotals(totals) {
    if (!totals) return nothing;
    return html`<b>${totals.games}</b>
      <small class="block soft small">${t("shell.results.played", { count: totals.games })} · ${t("shell.results.won", { count: totals.first })}</small>`;
  }

  render() {
    const results = this.results;
    if (!results) return nothing;
    const listed = new Set([...results.ratings, ...results.hands].map((row) => `${row.game}:${row.variant}`));
    return html`
      ${results.totals.length
        ? html`<div class="cards">
            ${results.ratings.map((rating) => html`<section class="panel">
              <h3>${gameTitle(rating.game)} · ${variantTitle(rating.game, rating.variant)}</h3>
              <b title="± ${rating.deviation}">${formatRating(rating.rating, rating.provisional)}</b>
              <small class="block soft small">${rating.place ? t("shell.results.rank", { place: rating.place }) : t("shell.results.provisional")}</small>
              <small class="block soft small">${t("shell.results.games", { count: rating.games })} · ${t("shell.results.won_rate", { rate: formatPercent(rating.wins / rating.games) })}</small>
            </section>`)}
            ${results.hands.map((row) => html`<section class="panel">
              <h3>${gameTitle(row.game)} · ${variantTitle(row.game, row.variant)}</h3>
              ${this.#renderTotals(results.totals.find(({ game, variant }) => game === row.game && variant === row.variant))}
              ${row.place ? html`<small class="block soft small">${t("shell.results.rank", { place: row.place })}</small>` : nothing}
              <hand-statistics .totals=${row.totals}></hand-statistics>
            </section>`)}
            ${results.totals.filter((totals) => !listed.has(`${totals.game}:${totals.variant}`)).map((totals) => html`<section class="panel">
              <h3>${gameTitle(totals.game)} · ${variantTitle(totals.game, totals.variant)}</h3>
              ${this.#renderTotals(totals)}
            </section>`)}
          </div>`
        : nothing}
      ${this.games.length
        ? html`<ul class="tight">${this.games.slice(0, this.limit).map((game) => this.#game(game))}</ul>`
        : html`<p class="soft">${t("shell.results.none")}</p>`}
      ${this.more || this.games.length > this.limit ? html`<div><button @click=${this.#older}>${t("shell.results.older")}</button></div>` : nothing}
      ${this.error ? html`<p role="alert">${this.error}</p>` : nothing}`;
  }
}
customElements.define("player-results", PlayerResults);
