import { bull } from "../art/bull.js";
import { total } from "../art/heads.js";
import { capacity, rowFor } from "../games/nimmt/display-state.js";
import { explainEvent, explainRowChoice } from "../games/nimmt/explain-events.js";
import { numberOf } from "../games/nimmt/hand.js";
import { loadNamespaces, t } from "../i18n/translate.js";

await loadNamespaces("learn");

/** @import { TableEvent, TableView } from "../api/types.js" */

/**
 * What the ox says in a player's first game: a sentence, and the cards that it speaks of, which are the hand, a row or
 * none in particular.
 *
 * @typedef {{words: string, about: "hand" | number | "", mood: import("../art/bull.js").Mood}} Explanation
 */

/** Turns of 6 nimmt! with explanations. */
const TURNS = 3;

/** @type {Record<string, (room: TableView, marked: string, events: TableEvent[]) => Explanation | null>} */
const EXPLAIN = {
  nimmt: explainNimmt,
  niuniu: ({ view }) => (view.played ? null : { words: t("learn.first.niuniu"), about: "", mood: "awake" }),
  war: ({ view }) => (view.rounds || view.turned.length ? null : { words: t("learn.first.war"), about: "", mood: "awake" }),
};

/**
 * Explain the viewer's decision in a first game, from the displayed position.
 *
 * @param {TableView} room
 * @param {string} marked the selected action in notation; "" for none
 * @param {TableEvent[]} events what happened last
 * @returns {Explanation | null} null if nothing is left to explain
 */
export function explain(room, marked, events) {
  return room.status === "active" ? EXPLAIN[room.config.game]?.(room, marked, events) ?? null : null;
}

/** Draw the ox. @param {import("../art/bull.js").Mood} mood */
export function ox(mood) {
  return bull(mood);
}

/**
 * @param {TableView} room
 * @param {string} marked
 * @param {TableEvent[]} events
 * @returns {Explanation | null}
 */
function explainNimmt(room, marked, events) {
  const { log, rows, waiting } = room.view;
  if (waiting[0]?.[1] === room.seat) return { words: explainRowChoice(room), about: "", mood: "cross" };
  if (log.length >= TURNS) return null;
  const most = capacity(room);
  if (marked.startsWith("play")) return explainCard(numberOf(marked), rows, most);
  if (!log.length) return { words: t("learn.first.choose"), about: "hand", mood: "awake" };
  const sixth = events.findLast(({ event, chosen }) => event === "took" && !chosen);
  if (sixth) return { words: explainEvent(sixth, room, null), about: sixth.row, mood: "cross" };
  const row = fullest(rows);
  if (log.length > 1) return { words: t("learn.first.sixth"), about: row, mood: "cross" };
  const full = rows[row].length >= most ? ".full" : "";
  return { words: t(`learn.first.danger${full}`, { row: row + 1, count: rows[row].length, heads: heads(rows[row]) }), about: row, mood: "cross" };
}

/**
 * Explain where the selected card would go if no other card were played.
 *
 * @param {number} card
 * @param {number[][]} rows
 * @param {number} most cards in a row
 * @returns {Explanation}
 */
function explainCard(card, rows, most) {
  const row = rowFor(rows, card);
  if (row < 0) return { words: t("learn.first.low", { card }), about: "", mood: "cross" };
  const full = rows[row].length >= most;
  return {
    words: t(`learn.first.${full ? "full" : "fits"}`, { card, row: row + 1, tail: rows[row].at(-1), heads: heads(rows[row]) }),
    about: row,
    mood: full ? "cross" : "asleep",
  };
}

/** Return the row with the most cards; of equal ones, that with the most heads. @param {number[][]} rows */
function fullest(rows) {
  const danger = rows.map((cards) => cards.length * 100 + total(cards));
  return danger.indexOf(Math.max(...danger));
}

/** @param {number[]} cards */
function heads(cards) {
  return t("nimmt.heads", { count: total(cards) });
}
