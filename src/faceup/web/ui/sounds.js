import { settings } from "./settings.js";

/** @type {typeof import("./audio.js") | undefined} */
let audio;

/**
 * Play a sound of audio.js if the settings allow sounds.
 *
 * @param {string} name
 * @param {number} [delay] milliseconds
 */
export function playSound(name, delay = 0) {
  if (!settings.sounds || document.visibilityState !== "visible") return;
  if (audio) void audio.play(name, delay);
  else void import("./audio.js").then((loaded) => (audio = loaded).play(name, delay));
}

/** Fade out all sounds that are playing or delayed. */
export function stopSounds() {
  audio?.stop();
}
