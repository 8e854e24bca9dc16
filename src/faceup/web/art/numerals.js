/**
 * Numerals as drawings, since browsers lay out the text of a drawing again whenever something around it moves.
 *
 * Each is the middle line of a stroke, as a path from its starting point, in a box 100 high.
 *
 * @type {Record<string, {at: [number, number], line: string, wide: number}>}
 */
const NUMERALS = {
  0: { at: [36, 10], line: "c-18 0-26 15-26 40s8 40 26 40 26-15 26-40-8-40-26-40z", wide: 72 },
  1: { at: [10, 27], line: "l19-17v80", wide: 42 },
  2: { at: [10, 32], line: "c2-14 12-22 25-22 14 0 24 9 24 22 0 10-6 17-15 25l-34 33h51", wide: 69 },
  3: { at: [11, 23], line: "c4-8 12-13 23-13 14 0 23 7 23 18s-8 18-23 18h-4h4c16 0 26 8 26 22s-10 22-26 22c-12 0-21-5-25-14", wide: 70 },
  4: { at: [47, 90], line: "v-80l-37 57h54", wide: 74 },
  5: { at: [55, 10], line: "h-37l-4 36c5-4 12-6 19-6 16 0 27 10 27 25s-11 25-27 25c-11 0-19-4-23-11", wide: 70 },
  6: { at: [55, 14], line: "c-4-3-10-4-16-4-18 0-29 17-29 44 0 23 10 36 27 36 15 0 26-10 26-25s-11-25-26-25c-13 0-23 8-27 19", wide: 73 },
  7: { at: [9, 10], line: "h50l-31 80", wide: 68 },
  8: { at: [36, 47], line: "c-13 0-22-7-22-18s9-19 22-19 22 8 22 19-9 18-22 18zc-15 0-26 9-26 21s11 22 26 22 26-10 26-22-11-21-26-21z", wide: 72 },
  9: { at: [18, 86], line: "c4 3 10 4 16 4 18 0 29-17 29-44 0-23-10-36-27-36-15 0-26 10-26 25s11 25 26 25c13 0 23-8 27-19", wide: 73 },
};
/** Width of the stroke and space between numerals, in the same unit. */
export const STROKE = 20;
const SPACE = 5;

/**
 * Return the middle line of a number as a path, whose height is 100, and its width.
 *
 * @param {number} number
 */
export function numerals(number) {
  let wide = 0;
  const line = [...`${number}`].map((digit) => {
    const numeral = NUMERALS[digit];
    const [x, y] = numeral.at;
    const path = `M${wide + x} ${y}${numeral.line}`;
    wide += numeral.wide + SPACE;
    return path;
  });
  return { line: line.join(""), wide: wide - SPACE };
}
