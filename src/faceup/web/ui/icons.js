import { html, svg } from "../vendor/lit/index.js";

/** Icons of 24 by 24 in the colour of the text. Every icon has a label next to it. Those of one page are drawn there. */
const PATHS = {
  people: svg`<circle cx="9" cy="8.5" r="3.2"/><path d="M3.5 19c0-3.300 2.400-5.5 5.5-5.5s5.5 2.200 5.5 5.5M15.5 5.600a3.2 3.2 0 0 1 0 5.800M17.200 14c2 .8 3.300 2.600 3.300 5"/>`,
  home: svg`<path d="M4 11.5 12 4.5l8 7M6.5 9.8V19.5h11V9.8M10 19.5v-5h4v5"/>`,
  more: svg`<path d="M5.5 12h.01M12 12h.01M18.5 12h.01" stroke-width="3.4"/>`,
  close: svg`<path d="M6 6l12 12M18 6 6 18"/>`,
  check: svg`<path d="M5 12.8 9.8 17.5 19 7.2" stroke-width="3"/>`,
  dots: svg`<path d="M6 12h.01M12 12h.01M18 12h.01" stroke-width="4"/>`,
  moon: svg`<path d="M18.8 14.6A7.6 7.6 0 0 1 9.4 5.2a7.6 7.6 0 1 0 9.4 9.4Z" fill="currentColor"/>`,
  robot: svg`<rect x="5" y="8.5" width="14" height="10.5" rx="3"/><path d="M12 8.5V5M9.5 13h.01M14.5 13h.01" stroke-width="2.6"/>`,
  star: svg`<path d="m12 4 2.4 5 5.5.7-4 3.8 1 5.5-4.9-2.7L7.1 19l1-5.5-4-3.8 5.5-.7Z" fill="currentColor"/>`,
  pause: svg`<path d="M8.5 6v12M15.5 6v12" stroke-width="3.2"/>`,
  hand: svg`<rect x="8" y="6" width="8" height="12" rx="1.6"/><path d="m5.6 8.2-1.9.7a1.3 1.3 0 0 0-.8 1.7l2.6 7M18.4 8.2l1.9.7a1.3 1.3 0 0 1 .8 1.7l-2.6 7"/>`,
  link: svg`<path d="M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1"/>`,
  offline: svg`<path d="M3 3l18 18M5 12.5a10 10 0 0 1 4-2.5M19 12.5a10 10 0 0 0-6-3M8.5 16a5 5 0 0 1 7 0M12 19.5h.01"/>`,
  coach: svg`<path d="M4 8.5 12 5l8 3.5-8 3.5ZM7.5 10.5v4.2c2.6 2 6.4 2 9 0v-4.2M20 8.5v5"/>`,
  play: svg`<path d="M8 5.5v13l10.5-6.5Z" fill="currentColor"/>`,
  gear: svg`<circle cx="12" cy="12" r="3.1"/><path d="M12 3.5v3M12 17.5v3M3.5 12h3M17.5 12h3M6 6l2.1 2.1M15.9 15.9 18 18M18 6l-2.1 2.1M8.1 15.9 6 18"/>`,
  sound: svg`<path d="M4.5 9.5v5h3.3L12.5 18.5v-13L7.8 9.5Z" fill="currentColor"/><path d="M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11"/>`,
  silent: svg`<path d="M4.5 9.5v5h3.3L12.5 18.5v-13L7.8 9.5Z" fill="currentColor"/><path d="m16 9.5 5 5M21 9.5l-5 5"/>`,
  list: svg`<path d="M5 7h14M5 12h14M5 17h9"/>`,
  smile: svg`<circle cx="12" cy="12" r="8"/><path d="M9 10h.01M15 10h.01" stroke-width="2.6"/><path d="M8.5 14a4.2 4.2 0 0 0 7 0"/>`,
  eye: svg`<path d="M3 12s3.3-6 9-6 9 6 9 6-3.3 6-9 6-9-6-9-6Z"/><circle cx="12" cy="12" r="2.6"/>`,
  alert: svg`<path d="M12 4 21 19.5H3Z"/><path d="M12 10v4M12 16.8h.01" stroke-width="2.4"/>`,
  clock: svg`<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>`,
  back: svg`<path d="M14.5 5.5 8 12l6.5 6.5"/>`,
  next: svg`<path d="M9.5 5.5 16 12l-6.5 6.5"/>`,
  again: svg`<path d="M18.5 8.5A7.5 7.5 0 1 0 19.5 13M19 4v5h-5"/>`,
  flag: svg`<path d="M6.5 20V4.5M6.5 5.5c4-2 7 2 11 0v8c-4 2-7-2-11 0"/>`,
  leave: svg`<path d="M13.5 5H6v14h7.5M10.5 12H20M16.5 8.5 20 12l-3.5 3.5"/>`,
  screen: svg`<rect x="3.5" y="5" width="17" height="11.5" rx="2"/><path d="M9 20h6"/>`,
  shield: svg`<path d="M12 3.5 19 6v5.5c0 4.3-2.9 7.3-7 9-4.1-1.7-7-4.7-7-9V6Z"/><path d="m8.8 12 2.3 2.3 4.2-4.6"/>`,
  film: svg`<rect x="3.5" y="6" width="17" height="12" rx="2"/><path d="m10.5 9.5 4 2.5-4 2.5Z" fill="currentColor"/>`,
  share: svg`<circle cx="6.5" cy="12" r="2.6"/><circle cx="17" cy="6" r="2.6"/><circle cx="17" cy="18" r="2.6"/><path d="m8.8 10.7 5.9-3.400M8.8 13.3l5.9 3.400"/>`,
};

/** @typedef {keyof typeof PATHS} Icon */

/**
 * Render an icon, which is hidden from screen readers.
 *
 * @param {Icon} name
 * @param {number} [size] see `drawIcon`
 */
export function icon(name, size) {
  return drawIcon(PATHS[name], size);
}

/**
 * Render an icon from its lines.
 *
 * @param {import("../vendor/lit/index.js").SVGTemplateResult} lines
 * @param {number} [size] in pixels, at the usual size of text
 */
export function drawIcon(lines, size = 22) {
  return html`<svg viewBox="0 0 24 24" width="${size / 16}rem" height="${size / 16}rem" fill="none" stroke="currentColor" stroke-width="2"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${lines}</svg>`;
}
