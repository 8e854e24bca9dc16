import { bull } from "../../art/bull.js";
import { back, card } from "../../art/nimmt-card.js";
import { html, nothing, render } from "../../vendor/lit/index.js";
import { PIP } from "./board.js";

/**
 * A place on the felt, in pixels from its top left corner.
 *
 * @typedef {{x: number, y: number, width: number, height: number}} Place
 *
 * Where everything is while cards are revealed, measured once.
 *
 * @typedef {object} Geometry
 * @property {Place} area the visible part of the felt; on a television the whole window
 * @property {number} widest width in pixels of the largest card on the stage
 * @property {Place[][]} rows for each row, its places, the last of which is the bull's
 * @property {Place[]} spots by seat, the place in the tray
 *
 * A card on the stage.
 *
 * @typedef {object} Flyer
 * @property {HTMLElement} element
 * @property {HTMLElement} body the part that is squashed
 * @property {HTMLElement} down its back
 * @property {HTMLElement} up its front
 * @property {number} seat
 * @property {Place} at
 * @property {() => void} drawFront
 */

/** Height of a card as a multiple of its width. */
const TALL = 4 / 3;
/** Width in pixels of the largest card on the stage. */
const WIDEST = 190;
/** The same on a television, as a part of the window's height. */
const WIDEST_ON_TELEVISION = 0.36;
/** Least height in pixels of the stage, if the felt is out of sight. */
const MINIMUM = 120;
/** Space between cards on the stage, as a part of their width. */
const GAP = 0.09;
/** Space below each line of cards for the names, as a part of the width of a card. */
const NAME = 0.17;

/**
 * Measure the felt.
 *
 * @param {Element} felt
 * @param {boolean} television whether the stage fills the window
 * @returns {Geometry}
 */
export function measure(felt, television) {
  const origin = felt.getBoundingClientRect();
  /** @param {Element} element @returns {Place} */
  const place = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x - origin.x, y: y - origin.y, width, height };
  };
  const [top, bottom] = [Math.max(-origin.y, 0), Math.min(innerHeight - origin.y, origin.height)];
  // Where the layout has no tray, cards come from the upper edge.
  const edge = { x: origin.width / 2 - 15, y: 0, width: 30, height: 40 };
  const board = { x: 0, y: top, width: origin.width, height: Math.max(bottom - top, MINIMUM) };
  return {
    area: television ? { x: -origin.x, y: -origin.y, width: innerWidth, height: innerHeight } : board,
    widest: television ? WIDEST_ON_TELEVISION * innerHeight : WIDEST,
    rows: [...felt.querySelectorAll(".lane")].map((lane) => [...lane.querySelectorAll(".slot")].map(place)),
    spots: [...felt.querySelectorAll(".spot")].map(place).map((spot) => (spot.width ? spot : edge)),
  };
}

/**
 * Arrange cards as large as possible.
 *
 * @param {Geometry} geometry
 * @param {number} count
 * @returns {Place[]}
 */
export function arrange({ area, widest }, count) {
  let [best, lines] = [0, 1];
  for (let lineCount = 1; lineCount <= count; lineCount += 1) {
    const across = Math.ceil(count / lineCount);
    const width = Math.min(area.width / (across + GAP * (across + 1)), area.height / (lineCount * (TALL + NAME) + GAP * (lineCount + 1)), widest);
    if (width > best) [best, lines] = [width, lineCount];
  }
  const across = Math.ceil(count / lines);
  const [stepX, stepY] = [best * (1 + GAP), best * (TALL + NAME + GAP)];
  return Array.from({ length: count }, (_, index) => {
    const line = Math.floor(index / across);
    const inLine = Math.min(across, count - line * across);
    const x = area.x + area.width / 2 + (index - line * across - inLine / 2) * stepX + (best * GAP) / 2;
    const y = area.y + area.height / 2 + (line - lines / 2) * stepY + (best * GAP) / 2;
    return { x, y, width: best, height: best * TALL };
  });
}

/** The elements above the board while cards are revealed. */
export class Stage {
  #root;
  #width = 0;
  #top = 1;
  /** @type {HTMLElement[]} used in turn, because the last one may still be settling */
  #dust = [];
  /** @type {Map<number, Flyer>} the cards, by number */
  flyers = new Map();

