import { atOnce } from "../../manners/settings.js";

/** The time that one card takes to get to its row, in milliseconds, at the usual speed. */
const MOVE = 330;

/** Tells how fast to go, and lets whoever waits go on sooner. */
export class Pace {
  /** How many times the usual speed the element has been set to; 0 is at once. */
  speed = 1;
  #hurry = 1;
  /** @type {Set<() => void>} */
  #waiting = new Set();
  /** @type {Set<Animation>} */
  #moving = new Set();

  /** Whether nothing is to be shown on its way. */
  get atOnce() {
    return atOnce(this.speed);
  }

  /** @param {number} moves */
  milliseconds(moves) {
    return this.atOnce ? 0 : (moves * MOVE) / (this.speed * this.#hurry);
  }

  /** Go on this much faster until `calm`. */
  hurry(times = 4) {
    if (times <= this.#hurry) return;
    for (const each of this.#moving) each.updatePlaybackRate(times / this.#hurry);
    this.#hurry = times;
  }

  calm() {
    this.#hurry = 1;
  }

  /** End what is moving, and wake whoever waits. */
  end() {
    for (const each of this.#moving) each.finish();
    for (const go of [...this.#waiting]) go();
  }

  /** @param {number} ms */
  wait(ms) {
    if (ms <= 0) return Promise.resolve();
    return new Promise((/** @type {(value?: undefined) => void} */ done) => {
      const go = () => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        done();
      };
      const timer = setTimeout(go, ms);
      this.#waiting.add(go);
    });
  }

  /**
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {number} ms
   */
  move(element, frames, ms) {
    const moving = element.animate(frames, { duration: ms, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" });
    this.#moving.add(moving);
    const gone = () => this.#moving.delete(moving);
    moving.finished.then(gone, gone);
  }
}

/**
 * Where each card is, by what names it.
 *
 * @param {ParentNode} root
 */
export function places(root) {
  return new Map([...cards(root)].map(([name, element]) => [name, element.getBoundingClientRect()]));
}

/** @param {ParentNode} root */
function cards(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const found = root.querySelectorAll("[data-card]");
  return new Map([...found].map((element) => [element.dataset.card ?? "", element]));
}

/**
 * Let every card glide from where it was to where it is.
 *
 * @param {ParentNode} root
 * @param {Map<string, DOMRect>} before
 * @param {Pace} pace
 * @param {number} ms
 */
export function glide(root, before, pace, ms) {
  const now = [...cards(root)].map(([name, element]) => ({ element, to: element.getBoundingClientRect(), from: before.get(name) }));
  for (const { element, from, to } of now) {
    if (!from || !to.width) continue;
    const [x, y, scale] = [from.x - to.x, from.y - to.y, from.width / to.width];
    if (Math.abs(x) + Math.abs(y) < 1) continue;
    const start = `translate(${x}px, ${y}px) scale(${scale})`;
    pace.move(element, [{ transform: start, zIndex: 9 }, { transform: "none", zIndex: 9 }], ms);
  }
}

/**
 * Half a turn of each of these about its upright middle.
 *
 * @param {Iterable<Element>} elements
 * @param {Pace} pace
 * @param {boolean} away whether it is the first half
 * @param {number} ms
 */
export function turn(elements, pace, away, ms) {
  const [edge, flat] = [{ transform: "scaleX(0)" }, { transform: "none" }];
  for (const element of elements) pace.move(element, away ? [flat, edge] : [edge, flat], ms);
}
