import { score } from "./hand.js";

/**
 * Exact chances, for any dice.
 *
 * @typedef {object} Odds
 * @property {number[]} points the chance of each number of points, 0 to 10
 * @property {number[]} below the chance that a hand has fewer points than this, 0 to 10
 */

/**
 * Count all hands. Points depend on what remains of each die when tens are taken away, so hands are counted by that:
 * 2,002 kinds at most (`faceup.games.niuniu.counting` does the same, and the tests compare).
 *
 * @param {number} faces
 * @returns {Odds}
 */
export function odds(faces) {
  const widths = Array.from({ length: 10 }, (_, rest) => Math.floor((faces - rest) / 10) + (rest > 0 ? 1 : 0));
  const counts = Array(11).fill(0);
  /** @type {(from: number, kind: number[], hands: number) => void} */
  const count = (from, kind, hands) => {
    if (kind.length === 5) {
      counts[score(kind).points] += hands * orders(kind);
      return;
    }
    for (let rest = from; rest < 10; rest += 1) {
      if (widths[rest]) count(rest, [...kind, rest], hands * widths[rest]);
    }
  };
  count(0, [], 1);
  const points = counts.map((each) => each / faces ** 5);
  return { points, below: points.map((_, most) => points.slice(0, most).reduce((total, each) => total + each, 0)) };
}

/**
 * In how many orders these can fall.
 *
 * @param {number[]} kind ascending
 */
function orders(kind) {
  let [found, alike] = [120, 1];
  for (let place = 1; place < kind.length; place += 1) {
    alike = kind[place] === kind[place - 1] ? alike + 1 : 1;
    found /= alike;
  }
  return found;
}

/**
 * The chance that a given one of so many seats wins a throw, and that nobody does.
 *
 * @param {Odds} found
 * @param {number} seats
 */
export function battle({ points, below }, seats) {
  const win = points.reduce((total, chance, most) => total + chance * below[most] ** (seats - 1), 0);
  return { win, draw: 1 - seats * win };
}
