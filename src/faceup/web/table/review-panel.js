import { ReviewStream } from "../api/review-stream.js";
import { errorMessage } from "../i18n/errors.js";
import { formatNumber, formatPercent, joinSentences, labelled } from "../i18n/format.js";
import { loadNamespaces, t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { announce } from "../ui/live-region.js";
import { baseStyles } from "../ui/styles.js";
import { LitElement, html } from "../vendor/lit/index.js";
import { namesOf } from "../i18n/seat-names.js";
import "./review-decisions.js";
import { luckStyles, renderLuck } from "./review-luck.js";
import { panelStyles } from "./review-panel-styles.js";
import { COSTLY, GRADES, actionText, gradeLabel, gradeStyles, severalDeals, turnText } from "./review-text.js";
import { stepLink } from "../ui/step-link.js";
import "./win-chance-graph.js";

/** @import { TableView } from "../api/types.js" */
/** @import { Review, ReviewStep } from "../api/review-stream.js" */
/** @import { ChanceLine } from "./win-chance-graph.js" */

await loadNamespaces("review");

/**
 * The coach's review of a finished game: the turn that decided it, the best and the costliest choice, the chances of
 * winning, every choice, and luck and skill. It arrives choice by choice from the server, for one seat or for all.
 *
 * Events: "change" when choices have been reviewed, and "seek" (detail: the step) when a link into the replay is
 * followed; a page that shows the replay cancels it.
 */
export class ReviewPanel extends LitElement {
  static properties = {
    room: { attribute: false },
    table: {},
    unasked: { type: Boolean },
    record: { attribute: false },
    stream: { state: true },
    opened: { state: true },
  };
  static styles = [baseStyles, gradeStyles, luckStyles, panelStyles];

  /** Reviews by seat; the key is undefined for all seats. @type {Map<number | undefined, ReviewStream>} */
  #streams = new Map();
  #onChange = () => {
    this.requestUpdate();
    this.dispatchEvent(new Event("change"));
    if (this.stream?.state === "done") announce(joinSentences(t("review.ready"), this.#decided(this.stream.review)));
  };

  constructor() {
    super();
    /** @type {TableView | null} */
    this.room = null;
    /** Id of the table; "" for an uploaded record. */
    this.table = "";
    /** Whether the review starts without a tap. */
    this.unasked = false;
    /** Text of an uploaded record, which is reviewed instead of a table. */
    this.record = "";
    /** @type {ReviewStream | null} the review shown */
    this.stream = null;
    /** Names of the parts that have been opened; the content of others is not rendered. @type {ReadonlySet<string>} */
    this.opened = new Set();
    new LanguageController(this);
  }

  disconnectedCallback() {
    for (const stream of this.#streams.values()) stream.cancel();
    super.disconnectedCallback();
  }

  /** The steps that have been reviewed. @returns {ReviewStep[]} */
  get steps() {
    return this.stream?.steps ?? [];
  }

  firstUpdated() {
    if (this.unasked && !this.stream) this.start(this.room?.seat);
  }

  /**
   * Show the review of a seat, and request it unless it has been requested before.
   *
   * @param {number} [seat] all seats by default
   */
  start(seat) {
    const earlier = this.#streams.get(seat);
    const stream = earlier && earlier.state !== "failed" ? earlier : new ReviewStream(seat);
    this.stream?.removeEventListener("change", this.#onChange);
    this.stream = stream;
    stream.addEventListener("change", this.#onChange);
    if (stream !== earlier) {
      this.#streams.set(seat, stream);
      void stream.load(this.table, this.record);
    }
    this.dispatchEvent(new Event("change"));
  }

  render() {
    const { room, stream } = this;
    if (!room) return "";
    if (!stream) {
      return html`<div class="ask cluster aligned"><button @click=${() => this.start(room.seat)}>${icon("coach")}${t("review.ask")}</button>
        <span class="soft small">${t("review.ask.hint")}</span></div>`;
    }
    const names = namesOf(room);
    return html`<section class="stack surface" aria-labelledby="title">
      <header class="cluster apart"><h3 class="aligned" id="title">${icon("coach", 26)}${t("review.title")}</h3>${this.#renderSeats(room, names)}</header>
      ${this.#renderProgress(stream)}
      ${stream.review ? this.#renderHighlights(stream.review, names) : ""}
      ${this.#renderGraph(stream, room, names)}
      ${this.#renderDecisions(stream, room, names)}
      ${stream.review ? this.#renderRest(stream.review, room, names) : ""}
    </section>`;
  }

  /**
   * @param {TableView} room
   * @param {string[]} names
   */
  #renderSeats(room, names) {
    const { seat } = /** @type {ReviewStream} */ (this.stream);
    /** @param {Event} event */
    const choose = (event) => {
      const { value } = /** @type {HTMLSelectElement} */ (event.target);
      this.start(value === "" ? undefined : Number(value));
    };
    return html`<label><span class="visually-hidden">${t("review.of")}</span><select @change=${choose}>
      ${names.map((name, index) => html`<option value=${index} ?selected=${index === seat}>${index === room.seat ? t("review.mine") : name}</option>`)}
      <option value="" ?selected=${seat === undefined}>${t("review.everyone")}</option>
    </select></label>`;
  }

  /** @param {ReviewStream} stream */
  #renderProgress(stream) {
    const { state, done, requested, position, secondsLeft, error, seat } = stream;
    if (state === "done") return "";
    if (state === "failed") {
      return html`<p class="danger" role="alert">${errorMessage(error)} <button @click=${() => this.start(seat)}>${t("review.retry")}</button></p>`;
    }
    const words =
      state === "queued" && position > 0
        ? t("review.queued", { count: position })
        : state === "running"
          ? t("review.progress", { done, requested })
          : t("review.waiting");
    return html`<div class="progress soft small figures"><progress max=${requested || 1} .value=${done} aria-label=${t("review.title")}></progress>
      <span>${words}${secondsLeft !== null && secondsLeft >= 1 ? ` · ${t("review.left", { count: Math.ceil(secondsLeft) })}` : ""}</span></div>`;
  }

  /**
   * Return the sentence about the turn that decided the game.
   *
   * @param {Review | null} review
   */
  #decided(review) {
    const { room } = this;
    if (!room || !review) return "";
    const { decided } = review;
    if (!decided) return t(review.seats.length === 1 && review.seats[0] === room.seat ? "review.no_row" : "review.no_row.all");
    const when = turnText(decided, severalDeals(review.decisions));
    const values = { when, count: decided.heads, card: decided.card, row: decided.row + 1, name: namesOf(room)[decided.seat] };
    return t(decided.seat === room.seat ? "review.decided.me" : "review.decided", values);
  }

  /**
   * @param {Review} review
   * @param {string[]} names
   */
  #renderHighlights(review, names) {
    const several = severalDeals(review.decisions);
    const decided = review.decisions.find(({ seat, deal, turn }) => seat === review.decided?.seat && deal === review.decided.deal && turn === review.decided.turn);
    const highlight = review.highlights.length === 1 ? review.highlights[0] : greatest(review);
    const [best, costliest] = [highlight?.best, highlight?.costliest].map((place) => place && stepAt(review.decisions, place));
    return html`
      <p class="decided">${this.#decided(review)} ${decided ? stepLink(this.table, decided, t("review.show")) : ""}</p>
      <div class="highlights tight">
        ${best && points(best) > 0 ? this.#renderHighlight("best", best, names, several, t("review.gain", { count: points(best) })) : ""}
        ${costliest
          ? this.#renderHighlight("costliest", costliest, names, several, t("review.better", { best: actionText(review.game, costliest.best), heads: formatNumber(costliest.cost.value) }))
          : html`<div class="highlight best"><h4>${t("review.flawless")}</h4><p>${t("review.flawless.hint")}</p></div>`}
      </div>`;
  }

  /**
   * @param {"best" | "costliest"} kind
   * @param {ReviewStep} step
   * @param {string[]} names
   * @param {boolean} several
   * @param {string} words
   */
  #renderHighlight(kind, step, names, several, words) {
    return html`<div class="highlight ${kind}">
      <h4>${t(`review.${kind}_turn`)}</h4>
      <p><b>${labelled(turnText(step, several), actionText(this.room?.config.game ?? "", step.chosen))}</b>${step.seat === this.room?.seat ? "" : t("table.parenthesis", { text: names[step.seat] })} ${gradeLabel(step.grade)}</p>
      <p class="soft">${words}</p>
      ${stepLink(this.table, step, t("review.show"))}
    </div>`;
  }

  /**
   * @param {ReviewStream} stream
   * @param {TableView} room
   * @param {string[]} names
   */
  #renderGraph({ steps, review, seat }, room, names) {
    const last = Math.max(...steps.map(({ deal }) => deal));
    const lines = (review?.chances ?? chancesSoFar(steps)).map((line) => ({
      seat: line.seat,
      name: line.seat === room.seat ? t("table.you") : names[line.seat],
      // The end of an earlier deal decides nothing.
      points: line.points.filter(({ deal, turn }) => turn !== null || deal === last),
    }));
    if (!lines.some(({ points: all }) => all.length > 1)) return "";
    return html`<h4>${t("review.graph")}</h4>
      <win-chance-graph .lines=${lines} .steps=${steps} table=${this.table} .own=${seat ?? room.seat ?? -1} ?several=${severalDeals(steps)}></win-chance-graph>`;
  }

  /**
   * @param {ReviewStream} stream
   * @param {TableView} room
   * @param {string[]} names
   */
  #renderDecisions({ steps, seat }, room, names) {
    if (!steps.length) return "";
    const several = severalDeals(steps);
    const { game } = room.config;
    const groups = groupBy(steps, (step) => (seat === undefined ? step.seat : 0));
    const counts = GRADES.map((grade) => ({ grade, count: steps.filter((step) => step.grade === grade).length })).filter(({ count }) => count);
    const summary = html`${t("review.decisions")}<span class="counts small">${counts.map(({ grade, count }) => html`<span>${count} ${gradeLabel(grade)}</span>`)}</span>`;
    /** @type {(own: ReviewStep[]) => unknown} */
    const list = (own) => html`<review-decisions .steps=${own} .names=${names} game=${game} table=${this.table}></review-decisions>`;
    return this.#renderFold("decisions", summary, () => groups.map(([groupSeat, own]) => html`
      ${groups.length > 1 ? html`<h5>${names[groupSeat]}</h5>` : ""}
      ${several
        ? groupBy(own, ({ deal }) => deal).map(([deal, part]) => this.#renderFold(`deal ${groupSeat} ${deal}`, t("review.deal", { deal }), () => list(part)))
        : list(own)}`));
  }

  /**
   * Render a part that can be opened, with content that is rendered when it is.
   *
   * @param {string} name
   * @param {unknown} summary
   * @param {() => unknown} content
   */
  #renderFold(name, summary, content) {
    /** @param {Event} event */
    const toggle = (event) => {
      if (/** @type {HTMLDetailsElement} */ (event.target).open) this.opened = new Set([...this.opened, name]);
    };
    return html`<details class="fold" @toggle=${toggle}><summary>${summary}</summary>${this.opened.has(name) ? content() : ""}</details>`;
  }

  /**
   * @param {Review} review
   * @param {TableView} room
   * @param {string[]} names
   */
  #renderRest(review, room, names) {
    const several = severalDeals(review.decisions);
    const { thresholds, par, worlds, error, player } = review;
    const luck = [...review.totals, ...review.luck];
    return html`
      ${review.moments.length ? this.#renderFold("moments", t("review.moments"), () => html`<ol class="moments">
        ${review.moments.map((place) => this.#renderMoment(stepAt(review.decisions, place), names, several, room.config.game))}</ol>`) : ""}
      ${luck.length ? this.#renderFold("luck", t("review.luck"), () => html`<div class="lucks">
          ${luck.map((part) => renderLuck(part, [names[part.seat], part.deal === null ? t("review.all_deals") : several ? t("review.deal", { deal: part.deal }) : ""].filter(Boolean).join(" · ")))}</div>
        <p class="soft small">${t("review.luck.help", { par: formatNumber(par?.heads.value ?? 0, 2) })}</p>`) : ""}
      ${this.#renderFold("help", t("review.help"), () => html`<ul class="help">${GRADES.map((grade) => {
          const { heads, win } = grade in thresholds ? thresholds[/** @type {"mistake"} */ (grade)] : { heads: 0, win: null };
          const values = { heads: formatNumber(heads), win: formatNumber(100 * (win ?? 0), 0) };
          return html`<li>${gradeLabel(grade)} ${t(COSTLY.has(grade) ? (win === null ? "review.help.heads" : "review.help.heads_and_win") : `review.help.${grade}`, values)}</li>`;
        })}</ul>
        <p class="soft small">${joinSentences(t("review.help.errors"), worlds === null ? "" : t("review.help.basis", { worlds: formatNumber(worlds, 0), error: formatNumber(error, 2), player }))}</p>`)}`;
  }

  /**
   * @param {ReviewStep | undefined} step
   * @param {string[]} names
   * @param {boolean} several
   * @param {string} game
   */
  #renderMoment(step, names, several, game) {
    if (!step) return "";
    const { win_before: before, win_after: after } = step;
    return html`<li><b>${turnText(step, several)}</b> <span class=${(after ?? 0) > before ? "up" : "down"}>${t("review.points", { points: signedPoints(step) })}</span>
      <p>${joinSentences(
        t("review.played", { name: names[step.seat], action: actionText(game, step.chosen) }),
        step.heads ? t("review.takes", { count: step.heads }) : t("review.takes_none"),
        t("review.win_chance", { before: formatPercent(before), after: formatPercent(after ?? before) }),
      )}</p>
      ${stepLink(this.table, step, t("review.show"))}</li>`;
  }
}
customElements.define("review-panel", ReviewPanel);

/**
 * Return the highlights among all seats.
 *
 * @param {Review} review
 */
function greatest({ highlights, decisions }) {
  /** @type {(kind: "best" | "costliest", value: (step: ReviewStep) => number) => import("../api/review-stream.js").StepPlace | null} */
  const most = (kind, value) => {
    const candidates = highlights.flatMap((highlight) => highlight[kind] ?? []);
    return candidates.toSorted((first, second) => rank(second, value) - rank(first, value))[0] ?? null;
  };
  /** @type {(place: import("../api/review-stream.js").StepPlace, value: (step: ReviewStep) => number) => number} */
  const rank = (place, value) => {
    const step = stepAt(decisions, place);
    return step ? value(step) : 0;
  };
  return { best: most("best", points), costliest: most("costliest", ({ cost }) => cost.value) };
}

/**
 * @param {ReviewStep[]} steps
 * @param {{decision: number, seat: number}} place
 */
function stepAt(steps, place) {
  return steps.find(({ decision, seat }) => decision === place.decision && seat === place.seat);
}

/** Return by how many percentage points the chance of winning has changed. @param {ReviewStep} step */
function points({ win_before: before, win_after: after }) {
  return Math.round(100 * ((after ?? before) - before));
}

/** @param {ReviewStep} step */
function signedPoints(step) {
  const change = points(step);
  return `${change < 0 ? "−" : "+"}${Math.abs(change)}`;
}

/**
 * Return the chances of winning while decisions are still arriving.
 *
 * @param {ReviewStep[]} steps
 * @returns {Omit<ChanceLine, "name">[]}
 */
function chancesSoFar(steps) {
  return groupBy(steps, ({ seat }) => seat).map(([seat, own]) => ({
    seat,
    points: groupBy(own, ({ deal, turn }) => deal * 1000 + turn).map(([, [{ deal, turn, win_before: win }]]) => ({ deal, turn, win })),
  }));
}

/**
 * @param {ReviewStep[]} steps
 * @param {(step: ReviewStep) => number} key
 * @returns {[number, ReviewStep[]][]}
 */
function groupBy(steps, key) {
  /** @type {Map<number, ReviewStep[]>} */
  const groups = new Map();
  for (const step of steps) groups.set(key(step), [...(groups.get(key(step)) ?? []), step]);
  return [...groups].sort(([first], [second]) => first - second);
}
