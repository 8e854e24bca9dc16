/** @import { TableView } from "../../api/types.js" */

/**
 * The cards on a table of War.
 *
 * @typedef {object} TableCards
 * @property {number} round number of the round the cards belong to
 * @property {(number | null)[][]} cards by seat, in order of play; null for face down
 * @property {number[]} draw by seat, how many cards are in the draw pile
 * @property {number} [winner] seat that has won the round, once it is over
 * @property {boolean} war whether the revealed cards are equal
 * @property {number} wars number of wars so far
 */

/**
 * Return the cards of the open round. Between rounds, return the cards of the last round, which stay visible until the
 * next reveal.
 *
 * @param {TableView} room
 * @returns {TableCards}
 */
export function tableCards({ view }) {
  const { table, turned, draw, log, rounds, wars, due } = view;
  const counts = draw.map((/** @type {unknown[]} */ pile) => pile.length);
  if (turned.length && table[0].length) {
    const up = new Set(turned);
    const cards = table.map((/** @type {(number | null)[]} */ pile) => pile.map((card) => (card !== null && up.has(card) ? card : null)));
    return { round: rounds + 1, cards, draw: counts, war: due === "flip", wars };
  }
  const last = log.at(-1) ?? [];
  const cards = [0, 1].map((seat) => last.filter((/** @type {number} */ _, /** @type {number} */ place) => place % 2 === seat));
  return { round: rounds, cards, draw: counts, winner: winnerOf(last), war: false, wars };
}

/**
 * Return the seat that wins with the last two cards of a round, or -1 if these cards are equal or missing.
 *
 * @param {number[]} turned
 */
export function winnerOf(turned) {
  const [first, second] = turned.slice(-2).map((card) => card >> 2);
  return first === second ? undefined : first > second ? 0 : 1;
}

/**
 * Return how many cards seat 0 held after each round since the last deal; the first number is from before the first
 * round.
 *
 * @param {number[][]} log
 * @param {number} size of the deck
 * @param {number} down cards added face down in a war, per seat
 */
export function cardCounts(log, size, down) {
  const held = [size / 2];
  for (const turned of log) {
    const now = held[held.length - 1];
    const winner = winnerOf(turned);
    const most = 1 + (turned.length / 2 - 1) * (down + 1);
    if (winner === 0) held.push(now + Math.min(most, size - now));
    else held.push(winner === 1 ? now - Math.min(most, now) : now);
  }
  return held;
}
