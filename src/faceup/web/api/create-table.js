import { ApiError, request, randomId } from "./http.js";
import { serverInfo, saveName, savedName, normalizeName } from "./server-info.js";

/**
 * Create a table and take a seat. A second call with the same requestId returns the table of the first.
 *
 * @param {object} config
 * @param {string} [requestId] idempotency key
 * @param {string} [name] player name; default: the saved name
 * @returns {Promise<string>} the table's id
 */
export async function createTable(config, requestId = randomId(), name = normalizeName(savedName())) {
  const body = { config, id: requestId, ...(name ? { name } : {}) };
  const made = await request("POST", "/api/tables", body);
  if (name) saveName(name);
  void serverInfo.refresh();
  return made.id;
}

/**
 * Take the next free seat of a quick match. A second call with the same requestId returns the table of the first.
 *
 * @param {import("./games.js").Game} game
 * @param {string} requestId idempotency key
 * @returns {Promise<string>} the table's id
 */
export async function joinQuickMatch(game, requestId) {
  const name = normalizeName(savedName());
  const found = await request("POST", "/api/quick-match", { game: game.name, id: requestId, ...(name ? { name } : {}) });
  void serverInfo.refresh();
  return found.id;
}

/**
 * Return the context that selects the message of an error in creating a table.
 *
 * @param {unknown} error
 */
export function createTableErrorContext(error) {
  const { kind, where } = /** @type {Partial<ApiError>} */ (error);
  if (kind === "forbidden") return "sit";
  return kind === "malformed" && where !== "name" ? "options" : "";
}

/** Options of games against bots that differ from the defaults, by game: a match of Niu Niu is the best of five throws. */
const BOT_GAME_OPTIONS = /** @type {Record<string, object>} */ ({ niuniu: { throws: 5 } });

/**
 * Create a table against bots, which take all other seats, and start the game. It has no clock and is not rated.
 *
 * @param {import("./games.js").Game} game
 * @param {string} level
 * @param {string} requestId
 * @returns {Promise<string>} the table's id
 */
export async function createBotTable(game, level, requestId) {
  const options = BOT_GAME_OPTIONS[game.name] ?? {};
  const config = { game: game.name, options, terms: { clock: null }, rated: false, ...(level ? { bots: [level] } : {}) };
  const table = await createTable(config, requestId);
  try {
    await request("POST", `/api/tables/${table}/commands`, { id: `${requestId}-start`, command: "start" });
  } catch (error) {
    if (!(error instanceof ApiError && error.kind === "stale")) throw error; // it has already started
  }
  return table;
}
