// The rules of War as in `faceup.games.war`, but without events and texts, so that many games can be simulated. The
// tests play the same games with the two implementations and compare the results.

/**
 * @typedef {object} Rules
 * @property {"winner_first" | "loser_first" | "shuffled"} collect
 * @property {number} reshuffle
 * @property {number} cap
 * @property {boolean} sudden_death
 * @property {boolean} redeal
 * @property {number} per_suit
 * @property {number} suits
 * @property {number} down
 *
 * @typedef {object} Position
 * @property {number[][]} cards by seat: first those on the table in order of play, then the draw pile from the top
 * @property {number[]} played by seat, the number of its cards that are on the table
 * @property {number} rounds number of finished rounds
 * @property {number} redeals
 *
 * @typedef {(n: number) => number} RandomBelow uniform random integer from 0 to n - 1
 */

/** @type {Rules} */
const DEFAULTS = { collect: "winner_first", reshuffle: 100, cap: 5000, sudden_death: true, redeal: true, per_suit: 13, suits: 4, down: 3 };
const REDEALS = 100;

/**
 * Return the rules of a table.
 *
 * @param {Record<string, any>} options options set at the table
 * @returns {Rules}
 */
export function rulesOf(options) {
  return { ...DEFAULTS, ...options };
}

/** @param {Rules} rules */
export function deck({ per_suit, suits }) {
  return Array.from({ length: per_suit * suits }, (_, card) => Math.floor(card / suits) * 4 + (card % suits));
}

/**
 * Shuffle the cards in place.
 *
 * @param {number[]} cards
 * @param {RandomBelow} below
 */
export function shuffle(cards, below) {
  for (let left = cards.length; left > 1; left -= 1) {
    const other = below(left);
    [cards[left - 1], cards[other]] = [cards[other], cards[left - 1]];
  }
  return cards;
}

/**
 * Play a game from a position to its end.
 *
 * @param {Rules} rules
 * @param {Position} position
 * @param {RandomBelow} below
 * @returns {{winner: number, rounds: number}} the winner's seat, -1 for a draw; total rounds
 */
export function playOut(rules, position, below) {
  let [firstPile, secondPile] = position.cards.map((pile) => [...pile]);
  let [p, q] = position.played;
  let { rounds, redeals } = position;
  for (;;) {
    // A player with too few cards adds all remaining cards. If a player has no cards left, the last card counts again.
    p = p ? Math.min(p + rules.down + 1, firstPile.length) : 1;
    q = q ? Math.min(q + rules.down + 1, secondPile.length) : 1;
    const by = (firstPile[p - 1] >> 2) - (secondPile[q - 1] >> 2);
    if (by === 0 && (p < firstPile.length || q < secondPile.length)) continue;
    rounds += 1;
    if (by === 0) {
      if (!rules.redeal || redeals >= REDEALS || (rounds >= rules.cap && !rules.sudden_death)) return { winner: -1, rounds };
      redeals += 1;
      const all = shuffle([...firstPile, ...secondPile], below);
      [firstPile, secondPile] = [all.slice(0, all.length / 2), all.slice(all.length / 2)];
      p = q = 0;
      continue;
    }
    const [first, second] = [firstPile.splice(0, p), secondPile.splice(0, q)];
    const winnerFirst = rules.collect !== "loser_first";
    const taken = by > 0 === winnerFirst ? first.concat(second) : second.concat(first);
    if (rules.collect === "shuffled") shuffle(taken, below);
    (by > 0 ? firstPile : secondPile).push(...taken);
    p = q = 0;
    const winner = by > 0 ? 0 : 1;
    if (!firstPile.length || !secondPile.length || rounds > rules.cap) return { winner, rounds };
    if (rounds === rules.cap) {
      if (firstPile.length !== secondPile.length) return { winner: firstPile.length > secondPile.length ? 0 : 1, rounds };
      if (!rules.sudden_death) return { winner: -1, rounds };
    } else if (rules.reshuffle && rounds % rules.reshuffle === 0) {
      shuffle(firstPile, below);
      shuffle(secondPile, below);
    }
  }
}
