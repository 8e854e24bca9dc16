import { card } from "../../art/card.js";
import { heads, total } from "../../art/heads.js";
import { html, nothing } from "../../vendor/lit/index.js";
import { repeat } from "../../vendor/lit/directives/repeat.js";
import { say } from "../../words/say.js";
import { rowFor } from "./shown.js";

/**
 * What a viewer can do, and has done, with the open decision.
 *
 * @typedef {object} Choosing
 * @property {readonly number[]} hand
 * @property {readonly (readonly number[])[]} rows as they stand now, whatever is being shown
 * @property {number} most the cards that a row holds
 * @property {"card" | "row" | ""} asked what is to be chosen; "" where nothing is, or it cannot be now
 * @property {string} marked in words, "play 57"; "" is nothing
 * @property {string} chosen likewise
 * @property {boolean} sending whether the choice is still on its way
 * @property {number} focus the card that the Tab key reaches
 */

/**
 * The number in an action's words.
 *
 * @param {string} action
 */
export function numberOf(action) {
  return Number(action.split(" ").at(-1) || 0);
}

/**
 * @param {Choosing} choosing
 * @param {(card: number) => void} tapped
 */
export function hand(choosing, tapped) {
  const [marked, chosen] = [choosing.marked, choosing.chosen].map((each) => (each.startsWith("play") ? numberOf(each) : 0));
  return html`<div class="hand" role="group" aria-label=${say("nimmt.hand")}>
    ${repeat(choosing.hand, (each) => each, (each) => {
      const kind = ["held", each === marked && each !== chosen && "marked", each === chosen && "chosen", choosing.sending && "sending"];
      return html`<button class=${kind.filter(Boolean).join(" ")} data-hand=${each} tabindex=${each === choosing.focus ? 0 : -1}
        aria-pressed=${each === marked || each === chosen} aria-disabled=${choosing.asked !== "card"} @click=${() => tapped(each)}>
        <span class="face">${card(each)}${each === chosen ? html`<span class="tick">${TICK}</span>` : nothing}${
          each === chosen || each === marked ? html`<span class="tap" aria-hidden="true">${say(each === chosen ? "nimmt.tap.back" : "nimmt.tap.play")}</span>` : nothing
        }</span>
        <span class="seen-by-readers-alone">${say("nimmt.card", { card: each, heads: heads(each), chosen: each === chosen })}</span>
      </button>`;
    })}
  </div>`;
}

const TICK = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 12.5l4.5 4.5L19 7.5" fill="none" stroke="currentColor" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/**
 * How the game stands, and the button that does what is marked.
 *
 * @param {Choosing} choosing
 * @param {string} state
 * @param {() => void} confirm
 * @param {() => void} takeBack
 */
export function bar(choosing, state, confirm, takeBack) {
  const { asked, marked, chosen } = choosing;
  const other = marked !== "" && marked !== chosen;
  return html`<div class="bar">
    <p class="prompt">${state}</p>
    ${asked && other
      ? html`<button class="main" @click=${confirm}>${
          asked === "row"
            ? say("nimmt.take", { row: numberOf(marked) + 1 })
            : say(chosen ? "nimmt.instead" : "nimmt.play", { card: numberOf(marked) })
        }</button>`
      : asked && chosen
        ? html`<button class="back" @click=${takeBack}>${say("nimmt.back")}</button>`
        : nothing}
  </div>`;
}

/**
 * What a mark would lead to.
 *
 * @param {Choosing} choosing
 */
export function prompt({ asked, marked, chosen, rows, most }) {
  if (asked === "") return "";
  if (asked === "row") {
    return marked ? say("nimmt.would.row", { row: numberOf(marked) + 1, heads: total(rows[numberOf(marked)]) }) : "";
  }
  if (marked && marked !== chosen) return would(numberOf(marked), rows, most);
  return "";
}

/**
 * Where a card would go, if nobody played another.
 *
 * @param {number} each
 * @param {readonly (readonly number[])[]} rows
 * @param {number} most
 */
function would(each, rows, most) {
  const row = rowFor(rows, each);
  if (row < 0) return say("nimmt.would.low", { card: each });
  const cards = rows[row];
  const values = { card: each, row: row + 1, after: cards.at(-1), place: cards.length + 1, heads: total(cards) };
  return say(cards.length >= most ? "nimmt.would.take" : "nimmt.would.fit", values);
}
