import { playSound } from "../../ui/sounds.js";
import { EASE_OUT } from "../timing.js";

/** @import { RevealQueue } from "../reveal-queue.js" */
/** @import { Place, Stage } from "./stage.js" */

/** Milliseconds at normal speed. */
const SNORT = 380;
const CHARGE = 620;

/**
 * Let the bull charge from its place across a row, while the board shakes.
 *
 * @param {object} what
 * @param {RevealQueue} what.queue
 * @param {Stage} what.stage
 * @param {Place[]} what.slots the places of the row, the last of which is the bull's
 * @param {Element | undefined} what.lane the row
 * @param {Element | null} what.board
 * @param {number} count number of cards in the row
 * @returns {Promise<number[]>} for each card, when the bull hits it, in milliseconds from now
 */
export async function charge({ queue, stage, slots, lane, board }, count) {
  const end = slots[slots.length - 1];
  const size = Math.max(Math.min(end.width * 1.6, 180), 76);
  const from = { x: end.x + end.width / 2 - size / 2, y: end.y + end.height / 2 - size * 0.62, width: size, height: size };
  const { element, body } = stage.bull(from);
  const far = slots[0].x - size * 0.35 - from.x;
  playSound("bull");
  queue.animate(lane?.querySelector(".end .bull"), [{ opacity: 1 }, { opacity: 0 }], 80, { keep: true });
  // It rears up behind the card, draws back, and charges; its speed grows, and its head bobs.
  const [pause, all] = [SNORT, SNORT + CHARGE + 160];
  queue.animate(
    element,
    [
      { opacity: 0, transform: "translateY(20%)" },
      { opacity: 1, transform: "translateY(-6%)", offset: (pause * 0.4) / all, easing: "ease-in-out" },
      { opacity: 1, transform: `translateX(${size * 0.22}px)`, offset: pause / all, easing: "cubic-bezier(0.55, 0, 0.85, 0.75)" },
      { opacity: 1, transform: `translateX(${far}px)`, offset: (pause + CHARGE) / all, easing: EASE_OUT },
      { opacity: 0, transform: `translateX(${far - size * 0.3}px)` },
    ],
    all,
    { keep: true },
  );
  const rear = [
    { transform: "scale(0.55)", offset: 0 },
    { transform: "scale(1.12, 0.94) rotate(6deg)", offset: 0.33 },
    { transform: "scale(0.94, 1.06) rotate(9deg)", offset: 0.68 },
  ];
  const bob = [0, 1, 0, 1, 0, 1, 0, 1, 0].map((up, index) => ({ transform: `translateY(${-size * 0.1 * up}px) rotate(${-14 + 9 * up}deg)`, offset: (pause + (CHARGE * index) / 8) / (pause + CHARGE) }));
  queue.animate(body, [...rear.map((each) => ({ ...each, offset: (each.offset * pause) / (pause + CHARGE) })), ...bob], pause + CHARGE);
  await queue.wait(pause);
  const shake = [0, -3, 2.5, -2.5, 2, -1.5, 1, 0].map((x, index) => ({ transform: `translate(${x}px, ${index % 2 ? 1.5 : 0}px)` }));
  queue.animate(board, shake, CHARGE);
  // The times at which the bull, whose easing is close to a power of 1.7, reaches the cards.
  return Array.from({ length: count }, (_, index) => CHARGE * ((end.x - slots[index].x - end.width * 0.4) / Math.max(end.x - slots[0].x, 1)) ** (1 / 1.7));
}
