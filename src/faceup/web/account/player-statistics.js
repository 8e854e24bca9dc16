import { GAMES } from "../api/games.js";
import { BASE } from "../api/http.js";
import { loadStatistics } from "./statistics-requests.js";
import { errorMessage } from "../i18n/errors.js";
import { formatNumber, formatPercent, formatTime } from "../i18n/format.js";
import { gameTitle, variantTitle } from "../i18n/games.js";
import { hasTranslation, loadNamespaces, t } from "../i18n/translate.js";
import { stepLink } from "../ui/step-link.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { numberTableStyles } from "../ui/ranking-styles.js";
import { segmentStyles } from "../ui/segment-styles.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import { LitElement, html, nothing } from "../vendor/lit/index.js";
import { statisticsStyles } from "./statistics-styles.js";
import "./trend-chart.js";

/** @import { CoachFindings, FaultTotals, GameRecord, OwnStatistics, Statistics, VariantStatistics } from "../api/http-types.js" */

/** The game that the coach reviews. */
const COACHED = "nimmt";

/**
 * Statistics of a player: wins and streaks, each variant with its trend and records, and, in the own statistics, the
 * coach’s most frequent finding.
 */
export class PlayerStatistics extends LitElement {
  static properties = { handle: {}, statistics: { state: true }, chosen: { state: true }, limit: { state: true }, measure: { state: true }, error: { state: true } };
  static styles = [baseStyles, segmentStyles, numberTableStyles, statisticsStyles, narrowStyles];

  constructor() {
    super();
    /** The handle of another player; "" for the own statistics. */
    this.handle = "";
    /** @type {(Statistics & Partial<OwnStatistics>) | null} */
    this.statistics = null;
    /** Index of the variant shown in detail. */
    this.chosen = 0;
    /** Number of variants in the table. */
    this.limit = 6;
    /** @type {"score" | "wins"} what the chart shows, in games with scores */
    this.measure = "score";
    this.error = "";
    new LanguageController(this);
  }

  firstUpdated() {
    void this.#load();
  }

