import { die, dieSide } from "../../art/dice.js";
import { css, html } from "../../vendor/lit/index.js";

/** @import { TemplateResult } from "../../vendor/lit/index.js" */

/**
 * Render a die as a cube that falls, tumbles and comes to rest with this number on top. The cube needs `tumbleStyles`
 * and the properties --die (edge length), --roll (time), and --turn-x, --turn-y and --turn-z (rotation).
 *
 * @param {number} shows
 * @param {number} faces
 * @returns {TemplateResult}
 */
export function cube(shows, faces) {
  return html`<div class="fall"><div class="cube">${sides(shows, faces).map((side, index) => html`<div>${index ? dieSide(side, faces) : die(side, faces)}</div>`)}</div></div>`;
}

/**
 * Render a flat die, which turns as it falls while it is in an element of class "rolling". This animation needs less
 * computation than the cube; the five dice of a crowded table's trays fall as one.
 *
 * @param {number} shows
 * @param {number} faces
 * @returns {TemplateResult}
 */
export function tossedDie(shows, faces) {
  return html`<div class="toss">${die(shows, faces)}</div>`;
}

/**
 * Return the numbers of the six sides, starting with the top. On dice with six faces, opposite sides add up to seven.
 *
 * @param {number} shows
 * @param {number} faces
 */
function sides(shows, faces) {
  if (faces > 6) return [0, 1, 2, 3, 4, 5].map((side) => ((shows - 1 + side * 7) % faces) + 1);
  const around = [1, 2, 3, 4, 5, 6].filter((side) => side !== shows && side !== 7 - shows);
  const [first, second] = [around[0], around.find((side) => side !== 7 - around[0]) ?? around[1]];
  return [shows, 7 - shows, first, 7 - first, second, 7 - second];
}

export const tumbleStyles = css`
  .fall {
    width: var(--die);
    height: var(--die);
    /* Flat, with the 3D context on the cube inside: an element that fades cannot have one, and WebKit drops such cubes. */
    perspective: 900px;
  }
  .rolling .fall {
    animation: fall var(--roll, 900ms) both;
  }
  .cube {
    position: relative;
    width: 100%;
    height: 100%;
    transform-style: preserve-3d;
    animation: tumble var(--roll, 900ms) cubic-bezier(0.16, 0.6, 0.4, 1) both;
  }
  .toss {
    width: var(--die);
    height: var(--die);
    border-radius: 24%;
    box-shadow: 0 3px 4px rgb(0 0 0 / 0.32); /* cheaper to draw than a filter */
  }
  .rolling .toss {
    animation: toss var(--roll, 900ms) both;
  }
  .crowd .lane > .rolling .toss {
    animation: none;
  }
  .crowd .lane:not(.mine) > .rolling {
    --from: -12%;
    --turn-y: -20deg;
    animation: toss var(--roll, 900ms) both;
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
  @keyframes toss {
    0% {
      transform: translate(var(--from, -60%), -220%) scale(1.15) rotate(var(--turn-y, -420deg));
      animation-timing-function: cubic-bezier(0.5, 0, 0.9, 0.6);
      opacity: 0;
    }
    12% {
      opacity: 1;
    }
    38% {
      transform: translate(calc(var(--from, -60%) * 0.5), 0) scale(1) rotate(calc(var(--turn-y, -420deg) * 0.3));
      animation-timing-function: cubic-bezier(0.1, 0.5, 0.4, 1);
    }
    56% {
      transform: translate(calc(var(--from, -60%) * 0.24), -42%) scale(1.03) rotate(calc(var(--turn-y, -420deg) * 0.08));
      animation-timing-function: cubic-bezier(0.6, 0, 0.9, 0.5);
    }
    74%,
    100% {
      transform: none;
      opacity: 1;
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
