import { playSound } from "../../ui/sounds.js";
import { OVERSHOOT } from "../timing.js";
import { css } from "../../vendor/lit/index.js";

/** @import { RevealQueue } from "../reveal-queue.js" */
/** @import { Hand } from "./hand.js" */

/** Milliseconds at normal speed. */
const SHAKE = 420;
const BEAT = 150;
/** Between sorting the dice of a hand and its name. */
const LEAD = 160;
const HOP = 400;
const NAME = 900;
/** The name of a hand, which appears when its dice are sorted. */
const APPEAR = [
  { opacity: 0, transform: "scale(0.4)" },
  { opacity: 0, transform: "scale(0.4)", offset: LEAD / (LEAD + HOP), easing: OVERSHOOT },
  { opacity: 1, transform: "none", offset: (LEAD + 260) / (LEAD + HOP) },
  { opacity: 1, transform: "none" },
];

/** Styles of the name of the best hand, which appears large above the dice. */
export const nameStyles = css`
  .felt {
    position: relative;
  }
  .named {
    position: absolute;
    inset: 0;
    z-index: 3;
    overflow: clip;
    border-radius: inherit;
    pointer-events: none;
  }
  .named > * {
    position: absolute;
    left: 0;
    top: 0;
    translate: -50% -50%;
    opacity: 0;
  }
  .named b {
    padding: 0 0.5em;
    border-radius: 0.5em;
    font: 900 clamp(2.2rem, 13cqw, 4.6rem) / 1.35 var(--figures);
    letter-spacing: calc(-0.02em * var(--tight));
    white-space: nowrap;
    color: #3a2500;
    background: linear-gradient(#ffe39a, #f0b93f);
    box-shadow: inset 0 2px 0 rgb(255 255 255 / 0.7), 0 10px 30px rgb(0 0 0 / 0.5);
  }
  .named i {
    width: min(150cqw, 46rem);
    height: min(150cqw, 46rem);
    border-radius: 50%;
    background: repeating-conic-gradient(rgb(255 226 140 / 0.5) 0deg 9deg, transparent 9deg 22deg);
    mask: radial-gradient(closest-side, #000 25%, transparent 92%);
  }
`;

/** The parts of a tray that show the last throw until the next one lands. */
const LAST = ".dice, .worth, .sums";

/**
 * Let the dice of the last throw be picked up and shaken. They and the names of their hands stay out of sight until
 * `landDice`.
 *
 * @param {ParentNode} root
 * @param {RevealQueue} queue
 */
export async function shakeDice(root, queue) {
  playSound("roll");
  const frames = [0, 1, -1, 1, -1, 1, -1, 0].map((way, index) => ({
    transform: `translate(${way * 5}%, ${index ? -10 - 7 * (index % 2) : 0}%) rotate(${way * 4}deg) scale(${index ? 0.94 : 1})`,
  }));
  for (const element of rendered(root, LAST)) {
    const last = element.matches(".dice") ? [...frames, { transform: "translateY(-60%) scale(0.7)", opacity: 0 }] : [{ opacity: 1 }, { opacity: 0 }];
    queue.animate(element, last, SHAKE, { keep: true });
  }
  await queue.wait(SHAKE);
}

/**
 * Return the elements of a selector without those that the layout hides: animations of hidden elements would run on the
 * main thread, in every frame.
 *
 * @param {ParentNode} root
 * @param {string} selector
 */
function rendered(root, selector) {
  return [...root.querySelectorAll(selector)].filter((element) => getComputedStyle(element).display !== "none");
}

/**
 * Let a tray feel its dice, which fall and bounce once.
 *
 * @param {Element | undefined} lane
 * @param {RevealQueue} queue
 * @param {number} roll milliseconds of the roll
 */
export function landDice(lane, queue, roll) {
  queue.release(lane?.querySelectorAll(LAST) ?? []);
  const [first, second, jolt] = [0.34 * roll, 0.66 * roll, 170];
  const frames = [[0, 0], [first, 0], [first + 0.3 * jolt, 4], [first + jolt, 0], [second, 0], [second + 0.3 * jolt, 2], [second + jolt, 0], [roll, 0]];
  queue.animate(lane, frames.map(([at, depth]) => ({ transform: `translateY(${depth}px)`, offset: at / roll, easing: "ease-out" })), roll);
  for (const at of [first, second]) playSound("die", queue.time(at));
}

/**
 * Sort and name the hands one after the other, the lowest first. Equal hands are named together.
 *
 * @param {Element[]} lanes by seat
 * @param {Hand[]} hands
 * @param {RevealQueue} queue
 * @param {(named: number[]) => Promise<unknown>} apply display the hands of these seats
 */
