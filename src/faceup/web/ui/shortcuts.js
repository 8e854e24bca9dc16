/**
 * Global keyboard shortcuts, which do nothing in text fields. Pages add their own shortcuts.
 *
 * @typedef {{keys: string, words: string}} Shortcut entry of the `?` dialog: "1-4", "take a row"
 */

/**
 * Call `act` with each key pressed outside of text fields and open dialogs. If `act` returns true, prevent the
 * browser's default action.
 *
 * @param {(key: string, event: KeyboardEvent) => boolean | void} act
 * @returns {() => void} function that removes the handler
 */
export function onShortcut(act) {
  /** @param {KeyboardEvent} event */
  const listen = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const path = event.composedPath();
    const writing = path.some((element) => element instanceof Element && element.matches("input, select, textarea, dialog, [contenteditable]"));
    if (!writing && act(event.key, event)) event.preventDefault();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}
