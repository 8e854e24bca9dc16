import { card } from "../../art/nimmt-card.js";
import { joinTexts } from "../../i18n/format.js";
import { t } from "../../i18n/translate.js";
import { css, html } from "../../vendor/lit/index.js";
import { renderBadge } from "./hints.js";

/** @import { Rank } from "./hint-text.js" */

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
 * Draw the rows and the hand before a decision, with the rows that the explanation is about.
 *
 * @param {string} position in notation
 * @param {string} chosen action in notation
 * @param {string} best action in notation
 * @param {ReadonlyMap<string, Rank>} marks of rows
 */
export function renderPosition(position, chosen, best, marks) {
  const { rows, hand } = parse(position);
  /** @param {string} action */
  const number = (action) => (action.startsWith("play") ? Number(action.split(" ")[1]) : 0);
  return html`<div class="position">
    ${rows.map((row, index) => html`<div role="img" aria-label=${t("review.nimmt.row", { row: index + 1, cards: joinTexts(row) })}>
      <small aria-hidden="true">${index + 1}</small>${row.map((cardNumber) => html`<i>${card(cardNumber, "small")}</i>`)}${renderBadge(marks.get(`row ${index}`))}</div>`)}
    <div class="hand" role="img" aria-label=${t("review.nimmt.hand", { cards: joinTexts(hand) })}>
      ${hand.map((cardNumber) => html`<i class=${[cardNumber === number(chosen) ? "chosen" : "", cardNumber === number(best) ? "best" : ""].join(" ")}>${card(cardNumber, "small")}</i>`)}</div>
  </div>`;
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
  .position .rank {
    margin-inline-start: var(--space-1);
    padding: 0 6px;
    border-radius: 8px;
    background: #9ef0b8;
    color: #10301c;
    font-size: var(--text--2);
    font-weight: 700;
    white-space: nowrap;
  }
  .position .rank.mistake {
    background: #ff9a90;
    color: #47110c;
  }
  .position .rank.inaccurate {
    background: #ffd98a;
    color: #3e2a00;
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
