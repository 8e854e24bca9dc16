import { LitElement, html } from "../vendor/lit/index.js";
import { sheet } from "../parts/sheet.js";

export class PlayerPage extends LitElement {
  static styles = [sheet];

  render() {
    return html`<h1>player</h1>`;
  }
}
customElements.define("player-page", PlayerPage);
