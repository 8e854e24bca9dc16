import { html, svg } from "../vendor/lit/index.js";
import { BULL_HEAD } from "./heads.js";

const LEAF = "M0 0C5-9 18-10 28 0C18 6 7 6 0 0Z";
/** Angles of the leaves of the right branch in degrees, from the bottom to the top. */
const BRANCH = Array.from({ length: 9 }, (_, index) => 74 - index * 15.5);

const LAUREL = BRANCH.map((angle, index) => {
  const [x, y] = [100 + 80 * Math.cos((angle * Math.PI) / 180), 100 + 80 * Math.sin((angle * Math.PI) / 180)];
  const size = 1 - index * 0.045;
  return svg`<path d=${LEAF} fill="#c8871a" transform="translate(${x} ${y}) rotate(${angle - 62}) scale(${size})"/>
    <path d=${LEAF} fill="#f6cf62" transform="translate(${x} ${y}) rotate(${angle - 122}) scale(${size} ${-size})"/>`;
});
const BRANCH_TEMPLATE = svg`<path d="M104 181A81 81 0 0 0 146 31" fill="none" stroke="#a86d12" stroke-width="3" stroke-linecap="round"/>${LAUREL}`;

/** Draw a golden laurel wreath around the middle of a 200 by 200 square. */
export function laurel() {
  return svg`<svg class="laurel" viewBox="0 0 200 200" aria-hidden="true">
    ${BRANCH_TEMPLATE}<g transform="matrix(-1 0 0 1 200 0)">${BRANCH_TEMPLATE}</g>
    <path d="M84 178q16 12 32 0l6 12-14-4-8 10-8-10-14 4z" fill="#d94f3d"/>
  </svg>`;
}

/** Rim, face and numeral of the medals for the first three places. */
const METALS = [
  ["#b97908", "#ffd766", "#5a3a00"],
  ["#7d8790", "#e8edf1", "#39424a"],
  ["#8a4d1f", "#e5a878", "#48240a"],
];

/**
 * Draw the medal of a place in a 44 by 44 square, or a plain disc from the fourth place on.
 *
 * @param {number} place
 */
export function medal(place) {
  const [rim, metal, ink] = METALS[place - 1] ?? ["var(--sunken)", "var(--sunken)", "var(--ink-soft)"];
  return svg`<svg class="medal" viewBox="0 0 44 44" aria-hidden="true">
    ${place > 3 ? "" : svg`<path d="M12 0h9l4 12-7 5zM32 0h-9l-4 12 7 5z" fill="#c5402f"/><path d="M12 0h5l6 14-5 3zM32 0h-4l-3 10 2 6z" fill="#e8705c"/>`}
    <circle cx="22" cy=${place > 3 ? 22 : 26} r="16" fill=${rim}/>
    <circle cx="22" cy=${place > 3 ? 22 : 26} r="13.5" fill=${metal}/>
    ${place > 3 ? "" : svg`<path d="M11 23a11.5 11.5 0 0 1 20-5 14 14 0 0 0-20 5z" fill="#fff" opacity=".65"/>`}
    <text x="22" y=${place > 3 ? 27.5 : 31.5} text-anchor="middle" font-size="16" font-weight="800" font-family="var(--figures)" fill=${ink}>${place}</text>
  </svg>`;
}

/** Draw rays of light from the middle of a 400 by 400 square. */
export function rays() {
  const triangles = Array.from({ length: 12 }, (_, number) => `M200 200L${point(number * 30 - 6)}L${point(number * 30 + 6)}Z`);
  return svg`<svg class="rays" viewBox="0 0 400 400" aria-hidden="true"><path d=${triangles.join("")} fill="#fff"/></svg>`;
}

/** @param {number} angle in degrees */
function point(angle) {
  return `${200 + 280 * Math.cos((angle * Math.PI) / 180)} ${200 + 280 * Math.sin((angle * Math.PI) / 180)}`;
}

const SHAPES = [
  svg`<rect x="3" y="7" width="18" height="9" rx="2"/>`,
  svg`<path d="M3 14Q7 5 12 12T21 10L20 15Q16 20 11 15T4 18Z"/>`,
  svg`<circle cx="12" cy="12" r="7"/>`,
  svg`<path d=${BULL_HEAD}/>`,
];
const COLOURS = ["#ffd766", "#f08a6c", "#7cc7f0", "#a9d873", "#e3a4f2", "#fff4d6"];

/** Return a number from 0 to 1 that looks random, but is the same in every picture. @param {number} seed */
function scatter(seed) {
  return Math.abs(Math.sin(seed * 12.9898) * 43758.5453) % 1;
}

/**
 * Draw pieces of confetti. Style sheets place and move them by `--x` and `--y` (where a piece rests, from 0 to 1),
 * `--turn` (degrees) and `--wait` (from 0 to 1).
 *
 * @param {number} count
 */
export function confetti(count) {
  return Array.from({ length: count }, (_, index) => {
    const [across, down, turn, wait] = [1, 2, 3, 4].map((which) => scatter(index * 4 + which));
    const y = index % 4 ? 0.7 * down : 0.7 + 0.3 * down;
    const edge = y < 0.3 ? 0.42 : y < 0.62 ? 0.26 : 0.09; // the middle stays free for the winner
    const x = across < 0.5 ? 2 * across * edge : 1 - 2 * (1 - across) * edge;
    return html`<svg class="confetti" viewBox="0 0 24 24" aria-hidden="true" fill=${COLOURS[index % COLOURS.length]}
      .style=${`--x: ${x.toFixed(3)}; --y: ${y.toFixed(3)}; --turn: ${Math.round(turn * 360 - 180)}; --wait: ${wait.toFixed(3)}`}>${SHAPES[index % 7 === 6 ? 3 : index % 3]}</svg>`;
  });
}
