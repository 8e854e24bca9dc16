import { LitElement, html, nothing } from "../vendor/lit/index.js";
import { BASE, request } from "../api/http.js";
import { asPlayer, face } from "../art/faces.js";
import { errorMessage } from "../i18n/errors.js";
import { formatNumber, formatTime, joinTexts } from "../i18n/format.js";
import { gameTitle, variantTitle } from "../i18n/games.js";
import { listedName, listedPerson } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { DayController, LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { numberTableStyles } from "../ui/ranking-styles.js";
import { segmentStyles } from "../ui/segment-styles.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import { partyStatisticsStyles } from "./party-statistics-styles.js";

/** @import { PartyGame, PartyVariantStatistics, PartyView, PlayerName } from "../api/http-types.js" */

/** The score of a party, today or over all evenings: standings, duels, records, and the finished games. */
export class PartyStatistics extends LitElement {
  static properties = {
    party: { attribute: false },
    today: { state: true },
    kind: { state: true },
    variants: { state: true },
    games: { state: true },
    more: { state: true },
    error: { state: true },
  };
  static styles = [baseStyles, segmentStyles, numberTableStyles, partyStatisticsStyles, narrowStyles];

  /** The table and its status for which the statistics are loaded. */
  #loadedFor = "";

  constructor() {
    super();
    /** @type {PartyView | null} */
    this.party = null;
    /** Whether to count only the games of today. */
    this.today = false;
    /** The number of the variant to show. */
    this.kind = 0;
    /** @type {PartyVariantStatistics[]} */
    this.variants = [];
    /** @type {PartyGame[]} */
    this.games = [];
    this.more = false;
    this.error = "";
    new LanguageController(this);
    new DayController(this, () => this.today && this.#load());
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    const { table } = this.party ?? {};
    const now = `${table?.id} ${table?.status === "finished"} ${this.today}`;
    if (!this.party || !(changed.has("party") || changed.has("today")) || now === this.#loadedFor) return;
    this.#loadedFor = now;
    void this.#load();
  }

  async #load() {
    const path = `/api/parties/${this.party?.id}`;
    const since = this.today ? new Date().setHours(0, 0, 0, 0) : 0;
    try {
      const [statistics, games] = await Promise.all([request("GET", `${path}/statistics?since=${since}`), request("GET", `${path}/games`)]);
      this.variants = statistics.variants;
      this.kind = Math.min(this.kind, Math.max(0, this.variants.length - 1));
      this.games = games;
      this.more = games.length === 20;
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  async #older() {
    const last = this.games.at(-1)?.number;
    try {
      const page = await request("GET", `/api/parties/${this.party?.id}/games?before=${last}`);
      this.games = [...this.games, ...page];
      this.more = page.length === 20;
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  #renderChoices() {
    const when = [false, true].map((today) => html`<label><input type="radio" name="when" .checked=${this.today === today}
      @change=${() => (this.today = today)}>${t(today ? "party.score.today" : "party.score.all")}</label>`);
    return html`<div class="choices cluster">
      <div class="segments" role="radiogroup" aria-label=${t("party.score")}>${when}</div>
      ${this.variants.length > 1
        ? html`<select aria-label=${t("party.play.title")} @change=${(/** @type {Event} */ event) => (this.kind = Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
            ${this.variants.map((variant, number) => html`<option value=${number} ?selected=${number === this.kind}>${gameTitle(variant.game)} · ${variantTitle(variant.game, variant.variant)}</option>`)}
          </select>`
        : nothing}
    </div>`;
  }

  /** @param {PartyVariantStatistics} found */
  #renderStandings({ game, standings }) {
    const most = Math.max(...standings.map((row) => row.wins), 1);
    const score = t(game === "nimmt" ? "party.score.heads" : "party.score.points");
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${t("party.score")}><table class="figures">
      <thead><tr><th scope="col">${t("party.score.player")}</th><th scope="col">${t("party.score.wins")}</th><th scope="col">${t("party.score.games")}</th>
        <th scope="col">${t("party.score.places")}</th><th scope="col">${score}</th><th scope="col">${t("party.score.streak")}</th></tr></thead>
      <tbody>${standings.map((row) => html`<tr>
        <th scope="row"><span class="who aligned">${face(asPlayer(row.who))}<b class="cut">${listedPerson(row.who)}</b></span></th>
        <td><span class="wins"><i .style=${`inline-size: ${(row.wins / most) * 3}rem`}></i><b>${formatWins(row.wins)}</b></span></td>
        <td>${row.games}</td>
        <td class="places">${[0, 1, 2].map((place) => html`<span aria-label=${t("party.score.place", { place: place + 1, count: row.places[place] ?? 0 })}>${row.places[place] ?? 0}</span>`)}</td>
        <td>${formatNumber(row.score / row.games, 1)}</td>
        <td>${row.streak}</td>
      </tr>`)}</tbody>
    </table></div>`;
  }

  /** @param {PartyVariantStatistics} found */
  #renderRecords({ game, standings, lowest, highest, low_wins }) {
    const [best, worst] = low_wins ? [lowest, highest] : [highest, lowest];
    const streak = standings.reduce((before, row) => (row.streak > before.streak ? row : before), standings[0]);
    const unit = game === "nimmt" ? "heads" : "points";
    /** @param {string} words @param {unknown} value @param {PlayerName} who @param {string} [table] */
    const card = (words, value, who, table) => {
      const inside = html`<small class="soft small">${words}</small><b>${value}</b><span>${listedPerson(who)}</span>`;
      return table ? html`<a class="record tight sunken" href="${BASE}/t/${table}/replay">${inside}</a>` : html`<div class="record tight sunken">${inside}</div>`;
    };
    return html`<div class="columns" .style=${"--column: 9rem"}>
      ${best ? card(t(`party.record.${low_wins ? "fewest" : "most"}.${unit}`), best.score, best.who, best.table) : nothing}
      ${worst && best && worst.score !== best.score ? card(t(`party.record.${low_wins ? "most" : "fewest"}.${unit}`), worst.score, worst.who, worst.table) : nothing}
      ${streak?.streak > 1 ? card(t("party.record.streak"), streak.streak, streak.who) : nothing}
    </div>`;
  }

  /** @param {PartyVariantStatistics} found */
  #renderDuels({ duels, standings }) {
    const names = new Map(standings.map(({ who }) => [who.handle, listedPerson(who)]));
    if (!duels.length) return nothing;
    return html`<details><summary>${t("party.duels")}</summary><ul class="duels tight">${duels.map((duel) => {
      const played = Math.max(1, duel.one_ahead + duel.other_ahead);
      const [first, second] = [names.get(duel.one) ?? "", names.get(duel.other) ?? ""];
      return html`<li aria-label=${t("party.duel", { one: first, other: second, ahead: duel.one_ahead, behind: duel.other_ahead })}>
        <span class="cut">${first}</span><b>${duel.one_ahead}</b><i aria-hidden="true"><u .style=${`inline-size: ${(duel.one_ahead / played) * 100}%`}></u></i><b>${duel.other_ahead}</b><span class="cut">${second}</span></li>`;
    })}</ul></details>`;
  }

  /** @param {PartyGame} game */
  #renderGame(game) {
    const nameOf = (/** @type {PlayerName} */ who) => listedName({ ...who, kind: who.bot ?? "person" });
    const sides = [...game.sides].sort((first, second) => first.place - second.place);
    const winners = joinTexts(sides.filter(({ place }) => place === 1).map(({ who }) => nameOf(who)));
    return html`<li><a class="aligned surface" href="${BASE}/t/${game.table}/replay">
      <span class="grow"><b>${icon("star", 16)}${winners}</b><small class="block soft small">${sides.map((side) => `${nameOf(side.who)} ${side.score}`).join(" · ")}</small></span>
      <small class="when soft small">${gameTitle(game.game)}<time class="block" datetime=${new Date(game.ended_at).toISOString()}>${formatTime(game.ended_at)}</time></small>
      ${icon("film")}</a></li>`;
  }

  render() {
    if (!this.games.length && !this.error) return nothing;
    const variant = this.variants[this.kind];
    return html`<section class="panel stack" aria-labelledby="score">
        <div class="head cluster apart"><h2 id="score">${t("party.score")}</h2>${this.#renderChoices()}</div>
        ${variant ? html`${this.#renderStandings(variant)} ${this.#renderRecords(variant)} ${this.#renderDuels(variant)}` : html`<p class="soft">${t("party.score.none")}</p>`}
      </section>
      <section aria-labelledby="games">
        <h2 id="games">${t("party.games")}</h2>
        <ul class="games tight">${this.games.map((game) => this.#renderGame(game))}</ul>
        ${this.more ? html`<button class="quiet" @click=${this.#older}>${t("shell.results.older")}</button>` : nothing}
      </section>
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}`;
  }
}
customElements.define("party-statistics", PartyStatistics);

/** Format a number of wins, which is a fraction after shared wins. @param {number} wins */
function formatWins(wins) {
  return Number.isInteger(wins) ? `${wins}` : formatNumber(wins, 1);
}
