/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/puzzles(\/(?<puzzle>\w+))?$/, element: "puzzles-page", words: ["shell", "puzzles"], load: () => Promise.all([import("./puzzles.js"), import("../games/nimmt/nimmt-table.js")]) },
];
