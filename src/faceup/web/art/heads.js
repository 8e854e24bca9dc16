/**
 * The heads that a card counts.
 *
 * @param {number} card 1 to 104
 * @returns {1 | 2 | 3 | 5 | 7}
 */
export function heads(card) {
  if (card === 55) return 7;
  if (card % 11 === 0) return 5;
  if (card % 10 === 0) return 3;
  return card % 5 === 0 ? 2 : 1;
}

/** @param {readonly number[]} cards */
export function total(cards) {
  return cards.reduce((sum, card) => sum + heads(card), 0);
}
