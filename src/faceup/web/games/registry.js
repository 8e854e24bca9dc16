/** @import { LitElement } from "../vendor/lit/index.js" */
/** @import { TableView, TableEvent } from "../api/types.js" */
/** @import { Moment } from "../table/moments.js" */

/**
 * An emote that a seat has pinned to a card.
 *
 * @typedef {{seat: number, reaction: string, card: number, face: unknown}} ShownPin
 *
 * A seat's score as a game's element displays it: a short `score` such as "12", the score in `words` such as "12
 * heads", and whether the seat leads. In games that score hands, `hands` are the statistics for the result.
 *
 * @typedef {{score: string, words: string, leads: boolean, hands?: import("../api/http-types.js").HandsView}} SeatStanding
 *
 * How to show an update: whether to jump to its view, and what to call when an event has been shown, before which the
 * table says nothing about it. An element may leave events out; they have been shown when its promise is resolved.
 *
 * @typedef {{jump: boolean, onShown?: (event: TableEvent) => void}} How
 *
 * Interface between the table and the element of a game. The element emits "choose" {action}, "unchoose", "mark"
 * {action|null}, and "standing" when `standing` changes. `standing` changes only after the reveal that changes it has
 * been displayed.
 *
 * @typedef {object} GameElementProps
 * @property {TableView | null} room the newest view, which may be ahead of the display: only actions may depend on it
 * @property {boolean} quiet read-only
 * @property {number} speed of reveals, as a multiple of normal; 0 for instant
 * @property {boolean} television
 * @property {string} sending the viewer's choice that the server has not confirmed, in notation; "" for none
 * @property {(before: TableView | null, room: TableView, events: TableEvent[], how: How) => Promise<void>} show
 *   animate the events; resolved when they have been displayed
 * @property {Moment[]} [backlog] moments before the page was opened, or all moments of a replay
 * @property {string} [table] id of the live table; "" in a replay
 * @property {string} [drawing] address of the newest drawing; "" if there is none
 * @property {SeatStanding[]} [standing] by seat
 * @property {(room: TableView) => string | undefined} [prompt] the viewer's task as a sentence
 * @property {string} [marked] the viewer's selected action, in notation; "" for none
 * @property {"hand" | number | ""} [spotlight] the cards that an explanation speaks of: the hand, a row, or none
 * @property {readonly ShownPin[]} [pins] to show at the cards
 * @property {readonly number[]} [painful] the displayed cards that cost their player something in the last turn
 * @property {Element | null} [felt] the part of the element without the viewer's hand
 * @property {ReadonlySet<string>} [outcomes] the events that say who has won the game; the table announces it with the result
 * @property {boolean} [autoplays] whether the element chooses automatically, so that the viewer is not prompted
 * @property {boolean} [skipsAnnouncements] whether events come too fast for a screen reader
 *
 * @typedef {LitElement & GameElementProps} GameElement
 */

/**
 * Elements by game. Other games use generic-table.
 *
 * @type {Record<string, () => Promise<unknown>>}
 */
const GAME_ELEMENTS = {
  nimmt: () => import("./nimmt/nimmt-table.js"),
  niuniu: () => import("./niuniu/niuniu-table.js"),
  war: () => import("./war/war-table.js"),
};

/**
 * Load the element of a game, and return its name.
 *
 * @param {string} game
 * @returns {Promise<string>}
 */
export async function loadGameElement(game) {
  const hasElement = Object.hasOwn(GAME_ELEMENTS, game);
  await (hasElement ? GAME_ELEMENTS[game]() : import("./generic/generic-table.js"));
  return hasElement ? `${game}-table` : "generic-table";
}
