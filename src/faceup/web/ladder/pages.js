/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/ladder$/, element: "ladder-page", words: ["shell"], load: () => import("./ladder.js") },
];
