import { LitElement, html, nothing } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { LanguageController } from "../ui/controllers.js";
import { setPageTitle } from "../ui/page-title.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import { errorMessage } from "../i18n/errors.js";
import { language, t } from "../i18n/translate.js";
import { markdown } from "../learn/markdown.js";
import { articleStyles } from "./article-styles.js";

/** What the server stores about people, why, and for how long, in the language of the page. */
export class PrivacyPage extends LitElement {
  static properties = { text: { state: true }, error: { state: true } };
  static styles = [baseStyles, articleStyles, narrowStyles];

  constructor() {
    super();
    this.text = "";
    this.error = "";
    this.loaded = "";
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("shell.footer.privacy"));
  }

  willUpdate() {
    const now = language();
    if (this.loaded === now) return;
    this.loaded = now;
    request("GET", `/api/privacy?lang=${now}`).then(
      (text) => (now === language() ? (this.text = text) : undefined),
      (error) => (this.error = errorMessage(error)),
    );
  }

  render() {
    const [title, ...rest] = this.text.split("\n");
    return html`<top-bar></top-bar>
      <article>
        <h1>${title.replace("# ", "") || t("shell.footer.privacy")}</h1>
        ${markdown(rest.join("\n"))}
        ${this.error ? html`<p role="alert">${this.error}</p>` : nothing}
      </article>`;
  }
}
customElements.define("privacy-page", PrivacyPage);
