import { LitElement, css, html } from "../vendor/lit/index.js";
import { scene } from "../art/scenes.js";
import { figures } from "../learn/figures.js";
import { markdown } from "../learn/markdown.js";
import { BASE, newId } from "../live/api.js";
import { games } from "../live/games.js";
import { title } from "../manners/title.js";
import { icon } from "../parts/icons.js";
import { narrow, sheet } from "../parts/sheet.js";
import "../parts/top-bar.js";
import { summaryOf, titleOf } from "../words/games.js";
import { language, say } from "../words/say.js";
import { refused } from "../words/refused.js";
import { go } from "./go.js";
import { playNow } from "./opening.js";

/** @import { Game } from "../live/games.js" */

/** The games of which we tell the rules in our own words, and in every language; of others the server has a guide. */
const GUIDES = new Set(["nimmt", "niuniu", "war"]);
/** Those that can be tried with somebody who explains. */
const LESSONS = new Set(["nimmt"]);

/** How games are played: all of them at `/learn`, one at `/learn/GAME`, its first turns at `/learn/GAME#try`. */
export class LearnPage extends LitElement {
  static properties = {
    address: { attribute: false },
    games: { state: true },
    guide: { state: true },
    trying: { state: true },
    said: { state: true },
    busy: { state: true },
  };
  static styles = [
    sheet,
    figures,
    css`
      .page {
        max-width: 72rem;
        margin: 0 auto;
        padding: var(--space-4) var(--space-4) var(--space-7);
        display: grid;
        gap: var(--space-5);
      }
      .intro {
        display: grid;
        gap: var(--space-2);
      }
      .games {
        list-style: none;
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr));
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
        background: radial-gradient(120% 140% at 50% 0, var(--felt), var(--felt-deep));
      }
      .scene svg {
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
        padding-inline-start: 1.4em;
        display: grid;
        gap: var(--space-2);
      }
      .try {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
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
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
      }
      .wide {
        overflow-x: auto;
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--low);
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font-size: var(--text--1);
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
      th {
        color: var(--ink-soft);
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
      .said {
        color: var(--danger);
      }
    `,
    narrow,
  ];

  #wish = newId();
  #language = () => void this.#read();
  #moved = () => (this.trying = location.hash === "#try");

  constructor() {
    super();
    /** @type {{game?: string}} */
    this.address = {};
    /** @type {Game[]} */
    this.games = [];
    /** The rules, as Markdown. */
    this.guide = "";
    this.trying = location.hash === "#try";
    this.said = "";
    this.busy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("language", this.#language);
    addEventListener("hashchange", this.#moved);
  }

  disconnectedCallback() {
    removeEventListener("language", this.#language);
    removeEventListener("hashchange", this.#moved);
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("address")) void this.#read();
    if (this.trying && LESSONS.has(this.address.game ?? "")) void import("../learn/first-turns.js");
  }

  /** The games, and the rules of the one that is here. */
  async #read() {
    const { game = "" } = this.address;
    title(game ? titleOf(game) : say("learn.title"));
    try {
      this.games = await games();
      const own = GUIDES.has(game) ? (await import(`../learn/${language()}/${game}.js`)).default : "";
      // A guide of the server begins with the game's name, which stands above it here.
      this.guide = own || (this.games.find((each) => each.name === game)?.guide ?? "").replace(/^# .*\n/, "");
      this.said = "";
    } catch (refusal) {
      this.said = refused(refusal);
    }
    this.requestUpdate();
  }

  render() {
    const { game } = this.address;
    if (this.trying && LESSONS.has(game ?? "")) {
      return html`<first-turns @leave=${this.#leave} @play=${this.#play}></first-turns>`;
    }
    return html`<top-bar here="learn"></top-bar>
      <div class="page">${this.said ? html`<p class="said" role="alert">${this.said}</p>` : ""}${game ? this.#one(game) : this.#every()}</div>`;
  }

  #every() {
    return html`<div class="intro"><h1>${say("learn.title")}</h1><p class="soft">${say("learn.title.why")}</p></div>
      <ul class="games">${this.games.map(({ name }) => html`<li><a href="${BASE}/learn/${name}">
        <span class="scene">${scene(name)}</span>
        <div><h2>${titleOf(name)}</h2><p class="soft">${summaryOf(name)}</p></div>
      </a></li>`)}</ul>`;
  }

  /** @param {string} game */
  #one(game) {
    const lesson = LESSONS.has(game);
    return html`<article>
      <a href="${BASE}/learn">${say("learn.all")}</a>
      <h1>${titleOf(game)}</h1>
      <div class="try">
        <div>${lesson ? html`<h2>${say("learn.sixty")}</h2><p class="soft">${say("learn.sixty.why")}</p>` : html`<p>${summaryOf(game)}</p>`}</div>
        <div class="buttons">
          ${lesson ? html`<a class="button main" href="#try">${icon("play")}${say("learn.try.title")}</a>` : ""}
          <button class=${lesson ? "" : "main"} ?disabled=${this.busy} @click=${this.#play}>${say("learn.play")}</button>
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

  /** A game against bots, at once. */
  async #play() {
    const game = this.games.find(({ name }) => name === this.address.game);
    if (!game || this.busy) return;
    this.busy = true;
    try {
      go(`/t/${await playNow(game, game.levels[0] ?? "", this.#wish)}`);
    } catch (refusal) {
      this.said = refused(refusal);
      this.trying = false;
    } finally {
      this.busy = false;
    }
  }
}
customElements.define("learn-page", LearnPage);
