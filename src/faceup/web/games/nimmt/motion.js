/** @import { Reveal } from "../reveal.js" */

/**
 * Where each card is, by what names it.
 *
 * @param {ParentNode} root
 */
export function places(root) {
  return new Map([...cards(root)].map(([name, element]) => [name, element.getBoundingClientRect()]));
}

/** @param {ParentNode} root */
function cards(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const found = root.querySelectorAll("[data-card]");
  return new Map([...found].map((element) => [element.dataset.card ?? "", element]));
}

/**
 * Let every card glide from where it was to where it is.
 *
 * @param {ParentNode} root
 * @param {Map<string, DOMRect>} before
 * @param {Reveal} reveal
 * @param {number} milliseconds at the usual speed
 */
export function glide(root, before, reveal, milliseconds) {
  const now = [...cards(root)].map(([name, element]) => ({ element, to: element.getBoundingClientRect(), from: before.get(name) }));
  for (const { element, from, to } of now) {
    if (!from || !to.width) continue;
    const [x, y, scale] = [from.x - to.x, from.y - to.y, from.width / to.width];
    if (Math.abs(x) + Math.abs(y) < 1) continue;
    const start = `translate(${x}px, ${y}px) scale(${scale})`;
    reveal.move(element, [{ transform: start, zIndex: 9 }, { transform: "none", zIndex: 9 }], milliseconds);
  }
}

/**
 * Half a turn of each of these about its upright middle.
 *
 * @param {Iterable<Element>} elements
 * @param {Reveal} reveal
 * @param {boolean} away whether it is the first half
 * @param {number} milliseconds at the usual speed
 */
export function turn(elements, reveal, away, milliseconds) {
  const [edge, flat] = [{ transform: "scaleX(0)" }, { transform: "none" }];
  for (const element of elements) reveal.move(element, away ? [flat, edge] : [edge, flat], milliseconds);
}
