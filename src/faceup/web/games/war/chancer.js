import { chance } from "./chance.js";

// Works beside the page, so that no estimate holds up a card.
addEventListener("message", ({ data: { number, view, options, until } }) => {
  postMessage({ number, ...chance(view, options, until) });
});
