import { html, svg } from "../vendor/lit/index.js";

/** @import { TemplateResult } from "../vendor/lit/index.js" */

/** Positions of the pips of a face, in steps from its centre. */
const PIPS = [
  [],
  [[0, 0]],
  [[-1, -1], [1, 1]],
  [[-1, -1], [0, 0], [1, 1]],
  [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
];
const STEP = 24;

/** Drawn dice, by number and numeral or pips. @type {Map<string, TemplateResult>} */
const drawn = new Map();

/**
 * Draw an ivory die with hollow pips from above, in a 100 by 100 square. The pip of the one is large and red, and the
 * pips of the four are red, as on Chinese dice. Dice with more than six faces show numerals.
 *
 * @param {number} shows the number; 0 draws a die in motion
 * @param {number} [faces]
 * @returns {TemplateResult}
 */
export function die(shows, faces = 6) {
  const key = `${shows} ${faces > 6}`;
  const sides = drawn.get(key) ?? draw(shows, faces);
  drawn.set(key, sides);
  return sides;
}

/**
 * Draw only the pips or the numeral of a die, for the sides of a tumbling cube.
 *
 * @param {number} shows
 * @param {number} faces
 * @returns {TemplateResult}
 */
export function dieSide(shows, faces) {
  const figures = faces > 6 ? figure(shows) : svg`<path d=${circles(shows, radiusOf(shows), 0)} fill=${isRed(shows) ? "#b3261c" : "#2a251d"}/>`;
  return html`<svg class="die" viewBox="0 0 100 100">${figures}</svg>`;
}

/**
 * @param {number} shows
 * @param {number} faces
 */
function draw(shows, faces) {
  return html`<svg class="die" viewBox="0 0 100 100" aria-hidden="true">
    <rect width="100" height="100" rx="24" fill="#c9b993"/>
    <rect width="100" height="96" rx="23" fill="#eee4cd"/>
    <rect x="4" y="3" width="92" height="87" rx="20" fill="#fbf6ea"/>
    <path d="M25 5h50q18 0 20 18q-45 9-90 0Q7 5 25 5Z" fill="#fff" opacity=".85"/>
    ${faces > 6 || shows === 0 ? figure(shows) : dots(shows)}
  </svg>`;
}

/** @param {number} shows */
function figure(shows) {
  const size = shows > 99 ? 40 : 52;
  return svg`<text x="50" y=${47 + 0.36 * size} text-anchor="middle" font-size=${size} font-weight="800"
    font-family="ui-rounded, system-ui, sans-serif" fill=${shows ? "#2a251d" : "#b3a588"}>${shows || "?"}</text>`;
}

/** @param {number} shows */
function radiusOf(shows) {
  return shows === 1 ? 15 : 9.5;
}

/** @param {number} shows */
function isRed(shows) {
  return shows === 1 || shows === 4;
}

/** @param {number} shows */
function dots(shows) {
  const radius = radiusOf(shows);
  const red = isRed(shows);
  return svg`<path d=${circles(shows, radius + 0.6, 2.2)} fill="#fff"/>
    <path d=${circles(shows, radius, 0)} fill=${red ? "#8f1a13" : "#14110c"}/>
    <path d=${circles(shows, radius - 1.2, 1.2)} fill=${red ? "#c62f25" : "#3a3429"}/>`;
}

/**
 * Return the pips as one path.
 *
 * @param {number} shows
 * @param {number} radius
 * @param {number} lower vertical offset
 */
function circles(shows, radius, lower) {
  return PIPS[shows]
    .map(([x, y]) => `M${50 + STEP * x - radius} ${47 + STEP * y + lower}a${radius} ${radius} 0 1 0 ${2 * radius} 0`)
    .map((half) => `${half}a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`)
    .join("");
}
