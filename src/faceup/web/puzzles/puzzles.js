import { LitElement, html, nothing } from "../vendor/lit/index.js";
import { answerPuzzle, hintOf, loadPuzzle, loadPuzzleOverview, tableOf } from "./requests.js";
import { BASE } from "../api/http.js";
import { savedName, serverInfo } from "../api/server-info.js";
import { flame } from "../art/flame.js";
import { errorMessage } from "../i18n/errors.js";
import { formatNumber, formatPercent, formatRating, joinSentences } from "../i18n/format.js";
import { variantTitle } from "../i18n/games.js";
import { playerName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { announce } from "../ui/live-region.js";
import { setPageTitle } from "../ui/page-title.js";
import { playSound } from "../ui/sounds.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import { puzzlesStyles } from "./puzzles-styles.js";

/** @import { PuzzleOverview, PuzzleVerdict, PuzzleView } from "../api/http-types.js" */
/** @import { NimmtTable } from "../games/nimmt/nimmt-table.js" */

/** The number of players from which on the page shows how many of them found the best option. */
const ENOUGH = 10;

/** Page of puzzles: the next one at `/puzzles`, and any other one at `/puzzles/ID`. It needs the element `nimmt-table`. */
export class PuzzlesPage extends LitElement {
  static properties = {
    address: { attribute: false },
    overview: { state: true },
    puzzle: { state: true },
    busy: { state: true },
    error: { state: true },
    prompt: { state: true },
  };
  static styles = [baseStyles, puzzlesStyles, narrowStyles];

  /** @type {typeof import("../games/nimmt/hint-text.js") | null} What the coach says, loaded with the first verdict. */
  #text = null;
  #table = /** @type {NimmtTable} */ (document.createElement("nimmt-table"));

  constructor() {
    super();
    /** @type {{puzzle?: string}} */
    this.address = {};
    /** @type {PuzzleOverview | null} */
    this.overview = null;
    /** @type {PuzzleView | null} the puzzle that is shown */
    this.puzzle = null;
    this.busy = false;
    this.error = "";
    /** What the selected option would do. */
    this.prompt = "";
    this.#table.addEventListener("choose", (event) => void this.#answer(/** @type {CustomEvent<{action: string}>} */ (event).detail.action));
    this.#table.addEventListener("standing", () => this.#showPrompt());
    new LanguageController(this, () => {
      if (this.puzzle) void this.#showTable(this.puzzle);
      this.requestUpdate();
    });
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("puzzles.title"));
    void this.#load();
  }

  async #load() {
    try {
      const [overview, asked] = await Promise.all([loadPuzzleOverview(), this.address.puzzle ? loadPuzzle(this.address.puzzle) : null]);
      this.overview = overview;
      this.error = "";
      await this.#show(asked ?? overview.next);
    } catch (error) {
      this.error = errorMessage(error, "puzzle");
    }
  }

  /** @param {PuzzleView | null} puzzle */
  async #show(puzzle) {
    if (puzzle?.verdict) this.#text ??= await import("../games/nimmt/hint-text.js");
    this.puzzle = puzzle;
    if (puzzle) await this.#showTable(puzzle);
  }

  /** @param {PuzzleView} puzzle */
  async #showTable(puzzle) {
    const table = this.#table;
    const room = tableOf(puzzle);
    table.quiet = puzzle.verdict !== null;
    table.ranks = puzzle.verdict && this.#text ? this.#text.rank(hintOf(puzzle.verdict), puzzle.verdict.action) : null;
    await table.show(null, room, [], { jump: true });
    this.#showPrompt();
  }

  #showPrompt() {
    const { marked, room } = this.#table;
    this.prompt = (marked && room && !this.puzzle?.verdict && this.#table.prompt(room)) || "";
  }

  /** @param {string} action */
  async #answer(action) {
    const { puzzle } = this;
    if (this.busy || !puzzle || puzzle.verdict) return void (this.#table.sending = "");
    this.busy = true;
    try {
      const answered = await answerPuzzle(puzzle.id, action, serverInfo.player ? "" : savedName());
      this.error = "";
      this.overview = answered;
      await this.#show(answered.puzzle);
      void serverInfo.refresh();
      await this.#showVerdict(/** @type {PuzzleVerdict} */ (answered.puzzle.verdict));
    } catch (error) {
      this.error = errorMessage(error, "puzzle");
      await this.#showTable(puzzle);
    } finally {
      this.#table.sending = "";
      this.busy = false;
    }
  }

  /** @param {PuzzleVerdict} verdict */
  async #showVerdict(verdict) {
    playSound(verdict.solved ? "win" : "end");
    await this.updateComplete;
    announce(`${this.#verdictText(verdict)} ${this.#text?.announcement(hintOf(verdict)) ?? ""}`);
    const next = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".next"));
    next?.focus({ preventScroll: true });
    this.renderRoot.querySelector(".verdict")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  async #next() {
    if (this.address.puzzle) {
      this.address = {};
      history.replaceState(history.state, "", `${BASE}/puzzles`);
    }
    await this.#show(this.overview?.next ?? null);
    await this.updateComplete;
    const heading = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("h1"));
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: "nearest" });
    scrollTo({ top: 0 });
  }

  /** @param {PuzzleVerdict} verdict */
  #verdictText({ solved, options, action }) {
    const ownOption = options.find((option) => option.action === action);
    return t(solved ? "puzzles.right" : "puzzles.wrong", { best: optionText(options[0].action), mine: optionText(action), heads: formatNumber(ownOption?.behind.value ?? 0) });
  }

  /** @param {PuzzleOverview} overview */
  #renderMine({ streak, best_streak, rating, provisional, tried }) {
    return html`<ul class="mine aligned figures">
      ${streak ? html`<li title=${t("puzzles.streak.best", { count: best_streak })}>${flame}<span aria-hidden="true">${streak}</span><span class="visually-hidden">${t("puzzles.streak", { count: streak })}</span></li>` : nothing}
      ${tried ? html`<li><small class="soft small">${t("puzzles.rating")}</small> ${formatRating(rating, provisional)}</li>` : nothing}
    </ul>`;
  }

  /** @param {PuzzleView} puzzle */
  #renderHead(puzzle) {
    const { variant, options, view } = puzzle;
    const where = [variantTitle("nimmt", variant), t("puzzles.players", { count: options.seats })];
    const low = view.waiting[0]?.[0];
    return html`<div class="head cluster">
      <div>
        <p class="kicker soft small">${t("puzzles.kicker")} · ${where.join(" · ")}</p>
        <h1 tabindex="-1">${low ? t("puzzles.question.row", { card: low }) : t("puzzles.question")}</h1>
      </div>
      ${this.overview ? this.#renderMine(this.overview) : nothing}
    </div>`;
  }

  /** @param {PuzzleVerdict} verdict */
  #renderVerdict(verdict) {
    const { solved, options, points, rating, tries, found } = verdict;
    const most = Math.max(...options.map((option) => option.behind.value));
    const overview = this.overview;
    return html`<section class="verdict panel ${solved ? "solved" : ""}" aria-labelledby="verdict">
      <h2 class="aligned" id="verdict"><span aria-hidden="true">${icon(solved ? "check" : "close", 22)}</span>${this.#verdictText(verdict)}</h2>
      <p class="kicker soft small">${t(`puzzles.theme.${verdict.theme}`)}</p>
      ${this.#text ? html`<p>${this.#text.explain(hintOf(verdict).options, verdict.action)}</p>` : nothing}
      <ol class="values" aria-label=${t("puzzles.values")}>
        ${options.map((option, index) => {
          const { value } = option.behind;
          return html`<li class=${[index ? "" : "best", option.action === verdict.action ? "own" : ""].join(" ")}>
            <b>${optionText(option.action)}</b>
            <span aria-hidden="true"><i .style=${`width: ${(100 * value) / most}%`}></i></span>
            <em class="soft">${index ? html`+${formatNumber(value)}<span class="visually-hidden"> ${t("puzzles.heads")}</span>` : t("puzzles.best")}</em>
          </li>`;
        })}
      </ol>
      <div class="facts soft small">
        <p>${t("puzzles.values.hint")}</p>
        <p>${t(tries < ENOUGH ? "puzzles.level" : "puzzles.found", { found, count: tries, share: formatPercent(found / Math.max(tries, 1)), rating: formatNumber(rating, 0) })}</p>
        ${overview ? html`<p>${t("puzzles.mine", { rating: formatRating(overview.rating, overview.provisional), points: `${points < 0 ? "−" : "+"}${Math.abs(points)}`, solved: overview.solved, count: overview.tried })}</p>` : nothing}
      </div>
      <button class="main next" @click=${this.#next}>${t("puzzles.next")}${icon("next")}</button>
    </section>`;
  }

  /** @param {PuzzleView} puzzle */
  #renderSeats(puzzle) {
    /** @type {number[]} */
    const heads = puzzle.view.heads;
    const { seats } = tableOf(puzzle);
    return html`<section class="panel" aria-labelledby="seats">
      <h2 id="seats">${t("puzzles.standing")}</h2>
      <ul class="seats small figures">${heads.map((count, seat) => html`<li class=${seat === puzzle.seat ? "me" : ""}><span>${seats[seat] && playerName(seats[seat])}</span><span>${t("nimmt.heads", { count })}</span></li>`)}</ul>
      ${puzzle.verdict ? nothing : html`<p class="facts soft small">${joinSentences(t(puzzle.bots.length ? "puzzles.from.bots" : "puzzles.from.record"), t("puzzles.how"))}</p>`}
    </section>`;
  }

  #renderDone() {
    const { solved = 0, tried = 0, best_streak: best = 0 } = this.overview ?? {};
    return html`<div class="done notice panel">
      <h1 tabindex="-1">${t("puzzles.done")}</h1>
      <p>${t("puzzles.done.summary", { solved, count: tried, best })}</p>
      <a class="button main" href="${BASE}/daily">${t("puzzles.done.daily")}</a>
    </div>`;
  }

  render() {
    const { puzzle, overview, error } = this;
    return html`<top-bar here="/puzzles"></top-bar>
      <div class="all">
        ${puzzle
          ? html`${this.#renderHead(puzzle)}
              <div class="board">${this.#table}<p class="prompt soft" role="status">${error ? html`<span class="error">${error}</span>` : this.prompt}</p></div>
              <div class="side">${puzzle.verdict ? this.#renderVerdict(puzzle.verdict) : nothing}${this.#renderSeats(puzzle)}</div>`
          : error
            ? html`<p class="failed notice error" role="alert">${error}</p>`
            : overview
              ? this.#renderDone()
              : html`<div class="ghost"></div>`}
      </div>`;
  }
}
customElements.define("puzzles-page", PuzzlesPage);

/** @param {string} action */
function optionText(action) {
  const number = Number(action.split(" ").at(-1));
  return action.startsWith("take") ? t("puzzles.row", { row: number + 1 }) : `${number}`;
}
