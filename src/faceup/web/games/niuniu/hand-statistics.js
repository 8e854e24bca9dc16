import { LitElement, css, html, nothing } from "../../vendor/lit/index.js";
import { formatNumber, joinTexts, labelled } from "../../i18n/format.js";
import { t } from "../../i18n/translate.js";
import { LanguageController } from "../../ui/controllers.js";
import { scoreHand } from "./hand.js";

/** @import { HandsView } from "../../api/http-types.js" */

/**
 * Statistics of hands as one line, and the distribution of points. Load the namespace "niuniu"
 * first.
 */
export class HandStatistics extends LitElement {
  static properties = { totals: { attribute: false }, open: { type: Boolean } };
  static styles = css`
    :host {
      display: block;
      font-size: var(--text--1);
      font-weight: 400;
      font-variant-numeric: tabular-nums;
    }
    summary {
      cursor: pointer;
      padding: var(--space-1) 0;
    }
    summary:focus-visible {
      outline: 3px solid var(--focus);
      outline-offset: 2px;
    }
    .bars {
      display: grid;
      grid-template-columns: repeat(11, minmax(0, 1fr));
      gap: 2px;
      max-width: 18rem;
      margin: var(--space-2) 0 0;
      text-align: center;
      font-size: 11px;
      line-height: 1.2;
    }
    .bar {
      display: grid;
      grid-template-rows: 34px auto;
      align-items: end;
    }
    i {
      display: block;
      min-height: 1px;
      border-radius: 2px 2px 0 0;
      background: currentColor;
      opacity: 0.55;
    }
    .height {
      display: grid;
      height: 100%;
      align-content: end;
    }
  `;

  constructor() {
    super();
    /** @type {HandsView | null} */
    this.totals = null;
    this.open = false;
    new LanguageController(this);
  }

  render() {
    if (!this.totals) return nothing;
    const { hands, sum, mean, baozi, points } = this.totals;
    const most = Math.max(...points, 1);
    const line = t("niuniu.hands", { count: hands, sum, mean: formatNumber(mean, 2), baozi });
    return html`<details ?open=${this.open}><summary>${line}</summary>
      <div class="bars" role="img" aria-label=${joinTexts(points.map((count, score) => labelled(t(`niuniu.hand.${score}`), count)))}>
        ${points.map((count, score) => html`<div class="bar" title=${labelled(t(`niuniu.hand.${score}`), count)}>
          <span class="height"><span>${count || ""}</span><i .style=${`height: ${(20 * count) / most}px`}></i></span><span>${score}</span>
        </div>`)}
      </div></details>`;
  }
}
customElements.define("hand-statistics", HandStatistics);

/**
 * Sum up a seat's hands.
 *
 * @param {number[][][]} log the throws, each by seat
 * @param {number} seat
 * @param {number} [baozi] number of equal dice that make a baozi
 * @returns {HandsView}
 */
export function handTotals(log, seat, baozi) {
  const thrown = log.map((dice) => scoreHand(dice[seat], baozi));
  const sum = thrown.reduce((total, hand) => total + hand.statistics, 0);
  const points = Array.from({ length: 11 }, (_, score) => thrown.filter((hand) => hand.points === score).length);
  return { hands: thrown.length, sum, mean: sum / thrown.length, baozi: thrown.filter((hand) => hand.statistics === 5).length, points };
}
