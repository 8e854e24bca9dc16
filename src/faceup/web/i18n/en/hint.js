/** @param {number} count */
const heads = (count) => (count === 1 ? "1 head" : `${count} heads`);

/** @param {number} row 0 if it differs */
const inRow = (row) => (row ? ` in row ${row}` : "");

/** @param {string} text */
const capitalize = (text) => text[0].toUpperCase() + text.slice(1);

/** @type {import("../translate.js").Catalogue} */
export default {
  "hint.best.joins": "Best: {card}, to row {row}; {chance}.",
  "hint.best.low": ({ card, row, heads: count, chance }) => `Best: ${card}, lower than every row; it takes one, mostly row ${row} (about ${heads(count)}); ${chance}.`,
  "hint.best.lower_first": "Best: {card}, lower than every row, but others play lower cards first; {chance}.",
  "hint.best.row": ({ row, heads: count }) => `Best: row ${row} for ${heads(count)}.`,
  "hint.best.sixth": "Best: {card}, although it takes a full row, mostly row {row}; {chance}.",
  "hint.busy": "The coach is thinking …",
  "hint.cause.close": ({ name, best }) => capitalize(`${name} is about as good as ${best}.`),
  "hint.cause.depends": "Whether {name} is worse than {best} depends on how the others play.",
  "hint.cause.keep": ({ card, row, better, worse }) => `If you keep ${card}, it can be one card too many${inRow(row)}: later it takes a row ${worse}, now ${better}.`,
  "hint.cause.keep_low": "If you keep {card}, it can end up lower than every row: later it takes a row {worse}, now {better}.",
  "hint.cause.low": "{card} is lower than every row: now it takes a row {worse}, later {better}.",
  "hint.cause.other": "After {name}, your {card} takes a row {worse}; after {best}, {better}.",
  "hint.cause.purpose": "Take a row on purpose: {card} takes one now {better}; if you keep it, later {worse}.",
  "hint.cause.rest": "After {name}, your other cards take more heads than after {best}.",
  "hint.cause.row": ({ name, best, price, best_price }) => capitalize(`${name} costs ${heads(price)} now, ${best} costs ${heads(best_price)}.`),
  "hint.cause.sixth": ({ card, row, better, worse }) => `${card} can be one card too many${inRow(row)}: now it takes a row ${worse}, later ${better}.`,
  "hint.cause.swap": "Better {best} now and {name} later: the two take fewer heads in this order.",
  "hint.only": "You have only one option.",
  "hint.rank": "coach: rank {rank}, {more} heads more than the best, risk of taking a row {risk}",
  "hint.rank.row": "coach: rank {rank}, {more} heads more than the best",
  "hint.ranking": "Ranking by expected heads: {ranking}.",
  "hint.risk": "{percent} risk of taking a row",
  "hint.risk.none": "no risk",
  "hint.risk.sure": "it takes a row in any case",
  "hint.row_number": "row {row}",
  "hint.selected": "{option}: {more} heads more than the best, win chance {win}.",
  "hint.space": " ",
  "hint.takes": ({ percent, heads: count }) => `in ${percent} of the cases (about ${heads(count)})`,
  "hint.takes.never": "never",
};
