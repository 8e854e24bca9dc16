import { html, svg } from "../vendor/lit/index.js";

/** The six reactions, as faces of our own. */
export const REACTIONS = ["bravo", "ouch", "phew", "hmm", "hurry", "thanks"];

const INK = "#3b2a06";

const FEATURES = {
  bravo: svg`<path d="m11.5 12 1.3 2.7 3 .4-2.2 2 .6 2.9-2.7-1.5-2.7 1.5.6-2.9-2.2-2 3-.4ZM24.5 12l1.3 2.7 3 .4-2.2 2 .6 2.9-2.7-1.5-2.7 1.5.6-2.9-2.2-2 3-.4Z" fill=${INK}/><path d="M10.5 23.5a8 8 0 0 0 15 0Z" fill=${INK}/>`,
  ouch: svg`<path d="m9.5 12.5 5 2.7-5 2.7M26.5 12.5l-5 2.7 5 2.7"/><path d="M11 26.5c1.8-3 2.8 1 4.7-1s2.8 1 4.7-1 2.8 1 4.6-1"/>`,
  phew: svg`<path d="M10 16c1-1.6 4-1.6 5 0M21 16c1-1.6 4-1.6 5 0M14 25h8"/><path d="M29.5 5.5c2.6 3.3 3.4 4.6 3.4 6.1a3.4 3.4 0 0 1-6.8 0c0-1.5.8-2.8 3.4-6.1Z" fill="#5bb4f0" stroke="none"/>`,
  hmm: svg`<path d="M9.5 11.5l5 1.2M21.5 10.5c1.5-1.7 3.5-1.7 5 0"/><path d="M12.5 16.5h.01M24 16h.01" stroke-width="4.2"/><path d="M13.5 26c3-2 6-2 9 .3"/>`,
  hurry: svg`<circle cx="18" cy="18.5" r="9.5" fill="#fffaf0"/><path d="M18 12.5v6l4 2.5M15 4.5h6M18 4.5v4"/>`,
  thanks: svg`<path d="M18 28.5C8.5 22.5 8 17 10 14.3c2-2.7 6-2.3 8 1.2 2-3.5 6-3.9 8-1.2 2 2.7 1.5 8.2-8 14.2Z" fill="#d6322a" stroke="none"/>`,
};

/** @param {string} reaction one of REACTIONS */
export function face(reaction) {
  const features = FEATURES[/** @type {keyof typeof FEATURES} */ (reaction)];
  return html`<svg viewBox="0 0 36 36" width="100%" height="100%" fill="none" stroke=${INK} stroke-width="2.4"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
    <circle cx="18" cy="18" r="16.5" fill="#ffcf4a" stroke="none"/>
    <path d="M4 12a16.5 16.5 0 0 1 26-4.5C22 4 11 5 4 12Z" fill="#fff" opacity=".35" stroke="none"/>${features}</svg>`;
}
