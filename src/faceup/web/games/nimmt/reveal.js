import { total } from "../../art/heads.js";
import { isCalm, settings } from "../../ui/settings.js";
import { playSound } from "../../ui/sounds.js";
import { Score } from "../reveal-queue.js";
import { DRUM, EASE_OUT, FADE } from "../timing.js";
import { charge, SNORT } from "./bull-charge.js";
import { arrange, measure, Stage } from "./stage.js";

export { animationSteps } from "./animation-steps.js";

/** @import { Movement, RevealQueue } from "../reveal-queue.js" */
/** @import { AnimationStep, PlacedCard } from "./animation-steps.js" */
/** @import { TableEvent } from "../../api/types.js" */
/** @import { Flyer, Geometry, Place } from "./stage.js" */

/**
 * A card that lands at a place of a row.
 *
 * @typedef {{flyer: Flyer, to: Place, row: number, hit?: number}} Landing `hit` is when it lands, in milliseconds
 */

/** Durations in milliseconds at normal speed. */
const GATHER = 300;
const FLIP = 300;
/** Between the flips of two cards. */
const LAG = 55;
/** Cards that are drawn in one frame. More would take too long on a slow phone, and each frame has a cost of its own. */
const TOGETHER = 3;
const READ = 650;
const SQUASH = 190;
const DUST = 380;
const NEXT = 115;
const FLIGHT = 460;

const EASE_IN = "cubic-bezier(0.5, 0, 0.9, 0.5)";
const GLIDE = "cubic-bezier(0.5, 0, 0.2, 1)";

