import { eventValues } from "./event-values.js";
import { hasTranslation, t } from "./translate.js";

/**
 * Describe an event in a sentence, which is the server's English text if the event has no translation. A translation
 * gets the values of `eventValues`. A sentence about the viewer has its own form, such as "You take" for "Ann takes": its
 * key ends in `.me` if the event is about the viewer alone, and in `.us` if it is about others, too.
 *
 * @param {string} game
 * @param {import("../api/types.js").TableEvent} event
 * @param {string[]} names by seat
 * @param {number} [viewer] the viewer's seat
 * @returns {string}
 */
export function describeEvent(game, event, names, viewer) {
  if (event.event === "table_closed") return t(`table.closed.${event.reason}`);
  const key = keyFor(event, viewer, [`${game}.event.${event.event}`, `table.event.${event.event}`]);
  return key ? t(key, eventValues(game, event, names, viewer)) : event.text;
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
  return key ? t(key, eventValues(game, event, names, viewer)) : describeEvent(game, event, names, viewer);
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
