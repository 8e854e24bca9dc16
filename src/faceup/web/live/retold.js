import { NOTHING, folded } from "./stream.js";

/** @import { Message, Sight, Whole } from "./types.js" */
/** @import { Fold } from "./stream.js" */

/** Every so many lines the fold is kept, so that going anywhere takes no more lines than that. */
const KEPT = 64;

/** Lines that were told, to be looked at again in any order: what was seen after each, without folding all of them anew. */
export class Retold {
  /** @type {Fold[]} after the lines 0, KEPT, 2 KEPT ... */
  #kept;
  /** @type {{line: number, fold: Fold}} where it was last */
  #near;

  /** @param {string} text the lines, one JSON each. Throws a SyntaxError or a RangeError where they are not. */
  constructor(text) {
    /** @type {(Whole | Message)[]} */
    this.lines = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
    const [first] = this.lines;
    if (!first || !("sight" in first)) throw new RangeError("what is told again begins with a whole sight");
    this.#near = { line: 0, fold: folded(NOTHING, first) };
    this.#kept = [this.#near.fold];
  }

  /**
   * What was seen after a line; the first is 0.
   *
   * @param {number} line
   * @returns {Sight}
   */
  sight(line) {
    const before = Math.min(Math.floor(line / KEPT), this.#kept.length - 1);
    let { line: at, fold } = this.#near;
    if (at > line || at < before * KEPT) [at, fold] = [before * KEPT, this.#kept[before]];
    while (at < line) {
      fold = folded(fold, this.lines[++at]);
      if (at === this.#kept.length * KEPT) this.#kept.push(fold);
    }
    this.#near = { line, fold };
    return /** @type {Sight} */ (fold.sight);
  }
}
