import { EASE_OUT } from "../timing.js";

/** @import { Score } from "../reveal-queue.js" */
/** @import { Place, Stage } from "./stage.js" */

/** Milliseconds at normal speed. */
export const SNORT = 380;
const CHARGE = 620;

/**
 * Let the bull charge from its place across a row, while the board shakes.
 *
 * @param {object} what
 * @param {Score} what.score
 * @param {number} what.at when it appears, in milliseconds
 * @param {Stage} what.stage
 * @param {Place[]} what.slots the places of the row, the last of which is the bull's
 * @param {Element | undefined} what.lane the row
 * @param {Element | null} what.board
 * @param {number} count number of cards in the row
 * @returns {number[]} for each card, when the bull hits it
 */
export function charge({ score, at, stage, slots, lane, board }, count) {
  const end = slots[slots.length - 1];
  const size = Math.max(Math.min(end.width * 1.6, 180), 76);
  const from = { x: end.x + end.width / 2 - size / 2, y: end.y + end.height / 2 - size * 0.62, width: size, height: size };
  const { element, body } = stage.bull(from);
  const far = slots[0].x - size * 0.35 - from.x;
  score.add(lane?.querySelector(".end .bull"), { at, time: 80, frames: [{ opacity: 1 }, { opacity: 0 }] }, true);
  // It rears up behind the card, draws back, and charges; its speed grows, and its head bobs.
  const all = SNORT + CHARGE + 160;
  const path = [
    { opacity: 0, transform: "translateY(20%)" },
    { opacity: 1, transform: "translateY(-6%)", offset: (SNORT * 0.4) / all, easing: "ease-in-out" },
    { opacity: 1, transform: `translateX(${size * 0.22}px)`, offset: SNORT / all, easing: "cubic-bezier(0.55, 0, 0.85, 0.75)" },
    { opacity: 1, transform: `translateX(${far}px)`, offset: (SNORT + CHARGE) / all, easing: EASE_OUT },
    { opacity: 0, transform: `translateX(${far - size * 0.3}px)` },
  ];
  score.add(element, { at, time: all, frames: path }, true);
  const rear = [{ transform: "scale(0.55)" }, { transform: "scale(1.12, 0.94) rotate(6deg)", offset: 0.33 }, { transform: "scale(0.94, 1.06) rotate(9deg)", offset: 0.68 }, { transform: "rotate(-14deg)" }];
  const bob = [0, 1, 0, 1, 0, 1, 0, 1, 0].map((up) => ({ transform: `translateY(${-size * 0.1 * up}px) rotate(${-14 + 9 * up}deg)` }));
  const charges = at + SNORT;
  score.add(body, { at, time: SNORT, frames: rear });
  score.add(body, { at: charges, time: CHARGE, frames: bob });
  const shake = [0, -3, 2.5, -2.5, 2, -1.5, 1, 0].map((x, index) => ({ transform: `translate(${x}px, ${index % 2 ? 1.5 : 0}px)` }));
  score.add(board, { at: charges, time: CHARGE, frames: shake });
  // The times at which the bull, whose easing is close to a power of 1.7, reaches the cards.
  return Array.from({ length: count }, (_, index) => charges + CHARGE * ((end.x - slots[index].x - end.width * 0.4) / Math.max(end.x - slots[0].x, 1)) ** (1 / 1.7));
}
