import { LitElement, html } from "../../vendor/lit/index.js";
import { sheet } from "../../parts/sheet.js";

/** @import { Sight, TableEvent } from "../../live/types.js" */

export class NiuniuTable extends LitElement {
  static properties = { sight: { attribute: false }, quiet: { type: Boolean }, speed: { type: Number }, television: { type: Boolean } };
  static styles = [sheet];
  /** @type {{keys: string, words: string}[]} */
  static keys = [];

  constructor() {
    super();
    /** @type {Sight | null} */
    this.sight = null;
    this.quiet = false;
    this.speed = 1;
    this.television = false;
  }

  /**
   * Show what happened, then stand at the sight.
   *
   * @param {Sight | null} before
   * @param {Sight} sight
   * @param {TableEvent[]} events
   * @param {{jump: boolean}} how
   */
  async tell(before, sight, events, how) {
    void [before, events, how];
    this.sight = sight;
    await this.updateComplete;
  }

  render() {
    return html`<pre>${JSON.stringify(this.sight?.view, null, 1)}</pre>`;
  }
}
customElements.define("niuniu-table", NiuniuTable);
