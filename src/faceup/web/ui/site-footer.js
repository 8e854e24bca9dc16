import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { SITE } from "../api/site.js";
import { hasTranslation, t } from "../i18n/translate.js";
import { LanguageController } from "./controllers.js";
import { baseStyles } from "./styles.js";

/** Links of the site at the end of the pages that have its bar: who runs it, and what it stores. */
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
    if (!hasTranslation("shell.footer")) return nothing; // at a table, which has no footer
    const link = (/** @type {string | undefined} */ address, /** @type {string} */ key) => (address ? html`<a href=${address}>${t(key)}</a>` : nothing);
    return html`<nav aria-label=${t("shell.footer")}>
      ${link(`${BASE}/about`, "shell.footer.about")} ${link(SITE.imprint, "shell.footer.imprint")} ${link(SITE.privacy ?? `${BASE}/privacy`, "shell.footer.privacy")}
      ${link(SITE.terms, "shell.footer.terms")} ${link(SITE.contact, "shell.footer.contact")}
    </nav>`;
  }
}
customElements.define("site-footer", SiteFooter);
