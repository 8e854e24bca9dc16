import { characterOf } from "../art/faces.js";
import { t } from "./translate.js";

/**
 * Return the name to show for a player. The names of bots are translated.
 *
 * @param {{name: string, kind: string}} player a seat of a room view
 */
export function playerName(player) {
  const [character, number] = characterOf(player);
  return character ? t(`bots.${character}`) + number : player.name;
}

/**
 * Return a line on how a bot plays, or "" if it has no character.
 *
 * @param {{name: string, kind: string}} player a seat of a room view
 */
export function temperOf(player) {
  const [character] = characterOf(player);
  return character && t(`shell.temper.${character}`);
}
