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

/** Offer to switch sounds on, in the page's header. It takes no focus, and is not repeated. */
export class SoundOffer extends LitElement {
  static styles = [
    baseStyles,
    css`
      :host {
        position: fixed;
        z-index: 12;
        top: 2px;
        /* Next to the buttons of the page's header. */
        inset-inline-end: 6.5rem;
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
      @media (max-width: 17rem) {
        /* Below the header, because there is no room next to its buttons. */
        :host {
          top: 3.5rem;
          inset-inline: var(--space-1);
        }
        div {
          justify-content: space-between;
        }
      }
    `,
  ];

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    super();
    new LanguageController(this);
    new EventController(this, window, "settings", () => settings.sounds && this.remove());
  }

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setTimeout(() => this.remove(), SHOWN_FOR);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  render() {
    return html`<div class="small" role="group" aria-label=${t("ui.sounds.offer")}>
      <button class="main" @click=${this.#accept}>${icon("sound", 20)}${t("ui.sounds.accept")}</button>
      <button class="quiet" aria-label=${t("ui.sounds.decline")} @click=${() => this.remove()}>${icon("close", 20)}</button>
    </div>`;
  }

  #accept() {
    updateSettings({ sounds: true });
    playSound("turn");
  }
}
customElements.define("sound-offer", SoundOffer);

/** Show the offer if it has not been shown before. */
export function openSoundOffer() {
  if (settings.offered) return;
  updateSettings({ offered: true });
  document.body.append(document.createElement("sound-offer"));
  announce(t("ui.sounds.offer"));
}
