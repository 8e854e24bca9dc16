import { formatPercent, joinTexts, labelled } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { LanguageController, WidthController } from "../ui/controllers.js";
import { plotStyles } from "../ui/plot-styles.js";
import { baseStyles } from "../ui/styles.js";
import { LitElement, css, html, svg } from "../vendor/lit/index.js";
import { turnText } from "./review-text.js";
import { stepLink } from "../ui/step-link.js";

/** @import { Grade, ReviewStep } from "../api/review-stream.js" */

/**
 * The win chances of a seat; the turn is null at the end of a deal.
 *
 * @typedef {{seat: number, name: string, points: {deal: number, turn: number | null, win: number}[]}} ChanceLine
 */

/** Space around the plot, in pixels. */
const EDGE = { left: 40, right: 14, top: 12, bottom: 24 };
/** Space that the label of a turn needs, in pixels. */
const LABEL = 22;
/** Space that the label of the end needs, in pixels. */
const END = 46;
/** Upper ends of the scale; the lowest that fits is used. */
const SCALES = [0.2, 0.4, 0.6, 0.8];
const MARKED = new Set(["inaccurate", "mistake", "blunder"]);

/**
 * Graph of the chances of winning by turn. The pointer or the arrow keys select a turn, whose values are shown below
 * with a link to the step in the replay. Emits "seek" (detail: the step) when a turn is chosen.
 */
