import { playSound } from "../../ui/sounds.js";
import { DRUM, EASE_OUT, FADE, OVERSHOOT } from "../timing.js";
import { css } from "../../vendor/lit/index.js";

/** @import { RevealQueue } from "../reveal-queue.js" */

/** Milliseconds at normal speed. */
const SLIDE = 220;
const HOLD = 130;
const TURN = 260;
const DOWN = 190;
const STRIKE = 420;
const SWEEP = 330;
const CRY = 950;

/** Styles of what appears above the cards: the cry of war, and the spark where cards meet. */
export const battleStyles = css`
  .felt {
    position: relative;
  }
  .above {
    position: absolute;
    inset: 0;
    z-index: 2;
    overflow: clip;
    border-radius: inherit;
    pointer-events: none;
  }
  .above > * {
    position: absolute;
    inset: 0;
    opacity: 0;
  }
  .cry {
    display: grid;
    place-items: center;
    border-radius: inherit;
    background: radial-gradient(90% 70% at 50% 50%, rgb(120 20 10 / 0.55), rgb(40 4 0 / 0.8));
  }
  .cry b {
    font: 900 clamp(4rem, 26cqw, 11rem) / 1 var(--figures);
    letter-spacing: calc(-0.03em * var(--tight));
    color: #ffd978;
    -webkit-text-stroke: 0.035em #5b1206;
    paint-order: stroke fill;
    text-shadow: 0 0.05em 0 #5b1206, 0 0.12em 0.2em rgb(0 0 0 / 0.6);
  }
  .above > .spark {
    inset: auto;
    left: 0;
    top: 0;
    width: 150px;
    height: 150px;
    border-radius: 50%;
    background: radial-gradient(closest-side, rgb(255 246 214 / 0.95) 8%, rgb(255 205 90 / 0.6) 30%, transparent 45%, rgb(255 222 150 / 0.7) 62%, transparent 72%);
  }
`;

/** The animations of a round of War, on the elements that the table has rendered. */
export class Battle {
  #root;
  #queue;

  /**
   * @param {ParentNode} root
   * @param {RevealQueue} queue
   * @param {() => boolean} calm whether cards only fade
   */
  constructor(root, queue, calm) {
    this.#root = root;
    this.#queue = queue;
    this.calm = calm;
  }

  /** @param {string} selector */
  #all(selector) {
    return /** @type {HTMLElement[]} */ ([...this.#root.querySelectorAll(selector)]);
  }

  /** The last card of each lane, from the upper edge. */
  get #last() {
    return this.#all(".spread .card.last");
  }

  /**
   * Let the cards of the last round fly to the winner's pile.
   *
   * @param {number} lane of the winner, 0 for the upper
   */
  async sweep(lane) {
    const queue = this.#queue;
    const cards = this.#all(".spread .card");
    const pile = this.#all(".pile")[lane];
    if (this.calm()) {
      for (const card of cards) queue.animate(card, [{ opacity: 1 }, { opacity: 0 }], FADE, { keep: true });
      return queue.wait(FADE);
    }
    const to = pile.getBoundingClientRect();
    const from = cards.map((card) => card.getBoundingClientRect());
    const step = Math.min(40, 240 / cards.length);
    for (const [index, card] of cards.entries()) {
      card.style.zIndex = "5";
      card.style.transition = "none"; // browsers run a transition and an animation of the same element on the main thread
      const move = `translate(${to.x - from[index].x}px, ${to.y - from[index].y}px)`;
      queue.animate(
        card,
        [{ transform: "none" }, { transform: `${move} rotate(${index % 2 ? 14 : -14}deg)`, opacity: 1, offset: 0.92 }, { transform: move, opacity: 0 }],
        SWEEP,
        { delay: index * step, easing: "cubic-bezier(0.5, 0, 0.3, 1)", keep: true, rest: (cards.length - 1 - index) * step },
      );
    }
    const all = SWEEP + cards.length * step;
    queue.animate(pile, [{ transform: "none" }, { transform: "scale(1.1, 0.93)", offset: 0.4 }, { transform: "none" }], 200, { delay: all - 60, easing: "ease-out" });
    playSound("take");
    await queue.wait(all);
  }

  /**
   * Let the newest cards come from their piles, face down.
   *
   * @param {boolean} stays whether they stay face down, as in a war
   */
  async lay(stays) {
    const queue = this.#queue;
    const cards = this.#last;
    if (this.calm()) {
      for (const card of cards) queue.animate(card, [{ opacity: 0 }, { opacity: 1 }], FADE);
      return queue.wait(stays ? FADE : FADE / 2);
    }
    const piles = this.#all(".pile").map((pile) => pile.getBoundingClientRect());
    const places = cards.map((card) => card.getBoundingClientRect());
    const long = stays ? DOWN : SLIDE;
    for (const [lane, card] of cards.entries()) {
      const [x, y] = [piles[lane].x - places[lane].x, piles[lane].y - places[lane].y];
      queue.animate(
        card,
        [
          { transform: `translate(${x}px, ${y}px)`, easing: EASE_OUT },
          { transform: `scale(1.14) rotate(${lane ? 3 : -3}deg)`, offset: 0.6, easing: "cubic-bezier(0.6, 0, 1, 0.6)" },
          { transform: "scale(1.06, 0.94)", offset: 0.86 },
          { transform: "none" },
        ],
        long + 80,
        { rest: stays ? 0 : HOLD - 80 },
      );
    }
    playSound("card", queue.time(long * 0.7));
    await queue.wait(long + (stays ? 30 : HOLD));
  }

