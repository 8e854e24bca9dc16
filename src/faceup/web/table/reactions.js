import { t } from "../i18n/translate.js";
import { icon } from "../ui/icons.js";
import { baseStyles, lowScreen } from "../ui/styles.js";
import { html, svg, LitElement, css } from "../vendor/lit/index.js";

/**
 * A reaction at a seat; `count` is the number of reactions of the seat so far.
 *
 * @typedef {{reaction: string, face: ReturnType<typeof reactionFace>, count: number}} ShownReaction
 */

/** The six reactions. */
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
export function reactionFace(reaction) {
  const features = FEATURES[/** @type {keyof typeof FEATURES} */ (reaction)];
  return html`<svg viewBox="0 0 36 36" width="100%" height="100%" fill="none" stroke=${INK} stroke-width="2.4"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
    <circle cx="18" cy="18" r="16.5" fill="#ffcf4a" stroke="none"/>
    <path d="M4 12a16.5 16.5 0 0 1 26-4.5C22 4 11 5 4 12Z" fill="#fff" opacity=".35" stroke="none"/>${features}</svg>`;
}

/** Reaction picker (event "react", detail: the reaction). */
export class TableReactions extends LitElement {
  static properties = { open: { state: true } };
  static styles = [
    baseStyles,
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
      }
      .faces button:hover {
        transform: scale(1.14);
        box-shadow: none;
      }
      .opener {
        padding: 0;
      }
      @media ${lowScreen} {
        .faces {
          inset: calc(100% + var(--space-2)) 0 auto auto;
        }
        .opener {
          background: none;
          box-shadow: none;
        }
      }
    `,
  ];

  /** @param {Event} event */
  #closeOutside = (event) => {
    if (!event.composedPath().includes(this)) this.open = false;
  };

  /** @param {KeyboardEvent} event */
  #onKey = (event) => {
    if (event.key !== "Escape" || !this.open) return;
    event.stopImmediatePropagation();
    this.open = false;
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".opener"))?.focus();
  };

  constructor() {
    super();
    this.open = false;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("pointerdown", this.#closeOutside);
    addEventListener("keydown", this.#onKey, true); // before the shortcuts of the game, wherever the focus is
  }

  disconnectedCallback() {
    removeEventListener("pointerdown", this.#closeOutside);
    removeEventListener("keydown", this.#onKey, true);
    super.disconnectedCallback();
  }

  render() {
    return html`<button class="opener" aria-haspopup="true" aria-expanded=${this.open} aria-label=${t("table.react")} title=${t("table.react")}
        @click=${() => (this.open = !this.open)}>${icon("smile", 26)}</button>
      ${this.open
        ? html`<div class="faces" role="group" aria-label=${t("table.react")}>
            ${REACTIONS.map((each) => {
              const words = t(`table.react.${each}`);
              return html`<button class="flat" aria-label=${words} title=${words} @click=${() => this.#react(each)}>${reactionFace(each)}</button>`;
            })}
          </div>`
        : ""}`;
  }

  /** @param {string} reaction */
  #react(reaction) {
    this.open = false;
    this.dispatchEvent(new CustomEvent("react", { detail: reaction }));
  }
}
customElements.define("table-reactions", TableReactions);
