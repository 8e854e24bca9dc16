/** @import { RevealQueue } from "../reveal-queue.js" */

/**
 * Measure the position of each card, by its key.
 *
 * @param {ParentNode} root
 */
export function measureCards(root) {
  return new Map([...cards(root)].map(([name, element]) => [name, element.getBoundingClientRect()]));
}

/** @param {ParentNode} root */
function cards(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const found = root.querySelectorAll("[data-card]");
  return new Map([...found].map((element) => [element.dataset.card ?? "", element]));
}

/**
 * Animate every card from its old to its new position.
 *
 * @param {ParentNode} root
 * @param {Map<string, DOMRect>} before
 * @param {RevealQueue} reveal
 * @param {number} milliseconds at normal speed
 */
export function animateMoves(root, before, reveal, milliseconds) {
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
 * Animate half of a flip of cards about their vertical axis.
 *
 * @param {Iterable<Element>} elements
 * @param {RevealQueue} reveal
 * @param {boolean} away whether this is the first half
 * @param {number} milliseconds at normal speed
 */
export function animateFlip(elements, reveal, away, milliseconds) {
  const [edge, flat] = [{ transform: "scaleX(0)" }, { transform: "none" }];
  for (const element of elements) reveal.move(element, away ? [flat, edge] : [edge, flat], milliseconds);
}
