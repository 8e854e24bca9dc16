import { total } from "../../art/heads.js";
import { isCalm, settings } from "../../ui/settings.js";
import { playSound } from "../../ui/sounds.js";
import { DRUM, EASE_OUT, FADE } from "../timing.js";
import { charge } from "./bull-charge.js";
import { arrange, measure, Stage } from "./stage.js";

/** @import { RevealQueue } from "../reveal-queue.js" */
/** @import { AnimationStep } from "./display-state.js" */
/** @import { Flyer, Geometry, Place } from "./stage.js" */

/** Durations in milliseconds at normal speed. */
const GATHER = 300;
const FLIP = 300;
/** Between the flips of two cards. */
const LAG = 55;
/** A flip until its card rests, which is when another card starts, because each start and each end costs a frame. */
const SETTLED = 7 * LAG;
const READ = 650;
const SQUASH = 190;
const NEXT = 115;
const FLIGHT = 460;

const EASE_IN = "cubic-bezier(0.5, 0, 0.9, 0.5)";

/**
 * The animations of a reveal. Revealed cards fly to a stage above the board, are turned at full size, and go to their
 * rows in ascending order. A card beyond the end of its row brings the bull. If reveals are calm, cards only fade.
 */
export class NimmtReveal {
  #root;
  #queue;
  /** @type {Stage | null} */
  #stage = null;
  /** @type {Geometry | null} */
  #geometry = null;
  /** Whether the cards are on the stage at full size, and not in the tray. */
  #raised = false;
  /** @type {number[]} cards that lie in their rows, and still on the stage */
  #landed = [];
  /** @type {readonly string[]} */
  names = [];
  /** The viewer's seat; -1 for a spectator. */
  me = -1;
  /** Whether the viewer's phone may vibrate. */
  vibrates = false;

  /**
   * @param {ParentNode} root
   * @param {RevealQueue} queue
   */
  constructor(root, queue) {
    this.#root = root;
    this.#queue = queue;
  }

  /** Whether the revealed cards are on the stage, and not in the tray. */
  get staged() {
    return this.#stage !== null;
  }

  /**
   * Animate a step.
   *
   * @param {AnimationStep} step
   * @param {() => Promise<unknown>} apply display the state after the step
   */
  async play(step, apply) {
    const calm = isCalm();
    if (step.act === "flip") await (calm ? this.#showCalmly(step.plays, apply) : this.#flip(step.plays, apply));
    else if (step.act === "place") await (calm ? this.#fadeCard(step.card, apply) : this.#place(step, apply));
    else if (step.act === "take") await (calm ? this.#takeCalmly(step, apply) : this.#take(step, apply));
    else if (step.act === "deal") await this.#deal(apply, calm);
    else {
      await apply();
      if (step.act === "rest") await this.#queue.wait(step.long ?? 0);
    }
  }

  /** Remove the stage. */
  end() {
    this.#stage?.close();
    this.#stage = null;
    this.#geometry = null;
    this.#raised = false;
    this.#landed = [];
  }

  /** @param {string} selector */
  #find(selector) {
    return /** @type {HTMLElement | null} */ (this.#root.querySelector(selector));
  }

  /** @param {number} row */
  #lane(row) {
    return this.#root.querySelectorAll(".lane")[row];
  }

  get #places() {
    return (this.#geometry ??= measure(/** @type {HTMLElement} */ (this.#find(".felt"))));
  }

  #open() {
    return (this.#stage ??= new Stage(/** @type {HTMLElement} */ (this.#find(".stage"))));
  }

  /**
   * Put the revealed cards on the stage, face down, where their backs lie.
   *
   * @param {{card: number, seat: number}[]} cards
   * @param {number} width
   */
  async #raise(cards, width) {
    const stage = this.#open();
    const { spots } = this.#places;
    for (const [index, each] of cards.entries()) {
      if (index) await this.#queue.frame(); // each is drawn in a frame of its own
      stage.add({ ...each, name: this.names[each.seat], mine: each.seat === this.me }, spots[each.seat], width);
    }
    return stage;
  }

  /**
   * @param {number[]} plays by seat
   * @param {() => Promise<unknown>} apply
   */
  async #flip(plays, apply) {
    const queue = this.#queue;
    const cards = plays.flatMap((card, seat) => (card ? [{ card, seat }] : []));
    if (!cards.length) return apply();
    const { area, spots } = this.#places;
    const places = arrange(area, cards.length);
    const stage = await this.#raise(cards, places[0].width);
    if (queue.atOnce) return;
    this.#raised = true;
    await apply(); // the tray is empty
    await queue.frame();
    queue.animate(stage.scrim, [{ opacity: 0 }, { opacity: 1 }], GATHER, { keep: true });
    const flyers = [...stage.flyers.values()];
    flyers.forEach((flyer, index) => {
      queue.animate(
        flyer.element,
        [{ transform: stage.transform(spots[flyer.seat]) }, { transform: stage.transform(places[index]) }],
        GATHER,
        { delay: index * 22, easing: EASE_OUT },
      );
      stage.put(flyer, places[index]);
    });
    for (const flyer of flyers) {
      flyer.drawFront();
      await queue.frame();
    }
    await queue.wait(GATHER - 60);
    for (const flyer of flyers) {
      this.#turn(stage, flyer);
      await queue.wait(LAG);
    }
    await queue.wait(FLIP + READ);
  }

