/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/about$/, element: "about-page", words: ["shell", "about"], load: () => import("./about.js") },
  { address: /^\/privacy$/, element: "privacy-page", words: ["shell", "about"], load: () => import("./privacy.js") },
];
