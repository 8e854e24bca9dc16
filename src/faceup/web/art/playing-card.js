import { html, nothing, svg } from "../vendor/lit/index.js";

/** @import { TemplateResult } from "../vendor/lit/index.js" */

// A card is rank * 4 + suit: rank 0 is the two and 12 the ace; suits are clubs, diamonds, hearts, spades.

/** Corner labels by rank. */
export const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

/** The suits, each as a path in a 24 by 24 square. */
const SUITS = [
  "M10.9 16C10 17.9 8.4 19 6.6 19A4.7 4.7 0 1 1 8.3 9.9A4.7 4.7 0 1 1 15.7 9.9A4.7 4.7 0 1 1 17.4 19C15.6 19 14 17.9 13.1 16C13.2 19 13.9 21 15.4 22.5H8.6C10.1 21 10.8 19 10.9 16Z",
  "M12 1.5C14 5 17 9 20 12C17 15 14 19 12 22.5C10 19 7 15 4 12C7 9 10 5 12 1.5Z",
  "M12 21.5C5 16 2 12.6 2 8.6C2 5.4 4.4 3 7.4 3C9.3 3 11 4 12 5.6C13 4 14.7 3 16.6 3C19.6 3 22 5.4 22 8.6C22 12.6 19 16 12 21.5Z",
  "M12 1.5C17 6.5 21.5 10 21.5 14.2C21.5 17 19.6 18.8 17.2 18.8C15.4 18.8 13.9 17.9 13.1 16.5C13.2 19 13.9 21 15.4 22.5H8.6C10.1 21 10.8 19 10.9 16.5C10.1 17.9 8.6 18.8 6.8 18.8C4.4 18.8 2.5 17 2.5 14.2C2.5 10 7 6.5 12 1.5Z",
];
const RED = "#b8281f";
const BLACK = "#262320";
const GOLD = "#d9a531";

/**
 * Positions of the pips of number cards, as columns -1 to 1 and heights -3 to 3. Pips in the lower half are upside
 * down.
 */
const LEFT_AND_RIGHT = [[-1, -3], [1, -3], [-1, 3], [1, 3]];
const PIPS = [
  [[0, -3], [0, 3]],
  [[0, -3], [0, 0], [0, 3]],
  LEFT_AND_RIGHT,
  [...LEFT_AND_RIGHT, [0, 0]],
  [...LEFT_AND_RIGHT, [-1, 0], [1, 0]],
  [...LEFT_AND_RIGHT, [-1, 0], [1, 0], [0, -1.5]],
  [...LEFT_AND_RIGHT, [-1, 0], [1, 0], [0, -1.5], [0, 1.5]],
  [...LEFT_AND_RIGHT, [-1, -1], [1, -1], [-1, 1], [1, 1], [0, 0]],
  [...LEFT_AND_RIGHT, [-1, -1], [1, -1], [-1, 1], [1, 1], [0, -2], [0, 2]],
];

/**
 * Draw a card face up, 100 by 140.
 *
 * @param {number} card
 * @returns {TemplateResult}
 */
export function playingCard(card) {
  const [rank, suit] = [card >> 2, card & 3];
  const ink = suit === 1 || suit === 2 ? RED : BLACK;
  const corner = svg`
    <text x="13" y="24.5" text-anchor="middle" font-size="25" font-weight="750" textLength=${rank === 8 ? 23 : nothing}
      lengthAdjust="spacingAndGlyphs" font-family="ui-rounded, system-ui, sans-serif" fill=${ink}>${RANKS[rank]}</text>
    ${pip(suit, 13, 36, 15, ink)}`;
  return html`<svg class="playing" viewBox="0 0 100 140" aria-hidden="true">
    <rect width="100" height="140" rx="9" fill="#ddd0b6"/>
    <rect x=".6" y=".5" width="98.8" height="138" rx="8.6" fill="#fffaf0"/>
    <path d="M9.5 1.2h81q7 0 8 7H1.5q1-7 8-7Z" fill="#fff"/>
    ${corner}<g transform="rotate(180 50 70)">${corner}</g>
    ${middle(rank, suit, ink)}
  </svg>`;
}

