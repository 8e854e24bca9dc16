import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { sceneStyles, scene } from "../art/scenes.js";
import { steadyNow } from "../api/clock.js";
import { BASE, request } from "../api/http.js";
import { loadGames } from "../api/games.js";
import { readStored, writeStored } from "../api/storage.js";
import { loadOnline } from "../table/lobby-state.js";
import { serverInfo } from "../api/server-info.js";
import { LanguageController } from "../ui/controllers.js";
import { setPageTitle } from "../ui/page-title.js";
import { baseStyles, lowScreen, narrowStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import "../daily/daily-card.js";
import "./my-tables.js";
import "../friends/people-online.js";
import "../puzzles/puzzle-card.js";
import "../parties/party-card.js";
import "../friends/inbox-cards.js";
import { renderTable, tableListStyles } from "./table-list.js";
import { levelName, gameSummary, gameTitle } from "../i18n/games.js";
import { errorMessage } from "../i18n/errors.js";
import { t } from "../i18n/translate.js";
import { navigate } from "../ui/navigation.js";
import { runRequest } from "../ui/run-request.js";
import { createTableErrorContext, createBotTable, joinQuickMatch } from "./new-table.js";

/** @import { MyTable, Online, PlayableGame, PublicTable } from "../api/http-types.js" */

const POLL_INTERVAL = 8000;

/** The number of public tables that are loaded in one request. */
const PAGE = 20;

/** Home page, on which players start a game against bots, create a table or join a table. */
export class HomePage extends LitElement {
  static properties = {
    games: { state: true },
    open: { state: true },
    online: { state: true },
    more: { state: true },
    mine: { state: true },
    loadedAt: { state: true },
    levels: { state: true },
    code: { state: true },
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
      .motto {
        align-items: end;
        justify-content: space-between;
        gap: var(--space-3) var(--space-6);
        margin: var(--space-4) 0 var(--space-5);
      }
      .motto > :first-child {
        flex: 1 1 30rem;
      }
      h1 {
        font-size: var(--text-5);
        line-height: calc(1.2 - 0.16 * var(--tight));
        letter-spacing: calc(-0.035em * var(--tight));
        text-wrap: balance;
      }
      .motto p {
        margin-top: var(--space-2);
        max-width: 36rem;
      }
      .join {
        flex: 1 1 15rem;
        max-width: 26rem;
      }
      /* The games are in sight without scrolling. */
      @media ${lowScreen} {
        .motto {
          margin: 0 0 var(--space-3);
        }
        .motto > :first-child {
          flex-basis: 24rem;
        }
        h1 {
          font-size: var(--text-3);
        }
      }
      form {
        display: flex;
        gap: var(--space-2);
      }
      .join input {
        flex: 1 1 0;
        width: 100%;
        font-weight: 700;
        background: var(--surface);
        box-shadow: inset 0 1px 3px rgb(var(--shade) / 0.25);
      }
      .join input::placeholder {
        font-weight: 400;
        color: var(--ink-soft);
      }
      label {
        display: block;
        margin-bottom: var(--space-1);
      }
      .cards {
        gap: var(--space-3) var(--space-4);
        margin-bottom: var(--space-4);
      }
      .cards > * {
        flex: 1 1 15rem;
        min-width: 0;
      }
      @media (max-width: 40rem) {
        .cards {
          gap: var(--space-3);
        }
        .cards > * {
          flex-basis: 5.5rem;
        }
        party-card[rows] {
          flex-basis: 100%;
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
        grid-template-rows: auto 1fr auto auto;
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
        white-space: nowrap;
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
      .lists {
        --column: 22rem;
        gap: var(--space-5);
        margin-top: var(--space-6);
      }
      .waiting {
        margin-bottom: var(--space-5);
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
    this.mine = [];
    /** When `mine` was loaded, as `steadyNow` returns it. */
    this.loadedAt = 0;
    /** @type {Record<string, string>} */
    this.levels = {};
    this.code = "";
    this.error = "";
    this.at = "";
    this.busy = false;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle();
    this.#timer = setInterval(() => document.visibilityState === "visible" && void this.#load(), POLL_INTERVAL);
    void this.#load();
    void loadGames().then(
      (found) => (this.games = found),
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
      const found = await request("GET", `/api/tables?limit=${PAGE}${last ? `&after=${last.cursor}` : ""}`);
      tables.push(...found);
      this.more = found.length === PAGE;
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
      const [open, online, mine] = await Promise.all([
        this.#loadOpen(),
        loadOnline(),
        serverInfo.player ? request("GET", "/api/me/tables") : [],
      ]);
      this.mine = mine;
      this.online = online;
      this.loadedAt = steadyNow();
      this.open = open.filter((/** @type {PublicTable} */ each) => !mine.some((/** @type {MyTable} */ table) => table.id === each.id));
    } catch {
      this.open ??= []; // keep the previous lists
    }
  }

  /** @param {PlayableGame} game @param {() => Promise<string>} open returns the id of the table to show */
  #play(game, open) {
    if (!this.busy) this.at = game.name;
    return runRequest(this, async () => navigate(`/t/${await open()}`), createTableErrorContext);
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

  /** @param {Event} event */
  async #join(event) {
    event.preventDefault();
    const typed = this.code.trim();
    const table = /\/t\/([\w-]+)/.exec(typed)?.[1];
    const letters = (/\/([a-z]{5})\/?$/i.exec(typed)?.[1] ?? typed.replace(/[\s-]/g, "")).toUpperCase();
    this.error = "";
    if (table) return navigate(`/t/${table}`);
    if (!/^[A-Z]{5}$/.test(letters)) {
      this.at = "code";
      this.error = t("errors.not_found.form");
      return;
    }
    try {
      const found = await request("GET", `/api/codes/${letters}`);
      navigate(`/t/${found.id}`);
    } catch (error) {
      this.#showError(error, "code");
    }
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
                ${game.levels.map((each) => html`<option value=${each} ?selected=${each === level}>${levelName(each)}</option>`)}
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
    const waiting = this.mine.some((each) => each.waits_for !== null);
    return html`<top-bar here="/"></top-bar>
      <div class="all">
        <div class="motto cluster">
          <div>
            <h1>${t("shell.motto")}</h1>
            <p class="soft">${t("shell.motto.summary")}</p>
          </div>
          <div class="join">
            <form @submit=${this.#join}>
              <input aria-label=${t("shell.join.code")} placeholder=${t("shell.join.code")} .value=${this.code} autocapitalize="characters"
                autocomplete="off" spellcheck="false" maxlength="200"
                @input=${(/** @type {Event} */ event) => (this.code = /** @type {HTMLInputElement} */ (event.target).value)}>
              <button>${t("shell.join")}</button>
            </form>
            ${this.at === "code" && this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
          </div>
        </div>
        <inbox-cards class="invited"></inbox-cards>
        ${waiting ? html`<my-tables class="waiting" .tables=${this.mine} .loadedAt=${this.loadedAt}></my-tables>` : nothing}
        <div class="cards cluster"><daily-card></daily-card><puzzle-card></puzzle-card><party-card></party-card></div>
        <div class="games columns">
          ${this.games ? this.games.map((each) => this.#renderGame(each)) : [1, 2, 3].map(() => html`<article class="ghost"></article>`)}
        </div>
        ${this.at === "games" && this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
        <div class="lists columns">
          ${this.mine.length && !waiting ? html`<my-tables .tables=${this.mine} .loadedAt=${this.loadedAt}></my-tables>` : nothing}
          <section>
            <div class="head cluster apart">
              <h2>${t("shell.tables.public")}</h2>
              <span class="links">
                <a class="button quiet" href="${BASE}/tournaments">${t("shell.tournaments")}</a>
                <a class="button" href="${BASE}/new">${t("shell.create_table")}</a>
              </span>
            </div>
            ${this.open?.length
              ? html`<ul class="tight">${this.open.map((each) => renderTable(each))}</ul>
                  ${this.more ? html`<button class="quiet" @click=${this.#showMore}>${t("shell.tables.more")}</button>` : nothing}`
              : html`<p class="soft">${this.open ? t("shell.tables.none") : ""}</p>`}
          </section>
          <people-online .online=${this.online}></people-online>
        </div>
        ${isSecureContext ? nothing : html`<p class="plain soft small">${t("shell.insecure_http")}</p>`}
      </div>`;
  }
}
customElements.define("home-page", HomePage);
