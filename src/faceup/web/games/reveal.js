/**
 * Shows what happened, one thing after the other, and is never in the way: whoever goes on before all is shown gets the
 * rest of it at once.
 */
export class Reveal {
  /** @type {Promise<void>} */
  #last = Promise.resolve();
  #waiting = 0;
  #hurried = false;
  #hurry = () => {};
  /** @type {Promise<void>} */
  #called = Promise.resolve();

  constructor() {
    this.#rest();
  }

  /** Whether something is being shown, or waits to be. */
  get busy() {
    return this.#waiting > 0;
  }

  /** Whether the rest is to be shown at once. */
  get hurried() {
    return this.#hurried;
  }

  /**
   * Show this when all before it is shown.
   *
   * @param {() => Promise<void>} show
   */
  async add(show) {
    this.#waiting += 1;
    const before = this.#last;
    this.#last = before.then(show, show).finally(() => {
      this.#waiting -= 1;
      if (!this.#waiting) this.#rest();
    });
    await this.#last;
  }

  /** Show the rest of it at once. */
  hurry() {
    if (!this.busy) return;
    this.#hurried = true;
    this.#hurry();
  }

  /**
   * Let people look for so long, unless they go on.
   *
   * @param {number} milliseconds
   */
  async wait(milliseconds) {
    if (this.#hurried || milliseconds <= 0) return;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    await Promise.race([new Promise((done) => (timer = setTimeout(done, milliseconds))), this.#called]);
    clearTimeout(timer);
  }

  #rest() {
    this.#hurried = false;
    this.#called = new Promise((done) => (this.#hurry = () => done()));
  }
}

/**
 * How long something takes that takes so long at speed 1; nothing at speed 0, where motion is not wanted, or nobody looks.
 *
 * @param {number} speed
 * @param {number} milliseconds
 */
export function pace(speed, milliseconds) {
  return speed && !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches ? milliseconds / speed : 0;
}
