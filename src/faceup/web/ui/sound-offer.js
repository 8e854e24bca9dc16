import { LitElement, css, html } from "../vendor/lit/index.js";
import { t } from "../i18n/translate.js";
import { EventController, LanguageController } from "./controllers.js";
import { icon } from "./icons.js";
import { announce } from "./live-region.js";
import { settings, updateSettings } from "./settings.js";
import { playSound } from "./sounds.js";
import { baseStyles } from "./styles.js";

/** Milliseconds for which the offer is shown. */
const SHOWN_FOR = 15_000;

/** Offer to switch sounds on, in place of the title of a page's header. It takes no focus. Event: "close". */
export class SoundOffer extends LitElement {
  static styles = [
    baseStyles,
    css`
      :host {
        margin-inline: auto;
        min-width: 0;
      }
      div {
        display: flex;
        align-items: center;
        border-radius: 28px;
        background: var(--surface);
        box-shadow: var(--highest);
        --from: -10px;
        animation: enter var(--move) var(--ease);
      }
      button {
        min-height: 40px;
        border-radius: 26px;
        white-space: nowrap;
      }
      .quiet {
        padding: 0;
        color: var(--ink-soft);
      }
    `,
  ];

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    super();
    new LanguageController(this);
    new EventController(this, window, "settings", () => settings.sounds && this.#close());
  }

  connectedCallback() {
    super.connectedCallback();
    announce(t("ui.sounds.offer"));
    this.#timer = setTimeout(() => this.#close(), SHOWN_FOR);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  render() {
    return html`<div class="small" role="group" aria-label=${t("ui.sounds.offer")}>
      <button class="main" @click=${this.#accept}>${icon("sound", 20)}${t("ui.sounds.accept")}</button>
      <button class="quiet" aria-label=${t("ui.sounds.decline")} @click=${() => this.#close()}>${icon("close", 20)}</button>
    </div>`;
  }

  #close() {
    this.dispatchEvent(new Event("close"));
  }

  #accept() {
    updateSettings({ sounds: true });
    playSound("turn");
  }
}
customElements.define("sound-offer", SoundOffer);
