/** @type {import("../translate.js").Catalogue} */
export default {
  "result.best_hand": "Best hand: {hand}",
  "result.best_hand.who": "{name}, throw {number}",
  "result.no_heads": "not a single head",
  "result.own": "You are number {place} of {of}",
};
