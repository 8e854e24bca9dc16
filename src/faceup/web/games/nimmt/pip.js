import { HEAD } from "../../art/bull.js";
import { svg } from "../../vendor/lit/index.js";

/** One head, as high as the text beside it. */
export const PIP = svg`<svg class="pip" viewBox="0 0 24 24" aria-hidden="true"><path d=${HEAD} fill="currentColor"/></svg>`;
