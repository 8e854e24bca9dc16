import { request } from "./http.js";

/** @import { PlayableGame } from "./http-types.js" */

/** Games by name; filled by `loadGames`. @type {Map<string, PlayableGame>} */
export const GAMES = new Map();

/** @type {Promise<PlayableGame[]> | undefined} */
let asked;

/** Load all games; later calls return the games of the first call. @returns {Promise<PlayableGame[]>} */
export function loadGames() {
  asked ??= request("GET", "/api/games").then(
    (games) => {
      for (const game of games) GAMES.set(game.name, game);
      return games;
    },
    (error) => {
      asked = undefined;
      throw error;
    },
  );
  return /** @type {Promise<PlayableGame[]>} */ (asked);
}

/** Options of games among friends or against bots that differ from the defaults, by game: Niu Niu is the best of five throws. */
export const MATCH_OPTIONS = /** @type {Record<string, Record<string, number>>} */ ({ niuniu: { throws: 5 } });