  /** @param {HTMLElement} root an empty element that fills the felt */
  constructor(root) {
    this.#root = root;
    this.scrim = this.#add("scrim");
    this.scrim.style.opacity = "0";
  }

  /** Remove everything. */
  close() {
    this.#root.replaceChildren();
  }

  /** @param {string} kind */
  #add(kind) {
    const element = document.createElement("div");
    element.className = kind;
    this.#root.append(element);
    return element;
  }

  /**
   * Add a card at a place, face down. It is drawn as large as it will be.
   *
   * @param {{card: number, seat: number, name: string, isOwn: boolean}} what
   * @param {Place} at
   * @param {number} width
   */
  add({ card: number, seat, name, isOwn }, at, width) {
    this.#width = width;
    const element = this.#add(isOwn ? "flyer mine" : "flyer");
    element.style.setProperty("--width", `${width}px`);
    element.style.setProperty("--owner", `var(--player-${seat})`);
    /** @param {boolean} front */
    const draw = (front) =>
      render(
        html`<div class="body"><div class="side">${back()}</div><div class="side">${front ? card(number) : nothing}</div><bdi class="tag">${name}</bdi></div>`,
        element,
      );
    draw(false);
    const body = /** @type {HTMLElement} */ (element.firstElementChild);
    const [down, up] = /** @type {HTMLElement[]} */ ([...body.children]);
    up.style.transform = "scaleX(0)";
    const drawFront = () => {
      element.dataset.flown = `${number}`;
      draw(true);
    };
    /** @type {Flyer} */
    const flyer = { element, body, down, up, seat, at, drawFront };
    this.flyers.set(number, flyer);
    this.put(flyer, at);
    return flyer;
  }

  /**
   * Put a card at a place, where it is after its animation. Do so after all animations are started, because a browser
   * computes the changed styles before it starts one.
   *
   * @param {Flyer} flyer
   * @param {Place} at
   * @param {boolean} [up] turn it face up
   */
  put(flyer, at, up = false) {
    flyer.at = at;
    flyer.element.style.transform = this.transform(at);
    if (!up) return;
    flyer.down.style.transform = "scaleX(0)";
    flyer.up.style.transform = "none";
  }

  /** Put a card above all others. @param {Flyer} flyer */
  raise({ element }) {
    element.style.zIndex = `${++this.#top}`;
  }

  /** The transform that puts a card at a place. @param {Place} at */
  transform({ x, y, width }) {
    return `translate(${x}px, ${y}px) scale(${width / this.#width})`;
  }

  /** @param {number} number */
  remove(number) {
    this.flyers.get(number)?.element.remove();
    this.flyers.delete(number);
  }

  /** Put the ring of dust around a card that lands at a place. @param {Place} at */
  dust({ x, y, width, height }) {
    const element = this.#dust.length < 2 ? this.#add("dust") : /** @type {HTMLElement} */ (this.#dust.shift());
    this.#dust.push(element);
    element.style.width = `${width * 1.5}px`;
    element.style.height = `${width * 0.6}px`;
    element.style.translate = `${x - width * 0.25}px ${y + height - width * 0.42}px`;
    return element;
  }

  /** Add a bull at a place. @param {Place} at */
  bull({ x, y, width }) {
    const element = this.#add("runner");
    element.style.width = element.style.height = `${width}px`;
    element.style.translate = `${x}px ${y}px`;
    render(html`<div class="body">${bull("cross")}</div>`, element);
    return { element, body: /** @type {HTMLElement} */ (element.firstElementChild) };
  }

  /**
   * Add a counter of heads at a place in the tray. Its numbers lie on each other, so that only their opacity changes.
   *
   * @param {Place} at
   * @param {number[]} numbers
   */
  counter({ x, y, width, height }, numbers) {
    const element = this.#add("counter");
    element.style.translate = `calc(${Math.max(x + width / 2, 30)}px - 50%) calc(${y + height}px - 50%)`;
    render(html`${numbers.map((heads) => html`<span>+${heads}${PIP}</span>`)}`, element);
    return { element, numbers: /** @type {HTMLElement[]} */ ([...element.children]) };
  }
}
