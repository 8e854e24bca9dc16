import { LitElement, css, html } from "../vendor/lit/index.js";
import { sceneStyles, scene } from "../art/scenes.js";
import { figures } from "./figures.js";
import { markdown } from "./markdown.js";
import { BASE } from "../api/http.js";
import { loadGames } from "../api/games.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import { setPageTitle } from "../ui/page-title.js";
import { icon } from "../ui/icons.js";
import { narrowStyles, baseStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import { gameSummary, gameTitle } from "../i18n/games.js";
import { language, t } from "../i18n/translate.js";
import { errorMessage } from "../i18n/errors.js";
import { navigate } from "../ui/navigation.js";
import { createBotTable } from "../ui/new-table.js";

/** @import { PlayableGame } from "../api/http-types.js" */

/** Games with translated guides. The English guides, and those of other games, come from the server. */
const GUIDES = new Set(["nimmt", "niuniu", "war"]);
/** Games with a tutorial. */
const LESSONS = new Set(["nimmt"]);

/** Page with the guides. `/learn` lists all games, `/learn/GAME` shows a guide, and `/learn/GAME#try` the tutorial. */
export class LearnPage extends LitElement {
  static properties = {
    address: { attribute: false },
    games: { state: true },
    guide: { state: true },
    trying: { state: true },
    error: { state: true },
    busy: { state: true },
  };
  static styles = [
    baseStyles,
    sceneStyles,
    figures,
    css`
      .page {
        max-width: 72rem;
        margin: 0 auto;
        padding: var(--space-4) var(--space-4) var(--space-7);
        display: grid;
        gap: var(--space-5);
      }
      .games {
        --column: 17rem;
        align-items: stretch;
        gap: var(--space-5);
      }
      .games a {
        display: block;
        height: 100%;
        color: var(--ink);
        text-decoration: none;
        border-radius: calc(1.4 * var(--radius));
        overflow: hidden;
        background: var(--surface);
        box-shadow: var(--low);
        transition: transform var(--move) var(--ease), box-shadow var(--move) var(--ease);
      }
      .games a:hover {
        transform: translateY(-3px);
        box-shadow: var(--highest);
      }
      .scene {
        display: block;
        background: var(--ground);
      }
      .scene > svg {
        display: block;
        width: 100%;
        aspect-ratio: 16 / 9;
      }
      .games div {
        padding: var(--space-4);
        display: grid;
        gap: var(--space-1);
      }
      article {
        display: grid;
        gap: var(--space-4);
        width: min(46rem, 100%);
        margin: 0 auto;
        overflow-wrap: anywhere;
      }
      article h1 {
        font-size: var(--text-5);
        margin-top: var(--space-3);
      }
      article h2 {
        margin-top: var(--space-4);
      }
      article p,
      article li {
        line-height: 1.65;
        text-wrap: pretty;
      }
      em:lang(zh) {
        font-style: normal; /* Chinese has no italics */
        font-weight: 600;
      }
      article ul,
      article ol {
        list-style: revert;
        padding-inline-start: 1.4em;
        display: grid;
        gap: var(--space-2);
      }
      .try {
        gap: var(--space-4);
        padding: var(--space-4) var(--space-5);
        border-radius: calc(1.4 * var(--radius));
        background: var(--surface);
        box-shadow: var(--high);
      }
      .try div {
        flex: 1 1 17rem;
      }
      .try h2 {
        margin: 0;
      }
      .try .buttons {
        flex: 0 1 auto;
      }
      .wide {
        overflow-x: auto;
      }
      table {
        overflow-wrap: normal;
      }
      td + td + td {
        min-width: 10rem;
      }
      th,
      td {
        text-align: start;
        vertical-align: top;
        padding: var(--space-2) var(--space-3);
      }
      tbody tr:nth-child(odd) {
        background: color-mix(in srgb, var(--sunken) 45%, transparent);
      }
      code {
        font-size: 0.92em;
      }
      pre {
        overflow-x: auto;
        padding: var(--space-4);
        border-radius: var(--radius);
        background: var(--sunken);
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {{game?: string}} */
    this.address = {};
    /** @type {PlayableGame[]} */
    this.games = [];
    /** The guide as Markdown. */
    this.guide = "";
    this.trying = location.hash === "#try";
    this.error = "";
    this.busy = false;
    new LanguageController(this, () => this.#load());
    new EventController(this, window, "hashchange", () => (this.trying = location.hash === "#try"));
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("address")) void this.#load();
    if (this.trying && LESSONS.has(this.address.game ?? "")) void import("./tutorial.js");
  }

  /** Load the games, and the guide of the selected one. */
  async #load() {
    const { game = "" } = this.address;
    setPageTitle(() => game ? gameTitle(game) : t("learn.title"));
    try {
      this.games = await loadGames();
      const isTranslated = language() !== "en" && GUIDES.has(game);
      const translated = isTranslated ? (await import(`../learn/guides/${language()}/${game}.js`)).default : "";
      // The server's guides start with the game's name, which is already shown above.
      this.guide = translated || (this.games.find((candidate) => candidate.name === game)?.guide ?? "").replace(/^# .*\n/, "");
      this.error = "";
    } catch (error) {
      this.error = errorMessage(error);
    }
    this.requestUpdate();
  }

  render() {
    const { game } = this.address;
    if (this.trying && LESSONS.has(game ?? "")) {
      return html`<learn-tutorial @leave=${this.#leave} @play=${this.#play}></learn-tutorial>`;
    }
    return html`<top-bar here="learn"></top-bar>
      <div class="page">${this.error ? html`<p class="error" role="alert">${this.error}</p>` : ""}${game ? this.#renderGuide(game) : this.#renderList()}</div>`;
  }

  #renderList() {
    return html`<div class="intro tight"><h1>${t("learn.title")}</h1><p class="soft">${t("learn.title.summary")}</p></div>
      <ul class="games columns">${this.games.map(({ name }) => html`<li><a href="${BASE}/learn/${name}">
        <span class="scene ${name}">${scene(name)}</span>
        <div><h2>${gameTitle(name)}</h2><p class="soft">${gameSummary(name)}</p></div>
      </a></li>`)}</ul>`;
  }

  /** @param {string} game */
  #renderGuide(game) {
    const lesson = LESSONS.has(game);
    return html`<article>
      <a href="${BASE}/learn">${t("learn.all")}</a>
      <h1>${gameTitle(game)}</h1>
      <div class="try cluster aligned">
        <div>${lesson ? html`<h2>${t("learn.tutorial")}</h2><p class="soft">${t("learn.tutorial.summary")}</p>` : html`<p>${gameSummary(game)}</p>`}</div>
        <div class="buttons cluster">
          ${lesson ? html`<a class="button main" href="#try">${icon("play")}${t("learn.tutorial.start")}</a>` : ""}
          <button class=${lesson ? "" : "main"} ?disabled=${this.busy} @click=${this.#play}>${t("learn.play")}</button>
        </div>
      </div>
      ${markdown(this.guide)}
    </article>`;
  }

  #leave() {
    history.replaceState(history.state, "", location.pathname);
    this.trying = false;
    scrollTo(0, 0);
  }

  /** Start a game against bots. */
  async #play() {
    const game = this.games.find(({ name }) => name === this.address.game);
    if (!game || this.busy) return;
    this.busy = true;
    try {
      navigate(`/t/${await createBotTable(game, game.levels[0] ?? "")}`);
    } catch (error) {
      this.error = errorMessage(error);
      this.trying = false;
    } finally {
      this.busy = false;
    }
  }
}
customElements.define("learn-page", LearnPage);
