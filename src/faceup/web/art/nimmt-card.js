import { svg } from "../vendor/lit/index.js";
import { BULL_HEAD, heads } from "./heads.js";
import { numerals, STROKE } from "./numerals.js";

/**
 * The appearance of cards by their number of heads: the upper edge of the band, which is level, a hill, waves, teeth or
 * flames, and the rows in which the heads are arranged.
 *
 * @type {Record<number, {edge: string, lines: number[], size: number}>}
 */
const LOOKS = {
  1: { edge: "M0 93H90", lines: [1], size: 19 },
  2: { edge: "M0 93Q45 78 90 93", lines: [2], size: 20 },
  3: { edge: "M0 90q15-14 30 0q15-14 30 0q15-14 30 0", lines: [3], size: 20 },
  5: { edge: "M0 88l9-9 9 9 9-9 9 9 9-9 9 9 9-9 9 9 9-9 9 9", lines: [3, 2], size: 15.5 },
  7: { edge: "M0 86q7-3 9-13 5 6 9 13 7-6 9-17 6 7 9 17 6-8 9-21 5 9 9 21 5-8 9-17 5 9 9 17 5-7 9-13 2 9 9 13", lines: [4, 3], size: 15 },
};

/**
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function head(x, y, size) {
  return svg`<path d=${BULL_HEAD} transform="translate(${x} ${y}) scale(${size / 24})"/>`;
}

/** @param {number} count */
function countHeads(count) {
  const { lines, size } = LOOKS[count];
  const high = lines.length * size;
  return lines.flatMap((many, line) => {
    const y = 104.5 - high / 2 + line * size;
    return Array.from({ length: many }, (_, index) => head(45 - (many * size) / 2 + index * size, y, size * 0.96));
  });
}

/**
 * "full" is the normal size; "small" shows the heads as a number, for widths below 50 px; "squat" is small and square,
 * for low screens.
 *
 * @typedef {"full" | "small" | "squat"} Size
 */

/** By size: height at a width of 90, top of the band, and lower edge and height of the number. */
const SIZES = {
  full: { high: 120, band: 0, number: 64, figures: 40 },
  small: { high: 120, band: 84, number: 63, figures: 45 },
  squat: { high: 88, band: 60, number: 50, figures: 41 },
};
/** Greatest width of a number. */
const WIDEST = 80;
/** Width of the edge that sets a number apart from the drawing behind it. */
const EDGE = 5;

/** One template for all cards that differ only in their number, so that browsers can clone the template. */
const FACES = new Map(
  [1, 2, 3, 5, 7].flatMap((count) =>
    /** @type {Size[]} */ (["full", "small", "squat"]).map((size) => [`${count}${size}`, face(count, size)]),
  ),
);

/**
 * @param {number} count
 * @param {Size} size
 */
function face(count, size) {
  const tone = `var(--heads-${count})`;
  const upon = count === 1 ? "#46587a" : "#fff";
  const { high, band } = SIZES[size];
  const edge = band ? `M0 ${band}H90` : LOOKS[count].edge;
  return svg`
    <rect width="90" height=${high} rx="10" fill="var(--card)"/>
    <path d="M10 0h70a10 10 0 0 1 10 10v22Q45 16 0 36V10A10 10 0 0 1 10 0z" fill="#fff" opacity="0.55"/>
    ${band ? "" : svg`<path d=${BULL_HEAD} transform="translate(11 8) scale(2.85)" fill=${tone} opacity="0.13"/>`}
    <path d="${edge}V${high - 10}q0 10-10 10H10q-10 0-10-10Z" fill=${count === 1 ? "var(--card-edge)" : tone}/>
    <g fill=${upon}>${
      band
        ? svg`${head(47, (band + high) / 2 - 14.5, 28)}
          <path d=${numerals(count).line} transform="translate(${43 - numerals(count).wide * 0.21} ${(band + high) / 2 - 10.5}) scale(0.21)"
            fill="none" stroke=${upon} stroke-width=${STROKE} stroke-linecap="round" stroke-linejoin="round"/>`
        : countHeads(count)
    }</g>`;
}

/**
 * Draw a card face up, with its number and its heads. The colour and the edge of the band also show the number of
 * heads.
 *
 * @param {number} number
 * @param {Size} [size]
 */
export function card(number, size = "full") {
  const count = heads(number);
  const { high, number: y, figures } = SIZES[size];
  const { line, wide } = numerals(number);
  const scale = figures / 100;
  const across = Math.min(scale * 1.08, WIDEST / wide);
  return svg`<svg class="art" viewBox="0 0 90 ${high}" aria-hidden="true">
    ${FACES.get(`${count}${size}`)}
    <g transform="translate(${45 - (wide * across) / 2} ${y - figures}) scale(${across} ${scale})" fill="none" stroke-linecap="round" stroke-linejoin="round">
      <path d=${line} stroke="var(--card)" stroke-width=${STROKE + EDGE / scale}/>
      <path d=${line} stroke="var(--heads-${count})" stroke-width=${STROKE}/>
    </g>
  </svg>`;
}

/**
 * Draw a card face down.
 *
 * @param {Size} [size]
 */
export function back(size = "full") {
  const { high } = SIZES[size];
  const middle = high / 2;
  return svg`<svg class="art" viewBox="0 0 90 ${high}" aria-hidden="true">
    <rect width="90" height=${high} rx="10" fill="var(--card)"/>
    <rect x="6" y="6" width="78" height=${high - 12} rx="6" fill="#8c2f24"/>
    <path d="M6 ${middle}L45 6 84 ${middle} 45 ${high - 6}zM6 33L26 6M64 6l20 27M6 ${high - 33}l20 27M84 ${high - 33}l-20 27"
      fill="none" stroke="#fff" stroke-opacity="0.16" stroke-width="2"/>
    <circle cx="45" cy=${middle} r="25" fill="#7a261c"/>
    <path d=${BULL_HEAD} transform="translate(25 ${middle - 19}) scale(1.67)" fill="#f4dfb8"/>
    <path d="M12 6h66a6 6 0 0 1 6 6v22Q45 18 6 42V12a6 6 0 0 1 6-6z" fill="#fff" opacity="0.1"/>
  </svg>`;
}
