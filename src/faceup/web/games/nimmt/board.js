import { bull } from "../../art/bull.js";
import { card } from "../../art/card.js";
import { total } from "../../art/heads.js";
import { html, nothing } from "../../vendor/lit/index.js";
import { repeat } from "../../vendor/lit/directives/repeat.js";
import { say } from "../../words/say.js";
import { PIP } from "./pip.js";

/** @import { Shown } from "./shown.js" */

/**
 * Where a marked card would go, or which row is marked.
 *
 * @typedef {object} Hint
 * @property {number} card 0 where a row is marked
 * @property {number} row -1: any, the card is below all
 */

/**
 * The rows, each with room for its cards and a bull at its end, who wakes as it fills.
 *
 * @param {object} what
 * @param {Shown} what.shown
 * @param {number} what.most the cards that a row holds
 * @param {Hint | null} what.hint
 * @param {readonly string[]} what.names
 * @param {import("../../art/card.js").Size} what.size
 * @param {((row: number) => void) | null} what.pick choose a row; null where that is not asked
 */
export function board({ shown, most, hint, names, size, pick }) {
  return html`<ol class="board" aria-label=${say("nimmt.rows")}>
    ${shown.rows.map((row, index) => lane(index, row))}
  </ol>`;

  /**
   * @param {number} index
   * @param {readonly number[]} row
   */
  function lane(index, row) {
    const full = row.length >= most;
    const almost = row.length === most - 1;
    const here = hint !== null && hint.row === index;
    const loses = hint !== null && (hint.card ? here && full : here) && !shown.over;
    const taking = shown.takings[index];
    const kind = ["lane", full && "full", almost && "almost", loses && "loses", pick && "open", shown.sixth === index && "sixth"];
    return html`<li class=${kind.filter(Boolean).join(" ")}>
      <span class="seen-by-readers-alone">${spoken(index, row)}</span>
      <span class="number" aria-hidden="true">${index + 1}</span>
      <div class="cards" aria-hidden="true">
        ${Array.from({ length: most }, (_, place) => html`<span class="slot"></span>`)}
        ${repeat(row.slice(0, most), (each) => each, (each, place) => lying(each, place))}
        ${here && hint.card && !full ? html`<span class="lying ghost" .style=${`--at: ${row.length}`}>${card(hint.card, size)}</span>` : nothing}
        <span class="slot end" .style=${`--at: ${most}`}>${bull(full ? "cross" : almost ? "awake" : "asleep")}</span>
        ${row.length > most ? lying(row[most], most) : nothing}
        ${here && hint.card && full ? html`<span class="lying ghost" .style=${`--at: ${most}`}>${card(hint.card, size)}</span>` : nothing}
      </div>
      <span class="sum" aria-hidden="true">${total(row.slice(0, most))}${PIP}</span>
      ${taking ? html`<span class="taking">${say("nimmt.taking", { ...taking, name: names[taking.seat] })}</span>` : nothing}
      ${pick ? html`<button class="pick" aria-pressed=${here && !hint?.card} @click=${() => pick(index)}>
        <span class="seen-by-readers-alone">${`${say("nimmt.take", { row: index + 1 })}. ${say("nimmt.would.row", { row: index + 1, heads: total(row) })}`}</span>
        ${here && !hint?.card ? html`<span class="tap" aria-hidden="true">${say("nimmt.take", { row: index + 1 })}</span>` : nothing}</button>` : nothing}
    </li>`;
  }

  /**
   * @param {number} each
   * @param {number} place
   */
  function lying(each, place) {
    const seat = shown.fresh[each];
    return html`<span class="lying ${each === shown.current ? "current" : ""}" data-card=${each} .style=${`--at: ${place}`}
      >${card(each, size)}${seat === undefined ? nothing : html`<span class="whose" .style=${`--whose: var(--seat-${seat})`}>${names[seat]}</span>`}</span>`;
  }

  /**
   * @param {number} index
   * @param {readonly number[]} row
   */
  function spoken(index, row) {
    return say("nimmt.row", { row: index + 1, cards: row.join(", "), left: most - row.length, heads: total(row) });
  }
}
