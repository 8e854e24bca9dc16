/** @import { Sight } from "../../live/types.js" */

/**
 * What lies on a table of War.
 *
 * @typedef {object} Laid
 * @property {number} round which one the cards belong to, so that those of another are other cards
 * @property {(number | null)[][]} cards by seat, in the order played; null lies face down
 * @property {number[]} draw by seat, how many cards are in the draw pile
 * @property {number} [winner] whose seat has won the round, once it is over
 * @property {boolean} war the cards that are up are equal
 * @property {number} wars how often they have been
 */

/**
 * What lies there at a sight: the open round's cards; else those of the last one, which are collected but may be looked at
 * until the next ones are turned up.
 *
 * @param {Sight} sight
 * @returns {Laid}
 */
export function laid({ view }) {
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
 * The seat that a round's last two cards decide for; nobody's if they are equal, or there are none.
 *
 * @param {number[]} turned
 */
export function winnerOf(turned) {
  const [one, other] = turned.slice(-2).map((card) => card >> 2);
  return one === other ? undefined : one > other ? 0 : 1;
}

/**
 * How many cards seat 0 held after each round since the last deal, as the rounds' cards tell; the first is before any.
 *
 * @param {number[][]} log
 * @param {number} size of the deck
 * @param {number} down cards that each adds face down
 */
export function holdings(log, size, down) {
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
