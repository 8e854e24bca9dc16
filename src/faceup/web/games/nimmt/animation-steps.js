import { total } from "../../art/heads.js";

/** @import { TableEvent } from "../../api/types.js" */
/** @import { DisplaySeat, DisplayState } from "./display-state.js" */

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
  return { ...shown, seats: shown.seats.map((seatState, index) => (index === seat ? { ...seatState, ...change } : seatState)) };
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
  const marked = { ...shown, current: card, choosing: chosen ? seat : -1, takings: withTaking(shown, event) };
  /** @type {AnimationStep[]} */
  const steps = chosen ? [{ act: "rest", shown: marked, long: 400 }] : [];
  return [...steps, { act: "take", shown: withRowTaken(marked, event), seat, card, row, cards, chosen }];
}

/**
 * @param {DisplayState} shown
 * @param {TableEvent} event
 * @returns {DisplayState}
 */
function withRowTaken(shown, { seat, card, row, cards }) {
  const fresh = { ...shown.fresh, [card]: seat };
  for (const taken of cards) delete fresh[taken];
  const rows = shown.rows.map((cardsInRow, index) => (index === row ? [card] : cardsInRow));
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
  return shown.takings.map((taking, index) => (index === row ? { seat, heads: total(cards), count: cards.length, chosen } : taking));
}