  /** Let the cards that will decide a war tremble, face down. */
  async tremble() {
    if (this.calm()) return;
    const frames = [0, 1, -1, 1, -1, 1, -1, 1, -1, 1, 0].map((way, index) => ({ transform: `translateY(-${index / 2}%) rotate(${way * (0.8 + index / 6)}deg) scale(${1 + index / 130})` }));
    for (const card of this.#last) this.#queue.animate(card, frames, DRUM);
    playSound("drum");
    await this.#queue.wait(DRUM);
  }

  /**
   * Turn the newest cards face up.
   *
   * @param {() => Promise<unknown>} apply display them face up
   */
  async turn(apply) {
    const queue = this.#queue;
    const [flat, edge] = [{ transform: "none" }, { transform: "scaleX(0) translateY(-6%)" }];
    if (this.calm()) {
      await apply();
      for (const card of this.#last) queue.animate(card, [{ opacity: 0 }, { opacity: 1 }], FADE);
      playSound("card");
      return queue.wait(FADE + 260);
    }
    for (const card of this.#last) queue.animate(card, [flat, edge], TURN * 0.4, { easing: "ease-in", keep: true });
    await queue.wait(TURN * 0.4);
    queue.clear();
    await apply();
    for (const card of this.#last) queue.animate(card, [edge, { transform: "scale(1.1)", offset: 0.6 }, flat], TURN, { easing: EASE_OUT, rest: 140 });
    playSound("flip");
    await queue.wait(TURN + 140);
  }

  /**
   * Let the winner's card strike the other.
   *
   * @param {number} lane of the winner, 0 for the upper
   * @param {boolean} hard whether it ends a war
   */
  async strike(lane, hard) {
    const queue = this.#queue;
    const [winner, loser] = [this.#last[lane], this.#last[1 - lane]];
    if (this.calm() || !winner || !loser) return;
    const [from, to] = [winner.getBoundingClientRect(), loser.getBoundingClientRect()];
    const way = lane ? -1 : 1;
    const near = to.y - from.y - way * to.height * 0.62;
    const hit = 0.46;
    winner.style.zIndex = "6";
    queue.animate(
      winner,
      [
        { transform: "none", easing: "ease-out" },
        { transform: `translateY(${-way * 14}px) scale(1.08)`, offset: 0.22, easing: "cubic-bezier(0.7, 0, 1, 0.7)" },
        { transform: `translate(${to.x - from.x}px, ${near}px) scale(1.14)`, offset: hit, easing: EASE_OUT },
        { transform: "none" },
      ],
      STRIKE,
      { rest: 60 },
    );
    queue.animate(
      loser,
      [{ transform: "none" }, { transform: "none", offset: hit }, { transform: `translate(14px, ${way * 12}px) rotate(${way * 16}deg)`, offset: 0.62 }, { transform: "none" }],
      STRIKE + 60,
    );
    const above = this.#root.querySelector(".above");
    const felt = above?.getBoundingClientRect();
    if (above && felt) {
      const spark = document.createElement("i");
      spark.className = "spark";
      spark.style.translate = `${to.x + to.width / 2 - felt.x - 75}px ${(way > 0 ? to.y : to.y + to.height) - felt.y - 75}px`;
      above.replaceChildren(spark);
      queue.animate(spark, [{ opacity: 0, transform: "scale(0.2)" }, { opacity: 1, offset: 0.05 }, { opacity: 0, transform: `scale(${hard ? 1.7 : 1.05})` }], STRIKE * (1 - hit) + 60, { delay: STRIKE * hit, easing: EASE_OUT });
    }
    if (hard) {
      const shake = [0, -4, 3.5, -3, 2.5, -1.5, 0].map((x, index) => ({ transform: `translate(${x}px, ${index % 2 ? 2 : 0}px)` }));
      for (const lane of this.#all(".lane")) queue.animate(lane, shake, 360, { delay: STRIKE * hit });
    }
    playSound("strike", queue.time(STRIKE * hit));
    await queue.wait(STRIKE + 60);
    winner.style.zIndex = "";
  }

  /** Cry war: the equal cards shake, and the word slams down. @param {string} word */
  async cry(word) {
    const queue = this.#queue;
    const above = this.#root.querySelector(".above");
    if (!above) return;
    const [cry, text] = [document.createElement("div"), document.createElement("b")];
    cry.className = "cry";
    text.textContent = word;
    cry.append(text);
    above.replaceChildren(cry);
    playSound("war");
    queue.animate(cry, [{ opacity: 0 }, { opacity: 1, offset: 0.18 }, { opacity: 1, offset: 0.72 }, { opacity: 0 }], CRY);
    if (!this.calm()) {
      const knock = [{ transform: "none" }, { transform: "rotate(-5deg) scale(1.08)" }, { transform: "rotate(5deg) scale(1.08)" }, { transform: "rotate(-3deg) scale(1.05)" }, { transform: "none" }];
      for (const card of this.#last) queue.animate(card, knock, 320);
      queue.animate(
        text,
        [
          { transform: "scale(3.4) rotate(-9deg)", opacity: 0, easing: "cubic-bezier(0.6, 0, 0.9, 0.5)" },
          { transform: "scale(0.94) rotate(-4deg)", opacity: 1, offset: 0.26, easing: OVERSHOOT },
          { transform: "scale(1) rotate(-4deg)", opacity: 1, offset: 0.42 },
          { transform: "scale(1.05) rotate(-4deg)", opacity: 1 },
        ],
        CRY,
      );
    }
    await queue.wait(CRY - 150);
  }

  /** Remove the texts above the cards. */
  end() {
    this.#root.querySelector(".above")?.replaceChildren();
  }
}
