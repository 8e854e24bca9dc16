/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/watch$/, element: "watch-page", words: ["shell", "watch"], load: () => import("./watch.js") },
];
