import { total } from "../../art/heads.js";

/** @import { TableView, TableEvent } from "../../api/types.js" */

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
  const gone = new Set(view.out.flat());
  const waiting = new Map(view.waiting.map((/** @type {number[]} */ [card, seat]) => [seat, card]));
  const turn = view.log.at(-1);
  const seats = view.heads.map((/** @type {number} */ heads, /** @type {number} */ seat) => {
    const card = waiting.get(seat) ?? turn?.plays[seat] ?? 0;
    const sealed = !waiting.size && room.chosen.includes(seat);
    const lies = sealed ? "back" : waiting.has(seat) ? "up" : card ? "placed" : "none";
    return { lies, card: sealed ? 0 : card, heads, taken: view.taken[seat], out: gone.has(seat) };
  });
  const ended = view.sizes.every((/** @type {number} */ size, /** @type {number} */ seat) => !size || gone.has(seat));
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
 * A step of the animation of an event: what happens, the state after it, and the event if it has then been shown.
 *
 * @typedef {{event?: TableEvent} & ({act: "set" | "rest" | "deal", shown: DisplayState, long?: number}
 *   | {act: "flip", shown: DisplayState, plays: number[]}
 *   | {act: "place", shown: DisplayState, cards: PlacedCard[]}
 *   | {act: "take", shown: DisplayState, seat: number, card: number, row: number, cards: number[], chosen: boolean})} AnimationStep
 *
 * "set" needs no animation. "rest" is a pause of `long` milliseconds.
 *
 * @typedef {{seat: number, card: number, row: number, at: number, event: TableEvent}} PlacedCard a card that goes to the
 *   place `at` of a row, from 0
 */

/**
 * Return the steps of an event.
 *
 * @param {DisplayState} shown
 * @param {TableEvent} event
 * @returns {AnimationStep[]}
 */
function eventSteps(shown, event) {
  switch (event.event) {
    case "chose":
    case "choice_withdrawn":
      // This is an event of the table, which does not contain the card.
      return shown.choosing >= 0 ? [] : [{ act: "set", shown: withFaceDown(shown, event.seat, event.event === "chose") }];
    case "dealt":
      return event.seat === shown.viewer ? [{ act: "set", shown: { ...shown, hand: event.hand } }] : [];
    case "opened":
      return [{ act: "deal", shown: withOpenedRows(shown, event) }];
    case "revealed":
      return [{ act: "flip", shown: reveal(shown, event.plays), plays: event.plays }];
    case "placed":
      return [{ act: "place", shown: withPlacedCard(shown, event), cards: [{ seat: event.seat, card: event.card, row: event.row, at: shown.rows[event.row].length, event }] }];
    case "took":
      return tookSteps(shown, event);
    case "set_aside":
      return [{ act: "rest", shown: withSeat({ ...shown, current: 0 }, event.seat, { lies: "placed" }), long: 330 }];
    case "out":
      return [{ act: "rest", shown: event.seats.reduce((/** @type {DisplayState} */ so, /** @type {number} */ seat) => withSeat(so, seat, { out: true, lies: "none" }), event.seats.includes(shown.viewer) ? { ...shown, hand: [] } : shown), long: 330 }];
    case "won":
      return [{ act: "set", shown: { ...shown, current: 0, over: null } }];
    case "deal_over":
      return [{ act: "rest", shown: { ...shown, current: 0, over: { heads: event.heads, match: event.match } }, long: 3000 }];
    default:
      return [];
  }
}

/**
 * Return the steps of the animation of events. Cards that are placed one after the other are one step.
 *
 * @param {DisplayState} shown
 * @param {TableEvent[]} events
 * @returns {AnimationStep[]}
 */
export function animationSteps(shown, events) {
  /** @type {AnimationStep[]} */
  const steps = [];
  for (const event of events) {
    const made = eventSteps(steps.at(-1)?.shown ?? shown, event);
    if (made.length) made[made.length - 1].event = event;
    for (const step of made) {
      const before = steps.at(-1);
      if (step.act === "place" && before?.act === "place") steps[steps.length - 1] = { ...step, cards: [...before.cards, ...step.cards] };
      else steps.push(step);
    }
  }
  return steps;
}

/**
 * @param {DisplayState} shown
 * @param {number} seat
 * @param {Partial<DisplaySeat>} change
 * @returns {DisplayState}
 */
function withSeat(shown, seat, change) {
  return { ...shown, seats: shown.seats.map((each, index) => (index === seat ? { ...each, ...change } : each)) };
}

/**
 * @param {DisplayState} shown
 * @param {number} seat
 * @param {boolean} down
 * @returns {DisplayState}
 */
function withFaceDown(shown, seat, down) {
  return withSeat({ ...shown, over: null }, seat, { lies: down ? "back" : "none", card: 0 });
}

/**
 * @param {DisplayState} shown
 * @param {TableEvent} event
 * @returns {DisplayState}
 */
function withOpenedRows(shown, event) {
  return {
    ...shown,
    rows: event.cards.map((/** @type {number} */ card) => [card]),
    seats: shown.seats.map((seat) => ({ ...seat, lies: "none", card: 0, taken: [] })),
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
 * @param {DisplayState} shown
 * @param {number[]} plays
 * @returns {DisplayState}
 */
function reveal(shown, plays) {
  return {
    ...shown,
    seats: shown.seats.map((seat, index) => ({ ...seat, card: plays[index], lies: plays[index] ? "up" : "none" })),
    takings: shown.rows.map(() => null),
    fresh: {},
    hand: shown.hand.filter((card) => !plays.includes(card)),
    turn: shown.turn + 1,
    over: null,
  };
}

/**
 * @param {DisplayState} shown
 * @param {TableEvent} event
 * @returns {DisplayState}
 */
function withPlacedCard(shown, { seat, card, row }) {
  return withSeat(
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
 * Return the steps of a card that takes a row: the seat is named, then the row is gone.
 *
 * @param {DisplayState} shown
 * @param {TableEvent} event
 * @returns {AnimationStep[]}
 */
function tookSteps(shown, event) {
  const { seat, card, row, cards, chosen } = event;
  const named = { ...shown, current: card, choosing: chosen ? seat : -1, takings: withTaking(shown, event) };
  /** @type {AnimationStep[]} */
  const steps = chosen ? [{ act: "rest", shown: named, long: 400 }] : [];
  return [...steps, { act: "take", shown: withRowTaken(named, event), seat, card, row, cards, chosen }];
}

/**
 * @param {DisplayState} shown
 * @param {TableEvent} event
 * @returns {DisplayState}
 */
function withRowTaken(shown, { seat, card, row, cards }) {
  const fresh = { ...shown.fresh, [card]: seat };
  for (const each of cards) delete fresh[each];
  const rows = shown.rows.map((each, index) => (index === row ? [card] : each));
  const before = shown.seats[seat];
  return withSeat({ ...shown, rows, fresh, current: card, choosing: -1 }, seat, {
    lies: "placed",
    heads: before.heads + total(cards),
    taken: [...before.taken, ...cards],
  });
}

/**
 * @param {DisplayState} shown
 * @param {TableEvent} event
 */
function withTaking(shown, { seat, row, cards, chosen }) {
  return shown.takings.map((each, index) => (index === row ? { seat, heads: total(cards), count: cards.length, chosen } : each));
}
