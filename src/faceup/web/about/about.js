import { LitElement, html, nothing } from "../vendor/lit/index.js";
import { BASE, request } from "../api/http.js";
import { SITE } from "../api/site.js";
import { LanguageController } from "../ui/controllers.js";
import { setPageTitle } from "../ui/page-title.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import { labelled } from "../i18n/format.js";
import { errorMessage } from "../i18n/errors.js";
import { t } from "../i18n/translate.js";
import { articleStyles } from "./article-styles.js";

/** @import { About } from "../api/http-types.js" */

/** Who runs the site, and with which program. */
export class AboutPage extends LitElement {
  static properties = { about: { state: true }, error: { state: true } };
  static styles = [baseStyles, articleStyles, narrowStyles];

  constructor() {
    super();
    /** @type {About | null} */
    this.about = null;
    this.error = "";
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("shell.footer.about"));
    request("GET", "/api/about").then((about) => (this.about = about), (error) => (this.error = errorMessage(error)));
  }

  /** @param {About} about */
  #render({ version, source, licence, licences, contact, imprint, privacy, terms, minimum_age: age }) {
    const links = [
      [source, t("about.source")],
      [imprint, t("shell.footer.imprint")],
      [privacy || `${BASE}/privacy`, t("shell.footer.privacy")],
      [terms, t("shell.footer.terms")],
    ];
    return html`
      <p>${t("about.program", { version })}</p>
      ${contact ? html`<p>${labelled(t("shell.footer.contact"), "")}<a href=${SITE.contact ?? ""}>${contact}</a></p>` : nothing}
      ${age ? html`<p>${t("about.age", { count: age })}</p>` : nothing}
      <ul>${links.map(([address, words]) => (address ? html`<li><a href=${address}>${words}</a></li>` : nothing))}</ul>
      <h2>${t("about.trade_marks")}</h2>
      <p>${t("about.trade_marks.text")}</p>
      <h2>${t("about.licences")}</h2>
      <p>${t("about.licences.text", { licence })}</p>
      ${licences.map((part) => html`<details><summary>${part.part} · ${part.licence}</summary><pre>${part.text}</pre></details>`)}`;
  }

  render() {
    return html`<top-bar></top-bar>
      <article>
        <h1>${t("about.title")}</h1>
        ${this.about ? this.#render(this.about) : nothing}
        ${this.error ? html`<p role="alert">${this.error}</p>` : nothing}
      </article>`;
  }
}
customElements.define("about-page", AboutPage);
