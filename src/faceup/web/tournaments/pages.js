/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/tournaments$/, element: "tournaments-page", words: ["shell", "tournaments"], load: () => import("./tournaments.js") },
  { address: /^\/tournaments\/(?<tournament>[\w-]+)$/, element: "tournament-page", words: ["shell", "tournaments"], load: () => import("./tournament.js") },
];
