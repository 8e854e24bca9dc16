import { readStored, writeStored } from "../api/storage.js";

/** The stored value for a game that has been explained; before, the table of the first game. */
const EXPLAINED = "explained";

/** @param {string} game */
const key = (game) => `faceup.first.${game}`;

/** Return whether this browser's player has had the game explained. @param {string} game */
export function isExplained(game) {
  return readStored(key(game)) === EXPLAINED;
}

/** Explain the game at this table, unless it has been explained before. @param {string} game @param {string} table */
export function startFirstGame(game, table) {
  if (!isExplained(game)) writeStored(key(game), table);
}

/** Return whether the game is explained at this table. @param {string} game @param {string} table "" for none */
export function isFirstGame(game, table) {
  return table !== "" && readStored(key(game)) === table;
}

/** Never explain the game again. @param {string} game */
export function endFirstGame(game) {
  writeStored(key(game), EXPLAINED);
}
