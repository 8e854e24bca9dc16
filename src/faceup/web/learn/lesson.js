import { ApiError } from "../api/http.js";
import { applyUpdate, EMPTY_STATE } from "../api/updates.js";
import { explainEvent, explainRowChoice } from "../games/nimmt/explain-events.js";
import { t } from "../i18n/translate.js";

/** @import { Update, TableView, TableSource, UpdateDetail, Snapshot } from "../api/types.js" */

/**
 * A step of a lesson: an update, further updates that need no choice of the learner, and for each action of the learner
 * the branch that follows.
 *
 * @typedef {{line: Snapshot | Update, more?: Update[], then: Record<string, Branch>}} Branch
 */

/**
 * A scripted game as a table source. The learner chooses, and the lesson answers with updates that `script/lessons`
 * recorded from the real rules.
 *
 * @implements {TableSource}
 */
export class Lesson extends EventTarget {
  #state = EMPTY_STATE;
  #branch;
  #you;

  /**
   * @param {Branch} tree
   * @param {string} you the learner's name
   */
  constructor(tree, you) {
    super();
    this.#branch = tree;
    this.#you = you;
    this.#state = applyUpdate(EMPTY_STATE, tree.line);
  }

  /** @returns {TableView} */
  get room() {
    const room = /** @type {TableView} */ (this.#state.room);
    return { ...room, seats: room.seats.map((player, seat) => (player && seat === room.seat ? { ...player, name: this.#you } : player)) };
  }

  now() {
    return 0;
  }

  /**
   * Apply a choice; other commands are ignored.
   *
   * @param {any} command
   */
  async send(command) {
    if (command.command !== "choose") return;
    const next = this.#branch.then[command.action];
    if (!next) throw new ApiError({ kind: "illegal_action", message: "That cannot be played now." });
    this.#branch = next;
    for (const line of [next.line, ...(next.more ?? [])]) this.#apply(/** @type {Update} */ (line));
  }

  /** @param {Update} line */
  #apply(line) {
    const before = this.room;
    this.#state = applyUpdate(this.#state, line);
    const events = line.events.map((event) => ({ ...event, text: "" }));
    /** @type {UpdateDetail} */
    const detail = { before, room: this.room, events, at: 0, v: line.v, jump: false };
    this.dispatchEvent(new CustomEvent("update", { detail }));
  }
}

/**
 * The comment on the learner's last choice, and the next instruction.
 *
 * @typedef {{happened: string[], now: string, mood: "asleep" | "awake" | "cross"}} LessonComment
 */

/** Number of turns with instructions. */
const TURNS = 4;

/**
 * @param {TableView} room
 * @param {UpdateDetail | null} update the last update
 * @returns {LessonComment}
 */
export function lessonComment(room, update) {
  const happened = update ? update.events.map((event) => explainEvent(event, room, update.before)).filter(Boolean) : [];
  const { view } = room;
  const ownHeads = view.heads[room.seat ?? 0];
  if (room.status === "finished") {
    const best = Math.min(...view.heads);
    return {
      happened,
      now: t(ownHeads === best ? "learn.try.won" : "learn.try.over", { count: ownHeads, context: ownHeads ? "" : "none", heads: t("nimmt.heads", { count: ownHeads }), best: t("nimmt.heads", { count: best }) }),
      mood: ownHeads === best ? "asleep" : "awake",
    };
  }
  if (view.waiting.length) return { happened, now: explainRowChoice(room), mood: "cross" };
  const turn = Math.min(TURNS, view.log.length + 1);
  const low = Math.min(...view.hand) < Math.min(...view.rows.map((/** @type {number[]} */ row) => row.at(-1)));
  return { happened, now: turn === 3 && !low ? t("learn.try.3.safe") : t(`learn.try.${turn}`, { card: view.hand[0] }), mood: MOODS[turn - 1] };
}

/** @type {LessonComment["mood"][]} */
const MOODS = ["asleep", "awake", "cross", "awake"];
