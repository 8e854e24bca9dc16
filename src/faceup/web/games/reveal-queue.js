import { skipsAnimation } from "../ui/settings.js";

/** Factor by which animations are faster after `speedUp`, while the viewer is about to choose. */
const SPEED_UP = 4;

/**
 * A queue of animations that are played one after the other. If the viewer continues before the end, the remaining
 * animations are faster, or skipped.
 */
export class RevealQueue {
  #speed;
  /** @type {Promise<void>} */
  #last = Promise.resolve();
  // Animations are numbered, and these are the numbers of the current animation and of the last animation to be
  // skipped.
  #added = 0;
  #shown = 0;
  #showing = 0;
  #skipped = 0;
  #faster = 1;
  #wake = () => {};
  /** @type {Promise<void>} */
  #woken = Promise.resolve();
  /** @type {Set<Animation>} */
  #animations = new Set();

  /** @param {() => number} speed multiple of normal speed; 0 for instant */
  constructor(speed) {
    this.#speed = speed;
  }

  /** Whether an animation is playing or queued. */
  get busy() {
    return this.#shown < this.#added;
  }

  /** Whether the current animation is to be skipped. */
  get atOnce() {
    return this.#showing <= this.#skipped || skipsAnimation(this.#speed());
  }

  /**
   * Queue an animation.
   *
   * @param {() => Promise<void>} show
   */
  async add(show) {
    this.#added += 1;
    const mine = this.#added;
    const run = () => {
      this.#showing = mine;
      this.#woken = new Promise((done) => (this.#wake = () => done()));
      return show();
    };
    this.#last = this.#last.then(run, run).finally(() => {
      this.#shown = mine;
      if (!this.busy) this.#faster = 1;
    });
    await this.#last;
  }

  /** Speed up all queued animations. */
  speedUp() {
    if (!this.busy || this.#faster > 1) return;
    for (const each of this.#animations) each.updatePlaybackRate(SPEED_UP);
    this.#faster = SPEED_UP;
  }

  /** Skip all queued animations. */
  skip() {
    if (!this.busy) return;
    this.#skipped = this.#added;
    for (const each of this.#animations) each.finish();
    this.#wake();
  }

  /**
   * Return how long an animation takes now if it takes the given time at normal speed.
   *
   * @param {number} milliseconds
   */
  time(milliseconds) {
    return this.atOnce ? 0 : milliseconds / (this.#speed() * this.#faster);
  }

  /**
   * Wait for a time at normal speed, unless the animation is skipped.
   *
   * @param {number} milliseconds
   */
  async wait(milliseconds) {
    const time = this.time(milliseconds);
    if (!time) return;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    await Promise.race([new Promise((done) => (timer = setTimeout(done, time))), this.#woken]);
    clearTimeout(timer);
  }

  /**
   * Animate an element; it jumps to its end when the animation is skipped.
   *
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {number} milliseconds at normal speed
   */
  move(element, frames, milliseconds) {
    const duration = this.time(milliseconds);
    if (!duration) return;
    const moving = element.animate(frames, { duration, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" });
    this.#animations.add(moving);
    const gone = () => this.#animations.delete(moving);
    moving.finished.then(gone, gone);
  }
}
