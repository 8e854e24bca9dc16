import { svg } from "../vendor/lit/index.js";

/** @typedef {"asleep" | "awake" | "cross" | "groaning"} Mood how full its row is; groaning at the end of a lost game */

const LEFT = svg`
  <path d="M33 31C20 33 6 26 6 6c0-2 2-2 3 0 5 10 14 13 27 13z" fill="#f4e6c6"/>
  <path d="M9 6c5 10 14 13 27 13l-1 5C20 24 10 17 9 6z" fill="#fffaf0"/>
  <path d="M30 36C20 31 10 33 5 41c6 8 16 10 26 6z" fill="#5f3a25"/>
  <path d="M28 38c-6-2-12-1-16 3 4 4 10 5 16 3z" fill="#d99a83"/>`;

/** @type {Record<Mood, unknown>} */
const EYES = {
  asleep: svg`<path d="M31 49q6 5 12 0M57 49q6 5 12 0" fill="none" stroke="#2b1810" stroke-width="3" stroke-linecap="round"/>`,
  awake: svg`
    <ellipse cx="37" cy="48" rx="7" ry="8" fill="#fff"/><ellipse cx="63" cy="48" rx="7" ry="8" fill="#fff"/>
    <circle cx="38.5" cy="49" r="3.8" fill="#2b1810"/><circle cx="61.5" cy="49" r="3.8" fill="#2b1810"/>
    <circle cx="40" cy="47.5" r="1.3" fill="#fff"/><circle cx="63" cy="47.5" r="1.3" fill="#fff"/>`,
  cross: svg`
    <ellipse cx="37" cy="49" rx="7.5" ry="7.5" fill="#fff"/><ellipse cx="63" cy="49" rx="7.5" ry="7.5" fill="#fff"/>
    <circle cx="39.5" cy="50" r="3.4" fill="#a8201a"/><circle cx="60.5" cy="50" r="3.4" fill="#a8201a"/>
    <path d="M26 37l21 8v-7L28 31zM74 37l-21 8v-7l19-7z" fill="#4a2b1a"/>`,
  groaning: svg`
    <path d="M29 44l14 6-14 5M71 44l-14 6 14 5" fill="none" stroke="#2b1810" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/>
    <path d="M27 39q8-1 14-6M73 39q-8-1-14-6" fill="none" stroke="#4a2b1a" stroke-width="3.4" stroke-linecap="round"/>`,
};

const GROAN = svg`
  <ellipse cx="50" cy="88" rx="13" ry="7.5" fill="#4b1712"/>
  <path d="M40 91q10-6 20 0-3 4.5-10 4.5T40 91z" fill="#d8695f"/>
  <path class="sweat" d="M84 30q7 10 0 14-7-4 0-14z" fill="#8fd0f5"/>`;

const STEAM = svg`
  <g class="steam" fill="#fff" opacity="0.85">
    <path d="M25 80c-6-3-13-1-15 5 4-2 8-1 10 2 1-3 3-5 5-7zM75 80c6-3 13-1 15 5-4-2-8-1-10 2-1-3-3-5-5-7z"/>
    <circle cx="6" cy="90" r="3"/><circle cx="94" cy="90" r="3"/>
  </g>`;

const DREAM = svg`
  <g class="dream" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" opacity="0.7">
    <path d="M81 26h9l-9 10h9M92 13h6l-6 8h6"/>
  </g>`;

/**
 * Draw the bull at the end of a row, in a 100 by 100 square.
 *
 * @param {Mood} [mood]
 * @param {string} [name] accessible name; without a name, screen readers skip the drawing
 */
export function bull(mood = "awake", name = "") {
  return svg`<svg class="bull ${mood}" viewBox="0 0 100 100" role="img" aria-label=${name} aria-hidden=${name ? "false" : "true"}>
    ${LEFT}<g transform="matrix(-1 0 0 1 100 0)">${LEFT}</g>
    <path d="M50 20c19 0 29 10 28 27-1 11-5 20-7 28H29c-2-8-6-17-7-28-1-17 9-27 28-27z" fill="#85512f"/>
    <path d="M50 20c19 0 29 10 28 27-.5 6-2 11-3.5 16C74 44 66 31 50 31S26 44 25.5 63C24 58 22.5 53 22 47c-1-17 9-27 28-27z" fill="#9b6440"/>
    <path d="M33 25c1-9 8-7 9-15 4 6 9 3 10-4 3 8 9 6 8 13 5-1 8 2 7 6-4 6-9 3-11 8-3-4-6 1-8 5-2-5-6-2-8-6-3 0-6-3-7-7z" fill="#4a2b1a"/>
    ${EYES[mood]}
    <ellipse cx="50" cy="77" rx="27" ry="18" fill="#e9b89c"/>
    <path d="M25 71c4-9 14-12 25-12s21 3 25 12c-6-5-15-7-25-7s-19 2-25 7z" fill="#f5d2bd"/>
    <ellipse cx="40" cy="74" rx="4" ry="5.5" fill="#7d3f33" transform="rotate(14 40 74)"/>
    <ellipse cx="60" cy="74" rx="4" ry="5.5" fill="#7d3f33" transform="rotate(-14 60 74)"/>
    ${mood === "groaning" ? GROAN : ""}
    <path d="M41 79c0 17 18 17 18 0" fill="none" stroke="#c58b17" stroke-width="4.5" stroke-linecap="round"/>
    <path d="M42.5 83c2 6 8 8 12 5" fill="none" stroke="#ffdd7a" stroke-width="1.8" stroke-linecap="round"/>
    ${mood === "cross" ? STEAM : mood === "asleep" ? DREAM : ""}
  </svg>`;
}
