import { MATCH_OPTIONS } from "../api/games.js";
import { request } from "../api/http.js";
import { isExplained, startFirstGame } from "./first-game.js";
import { serverInfo, saveName, savedName, normalizeName } from "../api/server-info.js";

/**
 * Create a table and take a seat.
 *
 * @param {object} config
 * @param {string} [name] player name; default: the saved name
 * @param {boolean} [start] whether to start the game against bots
 * @returns {Promise<string>} the table's id
 */
export async function createTable(config, name = normalizeName(savedName()), start = false) {
  const made = await request("POST", "/api/tables", { config, start }, undefined, 0, name ? { name } : {});
  if (name) saveName(name);
  void serverInfo.refresh();
  return made.id;
}

/**
 * Take the next free seat of a quick match.
 *
 * @param {import("../api/http-types.js").PlayableGame} game
 * @returns {Promise<string>} the table's id
 */
export async function joinQuickMatch(game) {
  const name = normalizeName(savedName());
  const table = await request("POST", "/api/quick-match", { game: game.name }, undefined, 0, name ? { name } : {});
  void serverInfo.refresh();
  return table.id;
}

/**
 * Return the context that selects the message of an error in creating a table.
 *
 * @param {unknown} error
 */
export function createTableErrorContext(error) {
  const { kind, where } = /** @type {Partial<import("../api/http.js").ApiError>} */ (error);
  if (kind === "forbidden") return "sit";
  return kind === "malformed" && where !== "name" ? "options" : "";
}

/**
 * Create a table against bots, which take all other seats, and start the game. It has no clock and is not rated. The
 * first game of its kind is explained.
 *
 * @param {import("../api/http-types.js").PlayableGame} game
 * @param {string} level
 * @returns {Promise<string>} the table's id
 */
export async function createBotTable(game, level) {
  const options = MATCH_OPTIONS[game.name] ?? {};
  const config = { game: game.name, options, terms: { clock: null }, rated: false, ...(level ? { bots: [level] } : {}) };
  const [table, experienced] = await Promise.all([createTable(config, normalizeName(savedName()), true), hasPlayed(game.name)]);
  if (!experienced) startFirstGame(game.name, table);
  return table;
}

/** Return whether the player has finished a game of this kind before, on any device. @param {string} game */
async function hasPlayed(game) {
  if (!serverInfo.player || isExplained(game)) return false;
  const { totals } = await request("GET", "/api/me/results").catch(() => ({ totals: [] }));
  return totals.some((/** @type {import("../api/http-types.js").VariantTotals} */ total) => total.game === game);
}
