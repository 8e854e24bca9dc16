import { request } from "../api/http.js";
import { t } from "../i18n/translate.js";

/** @import { PuzzleAnswered, PuzzleOverview, PuzzleVerdict, PuzzleView } from "../api/http-types.js" */
/** @import { HintAnswer } from "../games/nimmt/hint-text.js" */
/** @import { TableView } from "../api/types.js" */

/** Return the next puzzle, and the player's rating and streak. @returns {Promise<PuzzleOverview>} */
export function loadPuzzleOverview() {
  return request("GET", "/api/puzzles");
}

/** Return a puzzle. @param {string} id @returns {Promise<PuzzleView>} */
export function loadPuzzle(id) {
  return request("GET", `/api/puzzles/${id}`);
}

/**
 * Answer a puzzle.
 *
 * @param {string} id
 * @param {string} action
 * @param {string} name of the guest that is created for a visitor
 * @returns {Promise<PuzzleAnswered>}
 */
export function answerPuzzle(id, action, name) {
  return request("POST", `/api/puzzles/${id}`, { action }, undefined, 0, { name: name || null });
}

/** The characters of bots at the other seats, in this order. */
const OTHERS = ["Hazel", "Vesper", "Otto", "Cosmo", "Maple", "Pepper", "Bruno", "Iris", "Clover"];

/**
 * Return a puzzle as the view of a table, for the element of its game.
 *
 * @param {PuzzleView} puzzle
 * @returns {TableView}
 */
export function tableOf({ id, game, variant, options, seat, view, actions, verdict }) {
  const others = OTHERS.toSpliced(seat, 0, t("puzzles.you"));
  const seats = others.slice(0, Number(options.seats)).map((name, index) => ({ name, kind: index === seat ? "person" : "steady" }));
  const terms = /** @type {const} */ ({ reveal: "when_all_in", autoplay: "", hints: false, fair: false });
  const config = { game, variant, options, terms, listed: false, spectators: /** @type {const} */ ("nobody"), spectator_delay: 0, bots: [], grace: 0, reserved: [], rated: false };
  return {
    seat,
    status: "active",
    config,
    seats,
    reserved: [],
    away: [],
    chosen: [],
    times: [],
    decision: parseInt(id.slice(0, 8), 16),
    actions,
    view,
    hints: false,
    rated: false,
    ...(verdict && { choice: verdict.action }),
  };
}

/** Return the values of a verdict, which the server's types leave open, as a hint. @param {PuzzleVerdict} verdict */
export function hintOf(verdict) {
  return /** @type {PuzzleVerdict & HintAnswer} */ (/** @type {unknown} */ (verdict));
}
