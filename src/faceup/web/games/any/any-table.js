import { LitElement, css, html } from "../../vendor/lit/index.js";
import { onKey } from "../../manners/keys.js";
import { icon } from "../../parts/icons.js";
import { sheet } from "../../parts/sheet.js";
import { say } from "../../words/say.js";

/** @import { Sight, TableEvent } from "../../live/types.js" */

/**
 * A game that has no element of its own: the picture that its rules draw of the table, what is said in it, and a button
 * for each thing that one may do, in the game's own words.
 */
export class AnyTable extends LitElement {
  static properties = {
    sight: { attribute: false },
    quiet: { type: Boolean },
    speed: { type: Number },
    television: { type: Boolean },
    drawing: {},
    picture: { state: true },
    told: { state: true },
  };
  static styles = [
    sheet,
    css`
      :host {
        display: flex;
        flex-direction: column;
        align-items: center;
        gap: var(--space-4);
      }
      figure {
        margin: 0;
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
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(104px, 1fr));
        gap: var(--space-2);
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
      dt {
        color: var(--ink-soft);
      }
      dd {
        margin: 0;
        font-weight: 600;
      }
    `,
  ];

  static get keys() {
    return [{ keys: "1-9", words: say("table.keys.actions") }];
  }

  #asked = 0;
  #stop = () => {};

  constructor() {
    super();
    /** @type {Sight | null} */
    this.sight = null;
    this.quiet = false;
    this.speed = 1;
    this.television = false;
    /** Where the picture of the newest sight is; "" is nowhere, and what the view holds is written out. */
    this.drawing = "";
    this.picture = "";
    /** The picture in words. */
    this.told = "";
  }

  connectedCallback() {
    super.connectedCallback();
    this.#stop = onKey((key) => this.#key(key));
  }

  disconnectedCallback() {
    this.#stop();
    if (this.picture) URL.revokeObjectURL(this.picture);
    this.picture = "";
    super.disconnectedCallback();
  }

  /**
   * Show what happened, then stand at the sight.
   *
   * @param {Sight | null} before
   * @param {Sight} sight
   * @param {TableEvent[]} events
   * @param {{jump: boolean}} how
   */
  async tell(before, sight, events, how) {
    void [events, how];
    this.sight = sight;
    if (!before || before.view !== sight.view || !this.picture) await this.#draw();
    await this.updateComplete;
  }

  /** Read the picture anew; the old one stays until the new one can be shown. */
  async #draw() {
    const asked = ++this.#asked;
    const svg = this.drawing && (await fetch(this.drawing).then((answer) => (answer.ok ? answer.text() : ""), () => ""));
    if (!svg || asked !== this.#asked) return;
    const picture = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    const image = new Image();
    image.src = picture;
    await image.decode().catch(() => undefined);
    if (asked !== this.#asked) return URL.revokeObjectURL(picture);
    const old = this.picture;
    const drawn = new DOMParser().parseFromString(svg, "image/svg+xml");
    const told = drawn.querySelectorAll("desc").length ? "desc" : "text";
    this.told = [...drawn.querySelectorAll(told)].map((each) => each.textContent).join("\n");
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
    const { sight } = this;
    return this.quiet || this.television || sight?.status !== "active" || sight.paused !== undefined ? [] : sight.words;
  }

  /** @param {string} action */
  #choose(action) {
    if (this.sight?.choice === action) this.dispatchEvent(new Event("unchoose"));
    else this.dispatchEvent(new CustomEvent("choose", { detail: { action } }));
  }

  render() {
    const { sight } = this;
    if (!sight) return "";
    return html`
      ${this.picture
        ? html`<figure><img src=${this.picture} alt=${this.told || sight.opening.game}></figure>`
        : html`<dl>${facts(sight.view).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`}
      <div class="actions" role="group" aria-label=${say("table.actions")}>
        ${this.#actions.map((action, place) => html`<button aria-pressed=${sight.choice === action} @click=${() => this.#choose(action)}>
          ${sight.choice === action ? icon("check", 18) : place < 9 ? html`<kbd aria-hidden="true">${place + 1}</kbd>` : ""}${action}
        </button>`)}
      </div>
    `;
  }
}
customElements.define("any-table", AnyTable);

/** Of no use to a reader: who may do what is said by the seats and the buttons. */
const TECHNICAL = new Set(["seat", "to_act", "legal", "type", "log"]);

/**
 * What a view holds, by name, as far as it can be read.
 *
 * @param {Record<string, unknown>} view
 * @returns {[string, string][]}
 */
function facts(view) {
  return Object.entries(view)
    .filter(([name]) => !TECHNICAL.has(name))
    .map(([name, value]) => [name.replaceAll("_", " "), written(value)]);
}

/** @param {unknown} value @returns {string} */
function written(value) {
  if (Array.isArray(value)) return value.some(Array.isArray) ? value.map(written).join(" / ") : value.map(written).join(" ");
  return typeof value === "object" && value ? JSON.stringify(value) : `${value}`;
}
