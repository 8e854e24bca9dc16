/**
 * The value of five dice, as in `faceup.games.niuniu.hand`. A place is the position of a die in the throw, from 0.
 *
 * @typedef {object} Hand
 * @property {number} points 0 without a Niu, 1 to 9 with a Niu, or 10 for Niu Niu
 * @property {number[]} triple places of the three dice that make the Niu; empty without a Niu
 * @property {number[]} rest places of the other two dice; empty without a Niu
 * @property {number} statistics
 */

const PLACES = [0, 1, 2, 3, 4];

/**
 * @param {number[]} dice
 * @param {number} [baozi] number of equal dice that make a baozi
 * @returns {Hand}
 */
export function scoreHand(dice, baozi = 3) {
  /** @type {number[]} */
  let triple = [];
  let most = -1;
  for (const a of PLACES) {
    for (let b = a + 1; b < 5; b += 1) {
      for (let c = b + 1; c < 5; c += 1) {
        const left = sum(dice, PLACES.filter((place) => place !== a && place !== b && place !== c));
        if ((dice[a] + dice[b] + dice[c]) % 10 || left <= most) continue;
        triple = [a, b, c];
        most = left;
      }
    }
  }
  const rest = triple.length ? PLACES.filter((place) => !triple.includes(place)) : [];
  const points = triple.length ? most % 10 || 10 : 0;
  return { points, triple, rest, statistics: statistics(dice, points, baozi) };
}

/**
 * @param {number[]} dice
 * @param {number[]} places
 */
export function sum(dice, places) {
  return places.reduce((total, place) => total + dice[place], 0);
}

/**
 * @param {number[]} dice
 * @param {number} points
 * @param {number} baozi
 */
function statistics(dice, points, baozi) {
  if (dice.some((die) => dice.filter((other) => other === die).length >= baozi)) return 5;
  if (points === 10) return 3;
  if (points >= 7) return 2;
  return points ? 1 : 0;
}
