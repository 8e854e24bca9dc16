import { Retold } from "../live/retold.js";

/** @import { Sight, SourceParts, TableEvent, Told } from "../live/types.js" */
/** @import { Moment } from "./history.js" */

/** What is worth finding again in a game, and so has a mark on the slider. */
const MARKS = new Set(["took", "out", "deal_over", "war", "reshuffled", "sudden_death", "undecided", "throw_won", "won", "match_won", "drawn"]);

/** Sealed and not yet shown: no event of a replay, in which nobody waits. */
const UNSEEN = new Set(["chose", "took_back"]);

/**
 * A game that is over, as a source: it stands at one of its steps, and goes to any other. Step 0 is the first decision.
 *
 * @implements {SourceParts}
 */
export class Player extends EventTarget {
  #told;

  /** @param {string} text the lines, one JSON each. Throws a SyntaxError or a RangeError where they are not. */
  constructor(text) {
    super();
    this.#told = new Retold(text);
    this.step = 0;
    /** @type {number | undefined} from where it is seen; undefined as a spectator saw it */
    this.seat = undefined;
    const player = this;
    /** @type {Moment[]} */
    const all = this.#told.lines.map((line, step) => ({
      v: step,
      at: line.at,
      events: this.events(step),
      get sight() {
        return player.at(step);
      },
    }));
    /** @type {((step: number) => string) | undefined} where a drawing of a step is, if anywhere */
    this.drawing = undefined;
    /** What there is to tell: of the first step there is nothing. */
    this.moments = all.filter(({ events }) => events.length);
    /** The steps at which something happened that one looks for. */
    this.marks = all.filter(({ events }) => events.some(({ event }) => MARKS.has(event)));
  }

  /** The last step. */
  get last() {
    return this.#told.lines.length - 1;
  }

  get sight() {
    return this.at(this.step);
  }

  get current() {
    return this.step;
  }

  now() {
    return this.#told.lines[this.step].at;
  }

  /**
   * What happened at a step.
   *
   * @param {number} step
   * @returns {TableEvent[]}
   */
  events(step) {
    const line = this.#told.lines[step];
    return "events" in line ? line.events.filter(({ event }) => !UNSEEN.has(event)) : [];
  }

  /**
   * What was seen after a step, from where it is seen now.
   *
   * @param {number} step
   * @returns {Sight}
   */
  at(step) {
    const sight = this.#told.sight(step);
    const hand = this.seat === undefined ? undefined : sight.hands?.[this.seat];
    return hand ? { ...sight, seat: this.seat, view: { ...sight.view, ...hand } } : sight;
  }

  /**
   * Show one step more, as it happened.
   *
   * @returns {boolean} false at the end
   */
  forward() {
    if (this.step >= this.last) return false;
    this.step += 1;
    this.#tell(this.at(this.step - 1), this.events(this.step), false);
    return true;
  }

  /** @returns {boolean} false at the beginning */
  back() {
    return this.seek(this.step - 1);
  }

  /**
   * Stand at a step, without showing what led there.
   *
   * @param {number} step one beyond the ends is taken for the end
   * @returns {boolean} whether it was elsewhere before
   */
  seek(step) {
    const before = this.sight;
    const to = Math.max(0, Math.min(this.last, Math.round(step)));
    const moved = to !== this.step;
    this.step = to;
    if (moved) this.#tell(before, [], true);
    return moved;
  }

  /**
   * See it from a seat, or as a spectator.
   *
   * @param {number | undefined} seat
   */
  look(seat) {
    if (seat === this.seat) return;
    const before = this.sight;
    this.seat = seat;
    this.#tell(before, [], true);
  }

  /**
   * @param {Sight} before
   * @param {TableEvent[]} events
   * @param {boolean} jump
   */
  #tell(before, events, jump) {
    /** @type {Told} */
    const detail = { before, sight: this.sight, events, at: this.now(), v: this.step, jump };
    this.dispatchEvent(new CustomEvent("told", { detail }));
  }
}
