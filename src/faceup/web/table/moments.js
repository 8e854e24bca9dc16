import { describeEvent } from "../i18n/events.js";
import { namesOf } from "../i18n/seat-names.js";

/** @import { UpdateDetail, TableEvent, TableView } from "../api/types.js" */

/**
 * The events of one update, and the view after it.
 *
 * @typedef {{v: number, at: number, events: TableEvent[], room: TableView}} Moment
 */

/** Events that are shown only at the seats, and not in the log. */
const TRANSIENT_EVENTS = new Set(["chose", "choice_withdrawn", "reaction"]);

/**
 * Return the sentences of a moment.
 *
 * @param {Moment} moment
 * @returns {{event: string, words: string}[]}
 */
export function sentences({ events, room }) {
  const names = namesOf(room, events);
  return events
    .filter(({ event }) => !TRANSIENT_EVENTS.has(event))
    .map((event) => ({ event: event.event, words: describeEvent(room.config.game, event, names, room.seat) }))
    .filter(({ words }) => words);
}

/**
 * Return whether any of these events is logged.
 *
 * @param {TableEvent[]} events
 */
export function hasSentences(events) {
  return events.some(({ event }) => !TRANSIENT_EVENTS.has(event));
}

/**
 * Return the moments with an update appended, if it has logged events.
 *
 * @param {Moment[]} moments
 * @param {UpdateDetail} detail
 * @returns {Moment[]}
 */
export function appendMoment(moments, { v, at, events, room }) {
  if (!hasSentences(events)) return moments;
  return [...moments, { v: v ?? moments.length, at, events, room }];
}
