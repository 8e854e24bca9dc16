import { css, html, svg } from "../vendor/lit/index.js";
import { die } from "./dice.js";
import { card } from "./nimmt-card.js";
import { back, playingCard } from "./playing-card.js";

/** Styles with the background of the games' illustrations, `--ground`, which by default is felt under a lamp. */
export const sceneStyles = css`
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

const [WIDTH, HEIGHT] = [320, 180];
const [QUEEN_OF_SPADES, KING_OF_HEARTS] = [43, 46];

/**
 * Place a drawing over its shadow, at a size and position in the scene; without this, it would fill the scene's height.
 *
 * @param {unknown} drawing
 * @param {[number, number]} size width and height
 * @param {number} x centre
 * @param {number} y centre
 * @param {number} turn degrees
 */
function placed(drawing, [width, height], x, y, turn) {
  return svg`<g transform="translate(${x} ${y}) rotate(${turn})">
    <rect x=${-width / 2} y=${4 - height / 2} width=${width} height=${height} rx=${width / 8} fill="#000" opacity=".24" />
    <g transform="scale(${height / HEIGHT}) translate(${-WIDTH / 2} ${-HEIGHT / 2})">${drawing}</g>
  </g>`;
}

/** @param {number} number @param {number} x @param {number} y @param {number} turn */
const bullCard = (number, x, y, turn) => placed(card(number), [81, 108], x, y, turn);
/** @param {number} shows @param {number} x @param {number} y @param {number} turn */
const thrown = (shows, x, y, turn) => placed(die(shows), [50, 50], x, y, turn);
/** @param {unknown} drawing @param {number} x @param {number} y @param {number} turn */
const warCard = (drawing, x, y, turn) => placed(drawing, [81, 114], x, y, turn);

/** @type {Record<string, () => unknown>} */
const SCENES = {
  nimmt: () => svg`${bullCard(10, 50, 103, -11)}${bullCard(42, 124, 91, -4)}${bullCard(55, 199, 91, 4)}${bullCard(66, 272, 103, 11)}`,
  niuniu: () => svg`${thrown(6, 84, 70, -14)}${thrown(3, 143, 52, 9)}${thrown(1, 112, 127, 4)}${thrown(4, 214, 84, -8)}${thrown(5, 240, 142, 18)}`,
  war: () => svg`${warCard(back(), 46, 112, -16)}${warCard(back(), 274, 112, 16)}${warCard(playingCard(QUEEN_OF_SPADES), 117, 92, -7)}
    ${warCard(playingCard(KING_OF_HEARTS), 203, 92, 8)}`,
};

/** Draw the illustration of a game. @param {string} game */
export function scene(game) {
  const draw = SCENES[game] ?? (() => svg`${warCard(back(), 110, 96, -8)}${warCard(back(), 210, 96, 8)}`);
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">${draw()}</svg>`;
}
