import { request } from "./http.js";

/**
 * @typedef {object} Variant
 * @property {string} name
 * @property {string} title
 * @property {string} summary
 * @property {[number, number]} seats
 * @property {number | null} clock seconds
 * @property {Record<string, any>} options
 *
 * @typedef {object} Game an entry of `/api/games`
 * @property {string} name
 * @property {string} title
 * @property {string} summary
 * @property {Variant[]} variants
 * @property {{name: string, summary: string, schema: {type?: string, enum?: string[]}, default: any}[]} options
 * @property {boolean} chooses
 * @property {"rating" | "hands" | null} ladder how its ladders are ordered
 * @property {string[]} levels
 * @property {string[]} drawings
 * @property {string} guide Markdown
 */

/** Games by name; filled by `loadGames`. @type {Map<string, Game>} */
export const GAMES = new Map();

/** @type {Promise<Game[]> | undefined} */
let asked;

/** Load all games; later calls return the games of the first call. @returns {Promise<Game[]>} */
export function loadGames() {
  asked ??= request("GET", "/api/games").then(
    (found) => {
      for (const each of found) GAMES.set(each.name, each);
      return found;
    },
    (error) => {
      asked = undefined;
      throw error;
    },
  );
  return /** @type {Promise<Game[]>} */ (asked);
}
