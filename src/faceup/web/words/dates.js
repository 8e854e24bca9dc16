import { language } from "./say.js";

/** A day, and the time of it if it was of the last two. @param {number} at milliseconds since 1970 */
export function when(at) {
  const recent = Date.now() - at < 2 * 86_400_000;
  return new Date(at).toLocaleString(language(), recent ? { weekday: "short", hour: "2-digit", minute: "2-digit" } : { dateStyle: "medium" });
}

/** @param {number} value @param {number} [digits] */
export function figure(value, digits = 1) {
  return value.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
