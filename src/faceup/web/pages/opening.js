import { Refusal, ask, newId } from "../live/api.js";
import { house, remember, remembered, trimmed } from "../live/house.js";

/**
 * Open a table and sit down at it. The same wish, sent twice, opens one table.
 *
 * @param {object} opening
 * @param {string} [wish] an id of this wish
 * @param {string} [name] what to be called; as before if nothing is said
 * @returns {Promise<string>} the table's id
 */
export async function openTable(opening, wish = newId(), name = trimmed(remembered())) {
  const body = { opening, id: wish, ...(name ? { name } : {}) };
  const made = await ask("POST", "/api/tables", body);
  if (name) remember(name);
  void house.ask();
  return made.id;
}

/**
 * What a refusal to open a table is about, for its words.
 *
 * @param {unknown} error
 */
export function aboutOpening(error) {
  const { kind, where } = /** @type {Partial<Refusal>} */ (error);
  if (kind === "forbidden") return "sit";
  return kind === "malformed" && where !== "name" ? "options" : "";
}

/**
 * Play against bots at once: they take all other seats.
 *
 * @param {import("../live/games.js").Game} game
 * @param {string} level
 * @param {string} wish
 * @returns {Promise<string>} the table's id
 */
export async function playNow(game, level, wish) {
  const table = await openTable({ game: game.name, ...(level ? { bots: [level] } : {}) }, wish);
  try {
    await ask("POST", `/api/tables/${table}/commands`, { id: `${wish}-start`, do: "start" });
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === "stale")) throw error; // it has begun: all the better
  }
  return table;
}
