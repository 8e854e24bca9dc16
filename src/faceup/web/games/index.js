/** @import { LitElement } from "../vendor/lit/index.js" */
/** @import { Sight, TableEvent } from "../live/types.js" */
/** @import { Moment } from "../table/history.js" */

/**
 * How a seat stands, as a game's element shows it: a short `score` to stand in a token ("12"), the same in `words`
 * ("12 heads"), and whether nobody stands better.
 *
 * @typedef {{score: string, words: string, leads: boolean}} Standing
 *
 * What the frame asks of the element that shows a game. It emits "choose" {action}, "unchoose", "mark" {action|null},
 * and "standing" when `standing` has changed, which is of what it shows now: never ahead of a reveal.
 *
 * @typedef {object} GameParts
 * @property {Sight | null} sight the newest
 * @property {boolean} quiet nothing can be chosen
 * @property {number} speed 1, 2, or 0: at once
 * @property {boolean} television
 * @property {(before: Sight | null, sight: Sight, events: TableEvent[], how: {jump: boolean}) => Promise<void>} tell
 *   show what happened; fulfilled when it is shown
 * @property {Moment[]} [past] what was told before somebody came, or of a replay everything, for who shows more than is seen now
 * @property {string} [drawing] where the picture of the newest sight is, for who needs it; "" is nowhere
 * @property {Standing[]} [standing] by seat
 * @property {(sight: Sight) => string | undefined} [asks] what the viewer is to do, as one sentence; the frame has a plain one
 * @property {boolean} [itself] it chooses by itself: the viewer need not be called
 * @property {boolean} [hasty] so fast that what happens on the way is not read out
 *
 * @typedef {LitElement & GameParts} GameElement
 */

/**
 * The elements that draw games, by the game's name; any other game plays with its drawing and buttons from its words.
 *
 * @type {Record<string, () => Promise<unknown>>}
 */
const ELEMENTS = {
  nimmt: () => import("./nimmt/nimmt-table.js"),
  niuniu: () => import("./niuniu/niuniu-table.js"),
  war: () => import("./war/war-table.js"),
};

/**
 * The name of the element that shows a game, defined by the time it is told.
 *
 * @param {string} game
 * @returns {Promise<string>}
 */
export async function elementFor(game) {
  const known = Object.hasOwn(ELEMENTS, game);
  await (known ? ELEMENTS[game]() : import("./any/any-table.js"));
  return known ? `${game}-table` : "any-table";
}