export async function nameHands(lanes, hands, queue, apply) {
  const texts = lanes.map((lane) => rendered(lane, ".worth, .sums")); // at once, because each look computes the styles
  for (const points of [...new Set(hands.map((hand) => hand.points))].sort((first, second) => first - second)) {
    await apply(lanes.flatMap((_, seat) => (hands[seat].points <= points ? [seat] : [])));
    if (queue.atOnce) return;
    for (const [seat, hand] of hands.entries()) {
      if (hand.points !== points) continue;
      for (const text of texts[seat]) queue.animate(text, APPEAR, LEAD + HOP);
      if (points) hop(lanes[seat], queue, LEAD);
    }
    playSound(points ? "head" : "mark", queue.time(LEAD));
    await queue.wait(BEAT);
  }
  await queue.wait(LEAD + 320);
}

/**
 * Let the dice of a hand hop: the viewer's and the winner's one after the other, others together. The delay is part of
 * the keyframes, because each start and end of an animation costs the main thread a frame.
 *
 * @param {Element | undefined} lane
 * @param {RevealQueue} queue
 * @param {number} delay
 * @param {number} [height] percent of a die, for the winner
 */
function hop(lane, queue, delay, height) {
  const individually = height || lane?.matches(".mine");
  const dice = lane?.querySelectorAll(individually ? ".place > *" : ".dice") ?? [];
  const all = delay + HOP;
  for (const [index, die] of [...dice].entries()) {
    const first = delay + index * 32;
    const turn = individually ? `rotate(${index % 2 ? 7 : -7}deg)` : "";
    const frames = [[0, "none"], [first, "none"], [first + 120, `translateY(-${height ?? 20}%) ${turn}`], [all - (individually ? 4 - index : 0) * 32, "none"], [all, "none"]];
    queue.animate(die, frames.map(([at, transform]) => ({ transform: String(transform), offset: Number(at) / all, easing: "ease-in-out" })), all);
  }
}

/**
 * Show the name of the best hand large, then let it shrink into its place.
 *
 * @param {ParentNode} root
 * @param {Element | undefined} lane of the winner; the middle of the felt after a draw
 * @param {string} name
 * @param {RevealQueue} queue
 */
export async function flourish(root, lane, name, queue) {
  const felt = root.querySelector(".felt");
  const stage = felt?.querySelector(".named");
  if (!felt || !stage || queue.atOnce) return;
  const origin = felt.getBoundingClientRect();
  const place = (lane ?? felt).getBoundingClientRect();
  const [light, text] = [document.createElement("i"), document.createElement("b")];
  text.textContent = name;
  const half = Math.min(origin.width / 2, 220);
  const x = Math.min(Math.max(place.x + place.width / 2 - origin.x, half), origin.width - half);
  for (const element of [light, text]) element.style.transform = `translate(${x}px, ${place.y + place.height / 2 - origin.y}px)`;
  stage.replaceChildren(light, text);
  const translation = text.style.transform;
  const worth = lane?.querySelector(".worth")?.getBoundingClientRect();
  const [dx, dy] = worth ? [worth.x + worth.width / 2 - place.x - place.width / 2, worth.y + worth.height / 2 - place.y - place.height / 2] : [0, 0];
  queue.animate(light, [{ opacity: 0, transform: `${translation} rotate(-20deg) scale(0.3)` }, { opacity: 0.9, offset: 0.25 }, { opacity: 0, transform: `${translation} rotate(30deg) scale(1)` }], NAME);
  queue.animate(
    text,
    [
      { opacity: 0, transform: `${translation} scale(0.2) rotate(-8deg)`, easing: OVERSHOOT },
      { opacity: 1, transform: `${translation} scale(1) rotate(-3deg)`, offset: 0.32 },
      { opacity: 1, transform: `${translation} scale(1.04) rotate(-3deg)`, offset: 0.74, easing: "ease-in" },
      { opacity: 0, transform: `${translation} translate(${dx}px, ${dy}px) scale(0.3)` },
    ],
    NAME,
  );
  hop(lane, queue, 120, 34);
  playSound("named");
  await queue.wait(NAME);
  stage.replaceChildren();
}

/**
 * Let elements fade in, for calm reveals.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @param {RevealQueue} queue
 */
export function fadeIn(root, selector, queue) {
  for (const element of rendered(root, selector)) queue.animate(element, [{ opacity: 0 }, { opacity: 1 }], 260);
}
