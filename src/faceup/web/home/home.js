import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { sceneStyles, scene } from "../art/scenes.js";
import { steadyNow } from "../api/clock.js";
import { BASE, request } from "../api/http.js";
import { loadGames } from "../api/games.js";
import { readStored, writeStored } from "../api/storage.js";
import { serverInfo } from "../api/server-info.js";
import { LanguageController } from "../ui/controllers.js";
import { idle } from "../ui/idle.js";
import { setPageTitle } from "../ui/page-title.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import "./hero.js";
import "./tile-link.js";
import { renderTable, tableListStyles } from "./table-list.js";
import { levelName, gameSummary, gameTitle } from "../i18n/games.js";
import { errorMessage } from "../i18n/errors.js";
import { t } from "../i18n/translate.js";
import { navigate } from "../ui/navigation.js";
import { runRequest } from "../ui/run-request.js";
import { createTableErrorContext, createBotTable, joinQuickMatch } from "../ui/new-table.js";

/** @import { MyTable, Online, PlayableGame, PublicTable } from "../api/http-types.js" */

const POLL_INTERVAL = 8000;

/** The number of public tables that are loaded in one request. */
const PAGE = 20;

/** Where the name of the game that was played last is stored, and the game of a first visit. */
const LAST_GAME = "faceup.game";
const FIRST_GAME = "nimmt";

/** Home page, on which players start a game against bots, create a table or join a table. */
export class HomePage extends LitElement {
  static properties = {
    games: { state: true },
    open: { state: true },
    online: { state: true },
    more: { state: true },
    myTables: { state: true },
    loadedAt: { state: true },
    levels: { state: true },
    error: { state: true },
    at: { state: true },
    busy: { state: true },
  };
  static styles = [
    baseStyles,
    sceneStyles,
    tableListStyles,
    css`
      .all {
        max-width: 72rem;
        margin: 0 auto;
        padding: 0 var(--space-4) var(--space-7);
      }
      home-hero {
        margin-bottom: var(--space-5);
      }
      .all > section {
        margin-top: var(--space-6);
      }
      h2.part {
        margin-bottom: var(--space-3);
      }
      .all > .both {
        gap: var(--space-5) var(--space-6);
        margin-top: var(--space-5);
      }
      /* The room of a tile, whose module is loaded after the first picture. */
      :is(daily-card, party-card, people-online):not(:defined) {
        display: block;
        min-height: 72px;
      }
      people-online:not(:defined) {
        min-height: 48px;
      }
      my-tables:not(.waiting),
      people-online {
        margin-top: var(--space-4);
      }
      .waiting {
        margin-bottom: var(--space-4);
      }
      .tiles {
        gap: var(--space-3) var(--space-4);
        margin-top: var(--space-4);
      }
      .tiles > * {
        flex: 1 1 15rem;
        min-width: 0;
      }
      @media (max-width: 40rem) {
        .tiles > * {
          flex-basis: 5.5rem;
        }
      }
      .games {
        --column: 14rem;
        align-items: stretch;
      }
      article {
        display: flex;
        flex-direction: column;
        background: var(--surface);
        border-radius: 20px;
        overflow: hidden;
        box-shadow: var(--high);
        transition: transform var(--move) var(--ease), box-shadow var(--move) var(--ease);
      }
      @media (hover: hover) {
        article:hover {
          transform: translateY(-3px);
          box-shadow: var(--highest);
        }
        article:hover .scene > svg {
          transform: scale(1.04);
        }
      }
      .scene {
        aspect-ratio: 16 / 8.2;
        overflow: hidden;
        background: var(--ground);
      }
      .scene > svg {
        width: 100%;
        height: 100%;
        display: block;
        transition: transform 500ms var(--ease);
      }
      .text {
        display: grid;
        gap: var(--space-3);
        padding: var(--space-4);
        flex: 1;
        grid-template: auto 1fr auto auto / minmax(0, 1fr);
      }
      .text p {
        color: var(--ink-soft);
      }
      .play {
        display: flex;
        flex-wrap: wrap-reverse;
        align-items: end;
        gap: var(--space-2);
      }
      .play .main {
        flex: 2 1 auto;
        min-height: 52px;
        font-size: var(--text-1);
      }
      .play select {
        flex: 1 1 6rem;
        min-height: 52px;
      }
      .ways {
        gap: 0 var(--space-2);
        margin-top: calc(-1 * var(--space-2));
      }
      .ways .quiet {
        flex: 1 1 auto;
        padding-inline: var(--space-1);
        font-size: var(--text--1);
      }
      .gilded {
        --tile: radial-gradient(90% 160% at 12% -20%, #a3722b, #7d5117 45%, #55340a);
      }
      .night {
        --tile: radial-gradient(90% 160% at 12% -20%, #4d6f9c, #2d4a73 45%, #1c3152);
      }
      .error {
        margin-top: var(--space-2);
      }
      .ghost {
        min-height: 21rem;
        opacity: 0.5;
      }
      .plain {
        margin-top: var(--space-6);
      }
    `,
    narrowStyles,
  ];

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** The number of pages of public tables to show. */
  #pages = 1;

