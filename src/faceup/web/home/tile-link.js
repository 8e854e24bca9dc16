import { LitElement, css, html } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { icon } from "../ui/icons.js";
import { cardLinkStyles } from "../ui/list-styles.js";
import { baseStyles } from "../ui/styles.js";

/** Link on the home page to a page of the site, with an icon and a sentence. */
export class TileLink extends LitElement {
  static properties = { path: {}, name: {}, summary: {}, picture: {} };
  static styles = [
    baseStyles,
    cardLinkStyles,
    css`
      .picture {
        display: grid;
        place-items: center;
        width: 2.875rem;
        height: 3.25rem;
      }
    `,
  ];

  constructor() {
    super();
    this.path = "";
    this.name = "";
    this.summary = "";
    /** @type {import("../ui/icons.js").Icon} */
    this.picture = "eye";
  }

  render() {
    return html`<a class="aligned tile" href=${BASE + this.path}>
      <span class="picture rigid" aria-hidden="true">${icon(this.picture, 34)}</span>
      <span class="words grow"><b>${this.name}</b><span>${this.summary}</span></span>
      <span class="go">${icon("next")}</span>
    </a>`;
  }
}
customElements.define("tile-link", TileLink);
