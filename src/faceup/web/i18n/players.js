import { UNNAMED } from "../api/server-info.js";
import { characterOf } from "../art/faces.js";
import { t } from "./translate.js";

/** The name that the server gives to deleted players, which no one else can have. Two at a table are numbered. */
const DELETED = /^Deleted player(?= \d+$|$)/;

/** Return the name to show for a person. That of deleted players, and of guests without a name, is translated. @param {string} name */
export function personName(name) {
  return name.replace(DELETED, t("table.deleted_player")).replace(UNNAMED, t("table.guest"));
}

/**
 * Return the name to show for a player. The names of bots are translated.
 *
 * @param {{name: string, kind: string}} player a seat of a room view
 */
export function playerName(player) {
  const [character, number] = characterOf(player);
  return character ? t(`bots.${character}`) + number : personName(player.name);
}

/**
 * Return the name to show for a player in a list, which marks programs of people.
 *
 * @param {{name: string, kind: string, program?: boolean | null}} player
 */
export function listedName(player) {
  return player.program ? playerName(player) + t("table.parenthesis", { text: t("table.bot") }) : playerName(player);
}

/** Return the name to show for a person in a list, which marks programs. @param {{name: string, program?: boolean | null}} person */
export function listedPerson({ name, program }) {
  return listedName({ name, kind: "person", program });
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
