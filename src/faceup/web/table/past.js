import { Retold } from "../live/retold.js";
import { tells } from "./history.js";

/** @import { Moment } from "./history.js" */

/**
 * The moments of what was told before somebody came; what was seen then is found when it is asked for.
 *
 * @param {string} text the lines, one JSON each
 * @returns {Moment[]}
 */
export function recalled(text) {
  const told = new Retold(text);
  return told.lines.flatMap((line, number) => {
    if (!("events" in line) || !tells(line.events)) return [];
    const { v, at, events } = line;
    return [{ v, at, events, get sight() { return told.sight(number); } }];
  });
}
