import { personName, playerName } from "./players.js";
import { t } from "./translate.js";

/** @import { TableEvent, TableView } from "../api/types.js" */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Return a seat's name for use in a sentence, isolated from the text direction around it.
 *
 * @param {TableView} room
 * @param {number} seat
 */
export function nameOf(room, seat) {
  const player = room.seats[seat];
  return isolate(player ? playerName(player) : t("table.seat", { number: seat + 1 }));
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

/**
 * Return the name of each seat.
 *
 * @param {TableView} room
 * @param {TableEvent[]} [events] what has just happened: who has left a seat is called by the name there
 */
export function namesOf(room, events = []) {
  return room.seats.map((player, seat) => {
    const left = player ? undefined : events.find((event) => event.seat === seat && typeof event.name === "string");
    return left ? isolate(personName(left.name)) : nameOf(room, seat);
  });
}

/** @param {string} name */
function isolate(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
