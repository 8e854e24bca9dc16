import { LitElement, css, html } from "../vendor/lit/index.js";
import { EventController, LanguageController } from "./controllers.js";
import { closeButton, closeOnBackdrop } from "./dialog-parts.js";
import { segmentStyles } from "./segment-styles.js";
import { baseStyles } from "./styles.js";
import { switchStyles } from "./switch-styles.js";
import { LANGUAGES, t } from "../i18n/translate.js";
import { prefersReducedMotion, settings, updateSettings } from "./settings.js";

/** @import { Shortcut } from "./shortcuts.js" */

export const dialogStyles = css`
  dialog {
    width: min(27rem, calc(100vw - 1.5rem));
  }
  header {
    margin: calc(-1 * var(--space-2)) calc(-1 * var(--space-2)) var(--space-3) 0;
  }
  header button {
    flex: none;
    align-self: start;
  }
`;

/** A dialog that opens when it is added to the page, and is removed when it closes. */
export class Dialog extends LitElement {
  constructor() {
    super();
    new LanguageController(this);
  }

  firstUpdated() {
    this.renderRoot.querySelector("dialog")?.showModal();
  }

  /**
   * @param {string} title
   * @param {unknown} inside
   */
  framed(title, inside) {
    return html`<dialog autofocus aria-labelledby="title" @close=${() => this.remove()} @click=${closeOnBackdrop}>
      <header class="apart"><h2 id="title">${title}</h2>${closeButton()}</header>
      ${inside}
    </dialog>`;
  }
}

/** Dialog with the settings of this browser; changes apply immediately. */
export class SettingsDialog extends Dialog {
  static styles = [
    baseStyles,
    dialogStyles,
    segmentStyles,
    switchStyles,
    css`
      .all {
        display: grid;
        gap: var(--space-4);
      }
      legend {
        font-weight: 600;
        padding: 0 0 var(--space-1);
      }
      .segments label {
        flex: 1;
        min-height: var(--target);
        padding: 2px var(--space-2);
        line-height: 1.2;
      }
    `,
  ];

  constructor() {
    super();
    new EventController(this, window, "settings");
  }

  render() {
    return this.framed(
      t("ui.settings"),
      html`<div class="all">
        ${this.#choices("theme", ["system", "light", "dark"].map((theme) => [theme, t(`ui.theme.${theme}`)]))}
        <div>
          <label for="language">${t("ui.language")}</label><br>
          <select id="language" @change=${(/** @type {Event} */ event) => updateSettings({ language: /** @type {any} */ (event.target).value })}>
            <option value="" ?selected=${!settings.language}>${t("ui.language.browser")}</option>
            ${Object.entries(LANGUAGES).map(([code, name]) => html`<option value=${code} lang=${code} ?selected=${settings.language === code}>${name}</option>`)}
          </select>
        </div>
        ${this.#choices("reveal", ["calm", "lively", "fast"].map((choice) => [choice, t(`ui.reveal.${choice}`)]))}
        ${prefersReducedMotion() ? html`<p class="soft small">${t("ui.reduced_motion")}</p>` : ""}
        <div>${["sounds", "large", "muted"].map((name) => this.#switch(/** @type {"sounds" | "large" | "muted"} */ (name)))}</div>
      </div>`,
    );
  }

  /**
   * @param {"theme" | "reveal"} name
   * @param {string[][]} choices value and label each
   */
  #choices(name, choices) {
    return html`<fieldset>
      <legend>${t(`ui.${name}`)}</legend>
      <div class="segments">
        ${choices.map(([value, words]) => html`<label><input type="radio" name=${name} .checked=${settings[name] === value}
          @change=${() => updateSettings({ [name]: value })}>${words}</label>`)}
      </div>
    </fieldset>`;
  }

  /** @param {"sounds" | "large" | "muted"} name */
  #switch(name) {
    return html`<label class="switch"><span>${t(`ui.${name}`)}</span>
      <input type="checkbox" role="switch" .checked=${settings[name]} @change=${() => updateSettings({ [name]: !settings[name] })}></label>`;
  }
}
customElements.define("settings-dialog", SettingsDialog);

/** Dialog with the keyboard shortcuts of this page. */
export class ShortcutsDialog extends Dialog {
  static properties = { keys: { attribute: false } };
  static styles = [
    baseStyles,
    dialogStyles,
    css`
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: var(--space-2) var(--space-4);
        margin: 0;
        align-items: baseline;
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
    /** @type {Shortcut[]} */
    this.keys = [];
  }

  render() {
    const keys = this.keys.map(({ keys, words }) => html`<dt><kbd>${keys}</kbd></dt><dd>${words}</dd>`);
    return this.framed(t("ui.keys"), this.keys.length ? html`<dl>${keys}</dl>` : html`<p>${t("ui.keys.none")}</p>`);
  }
}
customElements.define("shortcuts-dialog", ShortcutsDialog);

export function openSettings() {
  if (!document.querySelector("settings-dialog")) document.body.append(document.createElement("settings-dialog"));
}

/** @param {Shortcut[]} keys */
export function openShortcuts(keys) {
  if (document.querySelector("shortcuts-dialog")) return;
  const dialog = /** @type {ShortcutsDialog} */ (document.createElement("shortcuts-dialog"));
  dialog.keys = keys;
  document.body.append(dialog);
}
