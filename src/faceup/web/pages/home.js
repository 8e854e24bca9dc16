import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { grounds, scene } from "../art/scenes.js";
import { BASE, ask, newId } from "../live/api.js";
import { games } from "../live/games.js";
import { house } from "../live/house.js";
import { title } from "../manners/title.js";
import { narrow, sheet } from "../parts/sheet.js";
import "../parts/top-bar.js";
import { levelName, summaryOf, titleOf, variantOf } from "../words/games.js";
import { refused } from "../words/refused.js";
import { say } from "../words/say.js";
import { go } from "./go.js";
import { aboutOpening, playNow } from "./opening.js";

/** @import { Game } from "../live/games.js" */

/**
 * @typedef {{id: string, code: string, status: string, since: number, summary: {game: string, variant: string,
 *   clock: number | null, watch: string, seats: ({name: string, kind: string} | null)[]}}} Listed
 */

const EVERY = 8000;

/** The first page: play at once, open a table, join one. */
export class HomePage extends LitElement {
  static properties = {
    games: { state: true },
    open: { state: true },
    mine: { state: true },
    levels: { state: true },
    code: { state: true },
    said: { state: true },
    at: { state: true },
    busy: { state: true },
  };
  static styles = [
    sheet,
    grounds,
    css`
      .all {
        max-width: 72rem;
        margin: 0 auto;
        padding: 0 var(--space-4) var(--space-7);
      }
      .motto {
        display: flex;
        flex-wrap: wrap;
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
        flex: 1 1 17rem;
        max-width: 26rem;
      }
      form {
        display: flex;
        gap: var(--space-2);
      }
      .join input {
        flex: 1 1 0;
        width: 100%;
        min-width: 0;
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
      .games {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr));
        gap: var(--space-4);
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
        article:hover svg {
          transform: scale(1.04);
        }
      }
      .scene {
        aspect-ratio: 16 / 8.2;
        overflow: hidden;
        background: var(--ground);
      }
      .scene svg {
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
        display: flex;
        gap: var(--space-2);
        margin-top: calc(-1 * var(--space-2));
      }
      .ways .quiet {
        flex: 1 1 auto;
        padding-inline: var(--space-1);
      }
      .lists {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr));
        gap: var(--space-5);
        margin-top: var(--space-6);
        align-items: start;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: var(--space-2);
        margin-bottom: var(--space-3);
      }
      ul {
        list-style: none;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-2);
      }
      li a {
        display: flex;
        align-items: center;
        gap: var(--space-3);
        padding: var(--space-3) var(--space-4);
        min-height: 64px;
        color: var(--ink);
        text-decoration: none;
        background: var(--surface);
        border-radius: var(--radius);
        box-shadow: var(--low);
        transition: box-shadow var(--quick) var(--ease);
      }
      li a:hover {
        box-shadow: var(--high);
      }
      li span {
        flex: 1;
        min-width: 0;
      }
      li small {
        display: block;
        color: var(--ink-soft);
        font-size: var(--text--1);
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        unicode-bidi: isolate;
      }
      li em {
        font-style: normal;
        font-weight: 700;
        color: var(--accent);
        white-space: nowrap;
      }
      .said {
        color: var(--danger);
        font-weight: 600;
        margin-top: var(--space-2);
      }
      .ghost {
        min-height: 21rem;
        opacity: 0.5;
      }
      .plain {
        margin-top: var(--space-6);
        font-size: var(--text--1);
        color: var(--ink-soft);
      }
    `,
    narrow,
  ];

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  #words = () => this.requestUpdate();
  /** An id for each thing that can be wished for, new when it has come true: a double click wishes once. */
  #wish = newId();

  constructor() {
    super();
    /** @type {Game[] | null} */
    this.games = null;
    /** @type {Listed[] | null} */
    this.open = null;
    /** @type {Listed[]} */
    this.mine = [];
    /** @type {Record<string, string>} */
    this.levels = {};
    this.code = "";
    this.said = "";
    this.at = "";
    this.busy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    title();
    addEventListener("language", this.#words);
    this.#timer = setInterval(() => document.visibilityState === "visible" && void this.#look(), EVERY);
    void this.#look();
    void games().then(
      (found) => (this.games = found),
      (error) => this.#refused(error, "games"),
    );
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("language", this.#words);
    clearInterval(this.#timer);
  }

  /** @param {unknown} error @param {string} at */
  #refused(error, at) {
    this.said = refused(error, at);
    this.at = at;
  }

  /** Which tables there are. */
  async #look() {
    try {
      await house.ask();
      const [open, mine] = await Promise.all([
        ask("GET", "/api/tables"),
        house.you ? ask("GET", "/api/me/tables") : [],
      ]);
      this.mine = mine;
      this.open = open.filter((/** @type {Listed} */ each) => !mine.some((/** @type {Listed} */ own) => own.id === each.id));
    } catch {
      this.open ??= []; // what was there a moment ago stays
    }
  }

  /** @param {Game} game */
  async #play(game) {
    if (this.busy) return;
    this.busy = true;
    this.said = "";
    try {
      const table = await playNow(game, this.#levelOf(game), this.#wish);
      this.#wish = newId();
      go(`/t/${table}`);
    } catch (error) {
      this.said = refused(error, aboutOpening(error));
      this.at = game.name;
    } finally {
      this.busy = false;
    }
  }

  /** @param {Game} game */
  #levelOf(game) {
    if (!game.levels.length) return "";
    let kept = "";
    try {
      kept = localStorage.getItem(`faceup.level.${game.name}`) ?? "";
    } catch {
      // without storage the usual one
    }
    const level = this.levels[game.name] ?? kept;
    return game.levels.includes(level) ? level : game.levels[0];
  }

