/**
 * What somebody has set for this browser; kept if it keeps things.
 *
 * @typedef {object} Settings
 * @property {"system" | "light" | "dark"} theme
 * @property {"" | import("../words/say.js").Language} language "" is the browser's
 * @property {0 | 1 | 2} speed of reveals: so many times as fast, or 0, at once
 * @property {boolean} sounds
 * @property {boolean} large
 * @property {boolean} muted whether other people's reactions are left out
 */

/** @type {Settings} */
const USUAL = { theme: "system", language: "", speed: 1, sounds: false, large: false, muted: false };
const NAME = "faceup.settings";
const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Settings} */
const now = { ...USUAL, ...kept() };

/** @type {Readonly<Settings>} */
export const settings = now;

/** How fast a reveal is: 0 is at once, also where somebody asked their system for less motion. */
export function speed() {
  return still.matches ? 0 : settings.speed;
}

/** Whether what is shown at this speed is shown at once: also where motion is not wanted, or nobody looks. @param {number} speed */
export function atOnce(speed) {
  return speed === 0 || still.matches || document.hidden;
}

/**
 * Change settings; the window has an event "settings" then.
 *
 * @param {Partial<Settings>} changes
 */
export function set(changes) {
  Object.assign(now, changes);
  try {
    localStorage.setItem(NAME, JSON.stringify(settings));
  } catch {
    // nothing is kept here: it holds until the page is left
  }
  apply();
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? "{}");
  } catch {
    return {};
  }
}

function apply() {
  const { theme, large } = settings;
  const root = document.documentElement;
  root.dataset.theme = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  root.toggleAttribute("data-large", large);
  dispatchEvent(new Event("settings"));
}

dark.addEventListener("change", apply);
still.addEventListener("change", apply);
addEventListener("storage", (event) => {
  if (event.key !== NAME) return;
  Object.assign(now, USUAL, kept());
  apply();
});
apply();
