import { say } from "../words/say.js";
import { inList, nameOf } from "./names.js";

/** @import { Sight } from "../live/types.js" */

/**
 * What is to be done now, as one sentence, and how it looks: `mine` is a decision of the viewer's own that is open.
 *
 * @typedef {"mine" | "chosen" | "waiting" | "paused" | "away" | "over" | "looking"} Mood
 * @typedef {{mood: Mood, words: string}} Next
 */

/** @param {Sight} sight */
export function mayChoose(sight) {
  return sight.status === "active" && sight.words.length > 0 && sight.paused === undefined;
}

/**
 * What is next at the table, for its viewer.
 *
 * @param {Sight} sight
 * @param {string} [asks] what the game says of the open decision, in place of "choose"
 * @returns {Next}
 */
export function next(sight, asks) {
  const { seat, status, view } = sight;
  if (status === "closed") return { mood: "over", words: say(`table.closed.${sight.closed ?? "operator"}`) };
  if (status === "finished") return { mood: "over", words: winners(sight) };
  if (seat !== undefined && sight.away.includes(seat)) return { mood: "away", words: say("table.next.away") };
  if (sight.paused !== undefined) return { mood: "paused", words: say("table.next.paused") };
  if (sight.fair && !view.legal?.length && status === "active" && sight.words.length === 0 && dealing(sight)) {
    return { mood: "waiting", words: say("table.next.fair") };
  }
  const asked = /** @type {number[]} */ (view.to_act ?? []).filter((each) => each >= 0);
  const missing = asked.filter((each) => !sight.chosen.includes(each));
  if (seat !== undefined && mayChoose(sight)) {
    if (sight.choice === undefined) return { mood: "mine", words: asks ?? say("table.next.mine") };
    const others = missing.filter((each) => each !== seat);
    if (!others.length) return { mood: "chosen", words: say("table.next.reveal") };
    return { mood: "chosen", words: say("table.next.chosen", { names: inList(others.map((each) => nameOf(sight, each))) }) };
  }
  const mood = seat === undefined ? "looking" : "waiting";
  if (!missing.length) return { mood, words: say("table.next.moment") };
  return { mood, words: say("table.next.waiting", { names: inList(missing.map((each) => nameOf(sight, each))) }) };
}

/**
 * Who has won, in a sentence; a first place may be shared.
 *
 * @param {Sight} sight
 */
export function winners(sight) {
  const ranks = sight.result?.ranks ?? [];
  const first = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  if (!first.length) return say("table.next.over");
  if (first.length === ranks.length && ranks.length > 1) return say("table.result.all");
  if (first.length === 1 && first[0] === sight.seat) return say("table.result.me");
  const names = inList(first.map((each) => nameOf(sight, each)));
  return say(first.length === 1 ? "table.result.one" : "table.result.shared", { names });
}

/** @param {Sight} sight */
function dealing(sight) {
  return sight.fair.listed === undefined || sight.fair.contributions.some((/** @type {unknown} */ each) => each === null);
}
