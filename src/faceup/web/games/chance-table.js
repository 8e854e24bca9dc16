import { LitElement } from "../vendor/lit/index.js";
import { onKey } from "../manners/keys.js";
import { Reveal } from "./reveal.js";

/** @import { Sight } from "../live/types.js" */

/** What was sent and came to nothing may be sent again after so long. */
const AGAIN = 1500;

/**
 * A table of a game of pure chance, where a seat may do one thing: it is done by a press, once for each decision, however
 * often somebody presses, and a press shows at once whatever is still being shown.
 *
 * @template {object} Shown what is shown, which a reveal leads from one sight to the next
 */
export class ChanceTable extends LitElement {
  static properties = {
    sight: { attribute: false },
    quiet: { type: Boolean },
    speed: { type: Number },
    television: { type: Boolean, reflect: true },
    shown: { state: true },
  };

  reveal = new Reveal(() => this.pace);
  #decision = -1;
  #when = -AGAIN;
  #stopKeys = () => {};

  /** @param {string} action the one thing, in words, as commands have it */
  constructor(action) {
    super();
    this.action = action;
    /** @type {Sight | null} */
    this.sight = null;
    this.quiet = false;
    this.speed = 1;
    this.television = false;
    /** @type {Shown | null} */
    this.shown = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#stopKeys = onKey((key, event) => presses(key, event) && this.pressed(key));
  }

  disconnectedCallback() {
    this.#stopKeys();
    super.disconnectedCallback();
  }

  /** How many times the usual speed a reveal has. */
  get pace() {
    return this.speed;
  }

  /** @param {Shown} shown */
  show(shown) {
    this.shown = shown;
    this.dispatchEvent(new Event("standing"));
  }

  /** Whether there is something to be done. */
  get may() {
    const { sight } = this;
    return !this.quiet && sight?.status === "active" && sight.paused === undefined && sight.words.includes(this.action) && sight.choice === undefined;
  }

  /** Milliseconds since the last press that counted. */
  get since() {
    return performance.now() - this.#when;
  }

  /** In how many milliseconds a press would count. */
  get again() {
    return this.#decision === this.sight?.decision ? Math.max(AGAIN - this.since, 0) : 0;
  }

  /** Do the one thing; whether this press counts. */
  press() {
    if (!this.may || this.again) return false;
    this.#decision = this.sight?.decision ?? -1;
    this.#when = performance.now();
    this.reveal.skip();
    this.dispatchEvent(new CustomEvent("choose", { detail: { action: this.action } }));
    return true;
  }

  /**
   * A key that is a press; whether it was of use.
   *
   * @param {string} key
   * @returns {boolean}
   */
  pressed(key) {
    void key;
    return this.press();
  }
}

/**
 * Whether a key is a press: any that writes something, but `?` and the log's, and Enter; not twice for a button, which
 * knows Enter and the space bar by itself.
 *
 * @param {string} key
 * @param {KeyboardEvent} event
 */
function presses(key, event) {
  const [target] = event.composedPath();
  const native = target instanceof Element && target.matches("button, a, summary, [role=button]");
  return !event.repeat && /^(Enter|[^l?])$/iu.test(key) && !(native && /^(Enter| )$/.test(key));
}