/**
 * @param {number} rank
 * @param {number} suit
 * @param {string} ink
 */
function middle(rank, suit, ink) {
  if (rank === 12) return ace(suit, ink);
  if (rank > 8) return court(rank, ink);
  const size = rank > 5 ? 18.5 : 22;
  return PIPS[rank].map(([x, y]) => pip(suit, 50 + 15.5 * x, 70 + 15.6 * y, size, ink, y > 0));
}

/**
 * @param {number} suit
 * @param {string} ink
 */
function ace(suit, ink) {
  return svg`<circle cx="50" cy="70" r="33" fill=${ink} opacity=".06"/>
    <circle cx="50" cy="70" r="33" fill="none" stroke=${GOLD} stroke-width="1.2"/>
    <circle cx="50" cy="70" r="36" fill="none" stroke=${GOLD} stroke-width=".6" stroke-dasharray="1 3.7"/>
    ${pip(suit, 50, 70, 44, ink)}`;
}

/**
 * @param {number} suit
 * @param {number} x centre
 * @param {number} y
 * @param {number} size
 * @param {string} ink
 * @param {boolean} [turned]
 */
function pip(suit, x, y, size, ink, turned = false) {
  const scale = size / 24;
  const turn = turned ? " rotate(180 12 12)" : "";
  return svg`<path d=${SUITS[suit]} fill=${ink} transform=${`translate(${x - size / 2} ${y - size / 2}) scale(${scale})${turn}`}/>`;
}

// Court cards: a bust of plain shapes, mirrored. A jack has a cap with a feather, a queen a tiara of
// pearls and long hair, a king a crown of points and a beard.

/** @type {Record<number, {behind: string, hair: string, hat: string, gold: string}>} */
const BUSTS = {
  9: {
    behind: "M38.5 45.5C38 52 39 56 41 58.5H59C61 56 62 52 61.5 45.5Z",
    hair: "M39 43.5C38 36 42 32.5 50 32.5S62 36 61 43.5C57 39.5 54 38.5 50 38.5S43 39.5 39 43.5Z",
    hat: "M36.5 36C37.5 28.5 43 24.5 51.5 24.5C58.5 24.5 63 28.5 63.5 36Q50 31.5 36.5 36Z",
    gold: "M59.5 30C64 27 70 27.5 72.5 32.5C69 31.5 66 32.5 63.3 35.4ZM37 37.2Q50 32.4 63.2 37.2L63 34.7Q50 30 37.2 34.7Z",
  },
  10: {
    behind: "M36.5 41C34 50 34.5 58 36.5 64.5H63.5C65.5 58 66 50 63.5 41Z",
    hair: "M37.5 45C36 35 41 30.5 50 30.5S64 35 62.5 45C60 40 55.5 37 50 35.5C44.5 37 40 40 37.5 45Z",
    hat: "M38 32.5Q50 26.5 62 32.5L61.5 35.2Q50 29.5 38.5 35.2Z",
    gold: "M50 20.2a3 3 0 1 1-.01 0ZM42.5 23a2.4 2.4 0 1 1-.01 0ZM57.5 23a2.4 2.4 0 1 1-.01 0ZM36.6 27.4a1.9 1.9 0 1 1-.01 0ZM63.4 27.4a1.9 1.9 0 1 1-.01 0Z",
  },
  11: {
    behind: "M39.5 47C39 58 43.5 65.5 50 65.5S61 58 60.5 47C58.5 51 54 50.2 50 50.2S41.5 51 39.5 47Z",
    hair: "M38.5 46C37.5 38 39 34.5 41 32.5H59C61 34.5 62.5 38 61.5 46L59.5 40H40.5Z",
    hat: "M36 19.5L42.5 26L50 16.5L57.5 26L64 19.5L61.8 34H38.2Z",
    gold: "M38.2 34L37.8 31.2H62.2L61.8 34ZM50 13.6a2.3 2.3 0 1 1-.01 0ZM36 16.9a2 2 0 1 1-.01 0ZM64 16.9a2 2 0 1 1-.01 0Z",
  },
};

