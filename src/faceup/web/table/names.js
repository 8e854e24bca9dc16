import { language, say } from "../words/say.js";

/** @import { Sight } from "../live/types.js" */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Who sits in a seat, to be put into a sentence: a name that is written from right to left stays within itself.
 *
 * @param {Sight} sight
 * @param {number} seat
 */
export function nameOf(sight, seat) {
  const name = sight.seats[seat]?.name ?? say("table.seat", { number: seat + 1 });
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** @param {Sight} sight */
export function namesOf(sight) {
  return sight.seats.map((_, seat) => nameOf(sight, seat));
}

/** @param {string[]} words */
export function inList(words) {
  return new Intl.ListFormat(language(), { type: "conjunction" }).format(words);
}
