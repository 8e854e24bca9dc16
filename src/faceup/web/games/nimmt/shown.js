import { total } from "../../art/heads.js";

/** @import { Sight, TableEvent } from "../../live/types.js" */

/**
 * What lies on the table at one moment of telling: a fold of what happened, so that a reveal is shown step by step.
 *
 * @typedef {object} ShownSeat
 * @property {"none" | "back" | "up" | "placed"} lies what lies before the seat: nothing, a card face down or up, or the
 *   place of a card that has gone to the rows or aside
 * @property {number} card which, unless it lies face down; 0 is none
 * @property {number} heads of the whole match
 * @property {readonly number[]} taken in this deal
 * @property {readonly number[]} taking what is on its way to the seat
 * @property {boolean} out
 *
 * @typedef {object} Taking a row that was taken in this turn
 * @property {number} seat
 * @property {number} heads
 * @property {number} count of cards
 * @property {boolean} chosen whether the seat's card was too low, and it chose the row
 *
 * @typedef {object} Shown
 * @property {readonly (readonly number[])[]} rows
 * @property {readonly ShownSeat[]} seats
 * @property {number} current the card that is moving, or waits for its row; 0 is none
 * @property {number} sixth the row at whose end a card lies that it has no room for; -1 is none
 * @property {readonly (Taking | null)[]} takings by row
 * @property {Readonly<Record<number, number>>} fresh the cards that came in this turn, and whose they are
 * @property {number} choosing the seat that chooses a row; -1 is none
 * @property {number} deal from 1; 0 before the first
 * @property {number} turn from 1, of this deal; 0 before the first
 * @property {{heads: readonly number[], match: readonly number[]} | null} over a deal that has just ended
 */

/**
 * The row for a card: the greatest last card below it; -1 if it is below all.
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
 * Which seats lead: the fewest heads, once anybody has more; none is out.
 *
 * @param {Shown} shown
 * @returns {number[]}
 */
export function leading(shown) {
  const heads = shown.seats.flatMap((seat) => (seat.out ? [] : [seat.heads]));
  const fewest = Math.min(...heads);
  if (fewest === Math.max(...heads)) return [];
  return shown.seats.flatMap((seat, index) => (!seat.out && seat.heads === fewest ? [index] : []));
}

/** @param {Sight} sight */
export function capacity(sight) {
  return sight.opening.options.capacity ?? 5;
}

/**
 * The table as a sight has it, without what led to it.
 *
 * @param {Sight} sight
 * @returns {Shown}
 */
export function standing(sight) {
  const { view } = sight;
  const gone = new Set(view.out.flat());
  const waiting = new Map(view.waiting.map((/** @type {number[]} */ [card, seat]) => [seat, card]));
  const turn = view.log.at(-1);
  const seats = view.heads.map((/** @type {number} */ heads, /** @type {number} */ seat) => {
    const card = waiting.get(seat) ?? turn?.plays[seat] ?? 0;
    const sealed = !waiting.size && sight.chosen.includes(seat);
    const lies = sealed ? "back" : waiting.has(seat) ? "up" : card ? "placed" : "none";
    return { lies, card: sealed ? 0 : card, heads, taken: view.taken[seat], taking: [], out: gone.has(seat) };
  });
  const ended = view.sizes.every((/** @type {number} */ size, /** @type {number} */ seat) => !size || gone.has(seat));
  const between = sight.status === "active" && ended && !waiting.size && view.earlier.length;
  const over = between ? { heads: view.earlier.at(-1), match: view.heads } : null;
  return {
    rows: view.rows,
    seats,
    current: view.waiting[0]?.[0] ?? 0,
    sixth: -1,
    ...lastTurn(sight),
    choosing: view.waiting[0]?.[1] ?? -1,
    deal: view.opening.length ? view.earlier.length + (ended && !waiting.size ? 0 : 1) : 0,
    turn: view.log.length,
    over,
  };
}

/**
 * What the last turn did to the rows, played again from the deal's log.
 *
 * @param {Sight} sight
 * @returns {Pick<Shown, "takings" | "fresh">}
 */
function lastTurn(sight) {
  const { view } = sight;
  const most = capacity(sight);
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
    for (const [card, seat] of plays.sort(([one], [other]) => one - other)) {
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
      for (const each of rows[row]) delete fresh[each];
      rows[row] = [card];
    }
  }
  return { takings, fresh };
}

/**
 * The steps in which an event is shown: what lies there after each, how long it takes to get there as a multiple of a
 * move's time, and the sound that it makes.
 *
 * @typedef {{shown: Shown, moves: number, how: "turn" | "move" | "rest", sound?: string}} Step
 *
 * @param {Shown} shown
 * @param {TableEvent} event
 * @returns {Step[]}
 */
