/**
 * Keep the focus of the keyboard in its place. Browsers give it to the whole page when the element that has it is disabled,
 * as buttons are while a request runs, or removed.
 */

/** What takes the focus of an element that was removed: the item of a group that Tab reaches, or a heading. */
const NEARBY = "[role=group] [tabindex='0'], h1, h2, h3, legend, summary";

/** @type {MutationObserver | null} Waits until the element that had the focus is enabled again. */
let waiting = null;

/** What has taken the focus of an element that was removed. @type {HTMLElement | null} */
let substitute = null;

/** @param {FocusEvent} event */
function onFocusOut(event) {
  if (event.relatedTarget) return;
  const path = event.composedPath().filter((target) => target instanceof HTMLElement);
  const disabled = path[0]?.matches(":disabled"); // it may be enabled again before the timer
  // The event comes before the element is removed, and what replaces it is there after all microtasks.
  setTimeout(() => keep(path, disabled));
}

/**
 * @param {HTMLElement[]} path the element that had the focus, and what contains it
 * @param {boolean} disabled whether it lost the focus because it was disabled
 */
function keep(path, disabled) {
  waiting?.disconnect();
  const [element] = path;
  if (document.activeElement !== document.body) return;
  if (!element.isConnected || !element.checkVisibility()) return focusNearby(path);
  if (!disabled && !element.matches(":disabled")) return; // the focus was taken away on purpose, such as by a click beside it
  const restore = () => {
    if (element.isConnected && element.matches(":disabled") && document.activeElement === document.body) return;
    waiting?.disconnect();
    if (document.activeElement === document.body) element.isConnected ? element.focus({ preventScroll: true }) : focusNearby(path);
  };
  waiting = new MutationObserver(restore);
  waiting.observe(element.getRootNode(), { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] });
  restore();
}

/**
 * Focus what is nearest to an element that was removed: an item of its group, the group if it is empty now, or a heading.
 *
 * @param {HTMLElement[]} path
 */
function focusNearby(path) {
  for (const target of path.filter((other) => other.isConnected)) {
    const nearby = findNearby(target) ?? (target.matches("[role=group]") && target.checkVisibility() ? target : null);
    if (!nearby) continue;
    if (nearby.tabIndex < 0) nearby.tabIndex = -1;
    substitute = nearby;
    return nearby.focus({ preventScroll: true });
  }
}

/**
 * Return the first visible element of `NEARBY` in an element, also in the shadow trees within.
 *
 * @param {Element | ShadowRoot} root
 * @returns {HTMLElement | null}
 */
function findNearby(root) {
  const shadow = root instanceof Element && root.shadowRoot;
  const inShadow = shadow ? findNearby(shadow) : null;
  if (inShadow) return inShadow;
  for (const element of root.querySelectorAll("*")) {
    if (element instanceof HTMLElement && element.matches(NEARBY) && element.checkVisibility({ visibilityProperty: true })) return element;
    const inside = element.shadowRoot && findNearby(element.shadowRoot);
    if (inside) return inside;
  }
  return null;
}

/**
 * Focus a heading that has just appeared, unless the user's focus is elsewhere. Return whether the heading has the focus.
 *
 * @param {HTMLElement} heading
 */
export function takeLostFocus(heading) {
  if (document.activeElement !== document.body && !substitute?.matches(":focus")) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return heading.matches(":focus");
}

addEventListener("focusout", onFocusOut);
