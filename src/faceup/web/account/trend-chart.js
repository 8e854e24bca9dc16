import { formatNumber, formatPercent, formatTime, labelled } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { LanguageController, WidthController } from "../ui/controllers.js";
import { plotStyles } from "../ui/plot-styles.js";
import { baseStyles } from "../ui/styles.js";
import { LitElement, css, html, nothing, svg } from "../vendor/lit/index.js";

/** @import { TrendPoint } from "../api/http-types.js" */

/** Space around the plot, in pixels. */
const EDGE = { left: 40, right: 12, top: 12, bottom: 12 };
const HEIGHT = 200;
/** Number of points before and after a point that count for the line's mean. */
const SMOOTHED = 2;

/**
 * Chart of a player's results over time: a dot for each part of the games, and a line through their moving mean. The
 * pointer or the arrow keys select a part, whose values are shown below.
 */
export class TrendChart extends LitElement {
  static properties = { points: { attribute: false }, measure: {}, unit: {}, mean: { type: Number }, at: { state: true }, width: { state: true } };
  static styles = [
    baseStyles,
    plotStyles,
    css`
      .mean {
        stroke: var(--ink-soft);
        stroke-dasharray: 6 4;
        opacity: 0.7;
      }
      .line {
        stroke: var(--accent);
        stroke-width: 3;
      }
      .area {
        fill: var(--accent);
        opacity: 0.1;
      }
      .dot {
        fill: var(--accent);
        opacity: 0.4;
      }
      .dot.chosen {
        opacity: 1;
        stroke: var(--surface);
        stroke-width: 2;
      }
      figcaption {
        gap: 0 var(--space-3);
        min-height: 1.6em;
        padding-top: var(--space-1);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {TrendPoint[]} */
    this.points = [];
    /** @type {"score" | "wins"} the shown value of the points */
    this.measure = "score";
    /** What the scores count, as in "heads per game". */
    this.unit = "";
    /** The mean of all games. */
    this.mean = 0;
    /** Index of the selected part; -1 for the last. */
    this.at = -1;
    this.width = 600;
    new LanguageController(this);
    new WidthController(this, (width) => (this.width = Math.max(200, width)));
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("points")) this.at = -1;
  }

  render() {
    const { points, measure } = this;
    if (points.length < 3) return nothing;
    const values = points.map((point) => point[measure]);
    const at = this.at < 0 || this.at >= points.length ? points.length - 1 : this.at;
    const top = measure === "wins" ? 1 : niceTop(Math.max(...values));
    /** @param {number} index */
    const x = (index) => EDGE.left + ((this.width - EDGE.left - EDGE.right) * index) / (points.length - 1);
    /** @param {number} value */
    const y = (value) => EDGE.top + (HEIGHT - EDGE.top - EDGE.bottom) * (1 - value / top);
    const line = `M${movingMean(points, measure).map((value, index) => `${Math.round(x(index))} ${Math.round(y(value))}`).join("L")}`;
    return html`<figure>
      <div class="plot" @pointermove=${(/** @type {PointerEvent} */ event) => this.#point(event)}>
        <svg viewBox="0 0 ${this.width} ${HEIGHT}" aria-hidden="true">
          ${[0, top / 2, top].map((value) => svg`<line class="grid" x1=${EDGE.left} x2=${this.width - EDGE.right} y1=${y(value)} y2=${y(value)}/>
            <text x=${EDGE.left - 7} y=${y(value) + 4} text-anchor="end">${measure === "wins" ? formatPercent(value) : formatNumber(value, top < 3 ? 1 : 0)}</text>`)}
          <path class="area" d="${line}V${y(0)}H${EDGE.left}Z"/>
          <line class="mean" x1=${EDGE.left} x2=${this.width - EDGE.right} y1=${y(this.mean)} y2=${y(this.mean)}/>
          <path class="line" d=${line}/>
          <line class="cursor" x1=${x(at)} x2=${x(at)} y1=${y(top)} y2=${y(0)}/>
          ${values.map((value, index) => svg`<circle class="dot ${index === at ? "chosen" : ""}" cx=${x(index)} cy=${y(value)} r=${index === at ? 6 : 3.5}/>`)}
        </svg>
        <input type="range" min="0" max=${points.length - 1} .value=${String(at)} aria-label=${t("statistics.trend")}
          aria-valuetext=${labelled(this.#label(at), this.#value(points[at]))}
          @input=${(/** @type {Event} */ event) => (this.at = Number(/** @type {HTMLInputElement} */ (event.target).value))}>
      </div>
      <figcaption class="figures"><b>${this.#label(at)}</b><span>${this.#value(points[at])}</span></figcaption>
    </figure>`;
  }

  /** @param {number} at */
  #label(at) {
    const first = this.points.slice(0, at).reduce((sum, { games }) => sum + games, 1);
    const { games, until } = this.points[at];
    return `${t("statistics.part", { first, last: first + games - 1, context: games > 1 ? "" : "single" })} · ${formatTime(until)}`;
  }

  /** @param {TrendPoint} point */
  #value({ score, wins }) {
    return this.measure === "wins" ? t("statistics.won", { share: formatPercent(wins) }) : `${formatNumber(score, 1)} ${this.unit}`;
  }

  /** Select the part nearest to the pointer. @param {PointerEvent} event */
  #point(event) {
    const { left } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const part = (event.clientX - left - EDGE.left) / (this.width - EDGE.left - EDGE.right);
    this.at = Math.max(0, Math.min(this.points.length - 1, Math.round(part * (this.points.length - 1))));
  }
}
customElements.define("trend-chart", TrendChart);

/**
 * Return, for each part, the mean of its games and of those of its neighbours.
 *
 * @param {TrendPoint[]} points
 * @param {"score" | "wins"} measure
 */
export function movingMean(points, measure) {
  return points.map((_, index) => {
    const near = points.slice(Math.max(0, index - SMOOTHED), index + SMOOTHED + 1);
    const games = near.reduce((sum, point) => sum + point.games, 0);
    return near.reduce((sum, point) => sum + point.games * point[measure], 0) / games;
  });
}

/** Return the least even number with one significant digit, or 10 times 1, that is at least `most`. @param {number} most */
export function niceTop(most) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return ([2, 4, 6, 8, 10].find((multiple) => most <= multiple * unit) ?? 10) * unit;
}
