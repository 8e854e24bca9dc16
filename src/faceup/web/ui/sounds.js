import { settings } from "./settings.js";

/**
 * Play a sound of audio.js if the settings allow sounds.
 *
 * @param {string} name
 */
export function playSound(name) {
  if (settings.sounds && document.visibilityState === "visible") void import("./audio.js").then(({ play }) => play(name));
}
