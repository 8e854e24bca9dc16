import { svg } from "../vendor/lit/index.js";

/** The flame of a streak, without an accessible name. */
export const flame = svg`<svg class="flame" viewBox="0 0 24 24" aria-hidden="true">
  <path d="M12.6 1.5c.6 3.9 6.9 6.4 6.9 13.1a7.5 7.5 0 0 1-15 0c0-3.3 1.7-5.6 3.5-7.5.2 1.8.9 3 2 3.6-.5-4 .3-7.1 2.6-9.2Z" fill="#e8622a" />
  <path d="M12.3 10.4c.4 2.3 3.5 3.4 3.5 6.8a3.8 3.8 0 0 1-7.6 0c0-1.7.8-2.9 1.8-3.8.2.9.5 1.4 1.1 1.7-.2-1.8.2-3.5 1.2-4.7Z" fill="#ffc94d" /></svg>`;
