import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../live/api.js";
import { house } from "../live/house.js";
import { say } from "../words/say.js";
import { icon } from "./icons.js";
import { narrow, sheet } from "./sheet.js";

/** The name of the house, and the ways from it. */
export class TopBar extends LitElement {
  static properties = { here: {} };
  static styles = [
    sheet,
    css`
      nav {
        display: flex;
        align-items: center;
        gap: var(--space-1);
        max-width: 72rem;
        margin: 0 auto;
        padding: var(--space-2) var(--space-4);
        min-height: 60px;
      }
      .name {
        display: flex;
        align-items: center;
        gap: 10px;
        font-size: var(--text-2);
        font-weight: 800;
        letter-spacing: -0.03em;
        color: var(--ink);
        text-decoration: none;
        min-height: var(--target);
        margin-inline-end: auto;
        border-radius: var(--radius-small);
      }
      .name svg {
        width: 34px;
        height: 34px;
        filter: drop-shadow(0 2px 4px rgb(var(--shade) / 0.25));
      }
      a.to {
        display: inline-flex;
        align-items: center;
        gap: var(--space-2);
        min-height: var(--target);
        min-width: var(--target);
        justify-content: center;
        padding: 0 var(--space-3);
        color: var(--ink);
        text-decoration: none;
        font-weight: 600;
        border-radius: var(--radius-small);
      }
      a.to:hover,
      a[aria-current] {
        background: var(--sunken);
      }
      nav button {
        padding: 0;
        color: var(--ink-soft);
      }
      .me {
        max-width: 9.5rem;
      }
      .me span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        unicode-bidi: isolate;
      }
      @media (max-width: 30rem) {
        nav {
          padding: var(--space-2);
        }
        .name span {
          display: none;
        }
        a.to {
          padding: 0 var(--space-2);
          font-size: var(--text--1);
        }
        .me {
          max-width: 7rem;
        }
      }
    `,
    narrow,
  ];

  #news = () => this.requestUpdate();

  constructor() {
    super();
    this.here = "";
  }

  connectedCallback() {
    super.connectedCallback();
    house.addEventListener("news", this.#news);
    addEventListener("language", this.#news);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    house.removeEventListener("news", this.#news);
    removeEventListener("language", this.#news);
  }

  /** @param {string} path @param {string} words */
  #to(path, words, extra = "") {
    return html`<a class="to ${extra}" href=${BASE + path} aria-current=${this.here === path ? "page" : nothing}><span>${words}</span></a>`;
  }

  async #settings() {
    (await import("../manners/dialogs.js")).openSettings();
  }

  render() {
    return html`<nav aria-label=${say("shell.nav")}>
      <a class="name" href="${BASE}/" aria-label=${say("shell.home")}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect x="3" y="6" width="16" height="22" rx="3" fill="var(--felt-deep)" transform="rotate(-12 11 17)" />
          <rect x="11" y="4" width="17" height="23" rx="3" fill="var(--card)" transform="rotate(8 19 15)" />
          <path d="M20 21c-2.6 0-3.6-2.6-3.6-4.4 0-2.6 1.700-3.500 3.600-3.500s3.600.9 3.600 3.500c0 1.800-1 4.400-3.600 4.400zm-3.700-6.300c-2.600 0-3.500-1.800-3.500-3.500.9.9 2.600.9 3.500 1.800m7.400 1.700c2.600 0 3.500-1.800 3.500-3.500-.9.9-2.600.9-3.500 1.800" fill="var(--heads-5)" />
        </svg>
        <span aria-hidden="true">faceup</span>
      </a>
      ${this.#to("/learn", say("shell.rules"))} ${this.#to("/ladder", say("shell.ladder"))}
      ${this.#to("/me", house.you?.name ?? say("shell.me"), "me")}
      <button class="quiet" aria-label=${say("manners.settings")} aria-haspopup="dialog" @click=${this.#settings}>${icon("gear")}</button>
    </nav>`;
  }
}
customElements.define("top-bar", TopBar);
