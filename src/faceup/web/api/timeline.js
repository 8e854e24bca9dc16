import { EMPTY_STATE, applyUpdate } from "./updates.js";

/** @import { Update, TableView, Snapshot } from "./types.js" */
/** @import { StreamState } from "./updates.js" */

/** Number of lines between two stored checkpoints, and so the maximum number of updates that a seek applies. */
const CHECKPOINT_INTERVAL = 64;

/** The updates of a game, which give the table view after any line without replaying all lines before it. */
export class Timeline {
  /** @type {StreamState[]} state after the lines 0, CHECKPOINT_INTERVAL, 2 CHECKPOINT_INTERVAL ... */
  #checkpoints;
  /** @type {{line: number, state: StreamState}} last position */
  #cursor;

  /** @param {string} text one JSON object per line. Throws a SyntaxError or a RangeError if the text is malformed. */
  constructor(text) {
    /** @type {(Snapshot | Update)[]} */
    this.lines = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
    const [first] = this.lines;
    if (!first || !("room" in first)) throw new RangeError("a timeline starts with a snapshot");
    const gap = this.lines.findIndex((line, index) => line?.v !== first.v + index);
    if (gap >= 0) throw new RangeError(`line ${gap} of a timeline must have the version ${first.v + gap}`);
    this.#cursor = { line: 0, state: applyUpdate(EMPTY_STATE, first) };
    this.#checkpoints = [this.#cursor.state];
  }

  /**
   * Return the table view after a line, counted from 0.
   *
   * @param {number} line
   * @returns {TableView}
   */
  room(line) {
    const before = Math.min(Math.floor(line / CHECKPOINT_INTERVAL), this.#checkpoints.length - 1);
    let { line: at, state } = this.#cursor;
    if (at > line || at < before * CHECKPOINT_INTERVAL) [at, state] = [before * CHECKPOINT_INTERVAL, this.#checkpoints[before]];
    while (at < line) {
      state = applyUpdate(state, this.lines[++at]);
      if (at === this.#checkpoints.length * CHECKPOINT_INTERVAL) this.#checkpoints.push(state);
    }
    this.#cursor = { line, state };
    return /** @type {TableView} */ (state.room);
  }
}
