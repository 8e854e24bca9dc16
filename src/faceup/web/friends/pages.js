/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/friends$/, element: "friends-page", words: ["shell", "friends"], load: () => import("./friends.js") },
];
