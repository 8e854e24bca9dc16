/** A bull's head, the symbol for points on cards, as one path in a 24 by 24 square. */
export const BULL_HEAD =
  "M4.6 1.6C1.2 2.9.6 7.3 3.6 8.9C4.5 9.4 5.5 9.6 6.5 9.5C5.3 10.1 3.4 10.2 2.1 11.2C2.6 13.6 4.6 14.6 6.7 13.9" +
  "C6.9 15.6 7.2 16.6 7.2 17.8C7.2 21 9 22.6 12 22.6C15 22.6 16.8 21 16.8 17.8C16.8 16.6 17.1 15.6 17.3 13.9" +
  "C19.4 14.6 21.4 13.6 21.9 11.2C20.6 10.2 18.7 10.1 17.5 9.5C18.5 9.6 19.5 9.4 20.4 8.9C23.4 7.3 22.8 2.9 19.4 1.6" +
  "C20.8 3.6 20.4 5.9 18.4 6.3C17.4 6.5 16.4 6.3 15.4 6.2C13.4 5.6 10.6 5.6 8.6 6.2C7.6 6.3 6.6 6.5 5.6 6.3" +
  "C3.6 5.9 3.2 3.6 4.6 1.6Z" +
  "M9.3 11A1.1 1.1 0 1 0 9.3 13.2A1.1 1.1 0 1 0 9.3 11ZM14.7 11A1.1 1.1 0 1 0 14.7 13.2A1.1 1.1 0 1 0 14.7 11Z" +
  "M10.2 18.1A.95.95 0 1 0 10.2 20A.95.95 0 1 0 10.2 18.1ZM13.8 18.1A.95.95 0 1 0 13.8 20A.95.95 0 1 0 13.8 18.1Z";

/**
 * Return the number of heads on a card.
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
