import { deck, playOut, rulesOf, shuffle } from "./simulation.js";

/** @import { RandomBelow, Position, Rules } from "./simulation.js" */

/**
 * Estimated probability that seat 0 wins; a draw counts half.
 *
 * @typedef {{chance: number, error: number, games: number}} Estimate `error` is a standard error; it and `games` are 0 if
 *   the chance is known
 */

/**
 * Return whether nothing distinguishes the seats: no card has been seen, and the piles are equal.
 *
 * @param {any} view
 */
function isEven({ table, draw, members, rounds }) {
  return rounds === 0 && !table[0].length && !members[0].length && !members[1].length && draw[0].length === draw[1].length;
}

/**
 * Return the estimates without what only their errors can cause: between two rounds, a seat that has taken cards is not
 * less likely to win than before.
 *
 * @param {[number, Estimate][]} points by round, ascending
 * @param {(round: number) => number} held the number of cards of seat 0
 * @returns {[number, Estimate][]}
 */
export function withoutNoise(points, held) {
  /** @type {[number, Estimate][]} */
  const settled = [];
  for (const [round, estimate] of points) {
    const [lastRound, last] = settled.at(-1) ?? [-Infinity, estimate];
    const gained = round - lastRound <= 1 ? held(round) - held(lastRound) : 0;
    const chance = gained > 0 ? Math.max(estimate.chance, last.chance) : gained < 0 ? Math.min(estimate.chance, last.chance) : estimate.chance;
    settled.push([round, { ...estimate, chance }]);
  }
  return settled;
}

/**
 * Return a random position that agrees with what an observer knows. The observer has seen which cards went to which
 * pile, but ignores their order. So a card that was seen may be anywhere in its pile, an unseen card may be in any
 * remaining place, and all these positions are equally likely. (The order is ignored because the shuffle decides War.
 * An observer who knew the order would soon know the result.)
 *
 * @param {Rules} rules
 * @param {any} view
 * @param {RandomBelow} below
 * @returns {Position}
 */
export function samplePosition(rules, view, below) {
  const { table, draw, members, rounds, redeals } = view;
  /** @type {number[][]} */
  const piles = [0, 1].map((seat) => {
    const seatCards = new Set([...members[seat], ...draw[seat]]);
    for (const card of table[seat]) seatCards.delete(card);
    seatCards.delete(/** @type {any} */ (null));
    return [...seatCards];
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
 * Estimate the win chance by simulating games from sampled positions, until the time is up or all games are played.
 *
 * @param {any} view at a time when both seats are to flip
 * @param {Record<string, any>} options
 * @param {{games: number, milliseconds: number, below?: RandomBelow}} until
 * @returns {Estimate}
 */
export function estimateWinChance(view, options, { games, milliseconds, below = (n) => Math.floor(Math.random() * n) }) {
  if (isEven(view)) return { chance: 0.5, error: 0, games: 0 };
  const rules = rulesOf(options);
  const end = performance.now() + milliseconds;
  let [won, squares, played] = [0, 0, 0];
  do {
    const { winner } = playOut(rules, samplePosition(rules, view, below), below);
    const part = winner < 0 ? 0.5 : 1 - winner;
    won += part;
    squares += part * part;
    played += 1;
  } while (played < games && (played % 8 || performance.now() < end));
  const mean = won / played;
  // Add one win and one loss, so that no estimate is certain.
  const spread = Math.max(squares / played - mean * mean, 1 / (played + 2));
  return { chance: mean, error: Math.sqrt(spread / played), games: played };
}
