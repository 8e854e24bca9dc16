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