  async #load() {
    try {
      [this.statistics] = await Promise.all([loadStatistics(this.handle), loadNamespaces("statistics")]);
    } catch (error) {
      this.error = errorMessage(error);
    }
  }

  render() {
    const { statistics } = this;
    if (this.error) return html`<p role="alert">${this.error}</p>`;
    if (!statistics?.games) return nothing;
    return html`<section aria-labelledby="title">
      <h2 id="title">${t("statistics.title")}</h2>
      ${this.#renderTotals(statistics)}
      ${statistics.coach && (statistics.coach.games || statistics.variants.some(({ game }) => game === COACHED)) ? this.#renderCoach(statistics.coach) : nothing}
      <div class="columns" .style=${"--column: 21rem"}>${this.#renderVariants(statistics.variants)} ${this.#renderDetails(statistics.variants[this.chosen])}</div>
    </section>`;
  }

  /** @param {Statistics} statistics */
  #renderTotals({ games, wins, expected, streak, best_streak: best }) {
    return html`<dl class="tiles tight">
      <div><dt class="soft small">${t("statistics.games")}</dt><dd><b>${formatNumber(games, 0)}</b></dd></div>
      <div><dt class="soft small">${t("statistics.win_share")}</dt><dd><b>${formatPercent(wins / games)}</b>
        <small class="soft small">${t("statistics.expected", { share: formatPercent(expected / games) })}</small></dd></div>
      <div><dt class="soft small">${t("statistics.streak")}</dt><dd><b>${streak}</b> <small class="soft small">${t("statistics.streak.best", { count: best })}</small></dd></div>
    </dl>`;
  }

  /** @param {CoachFindings} coach */
  #renderCoach({ games, decisions, faults }) {
    const [first] = faults;
    const count = faults.reduce((sum, fault) => sum + fault.count, 0);
    return html`<div class="panel stack">
      <h3 class="aligned">${icon("coach", 26)}${t("statistics.coach")}</h3>
      ${!games
        ? html`<p class="soft">${t("statistics.coach.none", { game: gameTitle("nimmt") })}</p>`
        : !first
          ? html`<p>${t("statistics.coach.flawless", { count: games })}</p>`
          : html`<div class="coach columns">
                <div><p class="fault">${t(`statistics.fault.${first.fault}`)}</p>
                  <p class="soft">${t(`statistics.advice.${first.fault}`)}</p></div>
                <ol class="tight" aria-label=${t("statistics.coach.all")}>${faults.map((fault) => this.#renderFault(fault, first.count))}</ol>
              </div>
              <p class="small soft">${t("statistics.coach.basis", { count, decisions, games: t("statistics.coach.games", { count: games }) })}</p>`}
    </div>`;
  }

  /**
   * @param {FaultTotals} fault
   * @param {number} most
   */
  #renderFault({ fault, count, cost, example }, most) {
    const label = t(`statistics.fault.${fault}`);
    const link = stepLink(example.table, { decision: example.decision, seat: example.seat }, label);
    return html`<li class="small"><span>${link}</span><span>${t("statistics.fault.count", { count, heads: formatNumber(cost, 1) })}</span>
      <i .style=${`width: ${(100 * count) / most}%`}></i></li>`;
  }

  /** @param {VariantStatistics[]} variants */
  #renderVariants(variants) {
    return html`<div class="panel stack variants">
      <h3 class="aligned">${t("statistics.variants")}</h3>
      <table class="figures">
        <thead><tr><th scope="col">${t("statistics.variant")}</th><th scope="col">${t("statistics.games")}</th><th scope="col">${t("statistics.win_share")}</th><th scope="col" class="wide">${t("statistics.mean")}</th></tr></thead>
        <tbody>${variants.slice(0, this.limit).map((variant, index) => html`<tr class=${index === this.chosen ? "chosen" : ""}>
          <th scope="row"><button class="flat block" aria-pressed=${index === this.chosen} @click=${() => this.#choose(index)}>${variantTitle(variant.game, variant.variant)}
            <small class="block soft small">${gameTitle(variant.game)} · ${seatsText(variant)}</small></button></th>
          <td>${formatNumber(variant.games, 0)}</td><td>${formatPercent(variant.wins / variant.games)}</td>
          <td class="wide">${scores(variant) ? formatNumber(variant.score, 1) : "–"}</td></tr>`)}</tbody>
      </table>
      ${variants.length > this.limit ? html`<div><button @click=${() => (this.limit = Infinity)}>${t("statistics.more")}</button></div>` : nothing}
    </div>`;
  }

  /** Show a variant in detail. On phones, its details are below the table. @param {number} index */
  async #choose(index) {
    this.chosen = index;
    await this.updateComplete;
    this.renderRoot.querySelector(".details")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {VariantStatistics} variant */
  #renderDetails(variant) {
    const measure = scores(variant) ? this.measure : "wins";
    const unit = gameText("statistics.unit", variant.game);
    /** @type {["score" | "wins", string][]} */
    const measures = [["score", unit], ["wins", t("statistics.win_share")]];
    return html`<div class="panel details stack">
      <div class="head cluster apart"><h3 class="aligned">${variantTitle(variant.game, variant.variant)} · ${seatsText(variant)}</h3>
        ${scores(variant) && variant.games > 2
          ? html`<div class="segments" role="group" aria-label=${t("statistics.trend")}>${measures.map(([name, label]) => html`<button
              class="flat" aria-pressed=${name === measure} @click=${() => (this.measure = name)}>${label}</button>`)}</div>`
          : nothing}</div>
      ${variant.games > 2
        ? html`<trend-chart .points=${variant.trend} .measure=${measure} .unit=${unit} .mean=${measure === "wins" ? variant.wins / variant.games : variant.score}></trend-chart>`
        : html`<p class="soft">${t("statistics.trend.few")}</p>`}
      <dl class="tiles tight">
        ${scores(variant) && chooses(variant) ? html`${this.#renderRecord(gameText("statistics.best", variant.game), variant.best)} ${this.#renderRecord(gameText("statistics.worst", variant.game), variant.worst)}` : nothing}
        <div><dt class="soft small">${t("statistics.streak.longest")}</dt><dd><b>${variant.best_streak}</b><small class="soft small">${t("statistics.streak.now", { count: variant.streak })}</small></dd></div>
        ${chooses(variant) ? this.#renderRecord(t("statistics.fastest"), variant.fastest_win, durationText) : nothing}
      </dl>
    </div>`;
  }

  /**
   * @param {string} label
   * @param {GameRecord | null} record
   * @param {(value: number) => string} [text]
   */
  #renderRecord(label, record, text = (value) => formatNumber(value, 0)) {
    if (!record) return nothing;
    return html`<div><dt class="soft small">${label}</dt><dd><b>${text(record.value)}</b>
      <a class="small" href="${BASE}/t/${record.table}/replay">${formatTime(record.ended_at)}</a></dd></div>`;
  }
}
customElements.define("player-statistics", PlayerStatistics);

/** Whether the scores of a game show more than who won. @param {VariantStatistics} each */
function scores({ game, best }) {
  return best !== null && GAMES.get(game)?.ladder !== null;
}

/** Whether players make choices in a game. A record of pure chance, such as that of a single throw, means nothing. @param {VariantStatistics} variant */
function chooses({ game }) {
  return GAMES.get(game)?.chooses !== false;
}

/** @param {VariantStatistics} each */
function seatsText({ seats, default_options: usual }) {
  return `${t("statistics.seats", { count: seats })}${usual ? "" : `, ${t("statistics.other_options")}`}`;
}

/** Return the text for a game, or else the one for all other games. @param {string} key @param {string} game */
function gameText(key, game) {
  return t(hasTranslation(`${key}.${game}`) ? `${key}.${game}` : key);
}

/** @param {number} milliseconds */
function durationText(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return t(hours ? "statistics.hours" : minutes ? "statistics.minutes" : "statistics.seconds", { hours, minutes, seconds: seconds % 60 });
}
