import { formatList } from "./format.js";
import { hasTranslation, t } from "./translate.js";

/**
 * Describe an event in a sentence, which is the server's English text if the event has no translation. A translation
 * gets the members of the event and, in addition, `fields` (an object of all members), `names` (the players' names by
 * seat), `name` (the name of the event's seat) and `who` (the names of the event's seats as a list).
 *
 * @param {string} game
 * @param {import("../api/types.js").TableEvent} event
 * @param {string[]} names by seat
 * @returns {string}
 */
export function describeEvent(game, event, names) {
  const key = [`${game}.event.${event.event}`, `table.event.${event.event}`].find(hasTranslation);
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
 * @returns {string}
 */
export function describeCaption(game, event, names) {
  const key = `${game}.shows.${event.event}`;
  return hasTranslation(key) ? t(key, { ...event, names, name: names[event.seat] }) : describeEvent(game, event, names);
}
