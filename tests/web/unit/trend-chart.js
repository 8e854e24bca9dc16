import { movingMean, niceTop } from "../account/trend-chart.js";
import { equal } from "./assert.js";

/** @param {number} score @param {number} [games] */
const point = (score, games = 1) => ({ games, until: 0, score, wins: 0 });

export const tests = {
  "the line is the mean of all games near a part"() {
    equal(movingMean([point(4), point(4)], "score"), [4, 4]);
    equal(movingMean([point(0, 3), point(8)], "score"), [2, 2]);
    equal(movingMean([0, 0, 5, 0, 0, 0].map((score) => point(score)), "score"), [5 / 3, 5 / 4, 1, 1, 5 / 4, 0]);
  },

  "the scale ends at an even number"() {
    equal([0, 0.3, 1.5, 7, 9, 10, 11, 66, 100, 101].map(niceTop), [2, 2, 2, 8, 10, 20, 20, 80, 200, 200]);
  },
};
