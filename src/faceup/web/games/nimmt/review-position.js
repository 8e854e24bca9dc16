import { total } from "../../art/heads.js";
import { card } from "../../art/nimmt-card.js";
import { formatPercent } from "../../i18n/format.js";
import { t } from "../../i18n/translate.js";
import { css, html } from "../../vendor/lit/index.js";

/** @import { ReviewOption } from "../../api/review-stream.js" */

/**
 * Return the rows and the hand of a position in notation.
 *
 * @param {string} position
 */
function parse(position) {
  const fields = Object.fromEntries(position.split(/[ |]+/).map((word) => word.split("=")));
  /** @type {(text: string | undefined) => number[]} */
  const cards = (text) => (text && text !== "-" ? text.split(",").map(Number) : []);
  /** @type {number[][]} */
  const rows = (fields.rows ?? "").split("/").map(cards);
  return { rows, hand: cards(fields.hand) };
}

/**
 * Draw the rows and the hand before a decision.
 *
 * @param {string} position in notation
 * @param {string} chosen action in notation
 * @param {string} best action in notation
 */
export function renderPosition(position, chosen, best) {
  const { rows, hand } = parse(position);
  /** @param {string} action */
  const number = (action) => (action.startsWith("play") ? Number(action.split(" ")[1]) : 0);
  return html`<div class="position">
    ${rows.map((row, index) => html`<div role="img" aria-label=${t("review.nimmt.row", { row: index + 1, cards: row.join(", ") })}>
      <small aria-hidden="true">${index + 1}</small>${row.map((each) => html`<i>${card(each, "small")}</i>`)}</div>`)}
    <div class="hand" role="img" aria-label=${t("review.nimmt.hand", { cards: hand.join(", ") })}>
      ${hand.map((each) => html`<i class=${[each === number(chosen) ? "chosen" : "", each === number(best) ? "best" : ""].join(" ")}>${card(each, "small")}</i>`)}</div>
  </div>`;
}

/**
 * Explain an option in two sentences.
 *
 * @param {string} position in notation
 * @param {ReviewOption} option
 */
export function explain(position, { action, risk }) {
  const { rows } = parse(position);
  const [verb, ...rest] = action.split(" ");
  const number = Number(rest.at(-1));
  if (verb !== "play") return t("review.nimmt.costs", { row: number + 1, count: total(rows[number] ?? []) });
  const fits = rows.flatMap((row, index) => (row.length && row[row.length - 1] < number ? [{ row: index + 1, after: row[row.length - 1] }] : []));
  const place = fits.sort((one, other) => other.after - one.after)[0];
  const where = place ? t("review.nimmt.follows", { card: number, ...place }) : t("review.nimmt.low", { card: number });
  return `${where} ${t("review.nimmt.risk", { chance: formatPercent(risk) })}`;
}

export const positionStyles = css`
  .position {
    display: grid;
    gap: 4px;
    justify-content: start;
    padding: var(--space-2);
    border-radius: var(--radius-small);
    background: linear-gradient(160deg, var(--felt), var(--felt-deep));
    color: var(--on-felt-soft);
  }
  .position div {
    display: flex;
    align-items: center;
    gap: 3px;
    min-height: 37px;
  }
  .position small {
    width: 1.2em;
    text-align: center;
    font-size: var(--text--2);
  }
  .position i {
    width: 27px;
    font-style: normal;
    border-radius: 4px;
  }
  .position svg {
    display: block;
    width: 100%;
  }
  .position .hand {
    margin-top: var(--space-2);
    padding-top: 7px;
  }
  .hand .chosen {
    transform: translateY(-6px);
    outline: 2px solid #ff9a90;
    outline-offset: 1px;
  }
  .hand .best {
    transform: translateY(-6px);
    outline: 2px solid #9ef0b8;
    outline-offset: 1px;
  }
`;
