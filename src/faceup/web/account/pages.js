/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/players\/(?<handle>[^/]+)$/, element: "player-page", words: ["shell"], load: () => import("./player.js") },
  { address: /^\/me$/, element: "account-page", words: ["shell"], load: () => import("./account.js") },
  { address: /^\/password$/, element: "password-page", words: ["shell"], load: () => import("./password.js") },
];
