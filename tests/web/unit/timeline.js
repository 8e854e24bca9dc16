import { Timeline } from "../api/timeline.js";
import { EMPTY_STATE, applyUpdate } from "../api/updates.js";
import { ReplaySource } from "../table/replay-source.js";
import { equal, throws } from "./assert.js";

const LENGTH = 200; // more than three checkpoint intervals

const lines = Array.from({ length: LENGTH }, (_, number) =>
  number === 0
    ? { v: 1, at: 0, room: { config: { game: "x" }, view: { sum: 0 }, log: [], hands: { 0: { hand: [4] }, 1: { hand: [5] } } } }
    : { v: number + 1, at: number, events: [{ event: "won", text: "" }], patch: { view: { sum: number } }, append: { log: [number] } },
);
const text = lines.map((line) => JSON.stringify(line)).join("\n");

/** @param {number} number */
function folded(number) {
  return lines.slice(0, number + 1).reduce((state, line) => applyUpdate(state, /** @type {any} */ (line)), EMPTY_STATE).room;
}

export const tests = {
  "every position equals a fresh fold, forwards": () => {
    const timeline = new Timeline(text);
    for (let number = 0; number < LENGTH; number += 1) equal(timeline.room(number), folded(number), `line ${number}`);
  },
  "every position equals a fresh fold, backwards": () => {
    const timeline = new Timeline(text);
    for (let number = LENGTH - 1; number >= 0; number -= 1) equal(timeline.room(number), folded(number), `line ${number}`);
  },
  "every position equals a fresh fold, in a scattered order": () => {
    const timeline = new Timeline(text);
    for (let turn = 0; turn < LENGTH; turn += 1) {
      const number = (turn * 77 + 13) % LENGTH;
      equal(timeline.room(number), folded(number), `line ${number}`);
    }
  },
  "a text without a snapshot is an error": () => {
    throws(() => new Timeline(""), RangeError);
    throws(() => new Timeline(JSON.stringify(lines[1])), RangeError);
    throws(() => new Timeline("no JSON"), SyntaxError);
  },
  "seek clamps to the first and last step": () => {
    const replay = new ReplaySource(text);
    equal([replay.seek(1e6), replay.step], [true, LENGTH - 1]);
    equal([replay.forward(), replay.step], [false, LENGTH - 1]);
    equal([replay.seek(-3), replay.step], [true, 0]);
    equal([replay.back(), replay.step], [false, 0]);
  },
  "selecting a seat merges its hand into the view": () => {
    const replay = new ReplaySource(text);
    replay.setSeat(1);
    equal([replay.room.seat, replay.room.view.hand], [1, [5]]);
    replay.setSeat(undefined);
    equal([replay.room.seat, replay.room.view.hand], [undefined, undefined]);
  },
};
