import { LitElement, css, html } from "../../vendor/lit/index.js";
import { limitWait } from "../../api/http.js";
import { LanguageController } from "../../ui/controllers.js";
import { onShortcut } from "../../ui/shortcuts.js";
import { icon } from "../../ui/icons.js";
import { baseStyles } from "../../ui/styles.js";
import { t } from "../../i18n/translate.js";

/** @import { TableView, TableEvent } from "../../api/types.js" */

/**
 * Table of a game without its own element, with the drawing that the game's rules make, the log, and a button for each
 * legal action.
 */
export class GenericTable extends LitElement {
  static properties = {
    room: { attribute: false },
    quiet: { type: Boolean },
    speed: { type: Number },
    television: { type: Boolean },
    sending: { attribute: false },
    settled: { state: true },
    drawing: {},
    picture: { state: true },
    description: { state: true },
  };
  static styles = [
    baseStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        align-items: center;
        gap: var(--space-4);
      }
      figure {
        width: 100%;
        display: grid;
        justify-items: center;
      }
      img {
        display: block;
        width: 100%;
        max-width: 44rem;
        max-height: 68vh;
        max-height: 68dvh;
        border-radius: var(--radius);
        box-shadow: var(--high);
        background: #fff;
      }
      .actions {
        grid-template-columns: repeat(auto-fit, minmax(104px, 1fr));
        width: 100%;
        max-width: 44rem;
      }
      .actions [aria-pressed="true"] {
        color: var(--on-accent);
        background: var(--accent);
      }
      kbd {
        font: 600 var(--text--2) / 1 var(--figures);
        opacity: 0.7;
      }
      dl {
        width: 100%;
        max-width: 44rem;
        margin: 0;
        display: grid;
        grid-template-columns: auto 1fr;
        gap: var(--space-1) var(--space-4);
        overflow-wrap: anywhere;
      }
      dd {
        font-weight: 600;
      }
    `,
  ];

  static get keys() {
    return [{ keys: "1-9", words: t("table.keys.actions") }];
  }

  #asked = 0;
  #stop = () => {};

  constructor() {
    super();
    /** @type {TableView | null} */
    this.room = null;
    this.quiet = false;
    this.speed = 1;
    this.television = false;
    this.sending = "";
    /** @type {TableView | null} The last view displayed, with its drawing. */
    this.settled = null;
    /** Address of the newest drawing. If there is none, the address is "", and the view is listed as text. */
    this.drawing = "";
    this.picture = "";
    /** Description of the drawing. */
    this.description = "";
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#stop = onShortcut((key) => this.#key(key));
  }

  disconnectedCallback() {
    this.#stop();
    if (this.picture) URL.revokeObjectURL(this.picture);
    this.picture = "";
    super.disconnectedCallback();
  }

  /**
   * Display what happened, then the current view.
   *
   * @param {TableView | null} before
   * @param {TableView} room
   * @param {TableEvent[]} events
   * @param {{jump: boolean}} how
   */
  async show(before, room, events, how) {
    void [events, how];
    this.room = room;
    if (!before || before.view !== room.view || !this.picture) await this.#draw();
    this.settled = room;
    await this.updateComplete;
  }

  /** Load the new drawing; the old drawing stays until the new one has loaded. */
  async #draw() {
    const asked = ++this.#asked;
    const svg = this.drawing && (await fetch(this.drawing, { signal: limitWait() }).then((answer) => (answer.ok ? answer.text() : ""), () => ""));
    if (!svg || asked !== this.#asked) return;
    const picture = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    const image = new Image();
    image.src = picture;
    await image.decode().catch(() => undefined);
    if (asked !== this.#asked) return URL.revokeObjectURL(picture);
    const old = this.picture;
    const drawn = new DOMParser().parseFromString(svg, "image/svg+xml");
    const selector = drawn.querySelectorAll("desc").length ? "desc" : "text";
    this.description = [...drawn.querySelectorAll(selector)].map((element) => element.textContent).join("\n");
    this.picture = picture;
    await this.updateComplete;
    if (old) URL.revokeObjectURL(old);
  }

  /** @param {string} key */
  #key(key) {
    const action = /^[1-9]$/.test(key) ? this.#actions[Number(key) - 1] : undefined;
    if (action === undefined) return false;
    this.#choose(action);
    return true;
  }

  get #actions() {
    const { settled: room } = this;
    return this.quiet || this.television || room?.status !== "active" || room.paused !== undefined ? [] : room.actions;
  }

  /** @param {string} action */
  #choose(action) {
    if ((this.sending || this.room?.choice) === action) this.dispatchEvent(new Event("unchoose"));
    else this.dispatchEvent(new CustomEvent("choose", { detail: { action } }));
  }

  render() {
    const room = this.settled ?? this.room;
    if (!room) return "";
    return html`
      ${this.picture
        ? html`<figure><img src=${this.picture} alt=${this.description || room.config.game}></figure>`
        : html`<dl>${viewFields(room.view).map(([name, value]) => html`<dt class="soft">${name}</dt><dd>${value}</dd>`)}</dl>`}
      <div class="actions tight" role="group" aria-label=${t("table.actions")}>
        ${this.#actions.map((action, place) => html`<button aria-pressed=${(this.sending || room.choice) === action} @click=${() => this.#choose(action)}>
          ${this.sending === action ? t("table.sending") : room.choice === action ? icon("check", 18) : place < 9 ? html`<kbd aria-hidden="true">${place + 1}</kbd>` : ""}${action}
        </button>`)}
      </div>
    `;
  }
}
customElements.define("generic-table", GenericTable);

/** Members of a view that are not listed as text, because the seats and the buttons contain the same information. */
const HIDDEN_FIELDS = new Set(["seat", "to_act", "legal", "type", "log"]);

/**
 * Return the readable members of a view, by name.
 *
 * @param {Record<string, unknown>} view
 * @returns {[string, string][]}
 */
function viewFields(view) {
  return Object.entries(view)
    .filter(([name]) => !HIDDEN_FIELDS.has(name))
    .map(([name, value]) => [name.replaceAll("_", " "), formatValue(value)]);
}

/** @param {unknown} value @returns {string} */
function formatValue(value) {
  if (Array.isArray(value)) return value.some(Array.isArray) ? value.map(formatValue).join(" / ") : value.map(formatValue).join(" ");
  return typeof value === "object" && value ? JSON.stringify(value) : `${value}`;
}