  constructor() {
    super();
    /** @type {PlayableGame[] | null} */
    this.games = null;
    /** @type {PublicTable[] | null} */
    this.open = null;
    this.more = false;
    /** @type {Online | null} */
    this.online = null;
    /** @type {MyTable[]} */
    this.myTables = [];
    /** When `myTables` was loaded, as `steadyNow` returns it. */
    this.loadedAt = 0;
    /** @type {Record<string, string>} */
    this.levels = {};
    this.error = "";
    this.at = "";
    this.busy = false;
    new LanguageController(this);
    void idle().then(() => import("./cards.js"));
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle();
    this.#timer = setInterval(() => document.visibilityState === "visible" && void this.#load(), POLL_INTERVAL);
    void this.#load();
    void loadGames().then(
      (games) => (this.games = games),
      (error) => this.#showError(error, "games"),
    );
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  /** @param {unknown} error @param {string} at */
  #showError(error, at) {
    this.error = errorMessage(error, at);
    this.at = at;
  }

  /** Load the pages of public tables that the visitor has asked for. @returns {Promise<PublicTable[]>} */
  async #loadOpen() {
    /** @type {PublicTable[]} */
    const tables = [];
    for (let page = 0; page < this.#pages; page++) {
      const last = tables.at(-1);
      const listed = await request("GET", `/api/tables?limit=${PAGE}${last ? `&after=${last.cursor}` : ""}`);
      tables.push(...listed);
      this.more = listed.length === PAGE;
      if (!this.more) break;
    }
    return tables;
  }

  #showMore() {
    this.#pages += 1;
    return this.#load();
  }

  /** Load the lists of tables. */
  async #load() {
    try {
      await serverInfo.refresh();
      const [open, online, myTables] = await Promise.all([
        this.#loadOpen(),
        request("GET", "/api/online"),
        serverInfo.player ? request("GET", "/api/me/tables") : [],
      ]);
      this.myTables = myTables;
      this.online = online;
      this.loadedAt = steadyNow();
      this.open = open.filter((/** @type {PublicTable} */ listed) => !myTables.some((/** @type {MyTable} */ table) => table.id === listed.id));
    } catch {
      this.open ??= []; // keep the previous lists
    }
  }

  /** @param {PlayableGame} game @param {() => Promise<string>} open returns the id of the table to show */
  #play(game, open) {
    if (!this.busy) this.at = game.name;
    writeStored(LAST_GAME, game.name);
    return runRequest(this, async () => navigate(`/t/${await open()}`), createTableErrorContext);
  }

  /** Start the last game again, against bots. */
  #playLast() {
    if (!this.busy) this.at = "hero";
    return runRequest(this, async () => {
      const games = await loadGames();
      const game = games.find(({ name }) => name === this.#last) ?? games[0];
      navigate(`/t/${await createBotTable(game, this.#levelOf(game))}`);
    }, createTableErrorContext);
  }

  /** The name of the game that was played last on this page. */
  get #last() {
    const name = readStored(LAST_GAME) ?? FIRST_GAME;
    return !this.games || this.games.some((game) => game.name === name) ? name : this.games[0].name;
  }

  /** @param {PlayableGame} game */
  #levelOf(game) {
    if (!game.levels.length) return "";
    const level = this.levels[game.name] ?? readStored(`faceup.level.${game.name}`) ?? "";
    return game.levels.includes(level) ? level : game.levels[0];
  }

  /** @param {PlayableGame} game @param {string} level */
  #selectLevel(game, level) {
    this.levels = { ...this.levels, [game.name]: level };
    writeStored(`faceup.level.${game.name}`, level);
  }

  /** @param {PlayableGame} game */
  #renderGame(game) {
    const level = this.#levelOf(game);
    return html`<article>
      <div class="scene ${game.name}">${scene(game.name)}</div>
      <div class="text">
        <h2>${gameTitle(game.name)}</h2>
        <p>${gameSummary(game.name)}</p>
        <div class="play">
          <button class="main" ?disabled=${this.busy} @click=${() => this.#play(game, () => createBotTable(game, this.#levelOf(game)))}
            aria-label=${t("shell.play.game", { game: gameTitle(game.name) })}>${t("shell.play")}</button>
          ${game.levels.length
            ? html`<select aria-label=${t("shell.play.level")}
                @change=${(/** @type {Event} */ event) => this.#selectLevel(game, /** @type {HTMLSelectElement} */ (event.target).value)}>
                ${game.levels.map((choice) => html`<option value=${choice} ?selected=${choice === level}>${levelName(choice)}</option>`)}
              </select>`
            : nothing}
        </div>
        <div class="ways cluster">
          <button class="quiet" ?disabled=${this.busy} @click=${() => this.#play(game, () => joinQuickMatch(game))}
            aria-label=${t("shell.quick_match.game", { game: gameTitle(game.name) })}>${t("shell.quick_match")}</button>
          <a class="button quiet" href="${BASE}/new?game=${game.name}">${t("shell.play_with_friends")}</a>
          <a class="button quiet" href="${BASE}/learn/${game.name}">${t("shell.rules")}</a>
        </div>
        ${this.at === game.name && this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
      </div>
    </article>`;
  }

  render() {
    const waiting = this.myTables.some((table) => table.waits_for === "choice");
    const tables = this.myTables.length ? html`<my-tables class=${waiting ? "waiting" : ""} .tables=${this.myTables} .loadedAt=${this.loadedAt}></my-tables>` : nothing;
    return html`<top-bar here="/"></top-bar>
      <div class="all">
        <home-hero game=${this.#last} .busy=${this.busy}
          problem=${this.at === "hero" ? this.error : ""} @play=${() => this.#playLast()}></home-hero>
        <div class="both columns">
          <section aria-labelledby="today">
            <h2 class="part" id="today">${t("shell.today")}</h2>
            <inbox-cards class="invited"></inbox-cards>
            ${waiting ? tables : nothing}
            <daily-card rows></daily-card>
            ${waiting ? nothing : tables}
          </section>
          <section aria-labelledby="people">
            <h2 class="part" id="people">${t("shell.people")}</h2>
            <party-card rows></party-card>
            <people-online .online=${this.online}></people-online>
          </section>
        </div>
        <section aria-labelledby="games">
          <h2 class="part" id="games">${t("shell.games")}</h2>
          <div class="games columns">
            ${this.games ? this.games.map((game) => this.#renderGame(game)) : [1, 2, 3].map(() => html`<article class="ghost"></article>`)}
          </div>
          ${this.at === "games" && this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
          <div class="tiles cluster">
            <puzzle-card></puzzle-card>
            <tile-link class="gilded" path="/tournaments" picture="star" name=${t("shell.tournaments")} summary=${t("shell.tournaments.summary")}></tile-link>
            <tile-link class="night" path="/watch" picture="eye" name=${t("shell.table.watch")} summary=${t("shell.watch.summary")}></tile-link>
          </div>
        </section>
        <section aria-labelledby="public">
          <div class="head cluster apart">
            <h2 id="public">${t("shell.tables.public")}</h2>
            <a class="button" href="${BASE}/new">${t("shell.create_table")}</a>
          </div>
          ${this.open?.length
            ? html`<ul class="tight">${this.open.map((table) => renderTable(table))}</ul>
                ${this.more ? html`<button class="quiet" @click=${this.#showMore}>${t("shell.tables.more")}</button>` : nothing}`
            : html`<p class="soft">${this.open ? t("shell.tables.none") : ""}</p>`}
        </section>
        ${isSecureContext ? nothing : html`<p class="plain soft small">${t("shell.insecure_http")}</p>`}
      </div>`;
  }
}
customElements.define("home-page", HomePage);
