const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
/** @type {Record<string, string>} */
const SUFFIXES = { one: "st", two: "nd", few: "rd", other: "th" };
/** @param {number} place */
const ordinal = (place) => `${place}${SUFFIXES[ORDINALS.select(place)]}`;

/** @type {import("../translate.js").Catalogue} */
export default {
  "result.best_hand": "Best hand: {hand}",
  "result.best_hand.who": "{name}, throw {number}",
  "result.no_heads": "not a single head",
  "result.own": ({ place, of }) => `You came ${ordinal(place)} of ${of}`,
  "result.nearly.row": "One row cost you the win: {heads}.",
  "result.nearly.close": "{heads} more than the winner: that was close.",
  "result.nearly.throw": "You were one throw behind.",
  "result.nearly.sudden_death": "The last round decided it.",
};
