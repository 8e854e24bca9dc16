import { back, card } from "../../art/card.js";
import { total } from "../../art/heads.js";
import { html, nothing } from "../../vendor/lit/index.js";
import { PIP } from "./pip.js";

/** @import { Shown, ShownSeat } from "./shown.js" */
/** @import { Size } from "../../art/card.js" */

/**
 * The edge of the board: everybody's card of this turn, in the order of the seats, face down until all are turned up. What
 * a seat takes comes here.
 *
 * @param {object} what
 * @param {Shown} what.shown
 * @param {readonly string[]} what.names
 * @param {number} what.me -1 for a spectator
 * @param {Size} what.size
 */
export function tray({ shown, names, me, size }) {
  // The frame's seats say the same to readers, and each event is announced.
  return html`<ol class="tray" aria-hidden="true">
    ${shown.seats.map((seat, index) => {
      const kind = ["seat", seat.out && "out", index === me && "me", index === shown.choosing && "choosing", seat.taking.length && "takes"];
      return html`<li class=${kind.filter(Boolean).join(" ")} .style=${`--whose: var(--seat-${index})`}>
        <span class="spot">${lies(seat)}${taking(seat)}</span>
        <bdi class="name">${names[index]}</bdi>
      </li>`;
    })}
  </ol>`;

  /** @param {ShownSeat} seat */
  function lies(seat) {
    if (seat.lies === "back") return html`<span class="play down">${back(size)}</span>`;
    if (!seat.card || seat.lies === "none") return nothing;
    if (seat.lies === "placed") return html`<span class="was">${seat.card}</span>`;
    const current = seat.card === shown.current ? "current" : "";
    return html`<span class="play up ${current}" data-card=${seat.card}>${card(seat.card, size)}</span>`;
  }

  /** @param {ShownSeat} seat */
  function taking({ taking }) {
    if (!taking.length) return nothing;
    return html`${taking.map((each, place) => html`<span class="took" data-card=${each} .style=${`--at: ${place}`}>${card(each, size)}</span>`)}
      <span class="gain">+${total(taking)}${PIP}</span>`;
  }
}
