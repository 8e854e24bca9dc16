import { ask } from "./api.js";

/**
 * @typedef {object} Variant
 * @property {string} name
 * @property {string} title
 * @property {string} summary
 * @property {[number, number]} seats
 * @property {number | null} clock seconds
 * @property {Record<string, any>} options
 *
 * @typedef {object} Game what `/api/games` says of one
 * @property {string} name
 * @property {string} title
 * @property {string} summary
 * @property {Variant[]} variants
 * @property {{name: string, summary: string, schema: {type?: string, enum?: string[]}, usual: any}[]} options
 * @property {boolean} chooses
 * @property {string[]} levels
 * @property {string[]} drawings
 * @property {string} guide Markdown
 */

/** The games by their names; filled when they have been asked for. @type {Map<string, Game>} */
export const GAMES = new Map();

/** @type {Promise<Game[]> | undefined} */
let asked;

/** All games there are to play, asked for once. @returns {Promise<Game[]>} */
export function games() {
  asked ??= ask("GET", "/api/games").then(
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
