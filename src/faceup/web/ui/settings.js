import { readStored, writeStored } from "../api/storage.js";

/**
 * The settings of this browser, which are stored if the browser allows it.
 *
 * @typedef {object} Settings
 * @property {"system" | "light" | "dark"} theme
 * @property {"" | import("../i18n/translate.js").Language} language "" means the language of the browser
 * @property {"calm" | "lively" | "fast"} reveal how reveals are animated
 * @property {boolean} sounds
 * @property {boolean} offered whether the user has been asked whether to switch sounds on
 * @property {boolean} large
 * @property {boolean} muted whether to hide the reactions of all other players
 * @property {readonly string[]} mutedPlayers the handles of the people whose reactions to hide
 */

/** @type {Settings} */
const DEFAULTS = { theme: "system", language: "", reveal: "lively", sounds: false, offered: false, large: false, muted: false, mutedPlayers: [] };
const NAME = "faceup.settings";
const dark = matchMedia("(prefers-color-scheme: dark)");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Settings} */
const now = { ...DEFAULTS, ...stored() };

/** @type {Readonly<Settings>} */
export const settings = now;

/** Speed of reveals if the setting is "fast". */
const FAST = 2.2;

/** Return whether reveals are calm, which means that nothing moves. */
export function isCalm() {
  return settings.reveal === "calm" || reducedMotion.matches;
}

/** Return whether the system prefers reduced motion, so that reveals are calm whatever the setting. */
export function prefersReducedMotion() {
  return reducedMotion.matches;
}

/** Return the speed of reveals as a multiple of normal speed. */
export function revealSpeed() {
  return settings.reveal === "fast" ? FAST : 1;
}

/** Return whether to skip animations: at speed 0, or in a hidden tab. @param {number} speed */
export function skipsAnimation(speed) {
  return speed === 0 || document.hidden;
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

/** Return the stored settings. Earlier versions stored a `speed` in place of `reveal`: 1, 2, or 0 for instant. */
function stored() {
  try {
    const { speed, ...rest } = JSON.parse(readStored(NAME) ?? "{}");
    return speed === undefined || rest.reveal ? rest : { ...rest, reveal: speed === 1 ? "lively" : "fast" };
  } catch {
    return {};
  }
}

function apply() {
  const { theme, large } = settings;
  const root = document.documentElement;
  root.dataset.theme = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  root.toggleAttribute("data-large", large);
  for (const meta of document.querySelectorAll("meta[data-theme]")) {
    meta.setAttribute("content", PAPER[theme === "system" ? (meta.getAttribute("data-theme") === "dark" ? "dark" : "light") : theme]);
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
