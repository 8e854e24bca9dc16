/**
 * A game with an extreme value.
 *
 * @typedef {{value: number, table: string, ended_at: number}} GameRecord
 *
 * Consecutive games: their number, the end of the last, the mean score, and the share that the player won.
 *
 * @typedef {{games: number, until: number, score: number, wins: number}} TrendPoint
 *
 * @typedef {object} WinTotals
 * @property {number} games
 * @property {number} first games in which the player finished first, alone or with others
 * @property {number} wins the same, where a shared win is a fraction
 * @property {number} expected wins to expect if everyone played equally well
 * @property {number} streak last games that the player finished first, in a row
 * @property {number} best_streak the longest such streak
 *
 * @typedef {object} VariantParts
 * @property {string} game
 * @property {string} variant
 * @property {number} seats
 * @property {boolean} default_options whether all other options had their default values
 * @property {number} score the mean
 * @property {GameRecord | null} best
 * @property {GameRecord | null} worst
 * @property {GameRecord | null} fastest_win in milliseconds
 * @property {TrendPoint[]} trend
 *
 * @typedef {WinTotals & VariantParts} VariantStatistics
 *
 * @typedef {"row" | "taken" | "dear" | "kept" | "risk" | "high" | "low"} Fault
 * @typedef {{fault: Fault, count: number, cost: number, example: {table: string, seat: number, decision: number, cost: number}}} FaultTotals
 *
 * What the coach found; only in the player's own statistics.
 *
 * @typedef {{games: number, decisions: number, faults: FaultTotals[]}} CoachFindings
 *
 * @typedef {WinTotals & {variants: VariantStatistics[], coach?: CoachFindings}} Statistics
 */

import { request } from "../api/http.js";

/**
 * Load the statistics of a player.
 *
 * @param {string} [handle] by default the own ones, with what the coach found
 * @returns {Promise<Statistics>}
 */
export function loadStatistics(handle) {
  return request("GET", handle ? `/api/players/${handle}/statistics` : "/api/me/statistics");
}
