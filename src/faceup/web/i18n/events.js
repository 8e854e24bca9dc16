import { formatList } from "./format.js";
import { hasTranslation, t } from "./translate.js";

/**
 * Describe an event in a sentence, which is the server's English text if the event has no translation. A translation
 * gets the members of the event and, in addition, `fields` (an object of all members), `names` (the players' names by
 * seat), `name` (the name of the event's seat), `who` (the names of the event's seats as a list), `others` (the same
 * without the viewer) and `viewer` (the viewer's seat, if any). A sentence about the viewer has its own form, such as
 * "You take" for "Ann takes": its key ends in `.me` if the event is about the viewer alone, and in `.us` if it is about
 * others, too.
 *
 * @param {string} game
 * @param {import("../api/types.js").TableEvent} event
 * @param {string[]} names by seat
 * @param {number} [viewer] the viewer's seat
 * @returns {string}
 */
export function describeEvent(game, event, names, viewer) {
  const key = keyFor(event, viewer, [`${game}.event.${event.event}`, `table.event.${event.event}`]);
  if (!key) return event.text;
  /** @param {number[]} seats */
  const listed = (seats) => formatList(seats.map((seat) => names[seat]));
  const who = event.seats && listed(event.seats);
  const others = event.seats && listed(event.seats.filter((/** @type {number} */ seat) => seat !== viewer));
  return t(key, { ...event, fields: event, names, name: names[event.seat], who, others, viewer });
}

/**
 * Describe an event in a short sentence, as the caption of a reveal; the sentence of the log if there is no caption.
 *
 * @param {string} game
 * @param {import("../api/types.js").TableEvent} event
 * @param {string[]} names by seat
 * @param {number} [viewer] the viewer's seat
 * @returns {string}
 */
export function describeCaption(game, event, names, viewer) {
  const key = keyFor(event, viewer, [`${game}.shows.${event.event}`]);
  return key ? t(key, { ...event, names, name: names[event.seat] }) : describeEvent(game, event, names, viewer);
}

/**
 * Return the first key that has a translation, in its form about the viewer if the event is about the viewer.
 *
 * @param {import("../api/types.js").TableEvent} event
 * @param {number | undefined} viewer
 * @param {string[]} keys
 */
export function keyFor({ seat, seats = [seat] }, viewer, keys) {
  const ending = viewer === undefined || !seats.includes(viewer) ? "" : seats.length === 1 ? ".me" : ".us";
  return keys.flatMap((key) => (ending ? [key + ending, key] : [key])).find(hasTranslation);
}