export class WinChanceGraph extends LitElement {
  static properties = {
    lines: { attribute: false },
    steps: { attribute: false },
    table: {},
    own: { type: Number },
    several: { type: Boolean },
    at: { state: true },
    width: { state: true },
  };
  static styles = [
    baseStyles,
    plotStyles,
    css`
      .base {
        stroke: color-mix(in srgb, var(--ink-soft) 45%, transparent);
      }
      .line {
        stroke: var(--tone);
        stroke-width: 2;
        opacity: 0.75;
      }
      .line.own {
        stroke-width: 3.5;
        opacity: 1;
      }
      .area {
        fill: var(--tone);
        opacity: 0.14;
      }
      .dot {
        fill: var(--tone);
        stroke: var(--surface);
        stroke-width: 2;
      }
      .mark {
        stroke: var(--surface);
        stroke-width: 2;
        fill: var(--warn);
      }
      .mark.mistake,
      .mark.blunder {
        fill: var(--danger);
      }
      figcaption {
        align-items: center;
        gap: 2px var(--space-3);
        min-height: var(--target);
      }
      figcaption b {
        font-size: var(--text-0);
      }
      .value {
        display: inline-flex;
        align-items: center;
        gap: 5px;
      }
      .value i {
        width: 10px;
        height: 10px;
        border-radius: 50%;
        background: var(--tone);
      }
      .value.own {
        font-weight: 700;
      }
      figcaption a {
        margin-inline-start: auto;
        display: inline-flex;
        align-items: center;
        min-height: var(--target);
        font-weight: 600;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {ChanceLine[]} */
    this.lines = [];
    /** @type {ReviewStep[]} */
    this.steps = [];
    this.table = "";
    /** Seat with the emphasised line; -1 for none. */
    this.own = -1;
    /** Whether the game has several deals. */
    this.several = false;
    /** Index of the selected turn; -1 for the last. */
    this.at = -1;
    this.width = 600;
    new LanguageController(this);
    new WidthController(this, (width) => (this.width = Math.max(200, width)));
  }

  /** All turns in order, and the ends of deals. */
  get #turns() {
    const keys = new Map(this.lines.flatMap(({ points }) => points.map((point) => [order(point), { deal: point.deal, turn: point.turn }])));
    return [...keys].sort(([first], [second]) => first - second).map(([, turn]) => turn);
  }

  render() {
    const turns = this.#turns;
    if (turns.length < 2) return "";
    const at = this.at < 0 || this.at >= turns.length ? turns.length - 1 : this.at;
    const height = 200;
    /** @param {number} index */
    const x = (index) => EDGE.left + ((this.width - EDGE.left - EDGE.right) * index) / (turns.length - 1);
    const most = Math.max(...this.lines.flatMap(({ points }) => points.map(({ win }) => win)));
    const top = SCALES.find((scale) => most <= scale) ?? 1;
    /** @param {number} win */
    const y = (win) => EDGE.top + (height - EDGE.top - EDGE.bottom) * (1 - win / top);
    const index = new Map(turns.map((turn, number) => [order(turn), number]));
    const skip = Math.ceil(LABEL / Math.max(1, x(1) - x(0)));
    const values = this.lines.flatMap((line) => {
      const point = line.points.find((candidate) => order(candidate) === order(turns[at]));
      return point ? [{ ...line, win: point.win }] : [];
    });
    const label = this.#label(turns[at]);
    const step = this.steps.find(({ deal, turn, seat }) => deal === turns[at].deal && turn === turns[at].turn && (this.own < 0 || seat === this.own));
    return html`<figure>
      <div class="plot" @pointermove=${(/** @type {PointerEvent} */ event) => this.#point(event, turns.length)}>
        <svg viewBox="0 0 ${this.width} ${height}" aria-hidden="true">
          ${[0, top / 2, top].map((win) => svg`<line class=${win ? "grid" : "base"} x1=${EDGE.left} x2=${this.width - EDGE.right} y1=${y(win)} y2=${y(win)}/>
            <text x=${EDGE.left - 7} y=${y(win) + 4} text-anchor="end">${formatPercent(win)}</text>`)}
          ${turns.map(({ deal, turn }, number) => (turn === null
            ? svg`<line class="grid" x1=${x(number)} x2=${x(number)} y1=${y(top)} y2=${y(0)}/>
              ${this.several && number < turns.length - 1 ? "" : svg`<text x=${x(number)} y=${height - 6} text-anchor="end">${t("review.end")}</text>`}`
            : (this.several ? turn === 1 : (turn - 1) % skip === 0) && (number === turns.length - 1 || x(turns.length - 1) - x(number) >= END) ? svg`<text x=${x(number)} y=${height - 6} text-anchor="middle">${this.several ? deal : turn}</text>` : ""))}
          ${this.lines.map((line) => this.#renderLine(line, (point) => [x(index.get(order(point)) ?? 0), y(point.win)], y(0)))}
          <line class="cursor" x1=${x(at)} x2=${x(at)} y1=${y(top)} y2=${y(0)}/>
          ${values.map(({ seat, win }) => svg`<circle class="dot" .style=${tone(seat)} cx=${x(at)} cy=${y(win)} r=${seat === this.own ? 6 : 4.5}/>`)}
        </svg>
        <input type="range" min="0" max=${turns.length - 1} .value=${String(at)} aria-label=${t("review.graph.turn")}
          aria-valuetext=${labelled(label, joinTexts(values.map(({ name, win }) => `${name} ${formatPercent(win)}`)))}
          @change=${() => this.#choose(step)} @click=${() => this.#choose(step)} @input=${(/** @type {Event} */ event) => (this.at = Number(/** @type {HTMLInputElement} */ (event.target).value))}>
      </div>
      <figcaption><b>${label}</b>
        ${values.map(({ seat, name, win }) => html`<span class="value figures ${seat === this.own ? "own" : ""}" .style=${tone(seat)}><i></i><bdi>${name}</bdi> ${formatPercent(win)}</span>`)}
        ${step ? stepLink(this.table, step, t("review.show")) : ""}
      </figcaption>
    </figure>`;
  }

  /** @param {{deal: number, turn: number | null}} turn */
  #label({ deal, turn }) {
    if (turn !== null) return turnText({ deal, turn }, this.several);
    return this.several ? t("review.end_of_deal", { deal }) : t("review.end");
  }

  /**
   * @param {ChanceLine} line
   * @param {(point: ChanceLine["points"][number]) => number[]} place
   * @param {number} base y of 0 %
   */
  #renderLine({ seat, points }, place, base) {
    const places = points.map(place);
    const path = `M${places.map((place) => place.map(Math.round).join(" ")).join("L")}`;
    const own = seat === this.own;
    const marks = !own ? [] : points.flatMap((point, number) => {
      const step = this.steps.find((candidate) => candidate.seat === seat && candidate.deal === point.deal && candidate.turn === point.turn && MARKED.has(candidate.grade));
      return step ? [{ grade: step.grade, place: places[number] }] : [];
    });
    return svg`<g .style=${tone(seat)}>
      ${own ? svg`<path class="area" d="${path}V${base}H${places[0][0]}Z"/>` : ""}
      <path class="line ${own ? "own" : ""}" d=${path}/>
      ${marks.map(({ grade, place: [left, top] }) => svg`<circle class="mark ${grade}" cx=${left} cy=${top} r=${grade === "inaccurate" ? 5 : 7}/>`)}
    </g>`;
  }

  /**
   * Show the selected turn, if the page shows the replay.
   *
   * @param {ReviewStep | undefined} step
   */
  #choose(step) {
    if (step) this.dispatchEvent(new CustomEvent("seek", { detail: step, bubbles: true, composed: true, cancelable: true }));
  }

  /**
   * Select the turn nearest to the pointer.
   *
   * @param {PointerEvent} event
   * @param {number} count
   */
  #point(event, count) {
    const { left } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const part = (event.clientX - left - EDGE.left) / (this.width - EDGE.left - EDGE.right);
    this.at = Math.max(0, Math.min(count - 1, Math.round(part * (count - 1))));
  }
}
customElements.define("win-chance-graph", WinChanceGraph);

/** Return a number that orders turns and ends of deals. @param {{deal: number, turn: number | null}} point */
function order({ deal, turn }) {
  return deal * 1000 + (turn ?? 999);
}

/** @param {number} seat */
function tone(seat) {
  return `--tone: var(--player-${seat})`;
}
