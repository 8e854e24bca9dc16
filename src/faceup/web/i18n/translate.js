import { SITE } from "../api/site.js";

/**
 * Translations (i18n). A catalogue maps keys to messages with {{placeholders}}, as i18next does. The value `context`
 * selects a message whose key ends in `_CONTEXT`, and the value `count` one that ends in a plural category (`_one`,
 * `_few`, `_other` ...). The catalogues are in `faceup/translations`, and the server turns them into modules.
 *
 * @typedef {Record<string, string>} Catalogue
 */

/** Supported languages, by their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", zh: "中文" };

/** @typedef {keyof typeof LANGUAGES} Language */

/** @type {Catalogue} */
let catalogue = {};
let languageSet = false;
/** @type {Intl.PluralRules | null} */
let plurals = null;

/** @type {Language} */
let current = "en";

/** Return the current language. */
export function language() {
  return current;
}

/** Return the tag by which dates are written: the current language, with the browser's region if it has one. */
export function dateLocale() {
  return navigator.languages.find((tag) => tag.toLowerCase().split("-")[0] === current) ?? current;
}

/**
 * Return the first requested language that is supported, or English if none is.
 *
 * @param {readonly string[]} asked language tags, as from browsers: "de-AT"
 * @returns {Language}
 */
export function matchLanguage(asked) {
  for (const tag of asked) {
    const name = tag.toLowerCase().split("-")[0];
    if (name in LANGUAGES) return /** @type {Language} */ (name);
  }
  return "en";
}

/** Loaded namespaces. */
const namespaces = new Set(["common"]);

/**
 * Load the catalogues of namespaces in the current language. Each area of the page has its own, so that a page loads
 * only what it displays.
 *
 * @param {...string} names "nimmt", "learn" ...
 */
export async function loadNamespaces(...names) {
  const fresh = names.filter((namespace) => !namespaces.has(namespace));
  for (const namespace of fresh) namespaces.add(namespace);
  if (!languageSet) return; // setLanguage has not run yet, and will load them
  const now = current;
  const catalogues = await Promise.all(fresh.map((area) => loadCatalogue(now, area))).catch((error) => {
    for (const namespace of fresh) namespaces.delete(namespace); // not loaded: a later call tries again
    throw error;
  });
  if (now !== current || !fresh.length) return;
  Object.assign(catalogue, ...catalogues);
  dispatchEvent(new Event("language")); // elements displayed already can render their texts now
}

/**
 * Switch to a language, and load its catalogues; elements render again on the event "language".
 *
 * @param {Language} name
 */
export async function setLanguage(name) {
  current = name;
  languageSet = true;
  const catalogues = await Promise.all([...namespaces].map((area) => loadCatalogue(name, area)));
  if (name !== current) return; // a later call has chosen another language
  catalogue = Object.assign({}, ...catalogues);
  plurals = null;
  document.documentElement.lang = name === "zh" ? "zh-Hans" : name;
  dispatchEvent(new Event("language"));
}

/**
 * @param {Language} language
 * @param {string} area
 * @returns {Promise<Catalogue>}
 */
async function loadCatalogue(language, area) {
  return (await import(`./${language}/${area}.js`)).default;
}

/** @param {string} key */
export function hasTranslation(key) {
  return key in catalogue || `${key}_other` in catalogue;
}

/**
 * Translate a key, with values for its placeholders; `{{site}}` is the name of the site. An unknown key is returned unchanged.
 *
 * @param {string} key NAMESPACE.NAME
 * @param {Record<string, any>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  values = { site: SITE.name, ...values };
  const { context, count } = values;
  const message = (context ? find(`${key}_${context}`, count) : undefined) ?? find(key, count) ?? key;
  return message.replace(PLACEHOLDER, (_, before, name) => {
    const value = `${values[name] ?? ""}`;
    if (!before) return value;
    return current === "fr" && VOWEL.test(value) ? `${before}’${value}` : `${before}e ${value}`;
  });
}

/** A placeholder, with the word "de" or "que" before it, which French elides before a vowel. */
const PLACEHOLDER = /(?:\b([Dd]|[Qq]u)e )?\{\{(\w+)\}\}/g;
const VOWEL = /^[aàâæeéèêëiîïoôœuùû]/i;

/**
 * Return the message of a key, in the form for a count.
 *
 * @param {string} key
 * @param {unknown} count
 * @returns {string | undefined}
 */
function find(key, count) {
  if (key in catalogue || typeof count !== "number") return catalogue[key];
  plurals ??= new Intl.PluralRules(current);
  return catalogue[`${key}_${plurals.select(count)}`] ?? catalogue[`${key}_other`];
}
