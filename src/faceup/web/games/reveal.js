import { atOnce } from "../manners/settings.js";

/**
 * Shows what happened, one thing after the other, and is never in the way: whoever goes on before all is shown gets the
 * rest of it at once.
 */
export class Reveal {
  /** @type {Promise<void>} */
  #last = Promise.resolve();
  // What was added is counted: which of it is being shown, and up to which of it everything is to be shown at once.
  #added = 0;
  #shown = 0;
  #showing = 0;
  #hurried = 0;
  #hurry = () => {};
  /** @type {Promise<void>} */
  #called = Promise.resolve();

  /** Whether something is being shown, or waits to be. */
  get busy() {
    return this.#shown < this.#added;
  }

  /** Whether what is being shown is to be over at once. */
  get hurried() {
    return this.#showing <= this.#hurried;
  }

  /**
   * Show this when all before it is shown.
   *
   * @param {() => Promise<void>} show
   */
  async add(show) {
    this.#added += 1;
    const mine = this.#added;
    const begin = () => {
      this.#showing = mine;
      this.#called = new Promise((done) => (this.#hurry = () => done()));
      return show();
    };
    this.#last = this.#last.then(begin, begin).finally(() => (this.#shown = mine));
    await this.#last;
  }

  /** Show at once all that was added so far. */
  hurry() {
    if (!this.busy) return;
    this.#hurried = this.#added;
    this.#hurry();
  }

  /**
   * Let people look for so long, unless they go on.
   *
   * @param {number} milliseconds
   */
  async wait(milliseconds) {
    if (this.hurried || milliseconds <= 0) return;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    await Promise.race([new Promise((done) => (timer = setTimeout(done, milliseconds))), this.#called]);
    clearTimeout(timer);
  }
}

/**
 * How long something takes that takes so long at speed 1; nothing at speed 0, where motion is not wanted, or nobody looks.
 *
 * @param {number} speed
 * @param {number} milliseconds
 */
export function pace(speed, milliseconds) {
  return atOnce(speed) ? 0 : milliseconds / speed;
}
