import { css, html, svg } from "../vendor/lit/index.js";

// A picture for each game on the first page, on felt and under a lamp. Drawn here, by hand.

/** What each game's scene lies on, as `--ground`: felt, but for those that have a cloth of their own. */
export const grounds = css`
  :host {
    --ground: radial-gradient(90% 120% at 50% -10%, #3a927c, var(--felt) 45%, var(--felt-deep));
  }
  .niuniu {
    --ground: radial-gradient(90% 120% at 50% -10%, #a2573f, #7d3528 45%, #571f18);
  }
  .war {
    --ground: radial-gradient(90% 120% at 50% -10%, #4d6f9c, #2d4a73 45%, #1c3152);
  }
`;

const HEAD = "M0 6.200c-3.500 0-4.800-3.400-4.800-5.800S-2.600-4.200 0-4.200 4.800-2 4.800.4 3.500 6.200 0 6.200zM-4.900-2.100c-3.500 0-4.700-2.400-4.700-4.700 1.200 1.200 3.500 1.200 4.700 2.300M4.900-2.100c3.500 0 4.700-2.400 4.700-4.700-1.200 1.200-3.500 1.200-4.700 2.300";

/** @param {number} x @param {number} y @param {number} turn @param {number} number @param {number} heads @param {string} ink */
function bullCard(x, y, turn, number, heads, ink) {
  const row = Array.from({ length: heads }, (_, at) => (at - (heads - 1) / 2) * (heads > 5 ? 9.500 : 12));
  return svg`<g transform="translate(${x} ${y}) rotate(${turn})">
    <rect x="-37" y="-53" width="74" height="108" rx="9" fill="#000" opacity=".22" />
    <rect x="-37" y="-56" width="74" height="108" rx="9" fill="var(--card)" />
    <rect x="-37" y="-56" width="74" height="108" rx="9" fill="url(#sheen)" />
    ${row.map((at) => svg`<path d=${HEAD} transform="translate(${at} -39) scale(.46)" fill=${ink} />`)}
    <path d=${HEAD} transform="translate(0 4) scale(3.300)" fill=${ink} opacity=".16" />
    <text x="0" y="17" text-anchor="middle" font-family="var(--figures)" font-weight="800" font-size=${number > 99 ? 38 : 46} fill=${ink} letter-spacing="-1">${number}</text>
  </g>`;
}

/** @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** @param {number} x @param {number} y @param {number} turn @param {number} value @param {boolean} [gold] */
function die(x, y, turn, value, gold = false) {
  return svg`<g transform="translate(${x} ${y}) rotate(${turn})">
    <rect x="-25" y="-20" width="50" height="50" rx="12" fill="#000" opacity=".24" />
    <rect x="-25" y="-25" width="50" height="50" rx="12" fill=${gold ? "#f3c65a" : "var(--card)"} />
    <rect x="-25" y="-25" width="50" height="50" rx="12" fill="url(#sheen)" />
    ${PIPS[value].map(([px, py]) => svg`<circle cx=${px * 12} cy=${py * 12} r="4.600" fill=${gold ? "#5a3a00" : "var(--card-ink)"} />`)}
  </g>`;
}

const SPADE = "M0-20C6-11 17-5 17 5c0 6-4 9-8 9-3 0-5-1-7-3 0 4 1 7 4 10H-6c3-3 4-6 4-10-2 2-4 3-7 3-4 0-8-3-8-9 0-10 11-16 17-25z";
const HEART = "M0 21C-6 12-19 5-19-7c0-6 4-11 9.500-11C-5-18-2-15 0-11c2-4 5-7 9.500-7C15-18 19-13 19-7 19 5 6 12 0 21z";

/** @param {number} x @param {number} y @param {number} turn @param {string} rank @param {string} pip @param {string} ink */
function playing(x, y, turn, rank, pip, ink) {
  return svg`<g transform="translate(${x} ${y}) rotate(${turn})">
    <rect x="-40" y="-53" width="80" height="114" rx="9" fill="#000" opacity=".24" />
    <rect x="-40" y="-58" width="80" height="114" rx="9" fill="var(--card)" />
    <rect x="-40" y="-58" width="80" height="114" rx="9" fill="url(#sheen)" />
    <text x="-31" y="-31" font-family="var(--figures)" font-weight="800" font-size="25" fill=${ink}>${rank}</text>
    <path d=${pip} transform="translate(-22 -17) scale(.4)" fill=${ink} />
    <path d=${pip} transform="translate(2 8) scale(1.250)" fill=${ink} />
  </g>`;
}

/** @param {number} x @param {number} y @param {number} turn */
function back(x, y, turn) {
  return svg`<g transform="translate(${x} ${y}) rotate(${turn})">
    <rect x="-40" y="-53" width="80" height="114" rx="9" fill="#000" opacity=".2" />
    <rect x="-40" y="-58" width="80" height="114" rx="9" fill="var(--card)" />
    <rect x="-35" y="-53" width="70" height="104" rx="6" fill="#7c2f2a" />
    <path d="M0-38 24-1 0 36-24-1z" fill="none" stroke="#f0d9a8" stroke-width="2" opacity=".8" />
    <path d="M0-22 13-1 0 20-13-1z" fill="#f0d9a8" opacity=".8" />
  </g>`;
}

/** @type {Record<string, () => unknown>} */
const SCENES = {
  nimmt: () => svg`${bullCard(50, 103, -11, 10, 3, "var(--heads-3)")}${bullCard(124, 91, -4, 42, 1, "var(--heads-1)")}
    ${bullCard(199, 91, 4, 55, 7, "var(--heads-7)")}${bullCard(272, 103, 11, 66, 5, "var(--heads-5)")}`,
  niuniu: () => svg`${die(84, 70, -14, 6, true)}${die(143, 52, 9, 3, true)}${die(112, 127, 4, 1, true)}
    ${die(214, 84, -8, 4)}${die(240, 142, 18, 5)}`,
  war: () => svg`${back(46, 112, -16)}${back(274, 112, 16)}${playing(117, 92, -7, "Q", SPADE, "var(--card-ink)")}
    ${playing(203, 92, 8, "K", HEART, "#b8281f")}`,
};

/** @param {string} game */
export function scene(game) {
  const draw = SCENES[game] ?? (() => svg`${back(110, 96, -8)}${back(210, 96, 8)}`);
  return html`<svg viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    <defs>
      <linearGradient id="sheen" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="#fff" stop-opacity=".5" />
        <stop offset=".4" stop-color="#fff" stop-opacity="0" />
        <stop offset="1" stop-color="#553311" stop-opacity=".12" />
      </linearGradient>
    </defs>
    ${draw()}
  </svg>`;
}
