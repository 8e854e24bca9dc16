import { total } from "../../art/heads.js";
import { playerName } from "../../i18n/players.js";
import { t } from "../../i18n/translate.js";

/** @import { TableEvent, TableView } from "../../api/types.js" */

/**
 * Return a sentence for a learner about the learner's placed card, or about a row that anyone took; "" for other events.
 * The namespace `learn` must be loaded.
 *
 * @param {TableEvent} event
 * @param {TableView} room
 * @param {TableView | null} before the view before the event's turn
 */
export function explainEvent(event, room, before) {
  const me = event.seat === room.seat;
  const player = room.seats[event.seat];
  const name = player ? playerName(player) : "";
  if (event.event === "placed" && me) return t("learn.try.placed", { ...event, tail: tailOf(event, room, before), row: event.row + 1 });
  if (event.event !== "took") return "";
  const heads = t("nimmt.heads", { count: total(event.cards) });
  const how = event.chosen ? "chose" : "sixth";
  return t(`learn.try.${me ? "you" : "they"}.${how}`, { name, card: event.card, row: event.row + 1, heads });
}

/** Return the sentence for a learner who has to take a row. @param {TableView} room */
export function explainRowChoice({ view }) {
  return t("learn.try.row", { card: view.waiting[0][0] });
}

/**
 * Return the card that was the last one of a row before another card was placed there.
 *
 * @param {Record<string, any>} event
 * @param {TableView} room
 * @param {TableView | null} before
 */
function tailOf({ card, row }, room, before) {
  const cards = [...(before?.view.rows[row] ?? []), ...room.view.rows[row]].filter((placed) => placed < card);
  return Math.max(...cards);
}
