import { LitElement, css, html } from "../vendor/lit/index.js";
import { icon } from "../parts/icons.js";
import { narrow, sheet } from "../parts/sheet.js";
import { say } from "../words/say.js";

/** @import { Sight } from "../live/types.js" */

/**
 * What can be done at a table beside playing, for whoever may: pause, more time, another host, leaving, the end.
 * Events: "ask" (detail: a command), "settings", "keys", "television".
 */
export class TableMenu extends LitElement {
  static properties = { sight: { attribute: false }, sure: { state: true } };
  static styles = [
    sheet,
    css`
      dialog {
        padding: 0;
        width: min(26rem, calc(100vw - 2rem));
        max-height: calc(100dvh - 2rem);
      }
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
        padding: var(--space-3) var(--space-3) 0 var(--space-5);
      }
      .things {
        display: grid;
        padding: var(--space-2) var(--space-3) var(--space-4);
      }
      .things button {
        justify-content: flex-start;
        font-weight: 500;
        background: none;
        box-shadow: none;
        gap: var(--space-3);
        text-align: start;
      }
      .things button:hover {
        background: var(--sunken);
      }
      .things .danger {
        color: var(--danger);
      }
      .things svg {
        flex: none;
      }
      h3 {
        font-size: var(--text--1);
        color: var(--ink-soft);
        padding: var(--space-3) var(--space-4) var(--space-1);
        font-weight: 600;
      }
    `,
    narrow,
  ];

  constructor() {
    super();
    /** @type {Sight | null} */
    this.sight = null;
    /** What was asked for once, and has to be asked for again: "leave" or "close". */
    this.sure = "";
  }

  async open() {
    this.sure = "";
    await this.updateComplete;
    this.#dialog?.showModal();
  }

  get #dialog() {
    return /** @type {HTMLDialogElement | null} */ (this.renderRoot.querySelector("dialog"));
  }

  render() {
    return html`<dialog autofocus aria-labelledby="menu" @click=${this.#outside}>
      <header>
        <h2 id="menu">${say("table.menu")}</h2>
        <button class="quiet" aria-label=${say("table.shut")} @click=${() => this.#dialog?.close()}>${icon("close")}</button>
      </header>
      <div class="things">${this.#mine()}${this.#hosts()}${this.#general()}</div>
    </dialog>`;
  }

  /** @param {MouseEvent} event */
  #outside(event) {
    if (event.target === this.#dialog) this.#dialog?.close();
  }

  #general() {
    return html`
      <h3>${say("table.menu.page")}</h3>
      ${this.#button("gear", say("manners.settings"), () => this.#emit("settings"))}
      ${this.#button("question", say("manners.keys"), () => this.#emit("keys"))}
      ${this.#button("screen", say("table.television"), () => this.#emit("television"))}
    `;
  }

  #mine() {
    const { sight } = this;
    const seat = sight?.seat;
    if (!sight || seat === undefined || sight.status !== "active") return "";
    const away = sight.away.includes(seat);
    const times = sight.times[seat];
    return html`
      ${sight.opening.terms.clock && times !== null
        ? this.#button("clock", say(times === 2 ? "table.pace.usual" : "table.pace.double"), () => this.#ask({ do: "pace", seat, times: times === 2 ? 1 : 2 }))
        : ""}
      ${away
        ? this.#button("back", say("table.return"), () => this.#ask({ do: "return", seat }))
        : this.#button("leave", say(this.sure === "leave" ? "table.leave.sure" : "table.leave"), () => this.#surely("leave", { do: "leave", seat }))}
    `;
  }

  #hosts() {
    const { sight } = this;
    if (!sight?.hosting || sight.status !== "active") return "";
    const others = sight.seats.flatMap((who, seat) => (who?.kind === "person" && seat !== sight.seat ? [{ seat, name: who.name }] : []));
    const me = sight.seat === undefined ? [] : [{ seat: sight.seat, name: say("table.you") }];
    const clocked = sight.opening.terms.clock !== undefined;
    return html`
      <h3>${say("table.menu.host")}</h3>
      ${sight.paused === undefined
        ? this.#button("pause", say("table.pause"), () => this.#ask({ do: "pause" }))
        : this.#button("play", say("table.resume"), () => this.#ask({ do: "resume" }))}
      ${(clocked ? [...me, ...others] : []).map(({ seat, name }) =>
        this.#button("clock", say(sight.times[seat] === null ? "table.pace.limit" : "table.pace.none", { name }), () =>
          this.#ask({ do: "pace", seat, times: sight.times[seat] === null ? 1 : null })))}
      ${others.map(({ seat, name }) => this.#button("key", say("table.hand", { name }), () => this.#ask({ do: "hand_over", seat })))}
      ${this.#button("close", say(this.sure === "close" ? "table.close.sure" : "table.close"), () => this.#surely("close", { do: "close" }), "danger")}
    `;
  }

  /**
   * @param {import("../parts/icons.js").Icon} sign
   * @param {string} words
   * @param {() => void} act
   * @param {string} [kind]
   */
  #button(sign, words, act, kind = "") {
    return html`<button class=${kind} @click=${act}>${icon(sign)}<bdi>${words}</bdi></button>`;
  }

  /**
   * @param {string} what
   * @param {object} command
   */
  #surely(what, command) {
    if (this.sure === what) this.#ask(command);
    else this.sure = what;
  }

  /** @param {object} command */
  #ask(command) {
    this.#dialog?.close();
    this.dispatchEvent(new CustomEvent("ask", { detail: command }));
  }

  /** @param {string} name */
  #emit(name) {
    this.#dialog?.close();
    this.dispatchEvent(new Event(name));
  }
}
customElements.define("table-menu", TableMenu);