export function steps(shown, event) {
  switch (event.event) {
    case "chose":
    case "took_back":
      // In the words of a table; that it is face down is all that anybody may know.
      return shown.choosing >= 0 ? [] : [step(lain(shown, event.seat, event.event === "chose"), 0)];
    case "opened":
      return [step(opened(shown, event), 1)];
    case "revealed":
      return [step(revealed(shown, event.plays), 1.2, "turn", "reveal"), step(revealed(shown, event.plays), 0.8, "rest")];
    case "placed":
      return [step(placed(shown, event), 1, "move", "place")];
    case "took":
      return event.chosen ? tookByChoice(shown, event) : tookBySixth(shown, event);
    case "set_aside":
      return [step(seatShown({ ...shown, current: 0 }, event.seat, { lies: "placed" }), 1)];
    case "out":
      return [step(event.seats.reduce((/** @type {Shown} */ so, /** @type {number} */ seat) => seatShown(so, seat, { out: true, lies: "none" }), shown), 1, "rest")];
    case "won":
      return [step({ ...shown, current: 0, over: null }, 0)];
    case "deal_over":
      return [step({ ...shown, current: 0, over: { heads: event.heads, match: event.match } }, 9, "rest", "deal")];
    default:
      return [];
  }
}

/**
 * @param {Shown} shown
 * @param {number} moves
 * @param {Step["how"]} how
 * @param {string} [sound]
 * @returns {Step}
 */
function step(shown, moves, how = "move", sound) {
  return { shown, moves, how, sound };
}

/**
 * @param {Shown} shown
 * @param {number} seat
 * @param {Partial<ShownSeat>} change
 * @returns {Shown}
 */
function seatShown(shown, seat, change) {
  return { ...shown, seats: shown.seats.map((each, index) => (index === seat ? { ...each, ...change } : each)) };
}

/**
 * @param {Shown} shown
 * @param {number} seat
 * @param {boolean} down
 * @returns {Shown}
 */
function lain(shown, seat, down) {
  return seatShown({ ...shown, over: null }, seat, { lies: down ? "back" : "none", card: 0 });
}

/**
 * @param {Shown} shown
 * @param {TableEvent} event
 * @returns {Shown}
 */
function opened(shown, event) {
  return {
    ...shown,
    rows: event.cards.map((/** @type {number} */ card) => [card]),
    seats: shown.seats.map((seat) => ({ ...seat, lies: "none", card: 0, taken: [], taking: [] })),
    current: 0,
    takings: event.cards.map(() => null),
    fresh: {},
    choosing: -1,
    deal: event.deal,
    turn: 0,
    over: null,
  };
}

/**
 * @param {Shown} shown
 * @param {number[]} plays
 * @returns {Shown}
 */
function revealed(shown, plays) {
  return {
    ...shown,
    seats: shown.seats.map((seat, index) => ({ ...seat, card: plays[index], lies: plays[index] ? "up" : "none" })),
    takings: shown.rows.map(() => null),
    fresh: {},
    turn: shown.turn + 1,
    over: null,
  };
}

/**
 * @param {Shown} shown
 * @param {TableEvent} event
 * @returns {Shown}
 */
function placed(shown, { seat, card, row }) {
  return seatShown(
    {
      ...shown,
      rows: shown.rows.map((cards, index) => (index === row ? [...cards, card] : cards)),
      fresh: { ...shown.fresh, [card]: seat },
      current: card,
      choosing: -1,
    },
    seat,
    { lies: "placed" },
  );
}

/**
 * A sixth card: it goes where there is no room, wakes the bull, and the five are carried off.
 *
 * @param {Shown} shown
 * @param {TableEvent} event
 * @returns {Step[]}
 */
function tookBySixth(shown, event) {
  const there = { ...placed(shown, event), sixth: event.row };
  const away = carried(there, event, [event.card]);
  return [step(there, 1, "move", "place"), step(there, 1, "rest"), step(away, 1.6, "move", "take"), step(taken(away, event), 0.6, "rest")];
}

/**
 * A card below all rows: the row that its seat chose is carried off, then the card comes.
 *
 * @param {Shown} shown
 * @param {TableEvent} event
 * @returns {Step[]}
 */
function tookByChoice(shown, event) {
  const pointed = { ...shown, current: event.card, choosing: event.seat, takings: takings(shown, event) };
  const away = carried(pointed, event, []);
  return [step(pointed, 1, "rest"), step(away, 1.6, "move", "take"), step(taken(away, event), 1, "move", "place")];
}

/**
 * @param {Shown} shown
 * @param {TableEvent} event
 * @param {number[]} left what lies in the row while its cards are on their way
 * @returns {Shown}
 */
function carried(shown, event, left) {
  const rows = shown.rows.map((each, index) => (index === event.row ? left : each));
  return seatShown({ ...shown, rows, sixth: -1, takings: takings(shown, event) }, event.seat, { taking: event.cards });
}

/**
 * @param {Shown} shown
 * @param {TableEvent} event
 * @returns {Shown}
 */
function taken(shown, { seat, card, row, cards }) {
  const fresh = { ...shown.fresh, [card]: seat };
  for (const each of cards) delete fresh[each];
  const rows = shown.rows.map((each, index) => (index === row ? [card] : each));
  const before = shown.seats[seat];
  return seatShown({ ...shown, rows, fresh, current: card, choosing: -1 }, seat, {
    lies: "placed",
    taking: [],
    heads: before.heads + total(cards),
    taken: [...before.taken, ...cards],
  });
}

/**
 * @param {Shown} shown
 * @param {TableEvent} event
 */
function takings(shown, { seat, row, cards, chosen }) {
  return shown.takings.map((each, index) => (index === row ? { seat, heads: total(cards), count: cards.length, chosen } : each));
}
