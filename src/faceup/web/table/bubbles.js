import { face } from "../art/faces.js";
import { t } from "../i18n/translate.js";
import { isCalm } from "../ui/settings.js";
import { css, html } from "../vendor/lit/index.js";
import { repeat } from "../vendor/lit/directives/repeat.js";

/** @import { TableView } from "../api/types.js" */

/**
 * A reaction that is displayed: a face, or null for a phrase, which appears as words at the seat of its sender. A face
 * that is thrown at the player `to` appears at that seat.
 *
 * @typedef {{seat: number, to?: number, reaction: string, face: unknown, key: number}} ShownReaction
 */

/** Milliseconds for which a reaction is displayed. */
export const REACTION_DURATION = 4000;
/** Milliseconds of a throw. */
const FLIGHT = 650;

export const bubbleStyles = css`
  .bubble {
    position: absolute;
    z-index: 3;
    top: -14px;
    left: calc(50% + 4px + 12px * var(--nth));
    width: 40px;
    height: 40px;
    border-radius: 50%;
    animation: say 4s var(--ease) both;
    pointer-events: none;
    filter: drop-shadow(0 3px 6px rgb(var(--shade) / 0.3));
  }
  /* The ring has the colour of the player who has thrown it. */
  .bubble.thrown {
    box-shadow: 0 0 0 3px var(--from);
  }
  /* Between the edges of its seat and those of the window: at the left edge it grows to the right, and vice versa. */
  .speech {
    position: absolute;
    z-index: 4;
    top: 2.6rem;
    left: calc(100% * var(--across));
    translate: calc(-100% * var(--across));
    display: flex;
    align-items: center;
    gap: 0.3em;
    width: max-content;
    max-width: min(16rem, 80vw);
    padding: 0.3em 0.7em;
    border-radius: 1em;
    border: 2px solid var(--colour);
    color: var(--ink);
    background: var(--surface);
    box-shadow: var(--high);
    font-size: var(--text--1);
    font-weight: 600;
    line-height: 1.2;
    animation: say 4s var(--ease) both;
    pointer-events: none;
  }
  .speech .face {
    flex: none;
    width: 1.4em;
  }
  @keyframes say {
    0% {
      transform: scale(0.2) translateY(10px);
      opacity: 0;
    }
    8% {
      transform: scale(1.15);
      opacity: 1;
    }
    14%,
    88% {
      transform: none;
      opacity: 1;
    }
    100% {
      opacity: 0;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .bubble,
    .speech {
      animation: none;
    }
  }
`;

/**
 * Render the reactions at a seat.
 *
 * @param {TableView} room
 * @param {readonly ShownReaction[]} reactions of all seats
 * @param {number} seat
 */
export function renderBubbles(room, reactions, seat) {
  const at = reactions.filter((shown) => seat === (shown.face ? shown.to ?? shown.seat : shown.seat));
  return repeat(at, ({ key }) => key, (shown, place) => {
    const words = t(`table.react.${shown.reaction}`);
    if (!shown.face) return html`<span class="speech">${shown.to === undefined ? "" : html`<span aria-hidden="true">→</span>${face(room.seats[shown.to], shown.to)}`}<span>${words}</span></span>`;
    const thrown = shown.to !== undefined;
    return html`<span class="bubble ${thrown ? "thrown" : ""}" data-key=${shown.key} role="img" aria-label=${words}
      .style=${`--nth: ${place}; --from: var(--player-${shown.seat})`}>${shown.face}</span>`;
  });
}

/**
 * Let a face fly in an arc from the seat of its sender to the seat at which it was thrown, whose face it shakes. If
 * reveals are calm, it is there without moving.
 *
 * @param {ParentNode} root with a token for each seat, in order
 * @param {ShownReaction} shown
 */
export function fly(root, { seat, to, key }) {
  const bubble = root.querySelector(`[data-key="${key}"]`);
  const tokens = root.querySelectorAll(".token");
  if (!bubble || to === undefined || isCalm() || document.hidden) return;
  const [start, end] = [tokens[seat].getBoundingClientRect(), bubble.getBoundingClientRect()];
  const [x, y] = [start.x + start.width / 2 - end.x - end.width / 2, start.y + start.height / 2 - end.y - end.height / 2];
  const height = Math.max(16, Math.min(30 + 0.25 * Math.hypot(x, y), start.y, end.y)); // within the window
  bubble.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], { duration: FLIGHT });
  bubble.animate(
    [
      { transform: "scale(0.5)", easing: "cubic-bezier(0.2, 0.7, 0.5, 1)" },
      { transform: `translateY(-${height}px) rotate(200deg) scale(1.3)`, easing: "cubic-bezier(0.5, 0, 0.8, 0.4)" },
      { transform: "rotate(360deg)" },
    ],
    { duration: FLIGHT },
  );
  tokens[to].animate([{ transform: "none" }, { transform: "rotate(-11deg) scale(0.94)" }, { transform: "rotate(8deg)" }, { transform: "none" }], { duration: 320, delay: FLIGHT });
}
