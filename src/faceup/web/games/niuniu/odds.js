import { scoreHand } from "./hand.js";

/**
 * Exact odds, for any dice.
 *
 * @typedef {object} Odds
 * @property {number[]} points probability of each number of points, 0 to 10
 * @property {number[]} below probability that a hand has fewer points than 0, 1 and so on to 10
 */

/**
 * Return the odds by counting all hands. Points depend on the dice modulo ten, so hands with equal remainders are
 * counted together, which leaves at most 2,002 kinds. `faceup.games.niuniu.hand` counts in the same way, and the tests
 * compare the results.
 *
 * @param {number} faces
 * @returns {Odds}
 */
export function handOdds(faces) {
  const widths = Array.from({ length: 10 }, (_, rest) => Math.floor((faces - rest) / 10) + (rest > 0 ? 1 : 0));
  const counts = Array(11).fill(0);
  /** @type {(from: number, kind: number[], hands: number) => void} */
  const count = (from, kind, hands) => {
    if (kind.length === 5) {
      counts[scoreHand(kind).points] += hands * permutations(kind);
      return;
    }
    for (let rest = from; rest < 10; rest += 1) {
      if (widths[rest]) count(rest, [...kind, rest], hands * widths[rest]);
    }
  };
  count(0, [], 1);
  const points = counts.map((count) => count / faces ** 5);
  return { points, below: points.map((_, most) => points.slice(0, most).reduce((total, chance) => total + chance, 0)) };
}

/**
 * Return the number of permutations of these dice.
 *
 * @param {number[]} kind ascending
 */
function permutations(kind) {
  let [count, alike] = [120, 1];
  for (let place = 1; place < kind.length; place += 1) {
    alike = kind[place] === kind[place - 1] ? alike + 1 : 1;
    count /= alike;
  }
  return count;
}

/**
 * Return the probabilities that a seat wins, draws and loses a throw.
 *
 * @param {Odds} odds
 * @param {number} seats
 */
export function battleOdds({ points, below }, seats) {
  const win = points.reduce((total, chance, most) => total + chance * below[most] ** (seats - 1), 0);
  const first = points.reduce((total, chance, most) => total + chance * (below[most] + chance) ** (seats - 1), 0);
  return { win, draw: first - win, lose: 1 - first };
}