  /** @param {Game} game @param {string} level */
  #pick(game, level) {
    this.levels = { ...this.levels, [game.name]: level };
    try {
      localStorage.setItem(`faceup.level.${game.name}`, level);
    } catch {
      // for this visit, then
    }
  }

  /** @param {Event} event */
  async #join(event) {
    event.preventDefault();
    const typed = this.code.trim();
    const table = /\/t\/([\w-]+)/.exec(typed)?.[1];
    const letters = (/\/([a-z]{5})\/?$/i.exec(typed)?.[1] ?? typed.replace(/[\s-]/g, "")).toUpperCase();
    this.said = "";
    if (table) return go(`/t/${table}`);
    if (!/^[A-Z]{5}$/.test(letters)) {
      this.at = "code";
      this.said = say("refusals.missing.form");
      return;
    }
    try {
      const found = await ask("GET", `/api/codes/${letters}`);
      go(`/t/${found.id}`);
    } catch (error) {
      this.#refused(error, "code");
    }
  }

  /** @param {Game} game */
  #game(game) {
    const level = this.#levelOf(game);
    return html`<article>
      <div class="scene ${game.name}">${scene(game.name)}</div>
      <div class="text">
        <h2>${titleOf(game.name)}</h2>
        <p>${summaryOf(game.name)}</p>
        <div class="play">
          <button class="main" ?disabled=${this.busy} @click=${() => this.#play(game)}
            aria-label=${say("shell.play.game", { game: titleOf(game.name) })}>${say("shell.play")}</button>
          ${game.levels.length
            ? html`<select aria-label=${say("shell.play.level")}
                @change=${(/** @type {Event} */ event) => this.#pick(game, /** @type {HTMLSelectElement} */ (event.target).value)}>
                ${game.levels.map((each) => html`<option value=${each} ?selected=${each === level}>${levelName(each)}</option>`)}
              </select>`
            : nothing}
        </div>
        <div class="ways">
          <a class="button quiet" href="${BASE}/new?game=${game.name}">${say("shell.invite")}</a>
          <a class="button quiet" href="${BASE}/learn/${game.name}">${say("shell.rules")}</a>
        </div>
        ${this.at === game.name && this.said ? html`<p class="said" role="alert">${this.said}</p>` : nothing}
      </div>
    </article>`;
  }

  /** @param {Listed} each @param {boolean} mine */
  #table(each, mine) {
    const { game, variant, seats, clock } = each.summary;
    const free = seats.filter((seat) => !seat).length;
    const names = seats.flatMap((seat) => (seat ? [seat.name] : [])).join(", ");
    const clocked = clock ? say("shell.setting.clock", { seconds: clock / 1000 }) : say("shell.setting.noclock");
    const what = mine
      ? say(each.status === "pending" ? "shell.table.wait" : "shell.table.on")
      : each.status === "pending" ? say("shell.table.sit", { count: free }) : say("shell.table.look");
    return html`<li><a href="${BASE}/t/${each.id}">
      <span><b>${titleOf(game)}</b> · ${variantOf(game, variant)}<small>${names || say("shell.table.nobody")} · ${clocked}</small></span>
      <em>${what}</em></a></li>`;
  }

  render() {
    return html`<top-bar here="/"></top-bar>
      <div class="all">
        <div class="motto">
          <div>
            <h1>${say("shell.motto")}</h1>
            <p class="soft">${say("shell.motto.says")}</p>
          </div>
          <div class="join">
            <form @submit=${this.#join}>
              <input aria-label=${say("shell.join.code")} placeholder=${say("shell.join.code")} .value=${this.code} autocapitalize="characters"
                autocomplete="off" spellcheck="false" maxlength="200"
                @input=${(/** @type {Event} */ event) => (this.code = /** @type {HTMLInputElement} */ (event.target).value)}>
              <button>${say("shell.join")}</button>
            </form>
            ${this.at === "code" && this.said ? html`<p class="said" role="alert">${this.said}</p>` : nothing}
          </div>
        </div>
        <div class="games">
          ${this.games ? this.games.map((each) => this.#game(each)) : [1, 2, 3].map(() => html`<article class="ghost"></article>`)}
        </div>
        ${this.at === "games" && this.said ? html`<p class="said" role="alert">${this.said}</p>` : nothing}
        <div class="lists">
          ${this.mine.length
            ? html`<section>
                <div class="head"><h2>${say("shell.tables.mine")}</h2></div>
                <ul>${this.mine.map((each) => this.#table(each, true))}</ul>
              </section>`
            : nothing}
          <section>
            <div class="head">
              <h2>${say("shell.tables.open")}</h2>
              <a class="button" href="${BASE}/new">${say("shell.new")}</a>
            </div>
            ${this.open?.length
              ? html`<ul>${this.open.map((each) => this.#table(each, false))}</ul>`
              : html`<p class="soft">${this.open ? say("shell.tables.none") : ""}</p>`}
          </section>
        </div>
        ${isSecureContext ? nothing : html`<p class="plain">${say("shell.plain")}</p>`}
      </div>`;
  }
}
customElements.define("home-page", HomePage);