  /**
   * @param {Stage} stage
   * @param {Flyer} flyer
   */
  #turn(stage, flyer) {
    const queue = this.#queue;
    const [flat, edge] = [{ transform: "none" }, { transform: "scaleX(0)" }];
    const [middle, end] = [(FLIP * 0.45) / SETTLED, FLIP / SETTLED];
    queue.animate(flyer.down, [{ ...flat, easing: "ease-in" }, { ...edge, offset: middle }, edge], SETTLED);
    queue.animate(flyer.up, [edge, { ...edge, offset: middle, easing: EASE_OUT }, { ...flat, offset: end }, flat], SETTLED);
    queue.animate(
      flyer.body,
      [{ transform: "none" }, { transform: "translateY(-7%) scale(1.09)", offset: 0.45 }, { transform: "scale(1.03, 0.97)", offset: 0.8 }, { transform: "none" }],
      SETTLED,
      { easing: "ease-in-out" },
    );
    stage.turn(flyer);
    playSound("flip", queue.time(FLIP * 0.35));
  }

  /**
   * Return a card on the stage. A card that has waited in the tray, because another seat has chosen a row, is put on the
   * stage first.
   *
   * @param {number} card
   * @param {number} seat
   */
  async #flyer(card, seat) {
    const found = this.#stage?.flyers.get(card);
    if (found) return found;
    const { rows, spots } = this.#places;
    const stage = this.#open();
    const flyer = stage.add({ card, seat, name: this.names[seat], mine: seat === this.me }, spots[seat], rows[0][0].width);
    flyer.drawFront();
    stage.turn(flyer);
    return flyer;
  }

  /** Move the cards that wait for their turn from the stage to the tray. @param {Flyer} first the one that goes first */
  #lower(first) {
    if (!this.#raised || !this.#stage) return;
    this.#raised = false;
    const [stage, queue] = [this.#stage, this.#queue];
    queue.animate(stage.scrim, [{ opacity: 1 }, { opacity: 0 }], 300, { keep: true });
    let delay = 0;
    for (const flyer of stage.flyers.values()) {
      if (flyer === first) continue;
      const spot = this.#places.spots[flyer.seat];
      queue.animate(flyer.element, [{ transform: stage.transform(flyer.at) }, { transform: stage.transform(spot) }], 340, { delay, easing: "cubic-bezier(0.5, 0, 0.2, 1)" });
      stage.put(flyer, spot);
      delay += 15;
    }
  }

  /** Milliseconds of a card's flight to its row, fewer if there are many cards. */
  get #flight() {
    return Math.max(330, 500 - 18 * this.names.length);
  }

  /**
   * @param {Extract<AnimationStep, {act: "place"}>} step
   * @param {() => Promise<unknown>} apply
   */
  async #place({ card, seat, row, at }, apply) {
    const flyer = await this.#flyer(card, seat);
    this.#lower(flyer);
    await this.#land(flyer, this.#places.rows[row][at], row);
    await apply();
    await this.#leave(card);
  }

  /**
   * Leave a card that now lies in its row to the board. It is removed with the next one, because each change of the stage
   * costs a frame.
   *
   * @param {number} card
   */
  async #leave(card) {
    await this.#queue.wait(NEXT);
    this.#landed.push(card);
  }

  /**
   * Let a card fly above a place and slam down on it.
   *
   * @param {Flyer} flyer
   * @param {Place} to
   * @param {number} row
   * @param {number} [hover] milliseconds for which it trembles above the place
   */
  async #land(flyer, to, row, hover = 0) {
    const stage = this.#open();
    const queue = this.#queue;
    const from = flyer.at;
    for (const each of this.#landed.splice(0)) stage.remove(each);
    stage.raise(flyer);
    const width = Math.max(Math.min(to.width * 1.75, 150), to.width * 1.2);
    const height = (width * 4) / 3;
    const centre = { x: to.x + to.width / 2, y: to.y + to.height / 2 - height * 0.28 };
    const lift = { x: centre.x - width / 2, y: Math.max(centre.y - height / 2, 2), width, height };
    const [rise, slam] = [this.#flight * 0.62, this.#flight * 0.38];
    queue.animate(
      flyer.element,
      [
        { transform: stage.transform(from), easing: "cubic-bezier(0.3, 0, 0.2, 1)" },
        { transform: stage.transform(lift), offset: rise / (rise + hover + slam), easing: "linear" },
        { transform: stage.transform(lift), offset: (rise + hover) / (rise + hover + slam), easing: EASE_IN },
        { transform: stage.transform(to) },
      ],
      rise + hover + slam,
    );
    stage.put(flyer, to);
    if (hover) {
      const tremble = [0, 1, -1, 1, -1, 1, -1, 1, -1, 0].map((way) => ({ transform: `rotate(${way * 2.6}deg) scale(${way ? 1.05 : 1})` }));
      queue.animate(flyer.body, tremble, hover, { delay: rise, easing: "linear" });
      playSound("drum", queue.time(rise));
      await queue.wait(rise + hover);
    }
    const until = hover ? slam : rise + slam;
    queue.animate(
      flyer.body,
      [{ transform: "none" }, { transform: "scale(1.13, 0.85)", offset: 0.28 }, { transform: "scale(0.97, 1.04)", offset: 0.62 }, { transform: "none" }],
      SQUASH,
      { delay: until, easing: "ease-out" },
    );
    queue.animate(stage.dust(to), [{ opacity: 0, transform: "scale(0.45)" }, { opacity: 0.95, offset: 0.05 }, { opacity: 0, transform: "scale(1.25)" }], 380, { delay: until, easing: EASE_OUT });
    this.#jolt(row, until);
    playSound("land", queue.time(until));
    await queue.wait(until + 10);
  }

  /**
   * Let a row feel a card that lands on it.
   *
   * @param {number} row
   * @param {number} delay
   */
  #jolt(row, delay) {
    const frames = [{ transform: "none" }, { transform: "translateY(4px) rotate(-0.4deg)", offset: 0.3 }, { transform: "translateY(-1px)", offset: 0.65 }, { transform: "none" }];
    this.#queue.animate(this.#lane(row)?.querySelector(".cards"), frames, 200, { delay, easing: "ease-out" });
  }

  /**
   * @param {Extract<AnimationStep, {act: "take"}>} step
   * @param {() => Promise<unknown>} apply
   */
  async #take({ card, seat, row, cards, chosen }, apply) {
    const queue = this.#queue;
    const flyer = await this.#flyer(card, seat);
    this.#lower(flyer);
    const slots = this.#places.rows[row];
    const mine = seat === this.me;
    if (!chosen) await this.#land(flyer, slots[slots.length - 1], row, mine && settings.reveal !== "fast" ? DRUM : 0);
    const lane = this.#lane(row);
    const charged = chosen || queue.atOnce ? [] : await charge({ queue, stage: this.#open(), slots, lane, board: this.#find(".board") }, cards.length);
    if (mine && this.vibrates && !queue.atOnce) navigator.vibrate?.(chosen ? [60] : [40, 60, 90]);
    if (chosen) playSound("take");
    await this.#carry({ seat, row, cards, charged });
    if (chosen) await this.#land(flyer, slots[0], row);
    else await this.#slide(flyer, slots[0]);
    await apply();
    await this.#leave(card);
  }

  /**
   * Let the cards of a row fly to the seat that takes them, where their heads are counted.
   *
   * @param {{seat: number, row: number, cards: number[], charged: number[]}} what for each card in `charged`, when the bull hits it
   */
  async #carry({ seat, row, cards, charged }) {
    const queue = this.#queue;
    const stage = this.#open();
    const spot = this.#places.spots[seat];
    const counter = stage.counter(spot);
    const above = [{ zIndex: 6 }, { zIndex: 6 }];
    queue.animate(this.#lane(row)?.querySelector(".cards"), above, 1, { keep: true });
    const starts = cards.map((_, index) => charged[index] || index * 70);
    const order = cards.map((_, index) => index).sort((one, other) => starts[one] - starts[other]);
    for (const [turn, index] of order.entries()) {
      const from = this.#places.rows[row][index];
      const [x, y] = [spot.x + spot.width / 2 - from.x - from.width / 2, spot.y + spot.height / 2 - from.y - from.height / 2];
      const scale = spot.width / from.width;
      const spin = (turn % 2 ? 1 : -1) * (charged.length ? 26 + 9 * turn : 8);
      const up = from.height * (charged.length ? 0.5 : 0.15);
      const element = this.#lane(row)?.querySelector(`[data-card="${cards[index]}"]`);
      queue.animate(
        element,
        [
          { transform: "none", easing: "cubic-bezier(0.1, 0.6, 0.4, 1)" },
          { transform: `translate(${charged.length ? -from.width * 0.25 : 0}px, ${-up}px) rotate(${spin}deg) scale(1.12)`, offset: 0.36, easing: "cubic-bezier(0.6, 0, 0.4, 1)" },
          { transform: `translate(${x}px, ${y}px) rotate(${spin * 0.3}deg) scale(${scale})`, opacity: 1, offset: 0.96 },
          { transform: `translate(${x}px, ${y}px) scale(${scale * 0.8})`, opacity: 0 },
        ],
        FLIGHT + 120,
        { delay: starts[index], keep: true, easing: "linear" },
      );
    }
    const pop = [{ transform: "scale(1)" }, { transform: "scale(1.35)", offset: 0.3 }, { transform: "scale(1)" }];
    let [heads, now] = [0, 0];
    for (const [turn, index] of order.entries()) {
      const arrives = starts[index] + FLIGHT + 90;
      await queue.wait(arrives - now);
      now = arrives;
      if (queue.atOnce) return;
      heads += total([cards[index]]);
      counter.show(heads);
      if (!turn) queue.animate(counter.element, [{ opacity: 0 }, { opacity: 1 }], 120, { keep: true });
      queue.animate(counter.element, pop, 180);
      playSound("head");
    }
    queue.animate(counter.element, [{ opacity: 1 }, { opacity: 0 }], 300, { delay: 1500, keep: true });
  }

  /**
   * Let the sixth card move to the start of its row.
   *
   * @param {Flyer} flyer
   * @param {Place} to
   */
  async #slide(flyer, to) {
    const stage = this.#open();
    this.#queue.animate(flyer.element, [{ transform: stage.transform(flyer.at) }, { transform: stage.transform(to) }], 320, { easing: "cubic-bezier(0.5, 0, 0.2, 1)" });
    stage.put(flyer, to);
    playSound("card", this.#queue.time(60));
    await this.#queue.wait(320);
  }

  /**
   * @param {() => Promise<unknown>} apply
   * @param {boolean} calm
   */
  async #deal(apply, calm) {
    await apply();
    const lying = this.#root.querySelectorAll(".lane .lying");
    for (const [index, each] of [...lying].entries()) {
      const start = calm ? { opacity: 0 } : { opacity: 0, transform: "translateY(-60%) scale(1.3)" };
      this.#queue.animate(each, [start, { opacity: 1 }], calm ? FADE : 300, { delay: index * 90, easing: EASE_OUT });
      if (!calm) playSound("card", this.#queue.time(index * 90 + 120));
    }
    await this.#queue.wait(300 + lying.length * 90);
  }

  /**
   * @param {number[]} plays
   * @param {() => Promise<unknown>} apply
   */
  async #showCalmly(plays, apply) {
    const queue = this.#queue;
    const cards = plays.flatMap((card, seat) => (card ? [{ card, seat }] : []));
    if (!cards.length) return apply();
    const places = arrange(this.#places.area, cards.length);
    const stage = await this.#raise(cards, places[0].width);
    const flyers = [...stage.flyers.values()];
    for (const [index, flyer] of flyers.entries()) {
      flyer.drawFront();
      stage.turn(flyer);
      stage.put(flyer, places[index]);
      queue.animate(flyer.element, [{ opacity: 0 }, { opacity: 1 }], FADE, { keep: true });
    }
    queue.animate(stage.scrim, [{ opacity: 0 }, { opacity: 1 }], FADE, { keep: true });
    playSound("reveal");
    await queue.wait(FADE + READ + 35 * cards.length);
    for (const { element } of flyers) queue.animate(element, [{ opacity: 1 }, { opacity: 0 }], FADE, { keep: true });
    queue.animate(stage.scrim, [{ opacity: 1 }, { opacity: 0 }], FADE, { keep: true });
    await queue.wait(FADE);
    this.end();
    await apply();
  }

  /**
   * @param {number} card
   * @param {() => Promise<unknown>} apply
   */
  async #fadeCard(card, apply) {
    await apply();
    this.#queue.animate(this.#find(`.lane [data-card="${card}"]`), [{ opacity: 0 }, { opacity: 1 }], FADE);
    playSound("card");
    await this.#queue.wait(FADE + 60);
  }

  /**
   * @param {Extract<AnimationStep, {act: "take"}>} step
   * @param {() => Promise<unknown>} apply
   */
  async #takeCalmly({ card, seat, cards }, apply) {
    const queue = this.#queue;
    const counter = this.#open().counter(this.#places.spots[seat]);
    counter.show(total(cards));
    queue.animate(counter.element, [{ opacity: 0 }, { opacity: 1 }], FADE, { keep: true });
    for (const each of cards) queue.animate(this.#find(`.lane [data-card="${each}"]`), [{ opacity: 1 }, { opacity: 0 }], FADE * 2, { keep: true });
    playSound("take");
    await queue.wait(FADE * 2 + 120);
    await this.#fadeCard(card, apply);
    await queue.wait(300);
    queue.animate(counter.element, [{ opacity: 1 }, { opacity: 0 }], FADE, { keep: true });
  }
}
