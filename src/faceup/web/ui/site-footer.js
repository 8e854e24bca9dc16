import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { SITE } from "../api/site.js";
import { loadNamespaces, t } from "../i18n/translate.js";
import { LanguageController } from "./controllers.js";
import { baseStyles } from "./styles.js";

/** Links of the site at the end of its pages: who runs it, and what it stores. */
class SiteFooter extends LitElement {
  static styles = [
    baseStyles,
    css`
      nav {
        display: flex;
        flex-wrap: wrap;
        justify-content: center;
        gap: 0 var(--space-4);
        max-width: 72rem;
        margin: 0 auto;
        padding: var(--space-4) var(--space-4) var(--space-5);
        font-size: var(--text--1);
      }
      a {
        display: inline-flex;
        align-items: center;
        min-height: var(--target);
        color: var(--soft);
      }
    `,
  ];

  constructor() {
    super();
    new LanguageController(this);
  }

  render() {
    const link = (/** @type {string | undefined} */ address, /** @type {string} */ key) => (address ? html`<a href=${address}>${t(key)}</a>` : nothing);
    return html`<nav aria-label=${t("about.footer")}>
      ${link(`${BASE}/about`, "about.link")} ${link(SITE.imprint, "about.imprint")} ${link(SITE.privacy ?? `${BASE}/privacy`, "about.privacy")}
      ${link(SITE.terms, "about.terms")} ${link(SITE.contact, "about.contact")}
    </nav>`;
  }
}
customElements.define("site-footer", SiteFooter);

/** Show the footer below the page that is shown, if that page has the bar of the site. */
export async function showFooter() {
  await loadNamespaces("about");
  const bar = document.querySelector("main > *")?.shadowRoot?.querySelector("top-bar");
  if (bar && !document.querySelector("body > site-footer")) document.body.append(document.createElement("site-footer"));
}
