import { settings } from "./settings.js";

/**
 * Play a sound, if somebody has asked for sounds: one of those in tones.js.
 *
 * @param {string} name
 */
export function sound(name) {
  if (settings.sounds && document.visibilityState === "visible") void import("./tones.js").then(({ play }) => play(name));
}
