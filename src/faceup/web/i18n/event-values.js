import { total } from "../art/heads.js";
import { capitalize, formatList } from "./format.js";
import { personName } from "./players.js";
import { t } from "./translate.js";

/** @import { TableEvent } from "../api/types.js" */

const RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const SUITS = ["clubs", "diamonds", "hearts", "spades"];

/**
 * The values of sentences about an event that are not members of the event, by "GAME.EVENT" or "table.EVENT".
 *
 * @type {Record<string, (event: TableEvent, names: string[], viewer?: number) => Record<string, any>>}
 */
const VALUES = {
  "nimmt.dealt": ({ hand }) => ({ cards: hand.join(" ") }),
  "nimmt.opened": ({ deal, cards }) => ({ cards: cards.join(" "), context: deal > 1 ? "" : "first" }),
  "nimmt.revealed": ({ plays }, names) => ({ cards: listed(plays.flatMap((/** @type {number} */ card, /** @type {number} */ seat) => (card ? [`${names[seat]} ${card}`] : []))) }),
  "nimmt.placed": ({ row }) => ({ row: row + 1 }),
  "nimmt.took": ({ row, cards, chosen }) => ({ row: row + 1, cards: cards.join(" "), heads: t("nimmt.heads", { count: total(cards) }), context: chosen ? "chosen" : "" }),
  "nimmt.out": ({ seats }) => ({ count: seats.length }),
  "nimmt.won": ({ seats }) => ({ context: seats.length > 1 ? "shared" : "" }),
  "nimmt.deal_over": ({ heads, match }, names) => ({
    scores: listed(names.map((name, seat) => t("nimmt.event.deal_over.score", { name, deal: heads[seat], match: match[seat], context: heads[seat] === match[seat] ? "" : "added" }))),
  }),
  "niuniu.match_won": ({ seats, won, drawn }) => ({ score: t("niuniu.decided", { count: won, drawn, context: drawn ? "drawn" : "" }), context: seats.length > 1 ? "shared" : "" }),
  "niuniu.threw": ({ dice, hand: { points, triple, rest } }) => ({
    dice: dice.join(" "),
    hand: t(`niuniu.hand.${points}`),
    ...(triple?.length ? { triple: sum(triple), rest: sum(rest), context: "niu" } : {}),
  }),
  "niuniu.throw_drawn": ({ name }) => ({ hand: handName(name) }),
  "niuniu.throw_won": ({ name }) => ({ hand: handName(name) }),
  "war.dealt": ({ each, redeal }, names, viewer) => {
    const [first, second] = names.map((name, seat) => (seat === viewer ? t("war.event.dealt.you") : name));
    return { count: each, first, second, context: redeal ? "again" : "" };
  },
  "war.drawn": ({ rounds }) => ({ count: rounds }),
  "war.reshuffled": ({ rounds }) => ({ count: rounds }),
  "war.sudden_death": ({ rounds }) => ({ count: rounds }),
  "war.won": ({ rounds, by }) => ({ count: rounds, context: by.replace(" ", "_") }),
  "war.turned": ({ cards, added }, names, viewer) => {
    const [first, second] = names.map((name, seat) => turned(name, cards[seat], added[seat], seat === viewer));
    const [rank, other] = cards.map((/** @type {number} */ card) => rankName(card >> 2));
    return { first: capitalize(first), second, rank: capitalize(rank), other };
  },
  "table.deadline_extended": ({ by }) => ({ seconds: Math.max(1, Math.round(by / 1000)) }),
  "table.host_changed": ({ seat }) => ({ context: isAbsent(seat) ? "none" : "" }),
  "table.pace_changed": ({ times }) => ({ context: times ? (times === 2 ? "double" : "") : "unlimited" }),
  "table.bot_vote": ({ idle }, names) => ({ player: names[idle] }),
  "table.rematch_created": ({ seat }) => ({ context: isAbsent(seat) ? "none" : "" }),
  "table.pledges_listed": ({ seats }) => ({ context: seats?.length ? "" : "none" }),
  "table.reaction": ({ reaction, to, card }, names, viewer) => ({
    words: t(`table.react.${reaction}`),
    to: to === viewer ? t("table.event.reaction.you") : names[to],
    context: [isAbsent(to) || "to", isAbsent(card) || "card"].filter((part) => part !== true).join("_"),
  }),
  "table.renamed": ({ before }) => ({ before: personName(before) }),
  "table.seat_released": ({ seat }) => ({ number: seat + 1 }),
};

/**
 * Return the values of sentences about an event: its members, `name` (the name of its seat), `who` (the names of its seats
 * as a list), `others` (the same without the viewer), and those that its kind needs.
 *
 * @param {string} game
 * @param {TableEvent} event
 * @param {string[]} names by seat
 * @param {number} [viewer] the viewer's seat
 * @returns {Record<string, any>}
 */
export function eventValues(game, event, names, viewer) {
  /** @param {number[]} seats */
  const nameList = (seats) => formatList(seats.map((seat) => names[seat]));
  const who = event.seats && nameList(event.seats);
  const others = event.seats && nameList(event.seats.filter((/** @type {number} */ seat) => seat !== viewer));
  const special = VALUES[`${game}.${event.event}`] ?? VALUES[`table.${event.event}`];
  return { ...event, name: names[event.seat], who, others, ...special?.(event, names, viewer) };
}

/** Return the name of a rank of cards. @param {number} rank 0 for two, 12 for ace */
export function rankName(rank) {
  return t(`war.rank.${RANKS[rank]}`);
}

/** Return the name of a card. @param {number} card */
export function cardName(card) {
  return t("war.card", { rank: rankName(card >> 2), suit: t(`war.suit.${SUITS[card & 3]}`), context: RANKS[card >> 2] });
}

/**
 * @param {string} name
 * @param {number} card
 * @param {number} added cards that the player adds, 0 if the last card counts again
 * @param {boolean} isViewer
 */
function turned(name, card, added, isViewer) {
  const context = added === 0 ? "again" : added > 1 ? "down" : "";
  return t(isViewer ? "war.turned.me" : "war.turned", { name, card: cardName(card), count: added - 1, context });
}

/** Return the name of a hand of dice in the language. @param {string} name as the server has it: "Niu 8" */
function handName(name) {
  return t(`niuniu.hand.${name === "Niu Niu" ? 10 : Number(name.replace(/\D/g, ""))}`);
}

/** @param {number[]} dice */
function sum(dice) {
  return t("niuniu.sum", { dice: dice.join(" + "), sum: dice.reduce((total, die) => total + die, 0) });
}

/** @param {string[]} texts */
function listed(texts) {
  return texts.join(t("table.separator"));
}

/** @param {unknown} value */
function isAbsent(value) {
  return value === undefined || value === null;
}
