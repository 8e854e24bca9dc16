/** @import { PageRoute } from "../pages.js" */

/** @type {PageRoute[]} */
export const pages = [
  { address: /^\/party\/join\/(?<key>\w+)$/, element: "party-join-page", words: ["shell", "party"], load: () => import("./party-join.js") },
  { address: /^\/party\/(?<party>\w+)\/podium$/, element: "party-podium-page", words: ["shell", "party"], load: () => import("./party-podium.js") },
  { address: /^\/party\/(?<party>\w+)$/, element: "party-page", words: ["shell", "party"], load: () => import("./party.js") },
];
