import { total } from "../../art/heads.js";

/** @param {number} count */
const heads = (count) => (count === 1 ? "1 head" : `${count} heads`);

/** @type {import("../translate.js").Catalogue} */
export default {
  "nimmt.rows": "Rows",
  "nimmt.hand": "Your hand",
  "nimmt.row": ({ row, cards, left, heads: sum }) =>
    `Row ${row}: ${cards}. ${heads(sum)}; ${left ? `room for ${left}` : "full: the next card takes it"}.`,
  "nimmt.card": ({ card, heads: count, chosen }) => `${card}, ${heads(count)}${chosen ? ", chosen" : ""}`,
  "nimmt.heads": ({ heads: count }) => heads(count),
  "nimmt.deal": ({ deal, of }) => (of ? `Deal ${deal}/${of}` : `Deal ${deal}`),
  "nimmt.turn": "Turn {turn}/{of}",
  "nimmt.leads": ({ count, names, heads: fewest }) =>
    `${count > 2 ? `${count} players` : names} ${count === 1 ? "leads" : "lead"} (fewest heads: ${fewest})`,
  "nimmt.leads.me": "You lead (fewest heads: {heads})",
  "nimmt.leads.us": ({ count, names, heads: fewest }) =>
    `You and ${count > 2 ? `${count - 1} others` : names} lead (fewest heads: ${fewest})`,
  "nimmt.shuffling": "Shuffling …",
  "nimmt.choose": "Choose a card.",
  "nimmt.waiting_for_row": "{name} is choosing a row to take.",
  "nimmt.choose_row": "Your {card} is lower than every row. Choose a row to take.",
  "nimmt.would.fit": "Preview: {card} goes to row {row}, after {after}.",
  "nimmt.would.take": ({ card, row, heads: count }) => `Preview: ${card} does not fit in row ${row}, and you take ${heads(count)}.`,
  "nimmt.would.low": "Preview: {card} is lower than every row, and you take a row of your choice.",
  "nimmt.would.row": ({ row, heads: count }) => `Row ${row} costs you ${heads(count)}.`,
  "nimmt.tap.play": "Play",
  "nimmt.play": "Play {card}",
  "nimmt.play_instead": "Play {card} instead",
  "nimmt.undo": "Undo",
  "nimmt.take": "Take row {row}",
  "nimmt.row_taken": ({ name, heads: sum, chosen }) => (chosen ? `${name} chose this row: ${heads(sum)}` : `${name} took ${heads(sum)}`),
  "nimmt.deal_over": "Deal {deal} is over",
  "nimmt.hint": "Hint",
  "nimmt.keys.hint": "show or hide a hint",
  "nimmt.keys.move": "move through your hand",
  "nimmt.keys.enter": "select a card; again to play it",
  "nimmt.keys.escape": "undo",
  "nimmt.keys.rows": "choose the row to take",
  "nimmt.event.dealt": ({ name, hand }) => `${name} gets ${hand.join(" ")}.`,
  "nimmt.event.opened": ({ deal, cards: first }) => `${deal > 1 ? `Deal ${deal}: the` : "The"} rows start with ${first.join(" ")}.`,
  "nimmt.event.revealed": ({ names, plays }) =>
    `Revealed: ${plays.flatMap((/** @type {number} */ card, /** @type {number} */ seat) => (card ? [`${names[seat]} ${card}`] : [])).join(", ")}.`,
  "nimmt.event.placed": ({ name, card, row }) => `${name}: ${card} goes to row ${row + 1}.`,
  "nimmt.event.took": ({ name, card, row, chosen, cards: taken }) =>
    `${name}: ${card} ${chosen ? "is lower than every row" : `does not fit in row ${row + 1}`}. ${name} takes ${taken.join(" ")}: ${heads(total(taken))}.`,
  "nimmt.shows.revealed": "The cards are face up.",
  "nimmt.shows.placed": ({ card, row }) => `${card} goes to row ${row + 1}.`,
  "nimmt.shows.took": ({ name, card, row, chosen, cards: taken }) =>
    `${card} ${chosen ? "is lower than every row" : `does not fit in row ${row + 1}`}: ${name} takes ${heads(total(taken))}.`,
  "nimmt.event.out": ({ who, seats }) => `${who} ${seats.length === 1 ? "is" : "are"} out.`,
  "nimmt.event.set_aside": "{name}: {card} is set aside and counts for no one.",
  "nimmt.event.deal_over": ({ names, heads: deal, match }) =>
    `The deal is over. ${names.map((/** @type {string} */ name, /** @type {number} */ seat) => `${name} ${deal[seat] === match[seat] ? "" : `+${deal[seat]}: `}${match[seat]}`).join(", ")}.`,
  "nimmt.event.won": ({ who, seats }) =>
    seats.length === 1 ? `${who} wins with the fewest heads.` : `${who} share the win.`,
  "nimmt.event.took.me": ({ card, row, chosen, cards: taken }) =>
    `Your ${card} ${chosen ? "is lower than every row" : `does not fit in row ${row + 1}`}. You take ${taken.join(" ")}: ${heads(total(taken))}.`,
  "nimmt.shows.took.me": ({ card, row, chosen, cards: taken }) =>
    `${card} ${chosen ? "is lower than every row" : `does not fit in row ${row + 1}`}: you take ${heads(total(taken))}.`,
  "nimmt.event.out.me": "You are out.",
  "nimmt.event.won.me": "You win with the fewest heads.",
  "nimmt.event.dealt.me": ({ hand }) => `You get ${hand.join(" ")}.`,
  "nimmt.event.placed.me": ({ card, row }) => `Your ${card} goes to row ${row + 1}.`,
  "nimmt.event.set_aside.me": "Your {card} is set aside and counts for no one.",
  "nimmt.event.out.us": ({ others }) => `You and ${others} are out.`,
  "nimmt.event.won.us": ({ others }) => `You share the win with ${others}.`,
};
