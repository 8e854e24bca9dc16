import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE, ask } from "../live/api.js";
import { GAMES } from "../live/games.js";
import { figure, when } from "../words/dates.js";
import { levelName, titleOf, variantOf } from "../words/games.js";
import { refused } from "../words/refused.js";
import { say } from "../words/say.js";
import { narrow, sheet } from "./sheet.js";

/**
 * @typedef {{who: {name: string, handle?: string | null, bot?: string | null}, score: number, place: number, away: boolean}} Side
 * @typedef {{number: number, table: string, game: string, variant: string, ended_at: number, rated: boolean, sides: Side[], seat: number}} Played
 * @typedef {{game: string, variant: string, rating: number, mean: number, deviation: number, games: number, wins: number, place: number | null}} Standing
 * @typedef {{handle: string, name: string, guest: boolean, since: number, ratings: Standing[], games: Played[],
 *   tallies: {game: string, variant: string, games: number, first: number}[]}} Results
 */

/** What a player has played: ratings, how many games of what, and the games themselves. */
export class PlayerResults extends LitElement {
  static properties = { results: { attribute: false }, games: { state: true }, more: { state: true }, said: { state: true } };
  static styles = [
    sheet,
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
      ul {
        list-style: none;
        display: grid;
        gap: var(--space-2);
      }
      li a {
        display: grid;
        grid-template-columns: 3.2rem 1fr auto;
        gap: var(--space-1) var(--space-3);
        align-items: center;
        padding: var(--space-3) var(--space-4);
        color: var(--ink);
        text-decoration: none;
        background: var(--surface);
        border-radius: var(--radius);
        box-shadow: var(--low);
      }
      li a:hover {
        box-shadow: var(--high);
      }
      .place {
        width: 44px;
        height: 44px;
        border-radius: 50%;
        display: grid;
        place-items: center;
        background: var(--sunken);
        font: 800 var(--text-0) / 1 var(--figures);
      }
      .won .place {
        background: #f3c65a;
        color: #4a3000;
      }
      small {
        display: block;
        color: var(--ink-soft);
        font-size: var(--text--1);
        overflow-wrap: anywhere;
      }
      time {
        color: var(--ink-soft);
        font-size: var(--text--1);
        white-space: nowrap;
      }
      @media (max-width: 28rem) {
        time {
          grid-column: 2;
        }
      }
    `,
    narrow,
  ];

  constructor() {
    super();
    /** @type {Results | null} */
    this.results = null;
    /** @type {Played[]} */
    this.games = [];
    this.more = false;
    this.said = "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("results") || !this.results) return;
    this.games = this.results.games;
    this.more = this.games.length >= 20;
  }

  async #older() {
    const last = this.games.at(-1)?.number;
    try {
      const found = await ask("GET", `/api/players/${this.results?.handle}/games?before=${last}`);
      this.games = [...this.games, ...found];
      this.more = found.length >= 20;
    } catch (error) {
      this.said = refused(error);
    }
  }

  /** @param {Played} game */
  #game(game) {
    const me = game.sides[game.seat];
    const called = (/** @type {Side} */ { who }) =>
      who.bot ? (GAMES.get(game.game)?.chooses === false ? say("shell.computer") : levelName(who.bot)) : who.name;
    const others = game.sides.filter((_, seat) => seat !== game.seat).map((side) => `${called(side)} ${side.score}`);
    return html`<li><a class=${me.place === 1 ? "won" : ""} href="${BASE}/t/${game.table}/replay">
      <span class="place" aria-label=${say("shell.results.place", { place: me.place, of: game.sides.length })}>${me.place}.</span>
      <span><b>${titleOf(game.game)}</b> · ${variantOf(game.game, game.variant)}
        <small>${say("shell.results.score", { score: me.score })} · ${others.join(", ")}${game.rated ? "" : ` · ${say("shell.results.unrated")}`}</small></span>
      <time datetime=${new Date(game.ended_at).toISOString()}>${when(game.ended_at)}</time>
    </a></li>`;
  }

  render() {
    const results = this.results;
    if (!results) return nothing;
    const rated = new Set(results.ratings.map((each) => `${each.game}:${each.variant}`));
    return html`
      ${results.tallies.length
        ? html`<div class="cards">
            ${results.ratings.map((each) => html`<section class="panel">
              <h3>${titleOf(each.game)} · ${variantOf(each.game, each.variant)}</h3>
              <b>${figure(each.rating)}</b>
              <small>${figure(each.mean)} ± ${figure(each.deviation)}</small>
              <small>${each.place ? say("shell.results.rung", { place: each.place }) : say("shell.results.norung")} · ${say("shell.results.games", { count: each.games })}</small>
            </section>`)}
            ${results.tallies.filter((each) => !rated.has(`${each.game}:${each.variant}`)).map((each) => html`<section class="panel">
              <h3>${titleOf(each.game)} · ${variantOf(each.game, each.variant)}</h3>
              <b>${each.games}</b>
              <small>${say("shell.results.played", { count: each.games })} · ${say("shell.results.won", { count: each.first })}</small>
            </section>`)}
          </div>`
        : nothing}
      ${this.games.length
        ? html`<ul>${this.games.map((each) => this.#game(each))}</ul>`
        : html`<p class="soft">${say("shell.results.none")}</p>`}
      ${this.more ? html`<div><button @click=${this.#older}>${say("shell.results.older")}</button></div>` : nothing}
      ${this.said ? html`<p role="alert">${this.said}</p>` : nothing}`;
  }
}
customElements.define("player-results", PlayerResults);
