import { formatNumber, formatPercent, labelled } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { css, html } from "../vendor/lit/index.js";

/** @import { ReviewOption } from "../api/review-stream.js" */

/** Part of the sampled worlds that the chart shows; rarer numbers of heads are left out. */
const SHOWN = 0.99;

/**
 * Draw how often the best and the chosen option led to how many heads in the sampled worlds.
 *
 * @param {ReviewOption | undefined} best
 * @param {ReviewOption | undefined} chosen
 */
export function renderSpreads(best, chosen) {
  if (!best?.spread?.length || !chosen?.spread?.length) return "";
  const reach = Math.max(quantile(best.spread), quantile(chosen.spread));
  return html`<div class="spreads small"><p class="soft">${t("review.spread")}</p>
    ${renderSpread("best", t("review.best"), best, reach)}${renderSpread("chosen", t("review.chosen"), chosen, reach)}</div>`;
}

/**
 * @param {"best" | "chosen"} kind
 * @param {string} label
 * @param {ReviewOption} option
 * @param {number} reach greatest number of heads that is shown
 */
function renderSpread(kind, label, { spread = [], heads }, reach) {
  const total = spread.reduce((sum, count) => sum + count, 0);
  const most = Math.max(...spread);
  const columns = Array.from({ length: reach + 1 }, (_, index) => spread[index] ?? 0);
  return html`<div class="spread ${kind}" role="img" aria-label=${labelled(label, t("review.spread.mean", { heads: formatNumber(heads.value) }))}>
    <b aria-hidden="true">${label}</b>
    <span class="columns" aria-hidden="true">${columns.map((count, index) => html`<i title=${labelled(`${index}`, formatPercent(count / total))} .style=${`--part: ${count / most}`}></i>`)}</span>
    <span class="axis soft" aria-hidden="true"><span>0</span><span>${reach}</span></span>
  </div>`;
}

/** Return the number of heads that is exceeded in few worlds. @param {number[]} spread */
function quantile(spread) {
  const total = spread.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  return Math.max(1, spread.findIndex((count) => (sum += count) >= SHOWN * total));
}

export const spreadStyles = css`
  .spreads {
    display: grid;
    gap: var(--space-1);
  }
  .spread {
    display: grid;
    grid-template-columns: 5.5em minmax(0, 1fr);
    align-items: end;
    gap: 0 var(--space-2);
  }
  .columns {
    display: flex;
    gap: 1px;
    height: 34px;
  }
  .columns i {
    flex: 1;
    background: var(--danger);
    border-radius: 2px 2px 0 0;
    transform: scaleY(var(--part));
    transform-origin: bottom;
  }
  .spread.best .columns i {
    background: var(--good);
  }
  .axis {
    grid-column: 2;
    display: flex;
    justify-content: space-between;
    font-size: var(--text--2);
  }
`;
