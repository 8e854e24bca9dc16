import { LitElement, css, html } from "../vendor/lit/index.js";
import { icon } from "../parts/icons.js";
import { sheet } from "../parts/sheet.js";
import { say } from "../words/say.js";
import { REACTIONS, face } from "./faces.js";

/** Six faces to show the others (event "react", detail: which). */
export class TableReactions extends LitElement {
  static properties = { open: { state: true } };
  static styles = [
    sheet,
    css`
      :host {
        position: relative;
      }
      .faces {
        position: absolute;
        z-index: 5;
        right: 0;
        bottom: calc(100% + var(--space-2));
        display: grid;
        grid-template-columns: repeat(3, 52px);
        gap: var(--space-1);
        padding: var(--space-2);
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--highest);
      }
      .faces button {
        width: 52px;
        height: 52px;
        padding: 8px;
        background: none;
        box-shadow: none;
      }
      .faces button:hover {
        transform: scale(1.14);
        box-shadow: none;
      }
      .opener {
        padding: 0;
      }
    `,
  ];

  /** @param {Event} event */
  #elsewhere = (event) => {
    if (!event.composedPath().includes(this)) this.open = false;
  };

  constructor() {
    super();
    this.open = false;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("pointerdown", this.#elsewhere);
  }

  disconnectedCallback() {
    removeEventListener("pointerdown", this.#elsewhere);
    super.disconnectedCallback();
  }

  render() {
    return html`<button class="opener" aria-haspopup="true" aria-expanded=${this.open} aria-label=${say("table.react")} title=${say("table.react")}
        @click=${() => (this.open = !this.open)}>${icon("smile", 26)}</button>
      ${this.open
        ? html`<div class="faces" role="group" aria-label=${say("table.react")} @keydown=${this.#key}>
            ${REACTIONS.map((each) => {
              const words = say(`table.react.${each}`);
              return html`<button aria-label=${words} title=${words} @click=${() => this.#react(each)}>${face(each)}</button>`;
            })}
          </div>`
        : ""}`;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Escape") return;
    this.open = false;
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".opener"))?.focus();
  }

  /** @param {string} reaction */
  #react(reaction) {
    this.open = false;
    this.dispatchEvent(new CustomEvent("react", { detail: reaction }));
  }
}
customElements.define("table-reactions", TableReactions);
