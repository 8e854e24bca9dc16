/** What the page says about a hint; loaded with the first one. */
import { formatNumber, formatPercent } from "../../i18n/format.js";
import { loadNamespaces, t } from "../../i18n/translate.js";

await loadNamespaces("hint");

/**
 * @typedef {{value: number, error: number}} Estimate
 * @typedef {{action: string, heads: Estimate, win: Estimate, behind: Estimate, risk: number}} HintOption
 *
 * @typedef {object} HintAnswer
 * @property {HintOption[]} options best first
 * @property {number | null} lead how many heads the first option is better than the second; null if it is the only one
 * @property {{kind: "room" | "safe" | "full" | "low" | "row", card: number, row: number, risk: number, after?: number,
 *   room?: number, heads?: number, followers?: number}} reason what the first option does
 *
 * @typedef {object} Rank the rank of an option
 * @property {"best" | "good" | "inaccurate" | "mistake"} grade
 * @property {string} badge short text for a card
 * @property {string} words for screen readers
 */

/** Heads from which an option is inaccurate or a mistake, as in the coach's grades. */
const INACCURATE = 0.5;
const MISTAKE = 1.5;

/**
 * Return the rank of each option, by action.
 *
 * @param {HintAnswer} answer
 * @returns {Map<string, Rank>}
 */
export function rank({ options }) {
  return new Map(options.map((option, index) => {
    const { action, behind: { value } } = option;
    const grade = index === 0 ? "best" : value >= MISTAKE ? "mistake" : value >= INACCURATE ? "inaccurate" : "good";
    const words = t(isRow(action) ? "hint.rank.row" : "hint.rank", { rank: index + 1, more: formatNumber(value), risk: formatPercent(option.risk) });
    return [action, { grade, badge: index === 0 ? "★" : `+${formatNumber(value)}`, words }];
  }));
}

/**
 * Return the sentence about the best option, or about the selected option if it is another one.
 *
 * @param {HintAnswer} answer
 * @param {string} marked
 */
export function hintSentence({ options, lead, reason }, marked) {
  const selected = options.find(({ action }) => action === marked);
  if (selected && selected !== options[0]) {
    const { behind, risk, win, action } = selected;
    return t(isRow(action) ? "hint.selected.row" : "hint.selected", { option: optionText(action), more: formatNumber(behind.value), risk: formatPercent(risk), win: formatPercent(win.value) });
  }
  if (lead === null) return t("hint.only");
  const { kind, card, risk, after = 0, room = 0, heads = 0, followers = 0 } = reason;
  const chance = risk <= 0 ? t("hint.risk.none") : risk >= 1 ? t("hint.risk.sure") : t("hint.risk", { percent: formatPercent(risk) });
  return t(`hint.${kind}`, { card, row: reason.row + 1, after, room, heads, followers, chance });
}

/** Return the sentence while the coach computes. */
export function busySentence() {
  return t("hint.busy");
}

/**
 * Return the announcement of a hint for screen readers: the reason and the ranking.
 *
 * @param {HintAnswer} answer
 */
export function announcement(answer) {
  const ranking = answer.options.map(({ action, behind }, index) => (index ? `${optionText(action)} +${formatNumber(behind.value)}` : optionText(action)));
  return `${hintSentence(answer, "")} ${t("hint.ranking", { ranking: ranking.join(", ") })}`;
}

/** @param {string} action */
function optionText(action) {
  const number = Number(action.split(" ").at(-1));
  return isRow(action) ? t("hint.row_number", { row: number + 1 }) : `${number}`;
}

/** Whether an action chooses a row, which has no risk. @param {string} action */
function isRow(action) {
  return action.startsWith("take");
}
