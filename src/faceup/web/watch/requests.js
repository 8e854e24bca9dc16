import { request } from "../api/http.js";
import { serverInfo } from "../api/server-info.js";

/** @import { GameToWatch } from "../api/http-types.js" */

/** Load the games to watch, the best one first, without those at which the player of this page sits. @returns {Promise<GameToWatch[]>} */
export async function loadGamesToWatch() {
  const myTables = serverInfo.refresh().then(() => (serverInfo.player ? request("GET", "/api/me/tables") : []));
  const [games, seated] = await Promise.all([request("GET", "/api/watch"), myTables]);
  const own = new Set(seated.map((/** @type {{id: string}} */ table) => table.id));
  return games.filter((/** @type {GameToWatch} */ game) => !own.has(game.table));
}
