import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { announce } from "../ui/live-region.js";
import { baseStyles } from "../ui/styles.js";
import { floatingStyles, toastStyles } from "../ui/toast-styles.js";
import { t } from "../i18n/translate.js";

/** Seconds after which a spectator's page follows the players to their rematch. */
const FOLLOW_AFTER = 6;

/**
 * Message that a rematch is open, with a button to join or to watch it. A spectator's page follows by itself. Events:
 * "follow" and "stay".
 */
export class RematchToast extends LitElement {
  static properties = { name: {}, spectator: { type: Boolean }, follows: { type: Boolean }, busy: { type: Boolean }, television: { type: Boolean, reflect: true }, left: { state: true } };
  static styles = [
    baseStyles,
    floatingStyles,
    toastStyles,
    css`
      :host([television]) section > div {
        display: none;
      }
      :host([television]) p {
        font-size: max(1em, 3vh);
      }
    `,
  ];

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  constructor() {
    super();
    /** Name of the player who asks for the rematch; "" if unknown. */
    this.name = "";
    /** Whether the viewer has no seat, and so watches the rematch. */
    this.spectator = false;
    /** Whether to follow without a tap. */
    this.follows = false;
    this.busy = false;
    this.television = false;
    this.left = FOLLOW_AFTER;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => {
      if (!this.follows) return;
      this.left -= 1;
      if (this.left <= 0) this.#emit("follow");
    }, 1000);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    super.disconnectedCallback();
  }

  /** @param {"follow" | "stay"} what */
  #emit(what) {
    clearInterval(this.#timer);
    this.dispatchEvent(new Event(what));
  }

  render() {
    return html`<section class="cluster aligned tile" aria-label=${t("table.event.rematch_created", {})}>
      <p>${this.name ? t("series.asks", { name: this.name }) : t("series.open")}
        ${this.follows ? html`<small class="block small">${t("series.follow", { count: Math.max(0, this.left) })}</small>` : nothing}</p>
      <div>
        ${this.follows
          ? html`<button class="quiet words" @click=${() => this.#emit("stay")}>${t("series.stay")}</button>`
          : nothing}
        <button class="gold" ?disabled=${this.busy} @click=${() => this.#emit("follow")}>${t(this.spectator ? "series.watch" : "series.join")}</button>
        ${this.follows
          ? nothing
          : html`<button class="quiet" aria-label=${t("table.dismiss")} @click=${() => this.#emit("stay")}>${icon("close")}</button>`}
      </div>
    </section>`;
  }
}
customElements.define("rematch-toast", RematchToast);

/** Countdown at the start of a rematch. It covers nothing that can be tapped, and players can choose before its end. */
export class TableCountdown extends LitElement {
  static properties = { until: { attribute: false }, now: { attribute: false }, left: { state: true } };
  static styles = [
    baseStyles,
    css`
      :host {
        position: fixed;
        inset: 0;
        z-index: 20;
        display: grid;
        place-items: center;
        pointer-events: none;
      }
      div {
        align-content: center;
        gap: var(--space-1);
        width: min(62vmin, 17rem);
        aspect-ratio: 1;
        border-radius: 50%;
        color: var(--on-felt);
        background: radial-gradient(circle at 35% 25%, var(--felt), var(--felt-deep));
        box-shadow: var(--highest), 0 0 0 8px rgb(255 201 64 / 0.9);
      }
      b {
        font: 800 min(30vmin, 8.5rem) / 1 var(--figures);
      }
      p {
        font-size: var(--text--1);
        color: var(--on-felt-soft);
      }
    `,
  ];

  #request = 0;

  constructor() {
    super();
    /** When the countdown ends, in milliseconds of `now`. */
    this.until = 0;
    this.now = () => 0;
    this.left = 0;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    announce(t("series.starts"));
    this.#tick();
  }

  disconnectedCallback() {
    clearTimeout(this.#request);
    super.disconnectedCallback();
  }

  #tick = () => {
    const left = this.until - this.now();
    this.left = Math.min(3, Math.ceil(left / 1000));
    if (left > 0) this.#request = window.setTimeout(this.#tick, Math.max(16, left % 1000));
    else this.dispatchEvent(new Event("over"));
  };

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!changed.has("left") || this.left <= 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const number = this.renderRoot.querySelector("b");
    number?.animate(
      [
        { transform: "scale(1.7)", opacity: 0 },
        { transform: "scale(1)", opacity: 1, offset: 0.25 },
        { transform: "scale(1)", opacity: 1, offset: 0.75 },
        { transform: "scale(0.75)", opacity: 0 },
      ],
      { duration: 1000, easing: "ease-out" },
    );
  }

  render() {
    return this.left > 0 ? html`<div class="centred" role="timer" aria-live="off"><b>${this.left}</b><p>${t("series.ready")}</p></div>` : nothing;
  }
}
customElements.define("table-countdown", TableCountdown);
