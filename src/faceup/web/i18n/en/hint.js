/** @param {number} count */
const heads = (count) => (count === 1 ? "1 head" : `${count} heads`);

/** @type {import("../translate.js").Catalogue} */
export default {
  "hint.busy": "The coach is thinking …",
  "hint.full": ({ card, row, heads: count, chance }) => `Best: ${card}, although row ${row} is full and costs ${heads(count)}; ${chance}.`,
  "hint.low": ({ card, row, heads: count, chance }) => `Best: ${card}, lower than every row; row ${row} costs only ${heads(count)}; ${chance}.`,
  "hint.only": "You have only one option.",
  "hint.rank": "coach: rank {rank}, {more} heads more than the best, risk of taking a row {risk}",
  "hint.rank.row": "coach: rank {rank}, {more} heads more than the best",
  "hint.ranking": "Ranking by expected heads: {ranking}.",
  "hint.risk": "{percent} risk of taking a row",
  "hint.risk.none": "no risk",
  "hint.risk.sure": "it takes a row in any case",
  "hint.room": "Best: {card}, after {after} in row {row}, room for {room}; {chance}.",
  "hint.row": ({ row, card, heads: count, followers }) =>
    `Best: row ${row} for ${heads(count)}; ${["no card follows", "one card follows"][followers] ?? `${followers} cards follow`} your ${card} there this turn.`,
  "hint.row_number": "row {row}",
  "hint.safe": "Best: {card}, after {after} in row {row}, with too few cards between them; {chance}.",
  "hint.selected": "{option}: {more} heads more than the best; risk of taking a row {risk}, win chance {win}.",
  "hint.selected.row": "{option}: {more} heads more than the best; win chance {win}.",
};
