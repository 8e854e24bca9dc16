import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE, ask } from "../live/api.js";
import { games } from "../live/games.js";
import { house } from "../live/house.js";
import { title } from "../manners/title.js";
import { narrow, sheet } from "../parts/sheet.js";
import "../parts/top-bar.js";
import { figure } from "../words/dates.js";
import { levelName, titleOf, variantOf } from "../words/games.js";
import { refused } from "../words/refused.js";
import { say } from "../words/say.js";

/** @import { Game } from "../live/games.js" */

/**
 * @typedef {{place: number, who: {name: string, handle?: string | null, bot?: string | null}, rating: number, mean: number,
 *   deviation: number, games: number, wins: number}} Rung
 */

/** Who is how strong, people and bots alike. */
export class LadderPage extends LitElement {
  static properties = { games: { state: true }, chosen: { state: true }, ladder: { state: true }, said: { state: true } };
  static styles = [
    sheet,
    css`
      .all {
        max-width: 52rem;
        margin: 0 auto;
        padding: var(--space-3) var(--space-4) var(--space-7);
        display: grid;
        gap: var(--space-4);
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-3);
        justify-content: space-between;
        align-items: end;
      }
      .panel {
        padding: var(--space-2);
        overflow: hidden;
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }
      th {
        font-size: var(--text--1);
        color: var(--ink-soft);
        font-weight: 600;
        text-align: start;
        padding: var(--space-2) var(--space-3);
      }
      td {
        padding: var(--space-2) var(--space-3);
        height: 52px;
      }
      th.number,
      td.number {
        text-align: end;
      }
      tbody tr:nth-child(odd) {
        background: var(--sunken);
      }
      tbody td:first-child {
        border-radius: var(--radius-small) 0 0 var(--radius-small);
        font: 800 var(--text-1) / 1 var(--figures);
        width: 3.5rem;
      }
      tbody td:last-child {
        border-radius: 0 var(--radius-small) var(--radius-small) 0;
      }
      .who {
        max-width: 0;
        width: 60%;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .who a {
        display: inline-flex;
        min-height: 36px;
        align-items: center;
        unicode-bidi: isolate;
      }
      .rating {
        font-weight: 700;
      }
      tr.me td {
        box-shadow: inset 0 0 0 99px rgb(var(--shade) / 0.08);
        font-weight: 700;
      }
      @media (max-width: 30rem) {
        .wide {
          display: none;
        }
        td,
        th {
          padding-inline: var(--space-2);
        }
      }
    `,
    narrow,
  ];
  #words = () => this.requestUpdate();

  constructor() {
    super();
    /** @type {Game[]} */
    this.games = [];
    this.chosen = "";
    /** @type {{least: number, rungs: Rung[]} | null} */
    this.ladder = null;
    this.said = "";
  }

  connectedCallback() {
    super.connectedCallback();
    title(say("shell.ladder"));
    addEventListener("language", this.#words);
    void house.ask();
    games().then(
      (found) => {
        this.games = found.filter((each) => each.chooses);
        const asked = new URLSearchParams(location.search).get("of");
        const first = this.games[0];
        void this.#look(asked ?? (first ? `${first.name}:${first.variants[0].name}` : ""));
      },
      (error) => (this.said = refused(error)),
    );
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("language", this.#words);
  }

  /** @param {string} chosen */
  async #look(chosen) {
    this.chosen = chosen;
    const [game, variant = ""] = chosen.split(":");
    history.replaceState(null, "", `${BASE}/ladder?of=${encodeURIComponent(chosen)}`);
    try {
      const found = await ask("GET", `/api/ladder?game=${encodeURIComponent(game)}&variant=${encodeURIComponent(variant)}`);
      if (this.chosen === chosen) this.ladder = found;
      this.said = "";
    } catch (error) {
      this.ladder = null;
      this.said = refused(error, "ladder");
    }
  }

  /** @param {Rung} rung */
  #rung({ place, who, rating, mean, deviation, games: count, wins }) {
    const mine = who.handle && who.handle === house.you?.handle;
    return html`<tr class=${mine ? "me" : ""}>
      <td>${place}</td>
      <td class="who">${who.handle ? html`<a href="${BASE}/players/${who.handle}">${who.name}</a>` : html`${levelName(who.bot ?? who.name)} <span class="soft small">${say("shell.bot")}</span>`}</td>
      <td class="number rating" title="${figure(mean)} ± ${figure(deviation)}">${figure(rating)}</td>
      <td class="number wide">${count}</td>
      <td class="number wide">${figure((100 * wins) / count, 0)} %</td>
    </tr>`;
  }

  render() {
    return html`<top-bar here="/ladder"></top-bar>
      <div class="all">
        <div class="head">
          <h1>${say("shell.ladder")}</h1>
          <select aria-label=${say("shell.new.variant")} @change=${(/** @type {Event} */ event) => this.#look(/** @type {HTMLSelectElement} */ (event.target).value)}>
            ${this.games.flatMap((game) => game.variants.map((variant) => {
              const value = `${game.name}:${variant.name}`;
              return html`<option value=${value} ?selected=${value === this.chosen}>${titleOf(game.name)} · ${variantOf(game.name, variant.name)}</option>`;
            }))}
          </select>
        </div>
        <p class="soft">${this.ladder ? say("shell.ladder.says", { count: this.ladder.least }) : ""}</p>
        ${this.ladder?.rungs.length
          ? html`<div class="panel"><table>
              <thead><tr><th><span class="seen-by-readers-alone">${say("shell.ladder.place")}</span></th><th>${say("shell.ladder.who")}</th><th class="number">${say("shell.ladder.rating")}</th><th class="number wide">${say("shell.ladder.games")}</th><th class="number wide">${say("shell.ladder.wins")}</th></tr></thead>
              <tbody>${this.ladder.rungs.map((each) => this.#rung(each))}</tbody>
            </table></div>`
          : nothing}
        ${this.ladder && !this.ladder.rungs.length ? html`<p>${say("shell.ladder.none")}</p>` : nothing}
        ${this.said ? html`<p role="alert">${this.said}</p>` : nothing}
      </div>`;
  }
}
customElements.define("ladder-page", LadderPage);
