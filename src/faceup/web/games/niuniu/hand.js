/**
 * What five dice are worth, as `faceup.games.niuniu.hand` says it; the places are those of the dice in the throw.
 *
 * @typedef {object} Hand
 * @property {number} points 0 without Niu, 1 to 9, or 10 for Niu Niu
 * @property {number[]} triple the places of the three that make the Niu; none without
 * @property {number[]} rest the places of the other two; none without
 * @property {number} statistics
 */

const PLACES = [0, 1, 2, 3, 4];

/**
 * @param {number[]} dice
 * @param {number} [baozi] how many alike make one
 * @returns {Hand}
 */
export function score(dice, baozi = 3) {
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
