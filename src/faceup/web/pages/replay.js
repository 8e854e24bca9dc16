import { LitElement, html } from "../vendor/lit/index.js";
import { sheet } from "../parts/sheet.js";

export class ReplayPage extends LitElement {
  static styles = [sheet];

  render() {
    return html`<h1>replay</h1>`;
  }
}
customElements.define("replay-page", ReplayPage);
