/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute} */
export const notFound = { address: /^\/(?<path>.*)$/, element: "not-found-page", words: ["shell"], load: () => import("./not-found.js") };

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/$/, element: "home-page", words: ["shell"], load: () => import("./home.js") },
  { address: /^\/new$/, element: "create-table-page", words: ["shell"], load: () => import("./create-table.js") },
];
