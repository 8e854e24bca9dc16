import { EMPTY_STATE, applyPatch, applyUpdate } from "../api/updates.js";
import { equal, throws } from "./assert.js";

// The test cases of RFC 7396, appendix A: target, patch, result.
const RFC_7396 = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [["a", "b"], ["c", "d"], ["c", "d"]],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

const snapshot = { v: 1, at: 5, room: { a: 1, log: [1] } };

export const tests = {
  "patches follow RFC 7396": () => {
    for (const [target, patch, result] of RFC_7396) equal(applyPatch(target, patch), result, JSON.stringify([target, patch]));
  },
  "a patch modifies neither argument": () => {
    const [target, patch] = [{ a: { b: [1] } }, { a: { c: 2 } }];
    applyPatch(target, patch);
    equal([target, patch], [{ a: { b: [1] } }, { a: { c: 2 } }]);
  },
  "an update patches the view and appends to its lists": () => {
    const first = applyUpdate(EMPTY_STATE, snapshot);
    const second = applyUpdate(first, { v: 2, at: 9, events: [], patch: { a: 2 }, append: { log: [2, 3] } });
    equal(second, { v: 2, at: 9, room: { a: 2, log: [1, 2, 3] } });
    equal(first.room, snapshot.room, "the earlier state");
  },
  "a missing line is an error": () => {
    const first = applyUpdate(EMPTY_STATE, snapshot);
    throws(() => applyUpdate(first, { v: 3, at: 9, events: [], patch: {} }), RangeError);
    throws(() => applyUpdate(first, { v: 1, at: 9, events: [], patch: {} }), RangeError);
  },
  "a snapshot replaces the state": () => {
    const first = applyUpdate(EMPTY_STATE, snapshot);
    equal(applyUpdate(first, { v: 7, at: 8, room: { b: 1 } }), { v: 7, at: 8, room: { b: 1 } });
  },
};
