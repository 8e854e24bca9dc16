import { playSound } from "../../ui/sounds.js";
import { css } from "../../vendor/lit/index.js";

/** @import { RevealQueue } from "../reveal-queue.js" */
/** @import { Hand } from "./hand.js" */

/** Milliseconds at normal speed. */
const SHAKE = 420;
const BEAT = 150;
const NAME = 900;
const OVERSHOOT = "cubic-bezier(0.2, 1.5, 0.4, 1)";

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

/**
 * Let the dice of the last throw be picked up and shaken.
 *
 * @param {ParentNode} root
 * @param {RevealQueue} queue
 */
export async function shakeDice(root, queue) {
  playSound("roll");
  const frames = [0, 1, -1, 1, -1, 1, -1, 0].map((way, index) => ({
    transform: `translate(${way * 5}%, ${index ? -10 - 7 * (index % 2) : 0}%) rotate(${way * 4}deg) scale(${index ? 0.94 : 1})`,
  }));
  for (const dice of root.querySelectorAll(".dice")) {
    queue.animate(dice, [...frames, { transform: "translateY(-60%) scale(0.7)", opacity: 0 }], SHAKE, { keep: true });
  }
  await queue.wait(SHAKE);
  queue.clear();
}

/**
 * Let a tray feel its dice, which fall and bounce once.
 *
 * @param {Element | undefined} lane
 * @param {RevealQueue} queue
 * @param {number} roll milliseconds of the roll
 */
export function landDice(lane, queue, roll) {
  for (const [at, depth] of [[0.34, 4], [0.66, 2]]) {
    queue.animate(lane, [{ transform: "none" }, { transform: `translateY(${depth}px)`, offset: 0.3 }, { transform: "none" }], 170, { delay: roll * at, easing: "ease-out" });
    playSound("die", queue.time(roll * at));
  }
}

/**
 * Name the hands, the lowest first.
 *
 * @param {Element[]} lanes by seat
 * @param {Hand[]} hands
 * @param {RevealQueue} queue
 */
export async function nameHands(lanes, hands, queue) {
  const order = hands.map((_, seat) => seat).sort((one, other) => hands[one].points - hands[other].points);
  for (const [turn, seat] of order.entries()) {
    const delay = 300 + turn * BEAT;
    for (const text of lanes[seat]?.querySelectorAll(".worth, .sums") ?? []) {
      queue.animate(text, [{ opacity: 0, transform: "scale(0.4)" }, { opacity: 1, transform: "none" }], 260, { delay, easing: OVERSHOOT });
    }
    if (hands[seat].points) hop(lanes[seat], queue, delay);
    playSound(hands[seat].points ? "head" : "mark", queue.time(delay));
  }
  await queue.wait(300 + order.length * BEAT + 240);
}

/**
 * Let the dice of a hand hop, one after the other.
 *
 * @param {Element | undefined} lane
 * @param {RevealQueue} queue
 * @param {number} [delay]
 * @param {number} [height] percent of a die
 */
function hop(lane, queue, delay = 0, height = 22) {
  const dice = lane?.querySelectorAll(".die") ?? [];
  for (const [index, die] of [...dice].entries()) {
    queue.animate(die, [{ transform: "none" }, { transform: `translateY(-${height}%) rotate(${index % 2 ? 7 : -7}deg)`, offset: 0.4 }, { transform: "none" }], 300, { delay: delay + index * 40, easing: "ease-in-out" });
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
  for (const each of [light, text]) each.style.transform = `translate(${x}px, ${place.y + place.height / 2 - origin.y}px)`;
  stage.replaceChildren(light, text);
  const here = text.style.transform;
  const worth = lane?.querySelector(".worth")?.getBoundingClientRect();
  const [dx, dy] = worth ? [worth.x + worth.width / 2 - place.x - place.width / 2, worth.y + worth.height / 2 - place.y - place.height / 2] : [0, 0];
  queue.animate(light, [{ opacity: 0, transform: `${here} rotate(-20deg) scale(0.3)` }, { opacity: 0.9, offset: 0.25 }, { opacity: 0, transform: `${here} rotate(30deg) scale(1)` }], NAME * 1.1);
  queue.animate(
    text,
    [
      { opacity: 0, transform: `${here} scale(0.2) rotate(-8deg)`, easing: OVERSHOOT },
      { opacity: 1, transform: `${here} scale(1) rotate(-3deg)`, offset: 0.32 },
      { opacity: 1, transform: `${here} scale(1.04) rotate(-3deg)`, offset: 0.74, easing: "ease-in" },
      { opacity: 0, transform: `${here} translate(${dx}px, ${dy}px) scale(0.3)` },
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
  for (const each of root.querySelectorAll(selector)) queue.animate(each, [{ opacity: 0 }, { opacity: 1 }], 260);
}
