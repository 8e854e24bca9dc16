import { atOnce } from "../manners/settings.js";

/** How many times as fast it goes on for somebody who is about to choose. */
const FASTER = 4;

/**
 * Shows what happened, one thing after the other, and is never in the way: whoever goes on before all is shown gets the
 * rest of it faster, or at once.
 */
export class Reveal {
  #speed;
  /** @type {Promise<void>} */
  #last = Promise.resolve();
  // What was added is counted: which of it is being shown, and up to which of it everything is to be shown at once.
  #added = 0;
  #shown = 0;
  #showing = 0;
  #skipped = 0;
  #faster = 1;
  #call = () => {};
  /** @type {Promise<void>} */
  #called = Promise.resolve();
  /** @type {Set<Animation>} */
  #moving = new Set();

  /** @param {() => number} speed how many times the usual one it is; 0 is at once */
  constructor(speed) {
    this.#speed = speed;
  }

  /** Whether something is being shown, or waits to be. */
  get busy() {
    return this.#shown < this.#added;
  }

  /** Whether what is being shown is to be there at once. */
  get atOnce() {
    return this.#showing <= this.#skipped || atOnce(this.#speed());
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
      this.#called = new Promise((done) => (this.#call = () => done()));
      return show();
    };
    this.#last = this.#last.then(begin, begin).finally(() => {
      this.#shown = mine;
      if (!this.busy) this.#faster = 1;
    });
    await this.#last;
  }

  /** Show all that was added so far faster. */
  hurry() {
    if (!this.busy || this.#faster > 1) return;
    for (const each of this.#moving) each.updatePlaybackRate(FASTER);
    this.#faster = FASTER;
  }

  /** Show at once all that was added so far. */
  skip() {
    if (!this.busy) return;
    this.#skipped = this.#added;
    for (const each of this.#moving) each.finish();
    this.#call();
  }

  /**
   * How long something takes now that takes so long at the usual speed.
   *
   * @param {number} milliseconds
   */
  time(milliseconds) {
    return this.atOnce ? 0 : milliseconds / (this.#speed() * this.#faster);
  }

  /**
   * Let people look for so long, at the usual speed, unless they go on.
   *
   * @param {number} milliseconds
   */
  async wait(milliseconds) {
    const time = this.time(milliseconds);
    if (!time) return;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    await Promise.race([new Promise((done) => (timer = setTimeout(done, time))), this.#called]);
    clearTimeout(timer);
  }

  /**
   * Move something meanwhile, which is where it belongs as soon as people go on.
   *
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {number} milliseconds at the usual speed
   */
  move(element, frames, milliseconds) {
    const duration = this.time(milliseconds);
    if (!duration) return;
    const moving = element.animate(frames, { duration, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" });
    this.#moving.add(moving);
    const gone = () => this.#moving.delete(moving);
    moving.finished.then(gone, gone);
  }
}
