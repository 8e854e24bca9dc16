import { NOTHING, folded } from "../live/stream.js";

/** @import { Message, Sight, SourceParts, TableEvent, Told, Whole } from "../live/types.js" */
/** @import { Fold } from "../live/stream.js" */
/** @import { Moment } from "./history.js" */

/** Every so many steps the fold is kept, so that going anywhere takes no more lines than that. */
const KEPT = 64;

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
  /** @type {(Whole | Message)[]} */
  #lines;
  /** @type {Fold[]} at the steps 0, KEPT, 2 KEPT ... */
  #kept = [];
  /** @type {{step: number, fold: Fold}} where it was last */
  #near;
  /** @type {Moment[]} */
  #all;

  /** @param {string} text the lines, one JSON each. Throws a SyntaxError or a RangeError where they are not. */
  constructor(text) {
    super();
    this.#lines = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
    const [first] = this.#lines;
    if (!first || !("sight" in first)) throw new RangeError("a replay begins with a whole sight");
    this.#near = { step: 0, fold: folded(NOTHING, first) };
    this.#kept = [this.#near.fold];
    this.step = 0;
    /** @type {number | undefined} from where it is seen; undefined as a spectator saw it */
    this.seat = undefined;
    const player = this;
    this.#all = this.#lines.map((line, step) => ({
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
    this.moments = this.#all.filter(({ events }) => events.length);
    /** The steps at which something happened that one looks for. */
    this.marks = this.#all.filter(({ events }) => events.some(({ event }) => MARKS.has(event)));
  }

  /** The last step. */
  get last() {
    return this.#lines.length - 1;
  }

  get sight() {
    return this.at(this.step);
  }

  get current() {
    return this.step;
  }

  now() {
    return this.#lines[this.step].at;
  }

  /**
   * What happened at a step.
   *
   * @param {number} step
   * @returns {TableEvent[]}
   */
  events(step) {
    const line = this.#lines[step];
    return "events" in line ? line.events.filter(({ event }) => !UNSEEN.has(event)) : [];
  }

  /**
   * What was seen after a step, from where it is seen now.
   *
   * @param {number} step
   * @returns {Sight}
   */
  at(step) {
    const sight = /** @type {Sight} */ (this.#fold(step).sight);
    const hand = this.seat === undefined ? undefined : sight.hands?.[this.seat];
    return hand ? { ...sight, seat: this.seat, view: { ...sight.view, ...hand } } : sight;
  }

  /** @param {number} step */
  #fold(step) {
    const before = Math.floor(step / KEPT);
    let { step: from, fold } = this.#near;
    if (from > step || from < Math.min(before, this.#kept.length - 1) * KEPT) {
      from = Math.min(before, this.#kept.length - 1) * KEPT;
      fold = this.#kept[from / KEPT];
    }
    while (from < step) {
      fold = folded(fold, this.#lines[++from]);
      if (from === this.#kept.length * KEPT) this.#kept.push(fold);
    }
    this.#near = { step, fold };
    return fold;
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
