import { LitElement, css, html } from "../vendor/lit/index.js";
import { icon } from "../ui/icons.js";
import { baseStyles } from "../ui/styles.js";

/** Message above the table, such as a lost connection. */
export class TableBanner extends LitElement {
  static properties = { words: { reflect: true }, lost: { type: Boolean, reflect: true }, info: { type: Boolean, reflect: true } };
  static styles = [
    baseStyles,
    css`
      p {
        display: flex;
        align-items: center;
        gap: var(--space-3);
        padding: var(--space-2) var(--space-4);
        height: 100%;
        min-height: var(--target);
        border-radius: 1.8125rem;
        font-weight: 600;
        line-height: 1.2;
        color: var(--ink);
        background: var(--surface);
        box-shadow: var(--high);
        --from: -12px;
        animation: enter var(--move) var(--ease);
      }
      :host([lost]) p {
        color: #2a1a00;
        background: #ffc940;
      }
      :host([info]) p {
        font-weight: 400;
        line-height: inherit;
        min-height: 0;
        font-size: var(--text--1);
        color: var(--ink-soft);
        box-shadow: none;
        background: none;
        padding: 0 var(--space-2);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {string | undefined} */
    this.words = undefined;
    this.lost = false;
    /** Whether the message informs about a normal state, and not about a problem. */
    this.info = false;
  }

  render() {
    return this.words ? html`<p>${icon(this.info ? "eye" : "alert")}<span>${this.words}</span><slot></slot></p>` : "";
  }
}
customElements.define("table-banner", TableBanner);
