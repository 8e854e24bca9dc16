import { estimateWinChance } from "./win-chance.js";

// A web worker that estimates win chances, so that estimates do not block the page.
addEventListener("message", ({ data: { number, view, options, until } }) => {
  postMessage({ number, ...estimateWinChance(view, options, until) });
});
