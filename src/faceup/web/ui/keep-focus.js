/**
 * Keep the focus of the keyboard in its place. Browsers give it to the whole page when the element that has it is disabled,
 * as buttons are while a request runs, or removed.
 */

/** What takes the focus of an element that was removed. */
const [ITEM, HEADING] = ["[tabindex='0']", "h1, h2, h3, legend, summary"];

/** @type {MutationObserver | null} Waits until the element that had the focus is enabled again. */
let waiting = null;

/** @param {FocusEvent} event */
function onFocusOut(event) {
  if (event.relatedTarget) return;
  const path = event.composedPath().filter((target) => target instanceof HTMLElement);
  // The event comes before the element is removed, and what replaces it is there after all microtasks.
  setTimeout(() => keep(path));
}

/** @param {HTMLElement[]} path the element that had the focus, and what contains it */
function keep(path) {
  waiting?.disconnect();
  const [element] = path;
  if (document.activeElement !== document.body) return;
  if (!element.isConnected || !element.checkVisibility()) return focusNearby(path);
  if (!element.matches(":disabled")) return; // the focus was taken away on purpose, such as by a click beside it
  waiting = new MutationObserver(() => {
    if (element.isConnected && element.matches(":disabled") && document.activeElement === document.body) return;
    waiting?.disconnect();
    if (document.activeElement === document.body) element.isConnected ? element.focus({ preventScroll: true }) : focusNearby(path);
  });
  waiting.observe(element.getRootNode(), { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] });
}

/** Focus the item that Tab reaches of the group of an element that was removed, or else the heading above it. @param {HTMLElement[]} path */
function focusNearby(path) {
  const left = path.filter((target) => target.isConnected);
  const group = left.find((target) => target.matches("[role=group]"))?.querySelector(ITEM);
  if (group instanceof HTMLElement) return group.focus({ preventScroll: true });
  const root = left[0]?.getRootNode();
  for (const target of left.filter((other) => other.getRootNode() === root)) {
    const heading = [...target.querySelectorAll(HEADING)].find((element) => element.checkVisibility());
    if (!(heading instanceof HTMLElement)) continue;
    if (heading.localName !== "summary") heading.tabIndex = -1;
    return heading.focus({ preventScroll: true });
  }
}

addEventListener("focusout", onFocusOut);
