
/**
 * Return `target` with a JSON merge patch (RFC 7396) applied. Neither argument is modified.
 *
 * @param {any} target
 * @param {any} patch
 * @returns {any}
 */
export function applyPatch(target, patch) {
  if (!isObject(patch)) return patch;
  const result = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = applyPatch(result[name], value);
  }
  return result;
}

/** @param {any} value */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @import { Update, TableView, TableEvent, Snapshot } from "./types.js" */

/**
 * The state of a stream, which is the last snapshot with all later updates applied. It does not depend on the game.
 *
 * @typedef {object} StreamState
 * @property {number} v version: number of the last line; 0 before the first
 * @property {number} at time of the last line, in milliseconds since the table was created
 * @property {TableView | null} room
 */

/** @type {StreamState} */
export const EMPTY_STATE = { v: 0, at: 0, room: null };

/**
 * Return the state after one more line. Throws a RangeError if lines between the state and this line are missing.
 *
 * @param {StreamState} state
 * @param {Snapshot | Update} line
 * @returns {StreamState}
 */
export function applyUpdate(state, line) {
  if ("room" in line) return { v: line.v, at: line.at, room: line.room };
  if (line.v !== state.v + 1) throw new RangeError(`line ${line.v} came after line ${state.v}`);
  const room = applyPatch(state.room, line.patch);
  return { v: line.v, at: line.at, room: line.append ? appendGrown(room, line.append) : room };
}

/**
 * Return `target` with the items of `append` added to its lists, because the server sends only the new items of lists.
 *
 * @param {any} target
 * @param {any} append
 * @returns {any}
 */
function appendGrown(target, append) {
  if (Array.isArray(append)) return [...target, ...append];
  const more = Object.entries(append).map(([name, value]) => [name, appendGrown(target[name], value)]);
  return { ...target, ...Object.fromEntries(more) };
}
