import { folded, NOTHING } from "../live/stream.js";
import { Refusal } from "../live/api.js";

/** @import { Message, Sight, SourceParts, Told, Whole } from "../live/types.js" */

/**
 * What may happen in a lesson: a line, more lines in which others choose alone, and what the learner may choose then.
 *
 * @typedef {{line: Whole | Message, more?: Message[], then: Record<string, Branch>}} Branch
 */

/**
 * A table at which everything is known before: the learner chooses, and what follows was played by the real rules when
 * `script/lessons` wrote it down. For whoever shows it, it is a table like any other.
 *
 * @implements {SourceParts}
 */
export class Lesson extends EventTarget {
  #fold = NOTHING;
  #branch;
  #you;

  /**
   * @param {Branch} tree
   * @param {string} you what the learner is called
   */
  constructor(tree, you) {
    super();
    this.#branch = tree;
    this.#you = you;
    this.#fold = folded(NOTHING, tree.line);
  }

  /** @returns {Sight} */
  get sight() {
    const sight = /** @type {Sight} */ (this.#fold.sight);
    return { ...sight, seats: sight.seats.map((each, seat) => (each && seat === sight.seat ? { ...each, name: this.#you } : each)) };
  }

  now() {
    return 0;
  }

  /**
   * Only choosing does anything: a mark waits for a clock, and here is none.
   *
   * @param {any} command
   */
  async send(command) {
    if (command.do !== "choose") return;
    const next = this.#branch.then[command.action];
    if (!next) throw new Refusal({ kind: "not_legal", message: "That cannot be played now." });
    this.#branch = next;
    for (const line of [next.line, ...(next.more ?? [])]) this.#tell(/** @type {Message} */ (line));
  }

  /** @param {Message} line */
  #tell(line) {
    const before = this.sight;
    this.#fold = folded(this.#fold, line);
    const events = line.events.map((event) => ({ ...event, words: "" }));
    /** @type {Told} */
    const detail = { before, sight: this.sight, events, at: 0, v: line.v, jump: false };
    this.dispatchEvent(new CustomEvent("told", { detail }));
  }
}
