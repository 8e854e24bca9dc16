/**
 * What is said, in the reader's language. A catalogue has a value by key: a text with {names} of values in it, a function
 * of the values, or texts by plural category ("one", "few", "other" ...), chosen by the value `count`.
 *
 * @typedef {string | ((values: Record<string, any>) => string) | Partial<Record<Intl.LDMLPluralRule, string>>} Phrase
 * @typedef {Record<string, Phrase>} Catalogue
 */

/** The languages there are, each called by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", zh: "中文" };

/** @typedef {keyof typeof LANGUAGES} Language */

/** @type {Catalogue} */
let catalogue = {};
let speaking = false;
/** @type {Intl.PluralRules | null} */
let plurals = null;

/** @type {Language} */
let spoke = "en";

/** What is spoken now. */
export function language() {
  return spoke;
}

/**
 * The first of the languages asked for that there is, else English.
 *
 * @param {readonly string[]} asked as browsers name them: "de-AT"
 * @returns {Language}
 */
export function spoken(asked) {
  for (const each of asked) {
    const name = each.toLowerCase().split("-")[0];
    if (name in LANGUAGES) return /** @type {Language} */ (name);
  }
  return "en";
}

/** What is talked about here: the catalogues that are loaded. */
const areas = new Set(["usual"]);

/**
 * Learn to talk about something, as a page does for what only it says: each area has a catalogue of its own, so that
 * nobody loads what is never said.
 *
 * @param {...string} names "nimmt", "learn" ...
 */
export async function need(...names) {
  const fresh = names.filter((each) => !areas.has(each));
  for (const each of fresh) areas.add(each);
  if (!speaking) return; // whoever speaks first will load them
  const now = spoke;
  const found = await Promise.all(fresh.map((area) => phrases(now, area)));
  if (now !== spoke || !fresh.length) return;
  Object.assign(catalogue, ...found);
  dispatchEvent(new Event("language")); // what is shown already can be said now
}

/**
 * Speak a language from now on; elements that are shown already ask again when they are next rendered.
 *
 * @param {Language} name
 */
export async function speak(name) {
  spoke = name;
  speaking = true;
  const found = await Promise.all([...areas].map((area) => phrases(name, area)));
  if (name !== spoke) return; // somebody has thought again meanwhile
  catalogue = Object.assign({}, ...found);
  plurals = null;
  document.documentElement.lang = name === "zh" ? "zh-Hans" : name;
  dispatchEvent(new Event("language"));
}

/**
 * @param {Language} language
 * @param {string} area
 * @returns {Promise<Catalogue>}
 */
async function phrases(language, area) {
  return (await import(`./${language}/${area}.js`)).default;
}

/** @param {string} key */
export function known(key) {
  return key in catalogue;
}

/**
 * A phrase, with these values in it. A key that nobody knows is said as it is, so that it is seen.
 *
 * @param {string} key AREA.NAME
 * @param {Record<string, any>} [values]
 * @returns {string}
 */
export function say(key, values = {}) {
  const phrase = catalogue[key];
  if (phrase === undefined) return key;
  if (typeof phrase === "function") return phrase(values);
  const text = typeof phrase === "string" ? phrase : phrase[category(values.count)] ?? phrase.other ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => `${values[name] ?? ""}`);
}

/** @param {number} count */
function category(count) {
  plurals ??= new Intl.PluralRules(spoke);
  return plurals.select(count);
}

/**
 * What happened, as one sentence; what the server said in English for an event that no catalogue knows. A phrase gets
 * the event's fields, `names` by seat, and `name`, that of its seat; `fields` are the event's own, where one is a name.
 *
 * @param {string} game
 * @param {import("../live/types.js").TableEvent} event
 * @param {string[]} names by seat
 * @returns {string}
 */
export function told(game, event, names) {
  for (const area of [game, "table"]) {
    const key = `${area}.event.${event.event}`;
    if (known(key)) return say(key, { ...event, fields: event, names, name: names[event.seat] });
  }
  return event.words;
}
