import { card } from "../../art/nimmt-card.js";
import { heads, total } from "../../art/heads.js";
import { html, nothing } from "../../vendor/lit/index.js";
import { repeat } from "../../vendor/lit/directives/repeat.js";
import { t } from "../../i18n/translate.js";
import { icon } from "../../ui/icons.js";
import { rowFor } from "./display-state.js";
import { renderBadge, renderRankText } from "./hints.js";

/**
 * State of the viewer's open decision.
 *
 * @typedef {object} Choosing
 * @property {readonly number[]} hand
 * @property {readonly (readonly number[])[]} rows the current rows, whatever is displayed
 * @property {number} most capacity of a row
 * @property {"card" | "row" | ""} asked kind of choice to make; "" if there is no choice to make now
 * @property {string} marked selected action, "play 57"; "" for none
 * @property {string} chosen confirmed action; "" for none
 * @property {string} sending action that is on its way to the server; "" for none
 * @property {number} focus the card in the tab order
 * @property {import("./hints.js").Hinting | null} hint the coach's hint; null if there can be none
 */

/**
 * Return the number in an action.
 *
 * @param {string} action
 */
export function numberOf(action) {
  return Number(action.split(" ").at(-1) || 0);
}

/**
 * @param {Choosing} choosing
 * @param {(card: number) => void} tapped
 * @param {import("../../art/nimmt-card.js").Size} [size]
 */
export function renderHand(choosing, tapped, size) {
  const [marked, chosen, sending] = [choosing.marked, choosing.chosen, choosing.sending].map((action) => (action.startsWith("play") ? numberOf(action) : 0));
  return html`<div class="hand" role="group" aria-label=${t("nimmt.hand")}>
    ${repeat(choosing.hand, (number) => number, (number) => {
      const rank = choosing.hint?.ranks.get(`play ${number}`);
      const kind = ["held", number === marked && number !== chosen && number !== sending && "marked", number === chosen && "chosen", number === sending && "sending"];
      const tap = number === sending ? "table.sending" : number === chosen && !sending ? "nimmt.tap.undo" : number === marked ? "nimmt.tap.play" : "";
      return html`<button class=${kind.filter(Boolean).join(" ")} data-hand=${number} tabindex=${number === choosing.focus ? 0 : -1}
        aria-pressed=${number === marked || number === chosen || number === sending} aria-disabled=${choosing.asked !== "card"} @click=${() => tapped(number)}>
        <span class="face">${card(number, size)}${number === chosen && !rank ? html`<span class="tick">${TICK}</span>` : nothing}${
          choosing.asked && tap ? html`<span class="tap" aria-hidden="true">${t(tap)}</span>` : nothing
        }</span>
        <span class="visually-hidden">${t("nimmt.card", { card: number, heads: t("nimmt.heads", { count: heads(number) }), context: number === chosen ? "chosen" : "" })}</span>
        ${renderRankText(rank)}${renderBadge(rank)}
      </button>`;
    })}
  </div>`;
}

const TICK = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 12.5l4.5 4.5L19 7.5" fill="none" stroke="currentColor" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/**
 * Render the state of the game, and the button that confirms the selection.
 *
 * @param {Choosing} choosing
 * @param {string} state
 * @param {() => void} confirm
 * @param {() => void} takeBack
 */
export function renderActionBar(choosing, state, confirm, takeBack) {
  const { asked, marked, sending, hint } = choosing;
  const chosen = sending || choosing.chosen;
  const other = marked !== "" && marked !== chosen;
  return html`<div class="bar">
    <p class="prompt"><span>${state}</span></p>
    ${hint && asked && !chosen
      ? html`<button class="quiet coach" title=${t("nimmt.hint")} aria-pressed=${hint.open} aria-busy=${hint.busy} @click=${hint.toggle}>${icon("coach")}<span>${t("nimmt.hint")}</span></button>`
      : nothing}
    ${asked && other
      ? html`<button class="main" @click=${confirm}>${
          asked === "row"
            ? t("nimmt.take", { row: numberOf(marked) + 1 })
            : t(chosen ? "nimmt.play_instead" : "nimmt.play", { card: numberOf(marked) })
        }</button>`
      : asked && chosen
        ? html`<button class="back" @click=${takeBack}>${t("nimmt.undo")}</button>`
        : nothing}
  </div>`;
}

/**
 * Describe the effect of the selected action.
 *
 * @param {Choosing} choosing
 */
export function choicePrompt({ asked, marked, chosen, sending, rows, most }) {
  if (asked === "") return "";
  if (asked === "row") {
    return marked ? t("nimmt.would.row", { row: numberOf(marked) + 1, count: total(rows[numberOf(marked)]) }) : "";
  }
  if (marked && marked !== (sending || chosen)) return placementPrompt(numberOf(marked), rows, most);
  return "";
}

/**
 * Describe where a card would go if no other card were played.
 *
 * @param {number} number
 * @param {readonly (readonly number[])[]} rows
 * @param {number} most
 */
function placementPrompt(number, rows, most) {
  const row = rowFor(rows, number);
  if (row < 0) return t("nimmt.would.low", { card: number });
  const cards = rows[row];
  const values = { card: number, row: row + 1, after: cards.at(-1), count: total(cards) };
  return t(cards.length >= most ? "nimmt.would.take" : "nimmt.would.fit", values);
}
