import { total } from "../art/heads.js";
import { say } from "../words/say.js";

/** @import { Sight, Told } from "../live/types.js" */

/**
 * What to say to the learner: what became of the last choice, and what to look at now.
 *
 * @typedef {{happened: string[], now: string, mood: "asleep" | "awake" | "cross"}} Teaching
 */

/** Turns after which there is nothing new to be said. */
const TURNS = 4;

/**
 * @param {Sight} sight
 * @param {Told | null} told what has just happened
 * @returns {Teaching}
 */
export function teaching(sight, told) {
  const happened = told ? told.events.flatMap((event) => said(event, sight, told.before)) : [];
  const { view } = sight;
  const mine = view.heads[sight.seat ?? 0];
  if (sight.status === "finished") {
    const best = Math.min(...view.heads);
    return {
      happened,
      now: say(mine === best ? "learn.try.won" : "learn.try.over", { count: mine, best }),
      mood: mine === best ? "asleep" : "awake",
    };
  }
  if (view.waiting.length) return { happened, now: say("learn.try.row", { card: view.waiting[0][0] }), mood: "cross" };
  const turn = Math.min(TURNS, view.log.length + 1);
  const low = Math.min(...view.hand) < Math.min(...view.rows.map((/** @type {number[]} */ row) => row.at(-1)));
  return { happened, now: turn === 3 && !low ? say("learn.try.3.safe") : say(`learn.try.${turn}`, { card: view.hand[0] }), mood: MOODS[turn - 1] };
}

/** @type {Teaching["mood"][]} */
const MOODS = ["asleep", "awake", "cross", "awake"];

/**
 * @param {import("../live/types.js").TableEvent} event
 * @param {Sight} sight
 * @param {Sight | null} before
 */
function said(event, sight, before) {
  const me = event.seat === sight.seat;
  const name = sight.seats[event.seat]?.name ?? "";
  if (event.event === "placed" && me) return [say("learn.try.placed", { ...event, tail: tailOf(event, sight, before), row: event.row + 1 })];
  if (event.event !== "took") return [];
  const count = total(event.cards);
  const how = event.chosen ? "chose" : "sixth";
  return [say(`learn.try.${me ? "you" : "they"}.${how}`, { name, card: event.card, row: event.row + 1, count })];
}

/**
 * The card that a card was laid beside.
 *
 * @param {Record<string, any>} event
 * @param {Sight} sight
 * @param {Sight | null} before
 */
function tailOf({ card, row }, sight, before) {
  const cards = [...(before?.view.rows[row] ?? []), ...sight.view.rows[row]].filter((each) => each < card);
  return Math.max(...cards);
}
