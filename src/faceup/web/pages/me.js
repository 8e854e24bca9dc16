import { LitElement, html } from "../vendor/lit/index.js";
import { sheet } from "../parts/sheet.js";

export class MePage extends LitElement {
  static styles = [sheet];

  render() {
    return html`<h1>me</h1>`;
  }
}
customElements.define("me-page", MePage);
