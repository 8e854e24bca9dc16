import { LitElement, html } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { confetti, laurel, rays } from "../art/celebration.js";
import { face } from "../art/faces.js";
import { icon } from "../ui/icons.js";
import { stageStyles } from "../ui/stage-styles.js";
import { baseStyles } from "../ui/styles.js";
import { LanguageController } from "../ui/controllers.js";
import { ordinalCategory } from "../i18n/format.js";
import { loadNamespaces, t } from "../i18n/translate.js";
import "./result-podium.js";
import { resultStyles } from "./result-styles.js";
import { nearlyWon } from "./nearly.js";
import { winnerSentence } from "./status-line.js";

/** @import { TableView } from "../api/types.js" */

await loadNamespaces("result");

/** By game, the module with facts about a finished game. */
const FACTS = { niuniu: () => import("../games/niuniu/result-facts.js"), war: () => import("../games/war/result-facts.js") };
/** Games that the coach can review. */
const COACHED = new Set(["nimmt"]);
/** Pieces of confetti. */
const CONFETTI = 42;
/** Number of seats above which the buttons are below the stage if the ranking is next to it. */
const MANY = 5;
/** Parts of the result: stage and buttons, places, confetti and facts, review. */
const PARTS = 4;
/** Maximum number of winners with a drawn face. */
const FACES = 5;

/**
 * Result of a finished game: the celebration of the winners, the final places, buttons for what to do next, and the
 * coach's review. Events: "rematch", "share" and "verify".
 */
export class TableResult extends LitElement {
  static properties = {
    room: { attribute: false },
    standing: { attribute: false },
    moments: { attribute: false },
    table: {},
    party: { attribute: false },
    quiet: { type: Boolean },
    television: { type: Boolean, reflect: true },
    busy: { type: Boolean },
    facts: { state: true },
    parts: { state: true },
  };
  static styles = [baseStyles, stageStyles, resultStyles];

  constructor() {
    super();
    /** @type {TableView | null} */
    this.room = null;
    /** @type {import("../games/registry.js").SeatStanding[]} */
    this.standing = [];
    /** @type {import("./moments.js").Moment[]} What happened in the game. */
    this.moments = [];
    this.table = "";
    /** @type {{id: string} | null} The party of the player to which the table belongs. */
    this.party = null;
    this.quiet = false;
    this.television = false;
    this.busy = false;
    /** @type {((room: TableView) => unknown) | null} */
    this.facts = null;
    /** Number of parts rendered so far; slow phones render one part per frame. */
    this.parts = 1;
    new LanguageController(this);
  }

  updated() {
    if (this.parts < PARTS && this.room?.result) requestAnimationFrame(() => setTimeout(() => (this.parts += 1)));
  }

  firstUpdated() {
    const game = this.room?.config.game ?? "";
    if (Object.hasOwn(FACTS, game)) void FACTS[/** @type {keyof typeof FACTS} */ (game)]().then(({ resultFacts }) => (this.facts = resultFacts));
    if (this.#reviewed) void import("./review-panel.js");
  }

  /** Whether the result shows a review. */
  get #reviewed() {
    return !this.quiet && this.table !== "" && COACHED.has(this.room?.config.game ?? "");
  }

  render() {
    const { room } = this;
    if (!room?.result) return "";
    return html`<section aria-labelledby="winner">
      <div class="summary stack ${room.seats.length > MANY ? "many" : ""}">
        ${this.#renderStage(room)}
        <div class="ranking">
          ${this.parts > 1 ? html`<result-podium .room=${room} .standing=${this.standing}></result-podium>` : ""}
          ${this.facts && this.parts > 2 ? html`<div class="facts cluster">${this.facts(room)}</div>` : ""}
        </div>
        ${this.quiet ? "" : this.#renderActions(room)}
      </div>
      ${room.series ? html`<table-series .room=${room}></table-series>` : ""}
      ${this.#reviewed && !room.daily && this.parts > 3 ? html`<review-panel .room=${room} table=${this.table} ?unasked=${againstBots(room)}></review-panel>` : ""}
    </section>`;
  }

  /** @param {TableView} room */
  #renderStage(room) {
    const { ranks = [] } = room.result ?? {};
    const winners = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
    const own = room.seat === undefined ? 0 : ranks[room.seat];
    const nearly = nearlyWon(room, this.moments.flatMap(({ events }) => events));
    return html`<div class="stage">
      <div class="light">${rays()}</div>
      <div class="paper" aria-hidden="true">${own === 1 && this.parts > 2 ? confetti(CONFETTI) : ""}</div>
      <div class="winners ${winners.length > 1 ? "several" : ""}" aria-hidden="true">
        ${winners.slice(0, FACES).map((seat) => html`<span class="winner centred">${laurel()}${face(room.seats[seat], seat)}</span>`)}
      </div>
      <h2 id="winner" aria-describedby="score own">${winnerSentence(room)}</h2>
      <p id="score">${this.standing[winners[0]]?.words}</p>
      ${own > 1 ? html`<p id="own">${t("result.own", { place: t(`result.own.place.${ordinalCategory(own)}`, { place: own }), of: ranks.length })}</p>` : ""}
      ${nearly ? html`<p class="nearly">${nearly}</p>` : ""}
    </div>`;
  }

  /** @param {TableView} room */
  #renderActions(room) {
    return html`<nav aria-label=${t("table.result.actions")}>
      ${this.party ? html`<a class="button main" href="${BASE}/party/${this.party.id}">${icon("people")}${t("party.back")}</a>` : ""}
      ${room.daily ? html`<a class="button main" href="${BASE}/daily/${room.daily}">${icon("star")}${t("table.result.daily")}</a>` : ""}
      ${room.tournament ? html`<a class="button main" href="${BASE}/tournaments/${room.tournament.id}">${icon("list")}${t("table.result.tournament")}</a>` : ""}
      ${room.daily || room.tournament || (room.seat === undefined && !room.rematch)
        ? ""
        : html`<button class=${this.party ? "" : "main"} ?disabled=${this.busy} @click=${() => this.dispatchEvent(new Event("rematch"))}>
            ${icon("again")}${t(room.rematch ? "table.result.join" : "table.result.rematch")}</button>`}
      ${room.daily ? "" : html`<button @click=${() => this.dispatchEvent(new Event("share"))}>${icon("share")}${t("table.share")}</button>`}
      <a class="button other" href="${BASE}/t/${this.table}/replay">${icon("film")}${t("table.result.replay")}</a>
      ${room.fair ? html`<button class="other" @click=${() => this.dispatchEvent(new Event("verify"))}>${icon("shield")}${t("table.result.verify")}</button>` : ""}
      <a class="button other" href="${BASE}/">${icon("home")}${t("table.home")}</a>
    </nav>`;
  }
}
customElements.define("table-result", TableResult);

/**
 * Whether the viewer has played against bots alone.
 *
 * @param {TableView} room
 */
function againstBots(room) {
  return room.seat !== undefined && room.seats.every((player, seat) => seat === room.seat || (player !== null && player.kind !== "person"));
}
