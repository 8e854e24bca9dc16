import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { loadGames } from "../api/games.js";
import { LanguageController } from "../ui/controllers.js";
import { setPageTitle } from "../ui/page-title.js";
import "./player-results.js";
import { narrowStyles, baseStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import { formatTime } from "../i18n/format.js";
import { errorMessage } from "../i18n/errors.js";
import { personName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import "./player-statistics.js";

/** @import { Results } from "../api/http-types.js" */

/** Public page of a player. */
export class PlayerPage extends LitElement {
  static properties = { address: { attribute: false }, results: { state: true }, error: { state: true } };
  static styles = [
    baseStyles,
    css`
      .all {
        max-width: 60rem;
        display: grid;
        gap: var(--space-5);
      }
      h1 {
        unicode-bidi: isolate;
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {{handle?: string}} */
    this.address = {};
    /** @type {Results | null} */
    this.results = null;
    this.error = "";
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    void this.#load();
  }

  async #load() {
    try {
      const [results] = await Promise.all([request("GET", `/api/players/${this.address.handle}/results`), loadGames()]);
      this.results = results;
      setPageTitle(() => results.name);
    } catch (error) {
      this.error = errorMessage(error, "player");
    }
  }

  render() {
    const results = this.results;
    return html`<top-bar></top-bar>
      <div class="all page-body">
        ${results
          ? html`<header>
                <h1>${personName(results.name)}</h1>
                <p class="soft">${results.guest ? `${t("shell.player.guest")} · ` : ""}${t("shell.player.since", { when: formatTime(results.since) })}</p>
              </header>
              <player-results .results=${results}></player-results>
              <player-statistics .handle=${results.handle}></player-statistics>`
          : nothing}
        ${this.error ? html`<h1 role="alert">${this.error}</h1>` : nothing}
      </div>`;
  }
}
customElements.define("player-page", PlayerPage);
