import { LitElement, css, html } from "../vendor/lit/index.js";
import { BASE } from "../live/api.js";
import { title } from "../manners/title.js";
import "../parts/top-bar.js";
import { narrow, sheet } from "../parts/sheet.js";
import { say } from "../words/say.js";

/** Where an address leads nowhere: a code of five letters that no table has, or anything else. */
export class LostPage extends LitElement {
  static properties = { address: { attribute: false } };
  static styles = [
    sheet,
    css`
      section {
        max-width: 34rem;
        margin: 12vh auto 0;
        padding: var(--space-4);
        display: grid;
        gap: var(--space-4);
        justify-items: start;
      }
    `,
    narrow,
  ];

  constructor() {
    super();
    /** @type {{path?: string}} */
    this.address = {};
  }

  connectedCallback() {
    super.connectedCallback();
    title(say("shell.lost"));
  }

  render() {
    const path = this.address.path ?? "";
    return html`<top-bar></top-bar>
      <section>
        <h1>${say("shell.lost")}</h1>
        <p>${/^[a-z]{5}$/i.test(path) ? say("shell.lost.code", { code: path.toUpperCase() }) : say("shell.lost.why")}</p>
        <a class="button main" href="${BASE}/">${say("shell.lost.home")}</a>
      </section>`;
  }
}
customElements.define("lost-page", LostPage);
