import { skipsAnimation } from "../ui/settings.js";
import { stopSounds } from "../ui/sounds.js";

/** Elements that handle a tap themselves. */
const CONTROLS = "a, button, input, select, summary, [role=button]";
/** Events that move nothing on a table, so that several of them are displayed at once after a reveal. */
export const STILL = new Set(["chose", "choice_withdrawn"]);
/** Milliseconds after which `frame` stops waiting, because hidden pages have no frames. */
const NO_FRAME = 100;

/**
 * A movement of an element.
 *
 * @typedef {object} Movement
 * @property {number} at when it starts, in milliseconds at normal speed
 * @property {number} time how long it takes
 * @property {Keyframe[]} frames
 * @property {string} [easing] of each step that has none
 */

/** Movements of several elements that start together, and whose animations end together, so that this costs two frames. */
export class Score {
  /** @type {Map<Element, {movements: Movement[], keep: boolean}>} */
  paths = new Map();
  /** When the last movement ends, in milliseconds. */
  end = 0;

  /**
   * Add a movement of an element after its others. All movements of an element animate the same properties.
   *
   * @param {Element | null | undefined} element
   * @param {Movement} movement
   * @param {boolean} [keep] whether the element keeps its last frame until `clear` or `release`
   */
  add(element, movement, keep = false) {
    if (!element) return;
    const path = this.paths.get(element) ?? { movements: [], keep };
    path.movements.push(movement);
    this.paths.set(element, path);
    this.end = Math.max(this.end, movement.at + movement.time);
  }
}

/**
 * A queue of animations that are played one after the other. A tap anywhere, or Enter, the space bar or Escape, skips
 * them to their end. Controls outside of the host do not skip.
 */
export class RevealQueue {
  #host;
  #speed;
  /** @type {Promise<void>} */
  #last = Promise.resolve();
  // Animations are numbered, and these are the numbers of the current animation and of the last animation to be
  // skipped.
  #added = 0;
  #shown = 0;
  #showing = 0;
  #skipped = 0;
  #wake = () => {};
  /** @type {Promise<void>} */
  #woken = Promise.resolve();
  /** @type {Set<Animation>} */
  #animations = new Set();
  /** The last animation of each element, unless it is kept. @type {WeakMap<Element, {moving: Animation, frames: Keyframe[]}>} */
  #passing = new WeakMap();

  /**
   * @param {Element} host the element that is animated
   * @param {() => number} speed multiple of normal speed; 0 for instant
   */
  constructor(host, speed) {
    this.#host = host;
    this.#speed = speed;
  }

  /** Whether an animation is playing or queued. */
  get busy() {
    return this.#shown < this.#added;
  }

  /** Resolved when all queued animations have ended. */
  get ended() {
    return this.#last;
  }

