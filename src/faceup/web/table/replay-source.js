import { Timeline } from "../api/timeline.js";

/** @import { TableView, TableSource, TableEvent, UpdateDetail } from "../api/types.js" */
/** @import { Moment } from "./moments.js" */

/** Events that get a bookmark on the slider. */
const KEY_EVENTS = new Set(["took", "out", "deal_over", "war", "reshuffled", "sudden_death", "undecided", "throw_won", "won", "match_won", "drawn"]);

/** Events that happen before a reveal; replays leave them out. */
const HIDDEN_EVENTS = new Set(["chose", "choice_withdrawn"]);

/**
 * A finished game as a table source that has a current step and can seek. Step 0 is the first decision.
 *
 * @implements {TableSource}
 */
export class ReplaySource extends EventTarget {
  #timeline;

  /** @param {string} text one JSON object per line. Throws a SyntaxError or a RangeError if the text is malformed. */
  constructor(text) {
    super();
    this.#timeline = new Timeline(text);
    this.step = 0;
    /** @type {number | undefined} seat of the viewpoint; undefined for a spectator */
    this.seat = undefined;
    const replay = this;
    /** @type {Moment[]} */
    const all = this.#timeline.lines.map((line, step) => ({
      v: step,
      at: line.at,
      events: this.events(step),
      get room() {
        return replay.at(step);
      },
    }));
    /** @type {((step: number) => string) | undefined} address of the drawing of a step, if available */
    this.drawing = undefined;
    /** Moments of all steps that have events. */
    this.moments = all.filter(({ events }) => events.length);
    /** Steps with a bookmark. */
    this.bookmarks = all.filter(({ events }) => events.some(({ event }) => KEY_EVENTS.has(event)));
  }

  /** The last step. */
  get last() {
    return this.#timeline.lines.length - 1;
  }

  get room() {
    return this.at(this.step);
  }

  get current() {
    return this.step;
  }

  now() {
    return this.#timeline.lines[this.step].at;
  }

  /**
   * Return the events of a step.
   *
   * @param {number} step
   * @returns {TableEvent[]}
   */
  events(step) {
    const line = this.#timeline.lines[step];
    return "events" in line ? line.events.filter(({ event }) => !HIDDEN_EVENTS.has(event)) : [];
  }

  /**
   * Return the view after a step, for the selected seat.
   *
   * @param {number} step
   * @returns {TableView}
   */
  at(step) {
    const room = this.#timeline.room(step);
    const hand = this.seat === undefined ? undefined : room.hands?.[this.seat];
    return hand ? { ...room, seat: this.seat, view: { ...room.view, ...hand } } : room;
  }

  /**
   * Go to the next step, with animation.
   *
   * @returns {boolean} false at the end
   */
  forward() {
    if (this.step >= this.last) return false;
    this.step += 1;
    this.#emitUpdate(this.at(this.step - 1), this.events(this.step), false);
    return true;
  }

  /** Go to the previous step. @returns {boolean} false at the start */
  back() {
    return this.seek(this.step - 1);
  }

  /**
   * Return the step that is nearest to a number, and the first step for no number.
   *
   * @param {number} step
   */
  clamp(step) {
    return Math.max(0, Math.min(this.last, Math.round(step) || 0));
  }

  /**
   * Go to a step without animation.
   *
   * @param {number} step clamped to the first and last step
   * @returns {boolean} whether the step has changed
   */
  seek(step) {
    const before = this.room;
    const to = this.clamp(step);
    const moved = to !== this.step;
    this.step = to;
    if (moved) this.#emitUpdate(before, [], true);
    return moved;
  }

  /**
   * Select the viewpoint, which is a seat, or undefined for a spectator.
   *
   * @param {number | undefined} seat
   */
  setSeat(seat) {
    if (seat === this.seat) return;
    const before = this.room;
    this.seat = seat;
    this.#emitUpdate(before, [], true);
  }

  /**
   * @param {TableView} before
   * @param {TableEvent[]} events
   * @param {boolean} jump
   */
  #emitUpdate(before, events, jump) {
    /** @type {UpdateDetail} */
    const detail = { before, room: this.room, events, at: this.now(), v: this.step, jump };
    this.dispatchEvent(new CustomEvent("update", { detail }));
  }
}
