import { css, html, svg } from "../vendor/lit/index.js";

/** @import { TemplateResult } from "../vendor/lit/index.js" */

/** Where the pips of a face lie, in steps from its middle. */
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

/**
 * A die from above, 100 by 100: ivory, lit from above, its pips hollows that catch the light at their lower rim. The one
 * is large and red and the four is red, as dice are where Niu Niu comes from. Dice with more faces show figures.
 *
 * @param {number} shows 0 is a die that nobody can read yet
 * @param {number} [faces]
 * @returns {TemplateResult}
 */
export function die(shows, faces = 6) {
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
function dots(shows) {
  const radius = shows === 1 ? 15 : 9.5;
  const red = shows === 1 || shows === 4;
  return svg`<path d=${circles(shows, radius + 0.6, 2.2)} fill="#fff"/>
    <path d=${circles(shows, radius, 0)} fill=${red ? "#8f1a13" : "#14110c"}/>
    <path d=${circles(shows, radius - 1.2, 1.2)} fill=${red ? "#c62f25" : "#3a3429"}/>`;
}

/**
 * The pips as one path.
 *
 * @param {number} shows
 * @param {number} radius
 * @param {number} lower by how much they lie further down
 */
function circles(shows, radius, lower) {
  return PIPS[shows]
    .map(([x, y]) => `M${50 + STEP * x - radius} ${47 + STEP * y + lower}a${radius} ${radius} 0 1 0 ${2 * radius} 0`)
    .map((half) => `${half}a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`)
    .join("");
}

/**
 * The same as a cube that falls, tumbles and comes to rest with this number up. It needs `tumbling` among the styles, and
 * --die, the length of its edge; --wait and --roll are times, --turn-x, --turn-y, --turn-z how far it turns.
 *
 * @param {number} shows
 * @param {number} faces
 * @returns {TemplateResult}
 */
export function cube(shows, faces) {
  return html`<div class="fall"><div class="cube">${sides(shows, faces).map((side) => html`<div>${die(side, faces)}</div>`)}</div></div>`;
}

/**
 * The same for less: a flat die that spins as it falls.
 *
 * @param {number} shows
 * @param {number} faces
 * @returns {TemplateResult}
 */
export function tossed(shows, faces) {
  return html`<div class="fall"><div class="spin">${die(shows, faces)}</div></div>`;
}

/**
 * What the six sides show, the first of them up; opposite ones add up to seven.
 *
 * @param {number} shows
 * @param {number} faces
 */
function sides(shows, faces) {
  if (faces > 6) return [0, 1, 2, 3, 4, 5].map((side) => ((shows - 1 + side * 7) % faces) + 1);
  const around = [1, 2, 3, 4, 5, 6].filter((side) => side !== shows && side !== 7 - shows);
  const [one, two] = [around[0], around.find((side) => side !== 7 - around[0]) ?? around[1]];
  return [shows, 7 - shows, one, 7 - one, two, 7 - two];
}

export const tumbling = css`
  .fall {
    width: var(--die);
    height: var(--die);
    /* Flat itself, and the cube in it has depth: what fades cannot have it too, and WebKit loses cubes that try. */
    perspective: 900px;
    animation: fall var(--roll, 900ms) var(--wait, 0ms) both;
  }
  .cube {
    position: relative;
    width: 100%;
    height: 100%;
    transform-style: preserve-3d;
    animation: tumble var(--roll, 900ms) var(--wait, 0ms) cubic-bezier(0.16, 0.6, 0.4, 1) both;
  }
  .spin {
    animation: spin var(--roll, 900ms) var(--wait, 0ms) cubic-bezier(0.16, 0.6, 0.4, 1) both;
  }
  .cube > div {
    position: absolute;
    inset: 0;
    background: #ddcfae;
    border-radius: 17%;
    backface-visibility: hidden;
  }
  .cube > :nth-child(1) {
    transform: translateZ(calc(var(--die) / 2));
  }
  .cube > :nth-child(2) {
    transform: rotateY(180deg) translateZ(calc(var(--die) / 2));
  }
  .cube > :nth-child(3) {
    transform: rotateY(90deg) translateZ(calc(var(--die) / 2));
  }
  .cube > :nth-child(4) {
    transform: rotateY(-90deg) translateZ(calc(var(--die) / 2));
  }
  .cube > :nth-child(5) {
    transform: rotateX(90deg) translateZ(calc(var(--die) / 2));
  }
  .cube > :nth-child(6) {
    transform: rotateX(-90deg) translateZ(calc(var(--die) / 2));
  }
  .die {
    display: block;
    width: 100%;
    height: 100%;
  }
  @keyframes fall {
    0% {
      transform: translate(var(--from, -60%), -220%) scale(1.15);
      animation-timing-function: cubic-bezier(0.5, 0, 0.9, 0.6);
      opacity: 0;
    }
    12% {
      opacity: 1;
    }
    38% {
      transform: translate(calc(var(--from, -60%) * 0.5), 0) scale(1);
      animation-timing-function: cubic-bezier(0.1, 0.5, 0.4, 1);
    }
    56% {
      transform: translate(calc(var(--from, -60%) * 0.24), -42%) scale(1.03);
      animation-timing-function: cubic-bezier(0.6, 0, 0.9, 0.5);
    }
    74% {
      transform: translate(calc(var(--from, -60%) * 0.08), 0) scale(1);
      animation-timing-function: ease-out;
    }
    84% {
      transform: translate(0, -9%) scale(1.01);
      animation-timing-function: ease-in;
    }
    94%,
    100% {
      transform: translate(0, 0) scale(1);
      opacity: 1;
    }
  }
  @keyframes spin {
    from {
      transform: rotate(var(--turn-y, -420deg));
    }
  }
  @keyframes tumble {
    0% {
      transform: translateZ(calc(var(--die) / -2)) rotateX(var(--turn-x, 540deg)) rotateY(var(--turn-y, -420deg)) rotateZ(var(--turn-z, 200deg));
    }
    100% {
      transform: translateZ(calc(var(--die) / -2)) rotateX(0) rotateY(0) rotateZ(0);
    }
  }
`;