  /** Whether others are queued behind the current animation. */
  get followed() {
    return this.#showing < this.#added;
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
    if (!this.busy) this.#listen(true);
    this.#added += 1;
    const added = this.#added;
    const run = () => {
      this.#showing = added;
      this.#woken = new Promise((done) => (this.#wake = () => done()));
      return show();
    };
    this.#last = this.#last.then(run, run).finally(() => {
      this.#shown = added;
      this.clear();
      if (!this.busy) this.#listen(false);
    });
    await this.#last;
  }

  /** Skip all queued animations. */
  skip() {
    if (!this.busy || this.#skipped === this.#added) return;
    this.#skipped = this.#added;
    for (const animation of this.#animations) animation.finish();
    this.#wake();
    stopSounds();
  }

  /** Cancel the effects of the animations of these elements. @param {Iterable<Element>} elements */
  release(elements) {
    const targets = new Set(elements);
    for (const animation of this.#animations) {
      if (!targets.has(targetOf(animation))) continue;
      animation.cancel();
      this.#animations.delete(animation);
    }
  }

  /** Cancel the animations of removed elements, which would need the main thread in each frame. */
  releaseRemoved() {
    this.release([...this.#animations].map(targetOf).filter((target) => !target.isConnected));
  }

  /** Cancel the effects of all animations. */
  clear() {
    for (const animation of this.#animations) animation.cancel();
    this.#animations.clear();
  }

  /**
   * Return how long an animation takes now if it takes the given time at normal speed.
   *
   * @param {number} milliseconds
   */
  time(milliseconds) {
    return this.atOnce ? 0 : milliseconds / this.#speed();
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

  /** Wait until the browser has drawn a frame, so that a long preparation is spread over several frames. */
  async frame() {
    if (this.atOnce) return;
    await new Promise((done) => {
      requestAnimationFrame(() => setTimeout(done));
      setTimeout(done, NO_FRAME);
    });
  }

  /**
   * Animate an element until the animation ends or is skipped. With `keep`, the element keeps the last frame until
   * `clear` or `release`. Otherwise, the next animation of the same property ends it, because browsers would run that one
   * on the main thread. The element rests on its first frame for the time `delay` before, and on its last for `rest`
   * after, as parts of the animation: each start and each end of an animation costs a frame, and several at once cost one.
   *
   * @param {Element | null | undefined} element
   * @param {Keyframe[]} frames
   * @param {number} milliseconds at normal speed
   * @param {{delay?: number, easing?: string, keep?: boolean, rest?: number}} [how] the easing is that of each step
   */
  animate(element, frames, milliseconds, { delay = 0, easing, keep, rest = 0 } = {}) {
    this.move(element, [{ at: delay, time: milliseconds, frames, easing }], delay + milliseconds + rest, keep);
  }

  /** Start the movements of a score. @param {Score} score */
  play({ paths, end }) {
    for (const [element, { movements, keep }] of paths) this.move(element, movements, end, keep);
  }

  /**
   * Animate an element through several movements, between which it rests, by one animation.
   *
   * @param {Element | null | undefined} element
   * @param {Movement[]} movements in order, not overlapping
   * @param {number} milliseconds of the whole animation, at normal speed
   * @param {boolean} [keep]
   */
  move(element, movements, milliseconds, keep = false) {
    const duration = this.time(milliseconds);
    if (!duration || !element) return;
    const frames = timeline(movements, milliseconds);
    const before = this.#passing.get(element);
    if (before && ["transform", "opacity"].some((property) => animates(frames, property) && animates(before.frames, property))) before.moving.cancel();
    const moving = element.animate(frames, { duration, fill: keep ? "both" : "none" });
    this.#animations.add(moving);
    if (!keep) this.#passing.set(element, { moving, frames });
    const remove = () => void (keep || this.#animations.delete(moving));
    moving.finished.then(remove, remove);
  }

  /** @param {boolean} on */
  #listen(on) {
    const listen = on ? addEventListener : removeEventListener;
    listen("click", this.#onTap, true);
    listen("keydown", this.#onKey, true);
  }

  /** @param {Event} event */
  #onTap = (event) => {
    const path = /** @type {Element[]} */ (event.composedPath().filter((element) => element instanceof Element));
    const elsewhere = !path.includes(this.#host) && path.some((element) => element.matches(CONTROLS));
    if (!elsewhere && !path.some((element) => element.matches("dialog"))) this.skip();
  };

  /** @param {KeyboardEvent} event */
  #onKey = (event) => {
    const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.repeat);
    if (!plain || !["Escape", "Enter", " "].includes(event.key)) return;
    if (event.composedPath().some((element) => element instanceof Element && element.matches("dialog"))) return;
    if (event.key === "Escape" && !this.atOnce) event.preventDefault(); // skips, and undoes nothing
    this.#onTap(event);
  };
}

/** @param {Animation} animation */
function targetOf({ effect }) {
  return /** @type {Element} */ (/** @type {KeyframeEffect} */ (effect).target);
}

/**
 * @param {Keyframe[]} frames
 * @param {string} property
 */
function animates(frames, property) {
  return frames.some((frame) => property in frame);
}

/**
 * Return the keyframes of movements with rests between them.
 *
 * @param {Movement[]} movements
 * @param {number} all milliseconds of the animation
 * @returns {Keyframe[]}
 */
function timeline(movements, all) {
  /** @type {(Keyframe & {offset: number})[]} */
  const keyframes = [];
  for (const { at, time, frames, easing = "linear" } of movements) {
    const last = frames.length - 1;
    const steps = frames.map((frame, index) => ({ easing, ...frame, offset: (at + time * (frame.offset ?? index / last)) / all }));
    keyframes.push({ ...(keyframes.at(-1) ?? steps[0]), offset: keyframes.length ? steps[0].offset : 0 }, ...steps);
  }
  keyframes.push({ ...keyframes[keyframes.length - 1], offset: 1 });
  let latest = 0;
  for (const keyframe of keyframes) latest = keyframe.offset = Math.min(Math.max(keyframe.offset, latest), 1); // rounded sums may be out of order
  return keyframes;
}