/**
 * @param {number} rank
 * @param {string} ink
 */
function court(rank, ink) {
  const bust = BUSTS[rank];
  const other = ink === RED ? "#27466f" : "#7d2a22";
  const skin = "#f2cfae";
  const half = svg`
    <path d="M25 70C26 61 34 57.5 43 56H57C66 57.5 74 61 75 70Z" fill=${ink}/>
    <path d="M44 56L50 70L56 56Z" fill=${GOLD}/>
    <path d="M31 70C32 64.5 36 61.5 41.5 60L45.5 70ZM69 70C68 64.5 64 61.5 58.5 60L54.5 70Z" fill=${other}/>
    ${rank === 11 ? null : svg`<path d=${bust.behind} fill="#6b4426"/>`}
    <path d="M46 50h8v7q-4 4-8 0Z" fill="#e0b48f"/>
    <path d="M40.5 41C40.5 34 44.5 31.5 50 31.5S59.5 34 59.5 41C59.5 49 55.5 54 50 54S40.5 49 40.5 41Z" fill=${skin}/>
    ${rank === 11 ? svg`<path d=${bust.behind} fill="#6b4426"/>` : null}
    <path d=${bust.hair} fill="#6b4426"/>
    <path d=${bust.hat} fill=${rank === 9 ? ink : GOLD}/>
    <path d=${bust.gold} fill=${rank === 11 ? "#f0c75e" : GOLD}/>
    <path d="M45.6 43.4a1.15 1.15 0 1 1-.01 0ZM54.4 43.4a1.15 1.15 0 1 1-.01 0Z" fill=${BLACK}/>
    <path d="M50 43.5L48.8 47H50.6" fill="none" stroke="#c08a63" stroke-width=".9" stroke-linecap="round"/>
    <path d=${rank === 11 ? "M47.4 51.4Q50 52.8 52.6 51.4" : "M47.6 49.6Q50 51.3 52.4 49.6"} fill="none" stroke="#a1413a" stroke-width="1.2" stroke-linecap="round"/>`;
  return svg`<g transform="translate(-8 -11.2) scale(1.16)">
    <rect x="27" y="14" width="46" height="112" rx="5" fill=${GOLD} opacity=".14"/>
    ${half}<g transform="rotate(180 50 70)">${half}</g>
    <path d="M25 70h50" stroke="#fffaf0" stroke-width=".9"/></g>`;
}

/**
 * Draw a card face down, 100 by 140. Its back shows a star among crossing rays.
 *
 * @returns {TemplateResult}
 */
export function back() {
  return html`<svg class="playing" viewBox="0 0 100 140" aria-hidden="true">
    <rect width="100" height="140" rx="9" fill="#ddd0b6"/>
    <rect x=".6" y=".5" width="98.8" height="138" rx="8.6" fill="#fffaf0"/>
    <rect x="6" y="6" width="88" height="127.5" rx="5" fill="#27466f"/>
    <path d=${RAYS} stroke="#45689b" stroke-width="1.3"/>
    <rect x="10" y="10" width="80" height="119.5" rx="3" fill="none" stroke="#e6c877" stroke-width=".9"/>
    <circle cx="50" cy="69.7" r="18" fill="#27466f" stroke="#e6c877"/>
    <path d="M50 55.7Q51.5 68.2 64 69.7Q51.5 71.2 50 83.7Q48.5 71.2 36 69.7Q48.5 68.2 50 55.7Z" fill="#e6c877"/>
  </svg>`;
}

/** Lines from the upper to the lower edge of the frame, slanting in both directions. */
const RAYS = Array.from({ length: 9 }, (_, at) => {
  const [from, to] = [10 + 10 * at, 90 - 10 * at];
  return `M${from} 10L${to} 129.5M10 ${10 + 15 * at}L90 ${129.5 - 15 * at}`;
}).join("");
