import { bull } from "../../art/bull.js";
import { BULL_HEAD, total } from "../../art/heads.js";
import { card, back } from "../../art/nimmt-card.js";
import { joinTexts, labelled } from "../../i18n/format.js";
import { language, t } from "../../i18n/translate.js";
import { guard } from "../../vendor/lit/directives/guard.js";
import { repeat } from "../../vendor/lit/directives/repeat.js";
import { svg, html, nothing } from "../../vendor/lit/index.js";
import { leaders } from "./display-state.js";
import { renderBadge, renderRankText } from "./hints.js";

/** @import { DisplayState, DisplaySeat } from "./display-state.js" */
/** @import { Size } from "../../art/nimmt-card.js" */
/** @import { ShownPin } from "../registry.js" */

/** A bull head, as high as the text next to it. */
export const PIP = svg`<svg class="pip" viewBox="0 0 24 24" aria-hidden="true"><path d=${BULL_HEAD} fill="currentColor"/></svg>`;

/**
 * The place where a selected card would go, or the row that is selected.
 *
 * @typedef {object} Hint
 * @property {number} card 0 if a row is selected
 * @property {number} row -1 if the card is lower than all rows, so that it may take any row
 */

/**
 * Render the rows that have changed, each with places for its cards and a bull at its end.
 *
 * @param {object} what
 * @param {DisplayState} what.shown
 * @param {number} what.most capacity of a row
 * @param {Hint | null} what.hint
 * @param {readonly string[]} what.names
 * @param {Size} what.size
 * @param {ReadonlyMap<string, import("./hint-text.js").Rank>} [what.ranks] the ranks of a hint, by action
 * @param {"hand" | number | ""} what.lit the cards that an explanation speaks of
 * @param {readonly ShownPin[]} what.pins
 * @param {((row: number) => void) | null} what.pick choose a row; null if no row is to be chosen
 */
export function renderBoard({ shown, most, hint, names, size, ranks, lit, pins, pick }) {
  return html`<ol class="board" aria-label=${t("nimmt.rows")}>
    ${shown.rows.map((cards, index) => {
      const isTarget = hint !== null && hint.row === index;
      const taking = shown.takings[index];
      const ghost = isTarget ? hint.card : 0;
      const rank = ranks?.get(`take row ${index}`) ?? ranks?.get(`row ${index}`);
      const [owners, current] = [cards.map((number) => shown.fresh[number]), cards.includes(shown.current) ? shown.current : 0];
      const row = { index, cards, most, owners, current, isTarget, ghost, taking, rank, size, names, over: shown.over !== null, lit: lit === index, pins: pins.filter((pin) => cards.includes(pin.card)), pick };
      const changing = [language(), index, cards.join(), most, owners.join(), current, isTarget, ghost, taking?.seat, taking?.heads, rank, size, names.join(), row.over, row.lit, pinText(row.pins), pick !== null];
      return guard(changing, () => renderRow(row));
    })}
  </ol>`;
}

/**
 * @param {object} what
 * @param {number} what.index
 * @param {readonly number[]} what.cards
 * @param {number} what.most
 * @param {readonly (number | undefined)[]} what.owners for each card, the seat that played it in this turn
 * @param {number} what.current the card that is moving; 0 for none
 * @param {boolean} what.isTarget whether the row is selected, or the selected card would go to it
 * @param {number} what.ghost the selected card if it would go to this row, else 0
 * @param {import("./display-state.js").Taking | null} what.taking
 * @param {import("./hint-text.js").Rank | undefined} what.rank
 * @param {Size} what.size
 * @param {readonly string[]} what.names
 * @param {boolean} what.over whether the deal is over
 * @param {boolean} what.lit whether an explanation speaks of the row
 * @param {readonly ShownPin[]} what.pins
 * @param {((row: number) => void) | null} what.pick
 */
