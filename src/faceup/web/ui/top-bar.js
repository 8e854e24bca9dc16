import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { serverInfo } from "../api/server-info.js";
import { SITE } from "../api/site.js";
import { personName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { EventController, LanguageController } from "./controllers.js";
import { icon } from "./icons.js";
import "./scroll-position.js"; // of pages that scroll, which are those with this bar
import { narrowStyles, baseStyles } from "./styles.js";

/** Header of the site, with the logo, the navigation and the account. */
export class TopBar extends LitElement {
  static properties = { here: {} };
  static styles = [
    baseStyles,
    css`
      nav {
        display: flex;
        flex-wrap: wrap; /* only of large text */
        align-items: center;
        gap: var(--space-1);
        max-width: 72rem;
        margin: 0 auto;
        padding: var(--space-2) var(--space-4);
        min-height: 60px;
      }
      .name {
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
      .turns {
        align-self: start;
        margin: 4px 0 0 -20px;
        min-width: 22px;
        padding: 0 6px;
        border-radius: 99px;
        font: 800 13px/22px var(--figures);
        text-align: center;
        letter-spacing: 0;
        color: var(--on-accent);
        background: var(--accent);
        box-shadow: 0 0 0 2px var(--paper);
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
      }
      .me {
        max-width: 9.5rem;
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
          flex: 1 1 3rem; /* the name is cut before the button wraps */
          max-width: max-content;
        }
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    this.here = "";
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
  }

  connectedCallback() {
    super.connectedCallback();
    document.body.classList.add("withFooter");
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.body.classList.remove("withFooter");
  }

  /** @param {string} path @param {string} words */
  #to(path, words, extra = "") {
    return html`<a class="to ${extra}" href=${BASE + path} aria-current=${this.here === path ? "page" : nothing}><span class=${extra && "cut"}>${words}</span></a>`;
  }

  async #settings() {
    (await import("./dialogs.js")).openSettings();
  }

  render() {
    const { turns } = serverInfo;
    return html`<nav aria-label=${t("shell.nav")}>
      <a class="name aligned" href="${BASE}/" aria-label=${turns ? t("shell.home.turns", { count: turns }) : t("shell.home")}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect x="3" y="6" width="16" height="22" rx="3" fill="var(--felt-deep)" transform="rotate(-12 11 17)" />
          <rect x="11" y="4" width="17" height="23" rx="3" fill="var(--card)" transform="rotate(8 19 15)" />
          <path d="M20 21c-2.6 0-3.6-2.6-3.6-4.4 0-2.6 1.700-3.500 3.600-3.500s3.600.9 3.600 3.500c0 1.800-1 4.400-3.600 4.400zm-3.700-6.300c-2.600 0-3.500-1.800-3.500-3.500.9.9 2.600.9 3.500 1.800m7.400 1.700c2.600 0 3.500-1.800 3.500-3.500-.9.9-2.600.9-3.500 1.800" fill="var(--heads-5)" />
        </svg>
        ${turns ? html`<b class="turns" aria-hidden="true">${turns}</b>` : nothing}
        <span class="cut" aria-hidden="true">${SITE.name}</span>
      </a>
      ${this.#to("/learn", t("shell.rules"))} ${this.#to("/ladder", t("shell.ladder"))}
      ${this.#to("/me", serverInfo.player ? personName(serverInfo.player.name) : t("shell.account_link"), "me")}
      <button class="quiet soft" aria-label=${t("ui.settings")} aria-haspopup="dialog" @click=${this.#settings}>${icon("gear")}</button>
    </nav>`;
  }
}
customElements.define("top-bar", TopBar);