/** A flat thing that hits the table. */
const SQUASHED = [{ transform: "none" }, { transform: "scale(1.13, 0.85)", offset: 0.28 }, { transform: "scale(0.97, 1.04)", offset: 0.62 }, { transform: "none" }];
/** A row that feels a card which lands on it. */
const JOLTED = [{ transform: "none" }, { transform: "translateY(4px) rotate(-0.4deg)", offset: 0.3 }, { transform: "translateY(-1px)", offset: 0.65 }, { transform: "none" }];

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
  /** Whether the stage fills the window. */
  television = false;
  /** Called when an event has been shown that is only a part of a step. @type {(event: TableEvent) => void} */
  onShown = () => {};

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
    else if (step.act === "place") await (calm ? this.#fadeCards(step.cards, apply) : this.#place(step.cards, apply));
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
    return (this.#geometry ??= measure(/** @type {HTMLElement} */ (this.#find(".felt")), this.television));
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
    for (const [index, play] of cards.entries()) {
      if (index && index % TOGETHER === 0) await this.#queue.frame();
      stage.add({ ...play, name: this.names[play.seat], isOwn: play.seat === this.me }, spots[play.seat], width);
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
    const { spots } = this.#places;
    const places = arrange(this.#places, cards.length);
    const stage = await this.#raise(cards, places[0].width);
    if (queue.atOnce) return;
    this.#raised = true;
    await queue.frame();
    await apply(); // the tray is empty
    const flyers = [...stage.flyers.values()];
    for (const [index, flyer] of flyers.entries()) {
      if (index % TOGETHER === 0) await queue.frame();
      flyer.drawFront();
    }
    await queue.frame();
    const score = new Score();
    score.add(stage.scrim, { at: 0, time: GATHER, frames: [{ opacity: 0 }, { opacity: 1 }] }, true);
    for (const [index, flyer] of flyers.entries()) {
      const frames = [{ transform: stage.transform(spots[flyer.seat]) }, { transform: stage.transform(places[index]) }];
      score.add(flyer.element, { at: index * 22, time: GATHER, frames, easing: EASE_OUT });
      this.#turn(score, flyer, GATHER + index * LAG);
    }
    queue.play(score);
    for (const [index, flyer] of flyers.entries()) stage.put(flyer, places[index], true);
    await queue.wait(score.end + READ);
  }

  /**
   * Turn a card face up.
   *
   * @param {Score} score
   * @param {Flyer} flyer
   * @param {number} at when it starts, in milliseconds
   */
  #turn(score, flyer, at) {
    const [flat, edge, half] = [{ transform: "none" }, { transform: "scaleX(0)" }, FLIP * 0.45];
    const hop = [{ transform: "none" }, { transform: "translateY(-7%) scale(1.09)", offset: 0.45 }, { transform: "scale(1.03, 0.97)", offset: 0.8 }, { transform: "none" }];
    score.add(flyer.down, { at, time: half, frames: [flat, edge], easing: "ease-in" });
    score.add(flyer.up, { at: at + half, time: FLIP - half, frames: [edge, flat], easing: EASE_OUT });
    score.add(flyer.body, { at, time: FLIP, frames: hop, easing: "ease-in-out" });
    playSound("flip", this.#queue.time(at + FLIP * 0.35));
  }

  /**
   * Return a card on the stage. A card that has waited in the tray, because another seat has chosen a row, is put on the
   * stage first.
   *
   * @param {number} card
   * @param {number} seat
   */
  #flyer(card, seat) {
    const existing = this.#stage?.flyers.get(card);
    if (existing) return existing;
    const { rows, spots } = this.#places;
    const stage = this.#open();
    const flyer = stage.add({ card, seat, name: this.names[seat], isOwn: seat === this.me }, spots[seat], rows[0][0].width);
    flyer.drawFront();
    stage.put(flyer, spots[seat], true);
    return flyer;
  }

  /** Milliseconds of a card's flight to its row, fewer if there are many cards. */
  get #flight() {
    return Math.max(330, 500 - 18 * this.names.length);
  }

  /**
   * Leave cards that now lie in their rows to the board. They are removed with the next ones, because each change of the
   * stage costs a frame.
   *
   * @param {number[]} cards
   */
  async #leave(...cards) {
    await this.#queue.wait(NEXT);
    this.#landed.push(...cards);
  }

  /** Return a score, after removing from the stage what lies on the board. */
  #score() {
    const stage = this.#open();
    for (const flyer of this.#landed.splice(0)) stage.remove(flyer);
    this.#queue.releaseRemoved();
    return new Score();
  }

  /**
   * Let cards fly above their places and slam down on them, one after the other. The first time, the cards that wait for
   * their turn fly from the stage to the tray.
   *
   * @param {Score} score
   * @param {number} at when they start, in milliseconds
   * @param {Landing[]} landings
   * @param {number} [hover] milliseconds for which the only card trembles above its place
   * @returns {number} when the last card lands
   */
  #land(score, at, landings, hover = 0) {
    const stage = this.#open();
    const queue = this.#queue;
    const [rise, slam] = [this.#flight * 0.62, this.#flight * 0.38];
    const time = rise + hover + slam;
    const hits = landings.map((_, index) => at + index * (this.#flight + NEXT) + time);
    this.#lower(score, at, landings);
    const dust = stage.dust(landings[0].to);
    for (const [index, { flyer, to, row }] of landings.entries()) {
      const hit = (landings[index].hit = hits[index]);
      const width = Math.max(Math.min(to.width * 1.75, 150), to.width * 1.2);
      const height = (width * 4) / 3;
      const centre = { x: to.x + to.width / 2, y: to.y + to.height / 2 - height * 0.28 };
      const lift = { x: centre.x - width / 2, y: Math.max(centre.y - height / 2, 2), width, height };
      const flight = [
        { transform: stage.transform(flyer.at), easing: "cubic-bezier(0.3, 0, 0.2, 1)" },
        { transform: stage.transform(lift), offset: rise / time },
        { transform: stage.transform(lift), offset: (rise + hover) / time, easing: EASE_IN },
        { transform: stage.transform(to) },
      ];
      this.#fly(score, flyer, { at: hit - time, time, frames: flight }, to);
      if (hover) {
        const tremble = [0, 1, -1, 1, -1, 1, -1, 1, -1, 0].map((way) => ({ transform: `rotate(${way * 2.6}deg) scale(${way ? 1.05 : 1})` }));
        score.add(flyer.body, { at: at + rise, time: hover, frames: tremble });
        playSound("drum", queue.time(at + rise));
      }
      score.add(flyer.body, { at: hit, time: SQUASH, frames: SQUASHED, easing: "ease-out" });
      const jolt = { at: hit, time: 200, frames: JOLTED, easing: "ease-out" };
      score.add(this.#lane(row)?.querySelector(".cards"), jolt);
      for (const before of landings.slice(0, index)) if (before.row === row) score.add(before.flyer.body, jolt); // lies in the row
      const shift = `translate(${to.x - landings[0].to.x}px, ${to.y - landings[0].to.y}px)`;
      const ring = [{ opacity: 0, transform: `${shift} scale(0.45)` }, { opacity: 0.95, transform: `${shift} scale(0.6)`, offset: 0.05 }, { opacity: 0, transform: `${shift} scale(1.25)` }];
      score.add(dust, { at: hit, time: DUST, frames: ring, easing: EASE_OUT });
      playSound("land", queue.time(hit));
    }
    return hits[hits.length - 1];
  }

  /**
   * Let a card fly to a place.
   *
   * @param {Score} score
   * @param {Flyer} flyer
   * @param {Movement} movement
   * @param {Place} to
   */
  #fly(score, flyer, movement, to) {
    score.add(flyer.element, movement);
    flyer.at = to;
  }

  /**
   * Move the cards on the stage to the tray, except for the one that lands first.
   *
   * @param {Score} score
   * @param {number} at
   * @param {Landing[]} landings
   */
  #lower(score, at, landings) {
    if (!this.#raised || !this.#stage) return;
    this.#raised = false;
    const stage = this.#stage;
    score.add(stage.scrim, { at, time: 300, frames: [{ opacity: 1 }, { opacity: 0 }] }, true);
    const [first, ...next] = landings.map(({ flyer }) => flyer);
    const waiting = new Set([...next, ...stage.flyers.values()]);
    waiting.delete(first);
    for (const [index, flyer] of [...waiting].entries()) {
      const spot = this.#places.spots[flyer.seat];
      const frames = [{ transform: stage.transform(flyer.at) }, { transform: stage.transform(spot) }];
      this.#fly(score, flyer, { at: at + index * 15, time: 340, frames, easing: GLIDE }, spot);
    }
  }

  /**
   * Play a score until a time, and put the cards on the stage where they are then.
   *
   * @param {Score} score
   * @param {Flyer[]} landing the cards that land, in order
   * @param {number} until
   */
  async #play(score, landing, until) {
    const stage = this.#open();
    this.#queue.play(score);
    for (const flyer of stage.flyers.values()) stage.put(flyer, flyer.at);
    for (const flyer of landing) stage.raise(flyer);
    await this.#queue.wait(until);
  }

  /**
   * @param {PlacedCard[]} cards
   * @param {() => Promise<unknown>} apply
   */
  async #place(cards, apply) {
    const score = this.#score();
    /** @type {Landing[]} */
    const landings = cards.map(({ card, seat, row, at }) => ({ flyer: this.#flyer(card, seat), to: this.#places.rows[row][at], row }));
    const until = this.#land(score, 0, landings);
    const played = this.#play(score, landings.map(({ flyer }) => flyer), until + 10);
    for (const [index, { hit = 0 }] of landings.entries()) {
      void this.#queue.wait(hit).then(() => this.#queue.atOnce || this.onShown(cards[index].event));
    }
    await played;
    await apply();
    await this.#leave(...cards.map(({ card }) => card));
  }

  /**
   * @param {Extract<AnimationStep, {act: "take"}>} step
   * @param {() => Promise<unknown>} apply
   */
  async #take({ card, seat, row, cards, chosen }, apply) {
    const queue = this.#queue;
    const score = this.#score();
    const flyer = this.#flyer(card, seat);
    const slots = this.#places.rows[row];
    const isOwn = seat === this.me;
    const [landing, lane] = [{ flyer, to: slots[chosen ? 0 : slots.length - 1], row }, this.#lane(row)];
    let [felt, until] = [0, 0];
    if (chosen) {
      this.#lower(score, 0, [landing]);
      playSound("take");
      until = this.#carry(score, { seat, row, cards, charged: cards.map((_, index) => index * 70), gently: true });
      until = this.#land(score, until, [landing]);
    } else {
      const snorts = this.#land(score, 0, [landing], isOwn && settings.reveal !== "fast" ? DRUM : 0) + 10;
      playSound("bull", queue.time(snorts));
      felt = snorts + SNORT;
      const charged = charge({ score, at: snorts, stage: this.#open(), slots, lane, board: this.#find(".board") }, cards.length);
      until = this.#carry(score, { seat, row, cards, charged });
      const frames = [{ transform: this.#open().transform(flyer.at) }, { transform: this.#open().transform(slots[0]) }];
      this.#fly(score, flyer, { at: until, time: 320, frames, easing: GLIDE }, slots[0]); // to the start of the row
      playSound("card", queue.time(until + 60));
      until += 320;
    }
    if (isOwn && this.vibrates) void queue.wait(felt).then(() => queue.atOnce || navigator.vibrate?.(chosen ? [60] : [40, 60, 90]));
    await this.#play(score, [flyer], until);
    await apply();
    queue.releaseRemoved();
    await this.#leave(card);
  }

  /**
   * Let the cards of a row fly to the seat that takes them, where their heads are counted.
   *
   * @param {Score} score
   * @param {object} what
   * @param {number} what.seat
   * @param {number} what.row
   * @param {number[]} what.cards
   * @param {number[]} what.charged for each card, when it starts, in milliseconds
   * @param {boolean} [what.gently] whether no bull has hit them
   * @returns {number} when all heads are counted
   */
  #carry(score, { seat, row, cards, charged, gently = false }) {
    const [queue, stage] = [this.#queue, this.#open()];
    const spot = this.#places.spots[seat];
    const above = [{ zIndex: 6 }, { zIndex: 6 }];
    queue.animate(this.#lane(row), above, 1, { keep: true });
    const order = cards.map((_, index) => index).sort((first, second) => charged[first] - charged[second]);
    for (const [turn, index] of order.entries()) {
      const from = this.#places.rows[row][index];
      const [x, y] = [spot.x + spot.width / 2 - from.x - from.width / 2, spot.y + spot.height / 2 - from.y - from.height / 2];
      const scale = spot.width / from.width;
      const spin = (turn % 2 ? 1 : -1) * (gently ? 8 : 26 + 9 * turn);
      const up = from.height * (gently ? 0.15 : 0.5);
      const frames = [
        { transform: "none", opacity: 1, easing: "cubic-bezier(0.1, 0.6, 0.4, 1)" },
        { transform: `translate(${gently ? 0 : -from.width * 0.25}px, ${-up}px) rotate(${spin}deg) scale(1.12)`, opacity: 1, offset: 0.36, easing: "cubic-bezier(0.6, 0, 0.4, 1)" },
        { transform: `translate(${x}px, ${y}px) rotate(${spin * 0.3}deg) scale(${scale})`, opacity: 1, offset: 0.96 },
        { transform: `translate(${x}px, ${y}px) scale(${scale * 0.8})`, opacity: 0 },
      ];
      score.add(this.#lane(row)?.querySelector(`[data-card="${cards[index]}"]`), { at: charged[index], time: FLIGHT + 120, frames }, true);
    }
    const counts = order.map((_, turn) => total(order.slice(0, turn + 1).map((index) => cards[index])));
    const { element, numbers } = stage.counter(spot, counts);
    const arrivals = order.map((index) => charged[index] + FLIGHT + 90);
    /** @type {Movement[]} */
    const pops = [];
    for (const [turn, at] of arrivals.entries()) {
      const [first, next] = [turn === 0, arrivals[turn + 1]];
      if (!first) score.add(numbers[turn], { at, time: 1, frames: [{ opacity: 0 }, { opacity: 1 }] }, true);
      if (next !== undefined) score.add(numbers[turn], { at: next, time: 1, frames: [{ opacity: 1 }, { opacity: 0 }] }, true);
      const time = Math.min(180, (next ?? Infinity) - at);
      pops.push({ at, time, frames: [{ transform: "scale(1)", opacity: first ? 0 : 1 }, { transform: "scale(1.35)", opacity: 1, offset: 0.3 }, { transform: "scale(1)", opacity: 1 }] });
      playSound("head", queue.time(at));
    }
    const counted = arrivals[arrivals.length - 1];
    pops.push({ at: counted + 1500, time: 300, frames: [{ transform: "scale(1)", opacity: 1 }, { transform: "scale(1)", opacity: 0 }] });
    queue.move(element, pops, counted + 1800, true);
    return counted;
  }

  /**
   * @param {() => Promise<unknown>} apply
   * @param {boolean} calm
   */
  async #deal(apply, calm) {
    await apply();
    const lying = this.#root.querySelectorAll(".lane .lying");
    for (const [index, element] of [...lying].entries()) {
      const start = calm ? { opacity: 0 } : { opacity: 0, transform: "translateY(-60%) scale(1.3)" };
      this.#queue.animate(element, [start, { opacity: 1 }], calm ? FADE : 300, { delay: index * 90, easing: EASE_OUT });
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
    const places = arrange(this.#places, cards.length);
    const stage = await this.#raise(cards, places[0].width);
    const flyers = [...stage.flyers.values()];
    for (const [index, flyer] of flyers.entries()) {
      flyer.drawFront();
      stage.put(flyer, places[index], true);
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
   * @param {{card: number}[]} cards
   * @param {() => Promise<unknown>} apply
   */
  async #fadeCards(cards, apply) {
    await apply();
    const step = FADE + 60;
    for (const [index, { card }] of cards.entries()) {
      this.#queue.animate(this.#find(`.lane [data-card="${card}"]`), [{ opacity: 0 }, { opacity: 1 }], FADE, { delay: index * step });
      playSound("card", this.#queue.time(index * step));
    }
    await this.#queue.wait(cards.length * step);
  }

  /**
   * @param {Extract<AnimationStep, {act: "take"}>} step
   * @param {() => Promise<unknown>} apply
   */
  async #takeCalmly({ card, seat, cards }, apply) {
    const queue = this.#queue;
    const counter = this.#open().counter(this.#places.spots[seat], [total(cards)]);
    queue.animate(counter.element, [{ opacity: 0 }, { opacity: 1 }], FADE, { keep: true });
    for (const number of cards) queue.animate(this.#find(`.lane [data-card="${number}"]`), [{ opacity: 1 }, { opacity: 0 }], FADE * 2, { keep: true });
    playSound("take");
    await queue.wait(FADE * 2 + 120);
    await this.#fadeCards([{ card }], apply);
    await queue.wait(300);
    queue.animate(counter.element, [{ opacity: 1 }, { opacity: 0 }], FADE, { keep: true });
  }
}
