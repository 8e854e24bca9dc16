/**
 * Keys that work wherever the focus is, but for fields in which somebody writes. A page adds its own.
 *
 * @typedef {{keys: string, words: string}} Key what the `?` dialog says: "1-4", "take a row"
 */

/**
 * Call `act` with each key that was pressed outside of fields and open dialogs; what it returns true for is done.
 *
 * @param {(key: string, event: KeyboardEvent) => boolean | void} act
 * @returns {() => void} stops it
 */
export function onKey(act) {
  /** @param {KeyboardEvent} event */
  const listen = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const path = event.composedPath();
    const writing = path.some((each) => each instanceof Element && each.matches("input, select, textarea, dialog, [contenteditable]"));
    if (!writing && act(event.key, event)) event.preventDefault();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}
