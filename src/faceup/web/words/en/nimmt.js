import { total } from "../../art/heads.js";

/** @param {string[]} names */
const list = (names) => new Intl.ListFormat("en").format(names); // made when it is needed: it takes long

/** @param {number} count */
const heads = (count) => (count === 1 ? "1 head" : `${count} heads`);

/** @type {import("../say.js").Catalogue} */
export default {
  "nimmt.rows": "Rows",
  "nimmt.hand": "Your hand",
  "nimmt.row": ({ row, cards, left, heads: sum }) =>
    `Row ${row}: ${cards}. ${heads(sum)}; ${left ? `room for ${left}` : "full: the next card takes it"}.`,
  "nimmt.card": ({ card, heads: count, chosen }) => `${card}, ${heads(count)}${chosen ? ", chosen" : ""}`,
  "nimmt.heads": ({ heads: count }) => heads(count),
  "nimmt.deal": ({ deal, of }) => (of ? `Deal ${deal}/${of}` : `Deal ${deal}`),
  "nimmt.turn": "Turn {turn}/{of}",
  "nimmt.leads": ({ names, heads: count }) =>
    `${names.length > 2 ? names.length : list(names)} ${names.length === 1 ? "leads" : "lead"} (fewest heads: ${count})`,
  "nimmt.shuffling": "The cards are being shuffled.",
  "nimmt.choose": "Choose a card.",
  "nimmt.waits": "{name} is choosing a row to take.",
  "nimmt.below": "Your {card} is below every row: choose one to take.",
  "nimmt.would.fit": "As it stands, {card} goes to row {row}, after {after}.",
  "nimmt.would.take": ({ card, row, heads: count }) => `As it stands, ${card} is one too many for row ${row}: you take ${heads(count)}.`,
  "nimmt.would.low": "As it stands, {card} is below every row: you take one of your choice.",
  "nimmt.would.row": ({ row, heads: count }) => `Row ${row} costs you ${heads(count)}.`,
  "nimmt.tap.play": "Play",
  "nimmt.tap.back": "Undo",
  "nimmt.play": "Play {card}",
  "nimmt.instead": "Play {card} instead",
  "nimmt.back": "Take back",
  "nimmt.take": "Take row {row}",
  "nimmt.taking": ({ name, heads: sum, chosen }) => (chosen ? `${name} chose this row: ${heads(sum)}` : `${name} took ${heads(sum)}`),
  "nimmt.over": "Deal {deal} is over",
  "nimmt.keys.move": "along your hand",
  "nimmt.keys.enter": "mark a card, and again: play it",
  "nimmt.keys.escape": "take it back",
  "nimmt.keys.rows": "choose the row that you take",
  "nimmt.event.dealt": ({ name, hand }) => `${name} gets ${hand.join(" ")}.`,
  "nimmt.event.opened": ({ deal, cards: first }) => `Deal ${deal}: the rows begin with ${first.join(" ")}.`,
  "nimmt.event.revealed": ({ names, plays }) =>
    `Face up: ${plays.flatMap((/** @type {number} */ card, /** @type {number} */ seat) => (card ? [`${names[seat]} ${card}`] : [])).join(", ")}.`,
  "nimmt.event.placed": ({ name, card, row }) => `${name}: ${card} goes to row ${row + 1}.`,
  "nimmt.event.took": ({ name, card, row, chosen, cards: taken }) =>
    `${name}: ${card} ${chosen ? "is below every row" : `is one too many for row ${row + 1}`}. ${name} takes ${taken.join(" ")}: ${heads(total(taken))}.`,
  "nimmt.event.out": ({ names, seats }) =>
    `${list(seats.map((/** @type {number} */ seat) => names[seat]))} ${seats.length === 1 ? "is" : "are"} out.`,
  "nimmt.event.set_aside": "{name}: {card} is set aside, and counts for nobody.",
  "nimmt.event.deal_over": ({ names, heads: deal, match }) =>
    `The deal is over. ${names.map((/** @type {string} */ name, /** @type {number} */ seat) => `${name} ${deal[seat] === match[seat] ? "" : `+${deal[seat]}: `}${match[seat]}`).join(", ")}.`,
  "nimmt.event.won": ({ names, seats }) =>
    seats.length === 1 ? `${names[seats[0]]} wins with the fewest heads.` : `${list(seats.map((/** @type {number} */ seat) => names[seat]))} share the win.`,
};
