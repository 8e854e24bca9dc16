import { LitElement, css, html } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { bull } from "../art/bull.js";
import { LanguageController } from "../ui/controllers.js";
import { setPageTitle } from "../ui/page-title.js";
import "../ui/top-bar.js";
import { narrowStyles, baseStyles } from "../ui/styles.js";
import { t } from "../i18n/translate.js";

/** Page for unknown addresses and table codes. */
export class NotFoundPage extends LitElement {
  static properties = { address: { attribute: false } };
  static styles = [
    baseStyles,
    css`
      section {
        max-width: 34rem;
        margin: 12vh auto 0;
        padding: var(--space-4);
        display: grid;
        gap: var(--space-4);
        justify-items: start;
      }
      .bull {
        width: 7rem;
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {{path?: string}} */
    this.address = {};
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("shell.not_found"));
  }

  render() {
    const path = this.address.path ?? "";
    return html`<top-bar></top-bar>
      <section>
        ${bull("groaning")}
        <h1>${t("shell.not_found")}</h1>
        <p>${/^[a-z]{5}$/i.test(path) ? t("shell.not_found.code", { code: path.toUpperCase() }) : t("shell.not_found.address")}</p>
        <a class="button main" href="${BASE}/">${t("table.home")}</a>
      </section>`;
  }
}
customElements.define("not-found-page", NotFoundPage);
