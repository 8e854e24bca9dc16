import { LitElement, css, html } from "../vendor/lit/index.js";
import { icon } from "../parts/icons.js";
import { sheet } from "../parts/sheet.js";
import { LANGUAGES, say } from "../words/say.js";
import { set, settings, speed } from "./settings.js";

/** @import { Key } from "./keys.js" */

const dialog = css`
  dialog {
    width: min(27rem, calc(100vw - 1.5rem));
  }
  header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    margin: calc(-1 * var(--space-2)) calc(-1 * var(--space-2)) var(--space-3) 0;
  }
`;

class Dialog extends LitElement {
  firstUpdated() {
    this.renderRoot.querySelector("dialog")?.showModal();
  }

  /**
   * @param {string} title
   * @param {unknown} inside
   */
  framed(title, inside) {
    return html`<dialog autofocus aria-labelledby="title" @close=${() => this.remove()} @click=${this.#outside}>
      <header><h2 id="title">${title}</h2><button class="quiet" aria-label=${say("table.shut")} @click=${this.#shut}>${icon("close")}</button></header>
      ${inside}
    </dialog>`;
  }

  #shut = () => this.renderRoot.querySelector("dialog")?.close();

  /** @param {MouseEvent} event */
  #outside(event) {
    if (event.target === event.currentTarget) this.#shut();
  }
}

/** What somebody can set for this browser. It holds at once. */
export class SettingsDialog extends Dialog {
  static styles = [
    sheet,
    dialog,
    css`
      .all {
        display: grid;
        gap: var(--space-4);
      }
      legend {
        font-weight: 600;
        padding: 0 0 var(--space-1);
      }
      .choices {
        display: flex;
        padding: 3px;
        border-radius: var(--radius-small);
        background: var(--sunken);
      }
      .choices label {
        position: relative;
        flex: 1;
        display: grid;
        place-items: center;
        text-align: center;
        min-height: var(--target);
        padding: 2px var(--space-2);
        font-size: var(--text--1);
        line-height: 1.2;
        font-weight: 500;
        border-radius: 7px;
        cursor: pointer;
      }
      .choices label:has(:checked) {
        font-weight: 700;
        background: var(--raised);
        box-shadow: var(--low);
      }
      .choices input {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        margin: 0;
        opacity: 0;
        cursor: pointer;
      }
      .choices label:has(:focus-visible) {
        outline: 3px solid var(--focus);
      }
      .switch {
        display: flex;
        align-items: center;
        gap: var(--space-3);
        min-height: var(--target);
        cursor: pointer;
      }
      .switch span {
        flex: 1;
      }
      .switch input {
        appearance: none;
        flex: none;
        width: 48px;
        min-height: 28px;
        height: 28px;
        margin: 0;
        padding: 0;
        border-radius: 14px;
        background: var(--ink-soft);
        cursor: pointer;
        transition: background var(--quick) var(--ease);
      }
      .switch input::before {
        content: "";
        display: block;
        width: 22px;
        height: 22px;
        margin: 3px;
        border-radius: 50%;
        background: var(--surface);
        box-shadow: var(--low);
        transition: transform var(--quick) var(--ease);
      }
      .switch input:checked {
        background: var(--accent);
      }
      .switch input:checked::before {
        transform: translateX(20px);
      }
    `,
  ];

  #again = () => this.requestUpdate();

  connectedCallback() {
    super.connectedCallback();
    addEventListener("settings", this.#again);
    addEventListener("language", this.#again);
  }

  disconnectedCallback() {
    removeEventListener("settings", this.#again);
    removeEventListener("language", this.#again);
    super.disconnectedCallback();
  }

  render() {
    const still = speed() !== settings.speed;
    return this.framed(
      say("manners.settings"),
      html`<div class="all">
        ${this.#choices("theme", ["system", "light", "dark"].map((each) => [each, say(`manners.theme.${each}`)]))}
        <div>
          <label for="language">${say("manners.language")}</label><br>
          <select id="language" @change=${(/** @type {Event} */ event) => set({ language: /** @type {any} */ (event.target).value })}>
            <option value="" ?selected=${!settings.language}>${say("manners.language.browser")}</option>
            ${Object.entries(LANGUAGES).map(([each, name]) => html`<option value=${each} lang=${each} ?selected=${settings.language === each}>${name}</option>`)}
          </select>
        </div>
        ${this.#choices("speed", [1, 2, 0].map((each) => [each, say(`manners.speed.${each}`)]))}
        ${still ? html`<p class="soft small">${say("manners.still")}</p>` : ""}
        <div>${["sounds", "large", "muted"].map((each) => this.#switch(/** @type {"sounds" | "large" | "muted"} */ (each)))}</div>
      </div>`,
    );
  }

  /**
   * @param {"theme" | "speed"} name
   * @param {(string | number)[][]} choices each with its words
   */
  #choices(name, choices) {
    return html`<fieldset>
      <legend>${say(`manners.${name}`)}</legend>
      <div class="choices">
        ${choices.map(([value, words]) => html`<label><input type="radio" name=${name} .checked=${settings[name] === value}
          @change=${() => set({ [name]: value })}>${words}</label>`)}
      </div>
    </fieldset>`;
  }

  /** @param {"sounds" | "large" | "muted"} name */
  #switch(name) {
    return html`<label class="switch"><span>${say(`manners.${name}`)}</span>
      <input type="checkbox" role="switch" .checked=${settings[name]} @change=${() => set({ [name]: !settings[name] })}></label>`;
  }
}
customElements.define("settings-dialog", SettingsDialog);

/** The keys that work here. */
export class KeysDialog extends Dialog {
  static properties = { keys: { attribute: false } };
  static styles = [
    sheet,
    dialog,
    css`
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: var(--space-2) var(--space-4);
        margin: 0;
        align-items: baseline;
      }
      dd {
        margin: 0;
      }
      kbd {
        display: inline-block;
        font: 600 var(--text--1) / 1.5 var(--font);
        padding: 2px var(--space-2);
        border-radius: 6px;
        background: var(--raised);
        box-shadow: var(--low), inset 0 -2px 0 rgb(var(--shade) / 0.14);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Key[]} */
    this.keys = [];
  }

  render() {
    const keys = this.keys.map(({ keys, words }) => html`<dt><kbd>${keys}</kbd></dt><dd>${words}</dd>`);
    return this.framed(say("manners.keys"), this.keys.length ? html`<dl>${keys}</dl>` : html`<p>${say("manners.keys.none")}</p>`);
  }
}
customElements.define("keys-dialog", KeysDialog);

export function openSettings() {
  if (!document.querySelector("settings-dialog")) document.body.append(document.createElement("settings-dialog"));
}

/** @param {Key[]} keys */
export function openKeys(keys) {
  if (document.querySelector("keys-dialog")) return;
  const dialog = /** @type {KeysDialog} */ (document.createElement("keys-dialog"));
  dialog.keys = keys;
  document.body.append(dialog);
}
