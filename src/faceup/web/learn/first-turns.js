import { LitElement, css, html } from "../vendor/lit/index.js";
import { bull } from "../art/bull.js";
import { icon } from "../parts/icons.js";
import { screen } from "../parts/screen.js";
import { sheet } from "../parts/sheet.js";
import "../table/faceup-table.js";
import { say } from "../words/say.js";
import { Lesson } from "./lesson.js";
import { teaching } from "./teaching.js";

/** @import { Told } from "../live/types.js" */

/**
 * The first turns of 6 nimmt!, in which a bull says what to look at. Events: "leave", and "play" for a game of one's own.
 */
export class FirstTurns extends LitElement {
  static properties = { lesson: { state: true }, told: { state: true }, over: { state: true } };
  static styles = [
    sheet,
    screen,
    css`
      header button {
        padding: 0;
        color: var(--ink-soft);
      }
      .says {
        display: grid;
        grid-template-columns: auto 1fr;
        align-items: end;
        gap: var(--space-2);
        width: min(760px, 100% - 2 * var(--space-3));
        margin: 0 auto var(--space-1);
      }
      .says > svg {
        width: clamp(52px, 15vw, 84px);
        filter: drop-shadow(0 3px 5px rgb(var(--shade) / 0.3));
      }
      .bubble {
        position: relative;
        display: grid;
        gap: var(--space-1);
        padding: var(--space-3) var(--space-4);
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--high);
        min-height: 5.5rem;
        align-content: center;
        animation: said var(--move) var(--ease);
      }
      .bubble::before {
        content: "";
        position: absolute;
        left: -6px;
        bottom: 22px;
        width: 14px;
        height: 14px;
        rotate: 45deg;
        background: var(--surface);
      }
      .bubble p {
        line-height: 1.4;
      }
      .happened {
        color: var(--ink-soft);
        font-size: var(--text--1);
      }
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
        margin-top: var(--space-2);
      }
      faceup-table {
        flex: 1;
        --under: 100px;
      }
      @media (max-width: 500px) {
        header h1 {
          visibility: hidden;
        }
        header {
          margin-bottom: calc(-1 * var(--space-5));
        }
        .bubble {
          font-size: var(--text--1);
          min-height: 0;
          padding: var(--space-3);
          margin-inline-end: var(--target);
        }
      }
      @keyframes said {
        from {
          transform: translateY(6px);
          opacity: 0;
        }
      }
    `,
  ];

  /** @type {Told | null} what happened and is not all shown yet */
  #coming = null;
  /** @param {Event} event */
  #heard = (event) => (this.#coming = joined(this.#coming, /** @type {CustomEvent<Told>} */ (event).detail));
  #language = () => this.requestUpdate();

  constructor() {
    super();
    /** @type {Lesson | null} */
    this.lesson = null;
    /** @type {Told | null} */
    this.told = null;
    this.over = false;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("language", this.#language);
    void this.begin();
  }

  disconnectedCallback() {
    removeEventListener("language", this.#language);
    super.disconnectedCallback();
  }

  /** From the beginning. */
  async begin() {
    const tree = await (await fetch(new URL("./nimmt.json", import.meta.url))).json();
    this.told = this.#coming = null;
    this.lesson = new Lesson(tree, say("learn.you"));
    this.lesson.addEventListener("told", this.#heard);
  }

  /** All of it is shown, and can be spoken about. */
  #shown() {
    this.told = this.#coming ?? this.told;
    this.#coming = null;
  }

  render() {
    const { lesson } = this;
    if (!lesson) return "";
    const sight = this.told?.sight ?? lesson.sight;
    const { happened, now, mood } = teaching(sight, this.told);
    const over = sight.status === "finished";
    return html`
      <header><h1>${say("learn.try.title")}</h1>
        <button class="quiet" aria-label=${say("learn.skip")} @click=${() => this.#wish("leave")}>${icon("close")}</button></header>
      <div class="says">${bull(mood)}
        <div class="bubble" role="status">
          ${happened.map((words) => html`<p class="happened">${words}</p>`)}
          <p>${now}</p>
          ${over ? html`<nav>
            <button class="main" @click=${() => this.#wish("play")}>${icon("play")}${say("learn.play")}</button>
            <button @click=${() => this.begin()}>${icon("again")}${say("learn.again")}</button>
          </nav>` : ""}
        </div>
      </div>
      <faceup-table bare .source=${lesson} @shown=${this.#shown}></faceup-table>
    `;
  }

  /** @param {string} what */
  #wish(what) {
    this.dispatchEvent(new Event(what));
  }
}
customElements.define("first-turns", FirstTurns);

/**
 * Two tellings as one: what others chose alone follows at once.
 *
 * @param {Told | null} first
 * @param {Told} then
 * @returns {Told}
 */
function joined(first, then) {
  return first ? { ...then, before: first.before, events: [...first.events, ...then.events] } : then;
}
