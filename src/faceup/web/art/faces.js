import { svg } from "../vendor/lit/index.js";

/**
 * Draw the face of a seat's player in a 100 by 100 square, without an accessible name: the name stands next to it.
 *
 * @param {{name: string, kind: string} | null | undefined} player a seat of the room view; null for an empty seat
 * @param {number} seat number of the seat, which has its own colour
 */
export function face(player, seat) {
  const letter = [...(player?.name ?? "?")][0]?.toUpperCase() ?? "?";
  return svg`<svg class="face" viewBox="0 0 100 100" aria-hidden="true">
    <circle cx="50" cy="50" r="50" .style=${`fill: var(--seat-${seat % 10})`} />
    <text x="50" y="52" text-anchor="middle" dominant-baseline="middle" font-size="48" font-weight="700" fill="#fff">${letter}</text>
  </svg>`;
}
