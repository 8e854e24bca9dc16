/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/t\/(?<table>[\w-]+)$/, element: "table-page", words: [], load: () => import("./table-page.js") },
];
