import { readStored, writeStored } from "../api/storage.js";

/**
 * The settings of this browser, which are stored if the browser allows it.
 *
 * @typedef {object} Settings
 * @property {"system" | "light" | "dark"} theme
 * @property {"" | import("../i18n/translate.js").Language} language "" means the language of the browser
 * @property {0 | 1 | 2} speed speed of reveals as a multiple of normal speed; 0 means instant
 * @property {boolean} sounds
 * @property {boolean} large
 * @property {boolean} muted whether to hide other players' reactions
 */

/** @type {Settings} */
const DEFAULTS = { theme: "system", language: "", speed: 1, sounds: false, large: false, muted: false };
const NAME = "faceup.settings";
const dark = matchMedia("(prefers-color-scheme: dark)");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Settings} */
const now = { ...DEFAULTS, ...stored() };

/** @type {Readonly<Settings>} */
export const settings = now;

/** Return the speed of reveals. It is 0, which means instant, also if the system prefers reduced motion. */
export function revealSpeed() {
  return reducedMotion.matches ? 0 : settings.speed;
}

/** Return whether to skip animations: at speed 0, with reduced motion, or in a hidden tab. @param {number} speed */
export function skipsAnimation(speed) {
  return speed === 0 || reducedMotion.matches || document.hidden;
}

/** The colour of the browser's bars, which is that of the page. */
const PAPER = { light: "#f5f0e6", dark: "#14191a" };

/**
 * Change settings, and emit "settings" on the window.
 *
 * @param {Partial<Settings>} changes
 */
export function updateSettings(changes) {
  Object.assign(now, changes);
  writeStored(NAME, JSON.stringify(settings));
  apply();
}

function stored() {
  try {
    return JSON.parse(readStored(NAME) ?? "{}");
  } catch {
    return {};
  }
}

function apply() {
  const { theme, large } = settings;
  const root = document.documentElement;
  root.dataset.theme = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  root.toggleAttribute("data-large", large);
  for (const each of document.querySelectorAll("meta[data-theme]")) {
    each.setAttribute("content", PAPER[theme === "system" ? (each.getAttribute("data-theme") === "dark" ? "dark" : "light") : theme]);
  }
  dispatchEvent(new Event("settings"));
}

dark.addEventListener("change", apply);
reducedMotion.addEventListener("change", apply);
addEventListener("storage", (event) => {
  if (event.key !== NAME) return;
  Object.assign(now, DEFAULTS, stored());
  apply();
});
apply();
