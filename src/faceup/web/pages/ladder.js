import { LitElement, html } from "../vendor/lit/index.js";
import { sheet } from "../parts/sheet.js";

export class LadderPage extends LitElement {
  static styles = [sheet];

  render() {
    return html`<h1>ladder</h1>`;
  }
}
customElements.define("ladder-page", LadderPage);
