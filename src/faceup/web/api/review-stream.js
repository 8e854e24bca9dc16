import { ApiError, BASE } from "./http.js";

/** @import { Cause, Explanation } from "../games/nimmt/hint-text.js" */

/**
 * An average with its standard error.
 *
 * @typedef {{value: number, error: number}} Estimate
 *
 * @typedef {"only" | "best" | "close" | "good" | "inaccurate" | "mistake" | "blunder"} Grade
 *
 * @typedef {object} ReviewOption an option of a decision
 * @property {string} action in notation
 * @property {Estimate} heads expected heads
 * @property {Estimate} behind expected heads more than the best option
 * @property {Estimate} win probability of winning
 * @property {number} risk probability of taking a row in this turn
 * @property {Explanation} explanation what it does, and why it is worse than the best option
 * @property {number[]} [spread] the number of sampled worlds with 0 heads, 1 head and so on, of the best and the chosen option
 *
 * @typedef {object} ReviewStep a decision and its consequences
 * @property {number} decision
 * @property {number} deal from 1
 * @property {number} turn from 1
 * @property {number} seat
 * @property {string} position the seat's view in notation
 * @property {string} chosen in notation
 * @property {string} best in notation
 * @property {"seat" | "clock"} by
 * @property {Grade} grade
 * @property {Cause["kind"] | null} fault why a costly choice is worse than the best option
 * @property {Estimate} cost expected heads more than the best option
 * @property {number} heads taken until the seat's next decision
 * @property {number} win_before probability of winning
 * @property {number | null} win_after
 * @property {ReviewOption[]} options best first
 *
 * @typedef {{seat: number, deal: number, turn: number, decision: number}} StepPlace
 * @typedef {{seat: number, deal: number | null, heads: number, par: Estimate, hand: Estimate, choices: Estimate, others: number}} Luck
 *
 * @typedef {object} Review
 * @property {string} game
 * @property {number[]} seats the reviewed seats
 * @property {boolean} finished
 * @property {string} player the search that evaluated the options
 * @property {number | null} worlds sampled worlds per option
 * @property {number} error typical standard error of expected heads
 * @property {{errors: number} & Record<"inaccurate" | "mistake" | "blunder", {heads: number, win: number | null}>} thresholds
 * @property {{heads: Estimate, deals: number} | null} par
 * @property {Luck[]} luck by seat and deal
 * @property {Luck[]} totals by seat, if there are several deals
 * @property {StepPlace[]} moments the turning points
 * @property {{seat: number, deal: number, turn: number, card: number, row: number, heads: number} | null} decided
 * @property {{seat: number, best: StepPlace | null, costliest: StepPlace | null}[]} highlights
 * @property {{seat: number, points: {deal: number, turn: number | null, win: number}[]}[]} chances
 * @property {ReviewStep[]} decisions
 */

/** Milliseconds without a line after which the server counts as unreachable. A line may take three minutes to compute. */
const SILENCE = 200_000;

/**
 * A review of a finished table by the coach, received decision by decision. Emits "change" whenever lines have arrived.
 */
export class ReviewStream extends EventTarget {
  #abort = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #started = 0;

  /** @param {number} [seat] the seat to review; all seats by default */
  constructor(seat) {
    super();
    this.seat = seat;
    /** @type {"waiting" | "queued" | "running" | "done" | "failed"} */
    this.state = "waiting";
    /** Number of reviews before this one in the queue. */
    this.position = 0;
    /** Number of decisions to review, and how many have been reviewed. */
    this.requested = 0;
    this.done = 0;
    /** @type {ReviewStep[]} */
    this.steps = [];
    /** @type {Review | null} the complete review */
    this.review = null;
    /** @type {unknown} */
    this.error = null;
  }

  /** Estimated seconds until the review is complete; null if unknown. */
  get secondsLeft() {
    if (this.state !== "running" || !this.done) return null;
    return ((performance.now() - this.#started) / 1000 / this.done) * (this.requested - this.done);
  }

  /**
   * Load the review. Errors are stored in `error`.
   *
   * @param {string} table id
   * @param {string} [record] text of an uploaded record, which is reviewed instead of a table
   */
  async load(table, record) {
    const path = `${record ? "/api" : `/api/tables/${table}`}/review.ndjson${this.seat === undefined ? "" : `?seat=${this.seat}`}`;
    const how = record ? { method: "POST", headers: { "content-type": "application/json" }, body: record } : {};
    const { signal } = this.#abort;
    this.#expectLine();
    try {
      const answer = await fetch(BASE + path, { ...how, signal });
      if (!answer.ok || !answer.body) throw new ApiError((await answer.json()).error);
      await this.#read(answer.body.getReader());
      if (!this.review) throw new TypeError("the stream ended before the review");
    } catch (error) {
      if (signal.aborted && !(signal.reason instanceof TypeError)) return;
      this.error = error instanceof TypeError ? new ApiError({ kind: "unreachable", message: "The server does not answer." }) : error;
      this.state = "failed";
      this.#emitChange();
    } finally {
      clearTimeout(this.#timer);
    }
  }

  #expectLine() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#abort.abort(new TypeError("the server does not answer")), SILENCE);
  }

  /** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
  async #read(reader) {
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      this.#expectLine();
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line) this.#apply(JSON.parse(line));
      if (lines.length) this.#emitChange();
      if (done) return;
    }
  }

  /** @param {{line: string} & Record<string, any>} message */
  #apply(message) {
    switch (message.line) {
      case "queued":
        this.state = "queued";
        this.position = message.position;
        break;
      case "start":
        this.state = "running";
        this.requested = message.requested;
        this.#started = performance.now();
        break;
      case "step":
        ({ done: this.done, requested: this.requested } = message);
        this.steps = [...this.steps, message.step];
        break;
      case "review":
        this.#finish(message.review);
        break;
      case "error":
        throw new ApiError(message.error);
    }
  }

  /** @param {Review} review */
  #finish(review) {
    this.review = review;
    this.steps = review.decisions;
    this.done = this.requested = review.decisions.length;
    this.state = "done";
  }

  /** Stop loading. */
  cancel() {
    this.#abort.abort();
  }

  #emitChange() {
    this.dispatchEvent(new Event("change"));
  }
}
