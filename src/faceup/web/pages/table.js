import { LitElement, html } from "../vendor/lit/index.js";
import { sheet } from "../parts/sheet.js";

export class TablePage extends LitElement {
  static styles = [sheet];

  render() {
    return html`<h1>table</h1>`;
  }
}
customElements.define("table-page", TablePage);
