import { card } from "../../art/nimmt-card.js";
import { css, html } from "../../vendor/lit/index.js";

/** @import { TableView, TableEvent } from "../../api/types.js" */

/**
 * Render all hands in a replay; the card that each seat plays next is highlighted.
 *
 * @param {TableView} room
 * @param {string[]} names
 * @param {TableEvent[]} next events of the next step
 */
export function renderOpenHands(room, names, next) {
  const plays = next.find(({ event }) => event === "revealed")?.plays ?? [];
  return names.map((name, seat) => {
    /** @type {number[]} */
    const cards = room.hands?.[seat]?.hand ?? [];
    return html`<div class="hand" .style=${`--tone: var(--player-${seat})`}>
      <b class="cut">${name}</b>
      <span class="cards" role="img" aria-label=${cards.join(" ")}>${cards.map(
        (number) => html`<i class=${plays[seat] === number ? "next" : ""}>${card(number, "small")}</i>`,
      )}</span>
    </div>`;
  });
}

export const openHandsStyles = css`
  .hand {
    display: grid;
    grid-template-columns: 5.2rem 1fr;
    align-items: center;
    gap: var(--space-2);
    min-width: 0;
  }
  .hand b {
    font-size: var(--text--1);
    padding-inline-start: var(--space-2);
    box-shadow: inset 3px 0 0 var(--tone);
  }
  .cards {
    display: flex;
    gap: 2px;
    min-height: 34px;
  }
  .cards i {
    width: 26px;
    font-style: normal;
    border-radius: 4px;
    filter: drop-shadow(0 1px 2px rgb(var(--shade) / 0.3));
    transition: transform var(--quick) var(--ease);
  }
  .cards svg {
    display: block;
    width: 100%;
  }
  .cards .next {
    transform: translateY(-5px);
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
`;
