import { formatNumber } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { css, html } from "../vendor/lit/index.js";

/** @import { Luck } from "../api/review-stream.js" */

/**
 * Draw how par, the cards, the choices and the others add up to the heads of a seat.
 *
 * @param {Luck} luck
 * @param {string} title
 */
export function renderLuck({ heads, par, hand, choices, others }, title) {
  const parts = /** @type {[string, number][]} */ ([["par", par.value], ["hand", hand.value], ["choices", choices.value], ["others", others]]);
  let sum = 0;
  const bars = parts.map(([name, value], number) => {
    const from = sum;
    sum += value;
    return { name, from, to: sum, words: number ? signed(value) : formatNumber(value) };
  });
  bars.push({ name: "heads", from: 0, to: heads, words: formatNumber(heads, 0) });
  const least = Math.min(0, ...bars.flatMap(({ from, to }) => [from, to]));
  const range = Math.max(1, ...bars.flatMap(({ from, to }) => [from, to])) - least;
  return html`<div class="luck"><h5>${title}</h5>${bars.map(({ name, from, to, words }) => html`<div class="part tight small figures ${name} ${to < from ? "less" : ""}">
    <span>${t(`review.luck.${name}`)}</span>
    <span class="track" aria-hidden="true"><i .style=${`left: ${(100 * (Math.min(from, to) - least)) / range}%; width: ${(100 * Math.abs(to - from)) / range}%`}></i></span>
    <b>${words}</b>
  </div>`)}</div>`;
}

/** @param {number} value */
function signed(value) {
  return `${value < 0 ? "−" : "+"}${formatNumber(Math.abs(value))}`;
}

export const luckStyles = css`
  .luck {
    display: grid;
    gap: 3px;
  }
  .luck h5 {
    margin: 0 0 var(--space-1);
    font-size: var(--text-0);
  }
  .part {
    grid-template-columns: minmax(5.5em, 9em) minmax(0, 1fr) 3.6em;
    align-items: center;
  }
  .part b {
    text-align: end;
  }
  .track {
    position: relative;
    height: 16px;
    border-radius: 4px;
    background: var(--sunken);
  }
  .track i {
    position: absolute;
    inset-block: 2px;
    min-width: 2px;
    border-radius: 3px;
    background: var(--warn);
  }
  .par i {
    background: var(--ink-soft);
  }
  .less i {
    background: var(--good);
  }
  .heads i {
    background: var(--accent);
  }
  .part.heads {
    font-weight: 700;
  }
`;
