/** @import { Sight } from "../live/types.js" */

/** What was sent and came to nothing may be sent again after so long. */
const AGAIN = 1500;

/**
 * The one thing that a seat may do in a game of pure chance, done by a press: once for each decision, however often
 * somebody presses.
 */
export class Pressing {
  #decision = -1;
  #when = -AGAIN;

  /** @param {string} action in words, as commands have it */
  constructor(action) {
    this.action = action;
  }

  /** Milliseconds since the last press that counted. */
  get since() {
    return performance.now() - this.#when;
  }

  /** Whether there is something to be done. @param {Sight | null} sight @param {boolean} quiet */
  may(sight, quiet) {
    return !quiet && sight?.status === "active" && sight.paused === undefined && sight.words.includes(this.action) && sight.choice === undefined;
  }

  /** In how many milliseconds a press would count. @param {Sight | null} sight */
  wait(sight) {
    return this.#decision === (sight?.decision ?? -1) ? Math.max(AGAIN - this.since, 0) : 0;
  }

  /** Whether this press counts. @param {Sight | null} sight @param {boolean} quiet */
  press(sight, quiet) {
    if (!this.may(sight, quiet) || this.wait(sight)) return false;
    this.#decision = sight?.decision ?? -1;
    this.#when = performance.now();
    return true;
  }
}

/**
 * Whether a key is a press: any that writes something, but `?` and the log's, and Enter; not twice for a button, which
 * knows Enter and the space bar by itself.
 *
 * @param {string} key
 * @param {KeyboardEvent} event
 */
export function presses(key, event) {
  const [target] = event.composedPath();
  const native = target instanceof Element && target.matches("button, a, summary, [role=button]");
  return !event.repeat && /^(Enter|[^l?])$/iu.test(key) && !(native && /^(Enter| )$/.test(key));
}
