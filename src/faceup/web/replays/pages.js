/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/t\/(?<table>[\w-]+)\/replay$/, element: "replay-page", words: ["replay"], load: () => import("./replay.js") },
  { address: /^\/replay$/, element: "replay-page", words: ["replay"], load: () => import("./replay.js") },
];
