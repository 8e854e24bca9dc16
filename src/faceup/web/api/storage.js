/**
 * Return a stored text, or null if there is none or the browser denies storage.
 *
 * @param {string} key
 * @param {"localStorage" | "sessionStorage"} [storage]
 */
export function readStored(key, storage = "localStorage") {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** What belongs to the device, also if another person uses it next: settings, and which games are explained. */
const OF_DEVICE = /^faceup\.(settings|game|level\..*|first\..*|reloaded)$/;

/** Delete what this browser has stored about the player who leaves it, such as the name. */
export function forgetPlayer() {
  for (const storage of /** @type {const} */ (["localStorage", "sessionStorage"])) {
    try {
      const keys = Object.keys(window[storage]).filter((key) => key.startsWith("faceup.") && !OF_DEVICE.test(key));
      for (const key of keys) window[storage].removeItem(key);
    } catch {
      // The browser denies storage, so nothing is stored.
    }
  }
}

/**
 * Store a text; return whether the browser stored it.
 *
 * @param {string} key
 * @param {string} text
 * @param {"localStorage" | "sessionStorage"} [storage]
 */
export function writeStored(key, text, storage = "localStorage") {
  try {
    window[storage].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
