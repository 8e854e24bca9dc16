import { request } from "../api/http.js";

/** @import { DailyOverview, DailyView, TableFound } from "../api/http-types.js" */

/** Return a date in the form 2026-11-23, by default the date of this device. @param {Date} [date] */
export function isoDate(date = new Date()) {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((number) => `${number}`.padStart(2, "0"));
  return `${date.getFullYear()}-${month}-${day}`;
}

/** Return noon of a date on this device's clock. @param {string} date */
export function noonOf(date) {
  return new Date(`${date}T12:00`);
}

/** Return today's daily deal where this device is. @returns {Promise<DailyOverview>} */
export function loadDailyOverview() {
  return request("GET", `/api/daily?date=${isoDate()}`);
}

/** Return the daily deal of a date. @param {string} date @returns {Promise<DailyView>} */
export function loadDailyDay(date) {
  return request("GET", `/api/daily/${date}`);
}

/** Start or resume the daily deal of a date; return the id of its table. @param {string} date @param {string} name */
export async function startDaily(date, name) {
  /** @type {TableFound} */
  const { id } = await request("POST", "/api/daily", { date }, undefined, 0, { name: name || null });
  return id;
}

/** Return the band of the heads of a turn, from 0 for none to 3 for ten or more. @param {number} heads */
export function bandOf(heads) {
  if (!heads) return 0;
  return heads < 5 ? 1 : heads < 10 ? 2 : 3;
}

/** Return the heads by turn as a line of squares without card numbers. @param {number[]} turns */
export function squares(turns) {
  return turns.map((heads) => ["🟩", "🟨", "🟧", "🟥"][bandOf(heads)]).join("");
}
