import { dateLocale, language, t } from "./translate.js";

/** Milliseconds in a day. A table with a clock of a day or more has days per move, so its players need not be online. */
export const DAY = 86_400_000;

/** Format a date, with the time of day within the last two days. @param {number} at milliseconds since 1970 */
export function formatTime(at) {
  const recent = Date.now() - at < 2 * 86_400_000;
  return new Date(at).toLocaleString(dateLocale(), recent ? { weekday: "short", hour: "2-digit", minute: "2-digit" } : { dateStyle: "medium" });
}

/** Format a date with the time of day. @param {number} at milliseconds since 1970 */
export function formatDateTime(at) {
  return new Date(at).toLocaleString(dateLocale(), { dateStyle: "medium", timeStyle: "short" });
}

/**
 * Formats of numbers by language, style and digits, because creating one takes a millisecond.
 *
 * @type {Map<string, Intl.NumberFormat>}
 */
const formats = new Map();

/** Formats of lists by language. @type {Map<string, Intl.ListFormat>} */
const lists = new Map();

/**
 * @param {number} value
 * @param {"decimal" | "percent"} style
 * @param {number} digits
 */
function format(value, style, digits) {
  const key = `${language()} ${style} ${digits}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(language(), { style, minimumFractionDigits: digits, maximumFractionDigits: digits })));
  return format.format(value);
}

/** Format a number with fixed digits. @param {number} value @param {number} [digits] */
export function formatNumber(value, digits = 1) {
  return format(value, "decimal", digits);
}

/** Format a time that is left: "4:59", "1:04:59". @param {number} milliseconds */
export function formatCountdown(milliseconds) {
  const left = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  const two = (/** @type {number} */ part) => `${part}`.padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/**
 * Format a length of time in one unit: "3 days", "5 hours", "12 minutes" or "40 seconds".
 *
 * @param {number} milliseconds
 * @param {"long" | "narrow"} [unitDisplay] "narrow" for "3d"
 */
export function formatDuration(milliseconds, unitDisplay = "long") {
  const [unit, size] = UNITS.find(([, size]) => milliseconds >= 1.5 * size) ?? UNITS[UNITS.length - 1];
  const key = `${language()} ${unit} ${unitDisplay}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay, maximumFractionDigits: 0 })));
  return format.format(Math.max(0, Math.round(milliseconds / size)));
}

/** @type {[string, number][]} */
const UNITS = [["day", DAY], ["hour", 3_600_000], ["minute", 60_000], ["second", 1000]];

/** Format a rating, with a question mark if it is provisional. @param {number} rating @param {boolean} provisional */
export function formatRating(rating, provisional) {
  return `${formatNumber(rating, 0)}${provisional ? "?" : ""}`;
}

/** Format a probability from 0 to 1. @param {number} value @param {number} [digits] after the decimal point */
export function formatPercent(value, digits = 0) {
  return format(value, "percent", digits);
}

/** Join texts: "Ann, Bo, and Cy". @param {string[]} texts */
export function formatList(texts) {
  let format = lists.get(language());
  if (!format) lists.set(language(), (format = new Intl.ListFormat(language())));
  return format.format(texts);
}

/** Join texts without "and": "Ann, Bo, Cy". @param {readonly (string | number)[]} texts */
export function joinTexts(texts) {
  return texts.join(t("table.comma"));
}

/** Put a label before a text: "Ann: 12". @param {string} label @param {string | number} text */
export function labelled(label, text) {
  return label + t("table.colon") + text;
}

/** Join sentences by spaces, which punctuation of full width contains. @param {string[]} sentences */
export function joinSentences(...sentences) {
  return sentences.join(" ").replace(/([。！？：]) /g, "$1");
}

/** Return a text that starts with a capital letter. @param {string} text */
export function capitalize(text) {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Return the plural category of an ordinal number: "two" for "2nd" in English. @param {number} number */
export function ordinalCategory(number) {
  return new Intl.PluralRules(language(), { type: "ordinal" }).select(number);
}
