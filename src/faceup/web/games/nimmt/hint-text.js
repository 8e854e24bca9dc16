/** Texts about a hint; loaded with the first one. */
import { capitalize, formatNumber, formatPercent, joinSentences, joinTexts } from "../../i18n/format.js";
import { loadNamespaces, t } from "../../i18n/translate.js";

await loadNamespaces("hint");

/**
 * @typedef {{value: number, error: number}} Estimate
 * @typedef {{share: number, heads: number}} Takes how often cards take a row, and the mean heads in all cases
 *
 * @typedef {object} Outcome what an option does in this turn
 * @property {"joins" | "lower_first" | "sixth" | "low" | "row"} kind
 * @property {number} card
 * @property {number} row
 * @property {number} [risk] of taking a row
 * @property {number} [heads] of the row that it takes, on average
 *
 * @typedef {object} Cause why an option is worse than the best one
 * @property {"sixth" | "low" | "keep" | "keep_low" | "purpose" | "swap" | "other" | "rest" | "row" | "depends" | "close"} kind
 * @property {number} [card] the card that takes more
 * @property {number} [row] the row that it mostly takes
 * @property {Takes} [better] with the best option
 * @property {Takes} [worse] with this option
 *
 * @typedef {{outcome: Outcome, cause?: Cause}} Explanation
 * @typedef {{action: string, heads: Estimate, win: Estimate, behind: Estimate, risk: number, explanation: Explanation}} HintOption
 *
 * @typedef {object} HintAnswer
 * @property {HintOption[]} options best first
 * @property {number | null} lead how many heads the first option is better than the second; null if it is the only one
 *
 * @typedef {object} Rank the rank of an option, or what happens to a row
 * @property {"best" | "good" | "inaccurate" | "mistake"} grade
 * @property {string} badge short text for a card or a row
 * @property {string} words for screen readers
 */

/** Heads from which an option is inaccurate or a mistake, as in the coach's grades. */
const INACCURATE = 0.5;
const MISTAKE = 1.5;

/**
 * Return the rank of each option, by action, and what happens to rows, by "row" and their number.
 *
 * @param {HintAnswer} answer
 * @param {string} [chosen]
 * @returns {Map<string, Rank>}
 */
export function rank({ options }, chosen) {
  const ranks = options.map((option, index) => {
    const { action, behind: { value } } = option;
    const grade = index === 0 ? "best" : value >= MISTAKE ? "mistake" : value >= INACCURATE ? "inaccurate" : "good";
    const words = t(isRow(action) ? "hint.rank.row" : "hint.rank", { rank: index + 1, more: formatNumber(value), risk: formatPercent(option.risk) });
    return /** @type {[string, Rank]} */ ([action, { grade, badge: index === 0 ? "★" : `+${formatNumber(value)}`, words }]);
  });
  return new Map([...ranks, ...rowMarks(options, chosen)]);
}

/**
 * Return the row that the best option goes to or takes, and the one that the explanation of another option is about.
 *
 * @param {HintOption[]} options best first
 * @param {string} [chosen]
 * @returns {Map<string, Rank>}
 */
export function rowMarks(options, chosen) {
  const { outcome } = options[0].explanation;
  const { cause } = options[compared(options, chosen)].explanation;
  /** @type {Map<string, Rank>} */
  const marks = new Map();
  if (outcome.kind === "row") return marks;
  if (cause?.card && cause.row !== undefined) marks.set(`row ${cause.row}`, { grade: "mistake", badge: `${cause.card} ✕`, words: "" });
  const takes = outcome.kind === "sixth" || outcome.kind === "low";
  return marks.set(`row ${outcome.row}`, { grade: takes ? "inaccurate" : "best", badge: `← ${outcome.card}`, words: "" });
}

/**
 * Return the index of the option to compare the best one with: the chosen one, the first that is clearly worse, or the
 * second.
 *
 * @param {HintOption[]} options best first
 * @param {string} [chosen]
 */
function compared(options, chosen) {
  const own = options.findIndex(({ action }) => action === chosen);
  if (own > 0) return own;
  const clear = options.findIndex(({ explanation: { cause } }) => cause && cause.kind !== "close" && cause.kind !== "depends");
  return clear > 0 ? clear : Math.min(1, options.length - 1);
}

/**
 * Return what the best option does, and why the chosen one is worse, or if there is none, why others are.
 *
 * @param {HintOption[]} options best first
 * @param {string} [chosen]
 */
export function explain(options, chosen) {
  const other = compared(options, chosen);
  const others = options[other].action === chosen ? [other] : new Set([Math.min(1, options.length - 1), other]);
  const { kind, card, row, risk = 0, heads = 0 } = options[0].explanation.outcome;
  const chance = risk <= 0 ? t("hint.risk.none") : risk >= 1 ? t("hint.risk.sure") : t("hint.risk", { percent: formatPercent(risk) });
  const best = t(`hint.best.${kind}`, { card, row: row + 1, count: Math.round(heads), chance });
  return [best, ...[...others].map((index) => causeSentence(options, options[index]))].filter(Boolean).join(t("hint.space"));
}

/**
 * Return why an option is worse than the best one; "" if no cause is clear.
 *
 * @param {HintOption[]} options best first
 * @param {HintOption} option
 */
function causeSentence(options, { action, explanation: { cause } }) {
  if (!cause) return "";
  const { kind, card = 0, row = -1, better = NONE, worse = NONE } = cause;
  const names = { name: optionText(action), best: optionText(options[0].action) };
  const prices = { price: headsText(worse.heads), best_price: headsText(better.heads) };
  return capitalize(t(`hint.cause.${kind}`, { ...names, ...prices, card, row: row + 1, better: takesText(better), worse: takesText(worse), context: row < 0 ? "" : "row" }));
}

/** @type {Takes} */
const NONE = { share: 0, heads: 0 };

/** @param {number} heads */
function headsText(heads) {
  return t("hint.heads", { count: Math.round(heads) });
}

/** @param {Takes} takes */
function takesText({ share, heads }) {
  return share ? t("hint.takes", { percent: formatPercent(share), count: Math.round(heads / share) }) : t("hint.takes.never");
}

/**
 * Return the sentences about the best option, or about the selected option if it is another one.
 *
 * @param {HintAnswer} answer
 * @param {string} marked
 */
export function hintSentence({ options, lead }, marked) {
  const selected = options.find(({ action }) => action === marked);
  if (selected && selected !== options[0]) {
    const { behind, win, action } = selected;
    return `${t("hint.selected", { option: optionText(action), more: formatNumber(behind.value), win: formatPercent(win.value) })}${t("hint.space")}${causeSentence(options, selected)}`;
  }
  return lead === null ? t("hint.only") : explain(options);
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
  return joinSentences(hintSentence(answer, ""), t("hint.ranking", { ranking: joinTexts(ranking) }));
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
