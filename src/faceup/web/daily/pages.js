/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/daily(\/(?<date>\d{4}-\d\d-\d\d))?$/, element: "daily-page", words: ["shell", "daily"], load: () => import("./daily.js") },
];
