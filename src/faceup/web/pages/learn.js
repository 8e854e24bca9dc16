import { LitElement, html } from "../vendor/lit/index.js";
import { sheet } from "../parts/sheet.js";

export class LearnPage extends LitElement {
  static styles = [sheet];

  render() {
    return html`<h1>learn</h1>`;
  }
}
customElements.define("learn-page", LearnPage);
