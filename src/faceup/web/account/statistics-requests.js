import { request } from "../api/http.js";

/** @import { OwnStatistics, Statistics } from "../api/http-types.js" */

/**
 * Load the statistics of a player.
 *
 * @param {string} [handle] by default the own ones, with what the coach found
 * @returns {Promise<Statistics & Partial<OwnStatistics>>}
 */
export function loadStatistics(handle) {
  return request("GET", handle ? `/api/players/${handle}/statistics` : "/api/me/statistics");
}
