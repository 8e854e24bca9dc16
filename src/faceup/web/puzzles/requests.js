import { request } from "../api/http.js";

/** @import { HintAnswer } from "../games/nimmt/hint-text.js" */
/** @import { TableView } from "../api/types.js" */

/**
 * @typedef {HintAnswer & {action: string, solved: boolean, points: number, rating: number, tries: number, found: number}} PuzzleVerdict
 * @typedef {{id: string, game: string, variant: string, options: Record<string, any>, seat: number, view: any,
 *   actions: string[], deal: number, turn: number, bots: string[], verdict: PuzzleVerdict | null}} Puzzle
 * @typedef {{rating: number, provisional: boolean, tried: number, solved: number, streak: number, best_streak: number,
 *   puzzles: number, next: Puzzle | null}} PuzzleOverview
 */

/** Return the next puzzle, and the player's rating and streak. @returns {Promise<PuzzleOverview>} */
export function loadPuzzleOverview() {
  return request("GET", "/api/puzzles");
}

/** Return a puzzle. @param {string} id @returns {Promise<Puzzle>} */
export function loadPuzzle(id) {
  return request("GET", `/api/puzzles/${id}`);
}

/**
 * Answer a puzzle.
 *
 * @param {string} id
 * @param {string} action
 * @param {string} name of the guest that is created for a visitor
 * @returns {Promise<PuzzleOverview & {puzzle: Puzzle}>}
 */
export function answerPuzzle(id, action, name) {
  return request("POST", `/api/puzzles/${id}`, { action }, undefined, 0, { name: name || null });
}

/**
 * Return a puzzle as the view of a table, for the element of its game.
 *
 * @param {Puzzle} puzzle
 * @param {(seat: number) => string} nameOf the name of each seat
 * @returns {TableView}
 */
export function tableOf({ id, game, variant, options, seat, view, actions, verdict }, nameOf) {
  const seats = Array.from({ length: options.seats }, (_, index) => ({ name: nameOf(index), kind: "person" }));
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
    ...(verdict && { choice: verdict.action }),
  };
}
