import { total } from "../../art/heads.js";

/** @import { TableView } from "../../api/types.js" */

/**
 * Display state of a table, updated with each event, so that a reveal is animated step by step.
 *
 * @typedef {object} DisplaySeat
 * @property {"none" | "back" | "up" | "placed"} lies the card in front of the seat: none, face down, face up, or already
 *   moved to the rows or set aside
 * @property {number} card number of the card; 0 if there is no card, or if it is face down
 * @property {number} heads heads in the whole match
 * @property {readonly number[]} taken cards taken in this deal
 * @property {boolean} out
 *
 * @typedef {object} Taking a row taken in this turn
 * @property {number} seat
 * @property {number} heads
 * @property {number} count number of cards
 * @property {boolean} chosen whether the seat chose the row, because its card was lower than all rows
 *
 * @typedef {object} DisplayState
 * @property {readonly (readonly number[])[]} rows
 * @property {readonly DisplaySeat[]} seats
 * @property {number} current the card that is moving, or waits for its row; 0 for none
 * @property {readonly (Taking | null)[]} takings for each row, its taking in this turn, if any
 * @property {Readonly<Record<number, number>>} fresh for each card played in this turn, the seat that played it
 * @property {number} choosing the seat that chooses a row; -1 for none
 * @property {number} deal number of the deal, from 1; 0 before the first deal
 * @property {number} turn number of the revealed turn in this deal, from 1; 0 before the first turn
 * @property {number} viewer the viewer's seat; -1 for a spectator
 * @property {readonly number[]} hand the viewer's cards
 * @property {{heads: readonly number[], match: readonly number[]} | null} over result of the deal if it has just ended
 */

/**
 * Return the row that a card goes to, which is the row with the highest last card below it, or -1 if there is no such
 * row.
 *
 * @param {readonly (readonly number[])[]} rows
 * @param {number} card
 */
export function rowFor(rows, card) {
  let [best, greatest] = [-1, 0];
  rows.forEach((row, index) => {
    const last = row.at(-1) ?? 0;
    if (greatest < last && last < card) [best, greatest] = [index, last];
  });
  return best;
}

/**
 * Return the leading seats, which are the seats with the fewest heads among those that are not out. No seat leads
 * before any seat has heads.
 *
 * @param {DisplayState} shown
 * @returns {number[]}
 */
export function leaders(shown) {
  const heads = shown.seats.flatMap((seat) => (seat.out ? [] : [seat.heads]));
  const fewest = Math.min(...heads);
  if (fewest === Math.max(...heads)) return [];
  return shown.seats.flatMap((seat, index) => (!seat.out && seat.heads === fewest ? [index] : []));
}

/** @param {TableView} room */
export function capacity(room) {
  return room.config.options.capacity ?? 5;
}

/**
 * Return the display state of a table view if the events that led to it are not animated.
 *
 * @param {TableView} room
 * @returns {DisplayState}
 */
export function displayState(room) {
  const { view } = room;
  const removed = new Set(view.out.flat());
  const waiting = new Map(view.waiting.map((/** @type {number[]} */ [card, seat]) => [seat, card]));
  const turn = view.log.at(-1);
  const seats = view.heads.map((/** @type {number} */ heads, /** @type {number} */ seat) => {
    const card = waiting.get(seat) ?? turn?.plays[seat] ?? 0;
    const sealed = !waiting.size && room.chosen.includes(seat);
    const lies = sealed ? "back" : waiting.has(seat) ? "up" : card ? "placed" : "none";
    return { lies, card: sealed ? 0 : card, heads, taken: view.taken[seat], out: removed.has(seat) };
  });
  const ended = view.sizes.every((/** @type {number} */ size, /** @type {number} */ seat) => !size || removed.has(seat));
  const between = room.status === "active" && ended && !waiting.size && view.earlier.length;
  const over = between ? { heads: view.earlier.at(-1), match: view.heads } : null;
  return {
    rows: view.rows,
    seats,
    current: view.waiting[0]?.[0] ?? 0,
    ...lastTurn(room),
    choosing: view.waiting[0]?.[1] ?? -1,
    deal: view.opening.length ? view.earlier.length + (ended && !waiting.size ? 0 : 1) : 0,
    turn: view.log.length,
    over,
    viewer: room.seat ?? -1,
    hand: view.hand,
  };
}

/**
 * Replay the last turn from the deal's log.
 *
 * @param {TableView} room
 * @returns {Pick<DisplayState, "takings" | "fresh">}
 */
function lastTurn(room) {
  const { view } = room;
  const most = capacity(room);
  const waiting = new Set(view.waiting.map((/** @type {number[]} */ [card]) => card));
  const aside = new Set(view.aside);
  /** @type {number[][]} */
  const rows = view.opening.map((/** @type {number} */ card) => [card]);
  /** @type {(Taking | null)[]} */
  let takings = rows.map(() => null);
  /** @type {Record<number, number>} */
  let fresh = {};
  for (const turn of view.log) {
    takings = rows.map(() => null);
    fresh = {};
    /** @type {[number, number][]} */
    const plays = turn.plays.map((/** @type {number} */ card, /** @type {number} */ seat) => [card, seat]);
    for (const [card, seat] of plays.sort(([first], [second]) => first - second)) {
      if (!card || waiting.has(card) || aside.has(card)) continue;
      const fits = rowFor(rows, card);
      const row = fits < 0 ? turn.row : fits;
      if (row < 0) continue;
      fresh[card] = seat;
      if (fits >= 0 && rows[row].length < most) {
        rows[row].push(card);
        continue;
      }
      takings[row] = { seat, heads: total(rows[row]), count: rows[row].length, chosen: fits < 0 };
      for (const taken of rows[row]) delete fresh[taken];
      rows[row] = [card];
    }
  }
  return { takings, fresh };
}
