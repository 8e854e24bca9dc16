import { hasTranslation, t } from "../i18n/translate.js";
import { css, html } from "../vendor/lit/index.js";

/** @import { Grade, ReviewStep } from "../api/review-stream.js" */

/** Grades from best to worst, without forced choices. @type {Grade[]} */
export const GRADES = ["best", "close", "good", "inaccurate", "mistake", "blunder"];

/** Grades that cost something. */
export const COSTLY = new Set(["inaccurate", "mistake", "blunder"]);

/** @type {Record<Grade, string>} */
const MARKS = { only: "–", best: "★", close: "≈", good: "✓", inaccurate: "?!", mistake: "?", blunder: "??" };

/**
 * Translate an action in notation, such as "play 57", if there is a translation.
 *
 * @param {string} game
 * @param {string} words
 */
export function actionText(game, words) {
  const [verb, ...rest] = words.split(" ");
  const number = Number(rest.at(-1));
  const key = `review.action.${game}.${verb}`;
  return hasTranslation(key) ? t(key, { number, row: number + 1 }) : words;
}

/**
 * Render a grade with its mark.
 *
 * @param {Grade} grade
 */
export function gradeLabel(grade) {
  return html`<span class="grade soft small ${grade}"><span aria-hidden="true">${MARKS[grade]}</span> ${t(`review.grade.${grade}`)}</span>`;
}

/**
 * Return the turn of a step, and its deal in games of several deals.
 *
 * @param {{deal: number, turn: number}} step
 * @param {boolean} several
 */
export function turnText({ deal, turn }, several) {
  return t(several ? "review.turn_of_deal" : "review.turn", { deal, turn });
}

/**
 * Whether the steps are from more than one deal.
 *
 * @param {{deal: number}[]} steps
 */
export function severalDeals(steps) {
  return steps.some(({ deal }) => deal > 1);
}

export const gradeStyles = css`
  .grade {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    padding: 1px 9px;
    border-radius: 12px;
    font-weight: 650;
    white-space: nowrap;
    background: var(--sunken);
  }
  .grade.best,
  .grade.close,
  .grade.good {
    color: var(--good);
    background: color-mix(in srgb, var(--good) 12%, var(--surface));
  }
  .grade.inaccurate {
    color: var(--warn);
    background: color-mix(in srgb, var(--warn) 11%, var(--surface));
  }
  .grade.mistake,
  .grade.blunder {
    color: var(--danger);
    background: color-mix(in srgb, var(--danger) 11%, var(--surface));
  }
`;
