/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/learn(\/(?<game>\w+))?$/, element: "learn-page", words: ["shell", "learn"], load: () => import("./learn.js") },
];
