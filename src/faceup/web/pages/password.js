import { LitElement, html } from "../vendor/lit/index.js";
import { sheet } from "../parts/sheet.js";

export class PasswordPage extends LitElement {
  static styles = [sheet];

  render() {
    return html`<h1>password</h1>`;
  }
}
customElements.define("password-page", PasswordPage);
