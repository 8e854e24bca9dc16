import { playerName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";

/** @import { TableView } from "../api/types.js" */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Return a seat's name for use in a sentence, isolated from the text direction around it.
 *
 * @param {TableView} room
 * @param {number} seat
 */
export function nameOf(room, seat) {
  const player = room.seats[seat];
  const name = player ? playerName(player) : t("table.seat", { number: seat + 1 });
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * Return whether a seat is the viewer's and its name does not say so already, as "You" does.
 *
 * @param {TableView} room
 * @param {number} seat
 */
export function isMarkedAsViewer(room, seat) {
  return seat === room.seat && room.seats[seat]?.name.toLowerCase() !== t("table.you").toLowerCase();
}

/** @param {TableView} room */
export function namesOf(room) {
  return room.seats.map((_, seat) => nameOf(room, seat));
}
