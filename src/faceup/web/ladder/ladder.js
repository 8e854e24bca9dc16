import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE, request } from "../api/http.js";
import { loadGames } from "../api/games.js";
import { serverInfo } from "../api/server-info.js";
import { LanguageController } from "../ui/controllers.js";
import { setPageTitle } from "../ui/page-title.js";
import { rankingStyles } from "../ui/ranking-styles.js";
import { narrowStyles, baseStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import { formatNumber, formatPercent, formatRating } from "../i18n/format.js";
import { levelName, gameTitle, variantTitle } from "../i18n/games.js";
import { errorMessage } from "../i18n/errors.js";
import { personName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";

/** @import { HandRung, LadderRow, LadderView, PlayableGame, PlayerName } from "../api/http-types.js" */

/** Ladders of players and bots, by game and variant. */
export class LadderPage extends LitElement {
  static properties = { games: { state: true }, chosen: { state: true }, ladder: { state: true }, error: { state: true }, programs: { state: true } };
  static styles = [
    baseStyles,
    rankingStyles,
    css`
      .all {
        max-width: 52rem;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-4);
      }
      .head {
        gap: var(--space-3);
        justify-content: space-between;
        align-items: end;
      }
      .main {
        justify-self: start;
      }
      .panel {
        padding: var(--space-2);
        overflow: hidden;
      }
      .who {
        max-width: 0;
        width: 60%;
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
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {PlayableGame[]} */
    this.games = [];
    this.chosen = "";
    this.programs = false;
    /** @type {LadderView | null} */
    this.ladder = null;
    this.error = "";
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("shell.ladder"));
    void serverInfo.refresh();
    loadGames().then(
      (games) => {
        this.games = games.filter((game) => game.ladder);
        const asked = new URLSearchParams(location.search).get("of");
        const first = this.games[0];
        void this.#load(asked ?? (first ? `${first.name}:${first.variants[0].name}` : ""));
      },
      (error) => (this.error = errorMessage(error)),
    );
  }

  /** @param {string} chosen */
  async #load(chosen) {
    this.chosen = chosen;
    const [game, variant = ""] = chosen.split(":");
    history.replaceState(null, "", `${BASE}/ladder?of=${encodeURIComponent(chosen)}`);
    try {
      const ladder = await request("GET", `/api/ladder?game=${encodeURIComponent(game)}&variant=${encodeURIComponent(variant)}&players=${this.programs ? "programs" : "people"}`);
      if (this.chosen === chosen) this.ladder = ladder;
      this.error = "";
    } catch (error) {
      this.ladder = null;
      this.error = errorMessage(error, "ladder");
    }
  }

  /** @param {PlayerName} who */
  #renderName(who) {
    if (who.handle) return html`<a href="${BASE}/players/${who.handle}">${personName(who.name)}</a>${who.program ? html` <span class="soft small">${t("table.bot")}</span>` : nothing}`;
    return html`${this.ladder?.by === "hands" ? t("shell.computer") : levelName(who.bot ?? who.name)} <span class="soft small">${t("table.bot")}</span>`;
  }

  /**
   * Render a row of the ladder with three values, of which narrow screens hide the last two.
   *
   * @param {number | null} place
   * @param {PlayerName} who
   * @param {string[]} figures
   * @param {string} [title]
   */
  #renderRow(place, who, [first, ...others], title = "") {
    return html`<tr class=${who.handle && who.handle === serverInfo.player?.handle ? "me" : ""}>
      <td>${place ?? html`<span class="visually-hidden">${t("shell.results.provisional")}</span>`}</td>
      <td class="who cut">${this.#renderName(who)}</td>
      <td class="number rating" title=${title}>${first}</td>
      ${others.map((value) => html`<td class="number wide">${value}</td>`)}
    </tr>`;
  }

  /** @param {LadderRow} row */
  #renderRatingRow({ place, who, rating, deviation, provisional, games: count, wins }) {
    const title = `± ${deviation}${provisional ? ` · ${t("shell.results.provisional")}` : ""}`;
    return this.#renderRow(place, who, [formatRating(rating, provisional), `${count}`, formatPercent(wins / count)], title);
  }

  /** @param {HandRung} row */
  #renderHandsRow({ place, who, totals: { hands, mean, baozi } }) {
    return this.#renderRow(place, who, [formatNumber(mean, 2), `${hands}`, `${baozi}`]);
  }

  /** @param {LadderView} ladder */
  #renderTable({ by, ladder_rows, hands }) {
    const rows = by === "hands" ? hands.map((row) => this.#renderHandsRow(row)) : ladder_rows.map((row) => this.#renderRatingRow(row));
    if (!rows.length) {
      return html`<p>${t(by === "hands" ? "shell.ladder.nohands" : "shell.ladder.none")}</p>
        <a class="button main" href="${BASE}/new">${t("shell.create_table")}</a>`;
    }
    const [first, ...others] = by === "hands" ? ["mean", "hands", "baozi"] : ["rating", "games", "wins"];
    return html`<div class="panel"><table>
      <thead><tr><th><span class="visually-hidden">${t("shell.ladder.place")}</span></th><th>${t("shell.ladder.player")}</th><th class="number">${t(`shell.ladder.${first}`)}</th>${others.map((column) => html`<th class="number wide">${t(`shell.ladder.${column}`)}</th>`)}</tr></thead>
      <tbody>${rows}</tbody>
    </table></div>`;
  }

  render() {
    return html`<top-bar here="/ladder"></top-bar>
      <div class="all page-body">
        <div class="head cluster">
          <h1>${t("shell.ladder")}</h1>
          <select aria-label=${t("shell.new.variant")} @change=${(/** @type {Event} */ event) => this.#load(/** @type {HTMLSelectElement} */ (event.target).value)}>
            ${this.games.flatMap((game) => game.variants.map((variant) => {
              const value = `${game.name}:${variant.name}`;
              return html`<option value=${value} ?selected=${value === this.chosen}>${gameTitle(game.name)} · ${variantTitle(game.name, variant.name)}</option>`;
            }))}
          </select>
          <label class="aligned"><input type="checkbox" .checked=${this.programs} @change=${(/** @type {Event} */ event) => { this.programs = /** @type {HTMLInputElement} */ (event.target).checked; void this.#load(this.chosen); }}>${t("shell.ladder.programs")}</label>
        </div>
        <p class="soft">${this.ladder ? t(this.ladder.by === "hands" ? "shell.ladder.requirement.hands" : "shell.ladder.requirement", { count: this.ladder.min_hands ?? 0 }) : ""}</p>
        ${this.ladder ? this.#renderTable(this.ladder) : nothing}
        ${this.error ? html`<p role="alert">${this.error}</p>` : nothing}
      </div>`;
  }
}
customElements.define("ladder-page", LadderPage);
