import { LitElement, html } from "../vendor/lit/index.js";
import { sheet } from "../parts/sheet.js";

export class HomePage extends LitElement {
  static styles = [sheet];

  render() {
    return html`<h1>home</h1>`;
  }
}
customElements.define("home-page", HomePage);
