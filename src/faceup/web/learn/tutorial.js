import { LitElement, css, html } from "../vendor/lit/index.js";
import { limitWait } from "../api/http.js";
import { bull } from "../art/bull.js";
import { LanguageController } from "../ui/controllers.js";
import { endFirstGame } from "../ui/first-game.js";
import { icon } from "../ui/icons.js";
import { baseStyles, lowScreen, screenStyles } from "../ui/styles.js";
import "../table/faceup-table.js";
import { t } from "../i18n/translate.js";
import { Lesson, lessonComment } from "./lesson.js";

/** @import { UpdateDetail } from "../api/types.js" */

/**
 * The tutorial, in which a bull explains the first turns of 6 nimmt!. Events: "leave", and "play" to start a real game.
 */
export class LearnTutorial extends LitElement {
  static properties = { lesson: { state: true }, lastUpdate: { state: true }, over: { state: true } };
  static styles = [
    baseStyles,
    screenStyles,
    css`
      header button {
        padding: 0;
        color: var(--ink-soft);
      }
      .comment {
        grid-template-columns: auto 1fr;
        align-items: end;
        width: min(760px, 100% - 2 * var(--space-3));
        margin: 0 auto var(--space-1);
      }
      .comment > svg {
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
        --from: 6px;
        animation: enter var(--move) var(--ease);
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
      nav {
        margin-top: var(--space-2);
      }
      faceup-table {
        flex: 1;
        --controls-height: 100px;
      }
      @media (max-width: 31.25em) {
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
      /* The bull speaks in the line of the header. */
      @media ${lowScreen} {
        header {
          position: absolute;
          inset: 0 0 auto auto;
        }
        header h1 {
          display: none;
        }
        .comment {
          align-items: center;
          width: auto;
          margin: var(--space-1) calc(var(--target) + var(--space-3)) 0 var(--space-2);
        }
        .comment > svg {
          width: 52px;
        }
        .bubble {
          display: flex;
          flex-wrap: wrap;
          align-items: center;
          justify-content: flex-end;
          min-height: 3.5rem;
          padding: var(--space-1) var(--space-3);
          font-size: var(--text--1);
        }
        .bubble > p {
          flex: 1 1 60%;
        }
        nav {
          margin: 0;
        }
        faceup-table {
          --controls-height: 32px;
        }
      }
    `,
  ];

  /** @type {UpdateDetail | null} update that is still being animated */
  #unshown = null;
  /** @param {Event} event */
  #onUpdate = (event) => (this.#unshown = mergeUpdates(this.#unshown, /** @type {CustomEvent<UpdateDetail>} */ (event).detail));

  constructor() {
    super();
    /** @type {Lesson | null} */
    this.lesson = null;
    /** @type {UpdateDetail | null} */
    this.lastUpdate = null;
    this.over = false;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    void this.restart();
  }

  /** Start the lesson. */
  async restart() {
    const tree = await (await fetch(new URL("./nimmt-lesson.json", import.meta.url), { signal: limitWait() })).json();
    this.lastUpdate = this.#unshown = null;
    this.lesson = new Lesson(tree, t("learn.you"));
    this.lesson.addEventListener("update", this.#onUpdate);
  }

  /** Comment on the update after its animation. */
  #shown() {
    this.lastUpdate = this.#unshown ?? this.lastUpdate;
    this.#unshown = null;
    if (this.lastUpdate?.room.status === "finished") endFirstGame("nimmt");
  }

  render() {
    const { lesson } = this;
    if (!lesson) return "";
    const room = this.lastUpdate?.room ?? lesson.room;
    const { happened, now, mood } = lessonComment(room, this.lastUpdate);
    const over = room.status === "finished";
    return html`
      <header><h1>${t("learn.tutorial")}</h1>
        <button class="quiet" aria-label=${t("learn.skip")} @click=${() => this.#emit("leave")}>${icon("close")}</button></header>
      <div class="comment tight">${bull(mood)}
        <div class="bubble" role="status">
          ${happened.map((words) => html`<p class="happened soft small">${words}</p>`)}
          <p>${now}</p>
          ${over ? html`<nav class="cluster">
            <button class="main" @click=${() => this.#emit("play")}>${icon("play")}${t("learn.play")}</button>
            <button @click=${() => this.restart()}>${icon("again")}${t("learn.restart")}</button>
          </nav>` : ""}
        </div>
      </div>
      <faceup-table bare .source=${lesson} @shown=${this.#shown}></faceup-table>
    `;
  }

  /** @param {string} what */
  #emit(what) {
    this.dispatchEvent(new Event(what));
  }
}
customElements.define("learn-tutorial", LearnTutorial);

/**
 * Merge two updates into one.
 *
 * @param {UpdateDetail | null} first
 * @param {UpdateDetail} then
 * @returns {UpdateDetail}
 */
function mergeUpdates(first, then) {
  return first ? { ...then, before: first.before, events: [...first.events, ...then.events] } : then;
}
