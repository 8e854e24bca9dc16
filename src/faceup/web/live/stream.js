import { patched } from "./patch.js";

/** @import { Message, Sight, TableEvent, Whole } from "./types.js" */

/**
 * What a viewer has been told so far: the fold of its lines. It knows no game.
 *
 * @typedef {object} Fold
 * @property {number} v the number of the last line; 0 before the first
 * @property {number} at when that happened, in milliseconds since the room was opened
 * @property {Sight | null} sight
 */

/** @type {Fold} */
export const NOTHING = { v: 0, at: 0, sight: null };

/**
 * The fold with one more line. Throws a RangeError where a line is missing before it, which no server does.
 *
 * @param {Fold} fold
 * @param {Whole | Message} line
 * @returns {Fold}
 */
export function folded(fold, line) {
  if ("sight" in line) return { v: line.v, at: line.at, sight: line.sight };
  if (line.v !== fold.v + 1) throw new RangeError(`line ${line.v} came after line ${fold.v}`);
  const sight = patched(fold.sight, line.patch);
  return { v: line.v, at: line.at, sight: line.grown ? longer(sight, line.grown) : sight };
}

/**
 * With more at the end of those lists that `grown` names: so what only gets longer is never sent whole again.
 *
 * @param {any} target
 * @param {any} grown
 * @returns {any}
 */
function longer(target, grown) {
  if (Array.isArray(grown)) return [...target, ...grown];
  const more = Object.entries(grown).map(([name, value]) => [name, longer(target[name], value)]);
  return { ...target, ...Object.fromEntries(more) };
}
