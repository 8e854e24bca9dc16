import { formatList } from "./format.js";
import { hasTranslation, t } from "./translate.js";

/**
 * Describe an event in a sentence, which is the server's English text if the event has no translation. A translation
 * gets the members of the event and, in addition, `fields` (an object of all members), `names` (the players' names by
 * seat), `name` (the name of the event's seat) and `who` (the names of the event's seats as a list). An event of the
 * viewer alone has a form of its own, such as "You take" for "Ann takes", if there is one with the ending `.me`.
 *
 * @param {string} game
 * @param {import("../api/types.js").TableEvent} event
 * @param {string[]} names by seat
 * @param {number} [viewer] the viewer's seat
 * @returns {string}
 */
export function describeEvent(game, event, names, viewer) {
  const key = formFor(event, viewer, [`${game}.event.${event.event}`, `table.event.${event.event}`]);
  if (!key) return event.text;
  const who = event.seats && formatList(event.seats.map((/** @type {number} */ seat) => names[seat]));
  return t(key, { ...event, fields: event, names, name: names[event.seat], who });
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
  const key = formFor(event, viewer, [`${game}.shows.${event.event}`]);
  return key ? t(key, { ...event, names, name: names[event.seat] }) : describeEvent(game, event, names, viewer);
}

/**
 * Return the first key that has a translation, in the form about the viewer if the event is about the viewer alone.
 *
 * @param {import("../api/types.js").TableEvent} event
 * @param {number | undefined} viewer
 * @param {string[]} keys
 */
function formFor({ seat, seats }, viewer, keys) {
  const isMine = viewer !== undefined && (seat === viewer || (seats?.length === 1 && seats[0] === viewer));
  return keys.flatMap((key) => (isMine ? [`${key}.me`, key] : [key])).find(hasTranslation);
}
