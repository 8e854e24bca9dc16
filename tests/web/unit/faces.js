import { faceOf, seatColours } from "../art/faces.js";
import { equal } from "./assert.js";

const person = (/** @type {string} */ face) => ({ name: "Ann", kind: "person", face });

export const tests = {
  "faces are those that the server draws": () => {
    // As `faceup.server.rooms.faces.face_of` returns them.
    equal(faceOf(person("fox-3")), { drawing: "fox", colour: 3 });
    equal(faceOf({ name: "Ann", kind: "person", handle: "v0opqzLxmIBw" }), { drawing: "rabbit", colour: 9 });
    equal(faceOf({ name: "Clover 2", kind: "gentle" }), { drawing: "clover", colour: 7 });
    equal(faceOf({ name: "Goofbot", kind: "goofy" }), { drawing: "computer", colour: 4 });
    equal(faceOf({ name: "小明", kind: "person" }), { drawing: "unicorn", colour: 3 });
  },
  "a seat has the colour of its player's face": () => {
    equal(seatColours([person("fox-3"), person("owl-0")]), [3, 0]);
  },
  "seats with equal colours differ": () => {
    equal(seatColours([person("fox-3"), person("owl-3"), person("cow-0"), null]), [3, 1, 0, 2]);
    equal(new Set(seatColours(Array.from({ length: 10 }, () => person("fox-3")))).size, 10);
  },
};
