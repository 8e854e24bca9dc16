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
let plurals = new Intl.PluralRules("en");

/** @type {Language} */
export let language = "en";

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

/**
 * Speak a language from now on; elements that are shown already ask again when they are next rendered.
 *
 * @param {Language} name
 */
export async function speak(name) {
  const found = await import(`./${name}.js`);
  catalogue = found.default;
  language = name;
  plurals = new Intl.PluralRules(name);
  document.documentElement.lang = name === "zh" ? "zh-Hans" : name;
  dispatchEvent(new Event("language"));
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
  const text = typeof phrase === "string" ? phrase : phrase[plurals.select(values.count)] ?? phrase.other ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => `${values[name] ?? ""}`);
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
