import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { ask } from "../live/api.js";
import { games } from "../live/games.js";
import { title } from "../manners/title.js";
import "../parts/results.js";
import { narrow, sheet } from "../parts/sheet.js";
import "../parts/top-bar.js";
import { when } from "../words/dates.js";
import { refused } from "../words/refused.js";
import { say } from "../words/say.js";

/** @import { Results } from "../parts/results.js" */

/** A player as everybody may see it. */
export class PlayerPage extends LitElement {
  static properties = { address: { attribute: false }, results: { state: true }, said: { state: true } };
  static styles = [
    sheet,
    css`
      .all {
        max-width: 60rem;
        margin: 0 auto;
        padding: var(--space-3) var(--space-4) var(--space-7);
        display: grid;
        gap: var(--space-5);
      }
      h1 {
        overflow-wrap: anywhere;
        unicode-bidi: isolate;
      }
    `,
    narrow,
  ];
  #words = () => this.requestUpdate();

  constructor() {
    super();
    /** @type {{handle?: string}} */
    this.address = {};
    /** @type {Results | null} */
    this.results = null;
    this.said = "";
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("language", this.#words);
    void this.#look();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("language", this.#words);
  }

  async #look() {
    try {
      const [found] = await Promise.all([ask("GET", `/api/players/${this.address.handle}/results`), games()]);
      this.results = found;
      title(found.name);
    } catch (error) {
      this.said = refused(error, "player");
    }
  }

  render() {
    const results = this.results;
    return html`<top-bar></top-bar>
      <div class="all">
        ${results
          ? html`<header>
                <h1>${results.name}</h1>
                <p class="soft">${results.guest ? `${say("shell.player.guest")} · ` : ""}${say("shell.player.since", { when: when(results.since) })}</p>
              </header>
              <player-results .results=${results}></player-results>`
          : nothing}
        ${this.said ? html`<h1>${say("shell.player.nobody")}</h1><p role="alert">${this.said}</p>` : nothing}
      </div>`;
  }
}
customElements.define("player-page", PlayerPage);
