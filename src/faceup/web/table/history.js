import { told } from "../words/say.js";
import { namesOf } from "./names.js";

/** @import { Told, TableEvent, Sight } from "../live/types.js" */

/**
 * What happened, told from one line of the stream; `sight` is what one sees right after it.
 *
 * @typedef {{v: number, at: number, events: TableEvent[], sight: Sight}} Moment
 */

/** Seen at the seats as it happens, and of no interest afterwards. */
const PASSING = new Set(["chose", "took_back", "says"]);

/**
 * The sentences of a moment.
 *
 * @param {Moment} moment
 * @returns {{event: string, words: string}[]}
 */
export function sentences({ events, sight }) {
  const names = namesOf(sight);
  return events
    .filter(({ event }) => !PASSING.has(event))
    .map((event) => ({ event: event.event, words: told(sight.opening.game, event, names) }))
    .filter(({ words }) => words);
}

/**
 * Whether there is anything to tell of these events afterwards.
 *
 * @param {TableEvent[]} events
 */
export function tells(events) {
  return events.some(({ event }) => !PASSING.has(event));
}

/**
 * The moments with one more, if there is anything to tell of it.
 *
 * @param {Moment[]} moments
 * @param {Told} detail
 * @returns {Moment[]}
 */
export function remembered(moments, { v, at, events, sight }) {
  if (!tells(events)) return moments;
  return [...moments, { v: v ?? moments.length, at, events, sight }];
}
