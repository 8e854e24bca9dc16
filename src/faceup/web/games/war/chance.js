import { deck, play, rulesOf, shuffle } from "./play.js";

/** @import { Below, Position, Rules } from "./play.js" */

/**
 * The chance that seat 0 wins, a draw counted half.
 *
 * @typedef {{chance: number, error: number, games: number}} Estimate `error` is a standard error
 */

/**
 * A position that fits what somebody knows who has watched which cards went to which pile, and keeps no order in mind:
 * every card that was seen lies anywhere in its pile, and those that nobody has seen lie anywhere else, all positions
 * equally likely. (Whoever keeps the order, too, soon knows how the game ends: War is decided by the shuffle.)
 *
 * @param {Rules} rules
 * @param {any} view
 * @param {Below} below
 * @returns {Position}
 */
export function imagined(rules, view, below) {
  const { table, draw, members, rounds, redeals } = view;
  /** @type {number[][]} */
  const piles = [0, 1].map((seat) => {
    const known = new Set([...members[seat], ...draw[seat]]);
    for (const card of table[seat]) known.delete(card);
    known.delete(/** @type {any} */ (null));
    return [...known];
  });
  const seen = new Set([...piles[0], ...piles[1], ...table[0], ...table[1]]);
  const unseen = shuffle(deck(rules).filter((card) => !seen.has(card)), below);
  const cards = [0, 1].map((seat) => {
    const hidden = table[seat].filter((/** @type {number | null} */ card) => card === null).length;
    const room = hidden + draw[seat].length - piles[seat].length;
    const pool = shuffle([...piles[seat], ...unseen.splice(0, room)], below);
    const down = pool.splice(0, hidden);
    return [...table[seat].map((/** @type {number | null} */ card) => card ?? down.pop()), ...pool];
  });
  return { cards, played: [table[0].length, table[1].length], rounds, redeals };
}

/**
 * Play on from such positions until the time is up or there have been enough.
 *
 * @param {any} view both seats are to flip
 * @param {Record<string, any>} options
 * @param {{games: number, milliseconds: number, below?: Below}} until
 * @returns {Estimate}
 */
export function chance(view, options, { games, milliseconds, below = (n) => Math.floor(Math.random() * n) }) {
  const rules = rulesOf(options);
  const end = performance.now() + milliseconds;
  let [won, squares, played] = [0, 0, 0];
  do {
    const { winner } = play(rules, imagined(rules, view, below), below);
    const part = winner < 0 ? 0.5 : 1 - winner;
    won += part;
    squares += part * part;
    played += 1;
  } while (played < games && (played % 8 || performance.now() < end));
  const mean = won / played;
  // As if one more game of each kind had been seen, so that no estimate calls itself certain.
  const spread = Math.max(squares / played - mean * mean, 1 / (played + 2));
  return { chance: mean, error: Math.sqrt(spread / played), games: played };
}