function renderRow({ index, cards, most, owners, current, isTarget, ghost, taking, rank, size, names, over, lit, pins, pick }) {
  const full = cards.length >= most;
  const almost = cards.length === most - 1;
  const kind = ["lane", full && "full", almost && "almost", isTarget && (full || !ghost) && !over && "loses", pick && "open", lit && "lit"];
  const picked = isTarget && !ghost;
  return html`<li class=${kind.filter(Boolean).join(" ")}>
    <span class="visually-hidden">${t("nimmt.row", { row: index + 1, cards: joinTexts(cards), left: most - cards.length, heads: t("nimmt.heads", { count: total(cards) }), context: full ? "full" : "" })}
      ${taking ? t("nimmt.row_taken", { name: names[taking.seat], heads: t("nimmt.heads", { count: taking.heads }), context: taking.chosen ? "chosen" : "" }) : ""}</span>
    <span class="number small" aria-hidden="true">${index + 1}</span>
    <div class="cards" aria-hidden="true">
      ${Array.from({ length: most }, () => html`<span class="slot"></span>`)}
      ${repeat(cards.slice(0, most), (number) => number, (number, place) => renderCard(number, place))}
      ${ghost && !full ? html`<span class="lying ghost" .style=${`--at: ${cards.length}`}>${card(ghost, size)}</span>` : nothing}
      <span class="slot end" .style=${`--at: ${most}`}>${bull(full ? "cross" : almost ? "awake" : "asleep")}${renderBadge(rank)}</span>
      ${taking && !rank ? html`<span class="taking" .style=${`--at: ${most}; --owner: var(--player-${taking.seat})`}><bdi class="cut">${names[taking.seat]}</bdi><b>+${taking.heads}${PIP}</b></span>` : nothing}
      ${ghost && full ? html`<span class="lying ghost" .style=${`--at: ${most}`}>${card(ghost, size)}</span>` : nothing}
    </div>
    <span class="sum" aria-hidden="true">${total(cards.slice(0, most))}${PIP}</span>
    ${pick ? html`<button class="pick" aria-pressed=${picked} @click=${() => pick(index)}>
      <span class="visually-hidden">${labelled(t("nimmt.take", { row: index + 1 }), t("nimmt.would.row", { row: index + 1, count: total(cards) }))}</span>
      ${picked ? html`<span class="tap" aria-hidden="true">${t("nimmt.take", { row: index + 1 })}</span>` : nothing}${renderRankText(rank)}</button>` : nothing}
  </li>`;

  /**
   * @param {number} number
   * @param {number} place
   */
  function renderCard(number, place) {
    const seat = owners[place];
    return html`<span class="lying ${number === current ? "current" : ""}" data-card=${number} .style=${`--at: ${place}`}
      >${card(number, size)}${seat === undefined ? nothing : html`<span class="owner cut" .style=${`--owner: var(--player-${seat})`}>${names[seat]}</span>`}${renderPins(pins, number)}</span>`;
  }
}

/**
 * Render the tray at the edge of the board, with the card of each seat in this turn, which is face down until the
 * reveal. Cards on the stage are not in the tray.
 *
 * @param {object} what
 * @param {DisplayState} what.shown
 * @param {readonly string[]} what.names
 * @param {number} what.me -1 for a spectator
 * @param {Size} what.size
 * @param {boolean} what.staged whether the stage displays the revealed cards
 * @param {readonly ShownPin[]} what.pins
 */
export function renderTray({ shown, names, me, size, staged, pins }) {
  // The tray is hidden from screen readers, because the seats and the announcements contain the same information.
  return html`<ol class="tray" aria-hidden="true">
    ${shown.seats.map((seat, index) => {
      const kind = ["seat", seat.out && "out", index === me && "me", index === shown.choosing && "choosing"].filter(Boolean).join(" ");
      const name = names[index];
      return guard([kind, seat.lies, seat.card, seat.card === shown.current, staged, size, name, pinText(pins.filter((pin) => pin.card === seat.card))], () => html`<li class=${kind} .style=${`--owner: var(--player-${index})`}>
        <span class="spot"><span class="content centred">${lies(seat)}</span></span>
        <bdi class="name cut">${name}</bdi>
      </li>`);
    })}
  </ol>`;

  /** @param {DisplaySeat} seat */
  function lies(seat) {
    if (seat.lies === "back") return html`<span class="play down">${back(size)}</span>`;
    if (!seat.card || seat.lies === "none") return nothing;
    if (seat.lies === "placed") return html`<span class="was">${seat.card}</span>`;
    if (staged) return nothing;
    const current = seat.card === shown.current ? "current" : "";
    return html`<span class="play up ${current}" data-card=${seat.card}>${card(seat.card, size)}${renderPins(pins, seat.card)}</span>`;
  }
}

/** Return what pins depend on. @param {readonly ShownPin[]} pins */
function pinText(pins) {
  return pins.map(({ seat, reaction, card }) => `${seat} ${reaction} ${card}`).join();
}

/**
 * Render the last emotes that are pinned to a card, at its corner.
 *
 * @param {readonly ShownPin[]} pins
 * @param {number} number
 */
function renderPins(pins, number) {
  return pins.filter((pin) => pin.card === number).slice(-3).map(({ seat, face }, place) => html`<span class="pin" .style=${`--nth: ${place}; --owner: var(--player-${seat})`}>${face}</span>`);
}

/**
 * Render the result of a deal, which is shown until the next deal.
 *
 * @param {DisplayState} shown
 * @param {readonly string[]} names
 */
export function renderDealSummary(shown, names) {
  const { heads, match } = shown.over ?? { heads: [], match: [] };
  const leads = leaders(shown);
  const order = match.map((_, seat) => seat).sort((first, second) => match[first] - match[second]);
  return html`<div class="over">
    <h3>${t("nimmt.deal_over", { deal: shown.deal })}</h3>
    <ol>
      ${order.map(
        (seat) => html`<li class=${leads.includes(seat) ? "leads" : ""} .style=${`--owner: var(--player-${seat})`}>
          <bdi class="name cut">${names[seat]}</bdi><span class="plus">+${heads[seat]}</span><span class="heads">${match[seat]}${PIP}</span>
        </li>`,
      )}
    </ol>
  </div>`;
}
