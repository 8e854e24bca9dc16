import { Timeline } from "../api/timeline.js";
import { hasSentences } from "./moments.js";

/** @import { Moment } from "./moments.js" */

/**
 * Return the moments before this page was opened. The view of a moment is computed when it is first used.
 *
 * @param {string} text one JSON object per line
 * @returns {Moment[]}
 */
export function backlogMoments(text) {
  const timeline = new Timeline(text);
  return timeline.lines.flatMap((line, number) => {
    if (!("events" in line) || !hasSentences(line.events)) return [];
    const { v, at, events } = line;
    return [{ v, at, events, get room() { return timeline.room(number); } }];
  });
}
