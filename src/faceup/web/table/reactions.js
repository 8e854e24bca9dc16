import { face } from "../art/faces.js";
import { playerName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { settings, updateSettings } from "../ui/settings.js";
import { baseStyles, lowScreen } from "../ui/styles.js";
import { html, svg, LitElement, css } from "../vendor/lit/index.js";
import { isMuted, toggleMuted } from "./muting.js";

/** @import { TableView } from "../api/types.js" */

/**
 * What a reaction is aimed at: the player of a seat, a card, or everyone.
 *
 * @typedef {{to?: number, card?: number}} Target
 */

/** The reactions that are faces. The server has the same lists. */
export const EMOTES = ["bravo", "ouch", "phew", "hmm", "hurry", "thanks"];
/** The reactions that are sentences. */
export const PHRASES = ["hello", "luck", "nice", "knew_it", "no_way", "close", "sorry", "plan", "skill", "moo", "no_rush", "again"];

const INK = "#3b2a06";

const FEATURES = {
  bravo: svg`<path d="m11.5 12 1.3 2.7 3 .4-2.2 2 .6 2.9-2.7-1.5-2.7 1.5.6-2.9-2.2-2 3-.4ZM24.5 12l1.3 2.7 3 .4-2.2 2 .6 2.9-2.7-1.5-2.7 1.5.6-2.9-2.2-2 3-.4Z" fill=${INK}/><path d="M10.5 23.5a8 8 0 0 0 15 0Z" fill=${INK}/>`,
  ouch: svg`<path d="m9.5 12.5 5 2.7-5 2.7M26.5 12.5l-5 2.7 5 2.7"/><path d="M11 26.5c1.8-3 2.8 1 4.7-1s2.8 1 4.7-1 2.8 1 4.6-1"/>`,
  phew: svg`<path d="M10 16c1-1.6 4-1.6 5 0M21 16c1-1.6 4-1.6 5 0M14 25h8"/><path d="M29.5 5.5c2.6 3.3 3.4 4.6 3.4 6.1a3.4 3.4 0 0 1-6.8 0c0-1.5.8-2.8 3.4-6.1Z" fill="#5bb4f0" stroke="none"/>`,
  hmm: svg`<path d="M9.5 11.5l5 1.2M21.5 10.5c1.5-1.7 3.5-1.7 5 0"/><path d="M12.5 16.5h.01M24 16h.01" stroke-width="4.2"/><path d="M13.5 26c3-2 6-2 9 .3"/>`,
  hurry: svg`<circle cx="18" cy="18.5" r="9.5" fill="#fffaf0"/><path d="M18 12.5v6l4 2.5M15 4.5h6M18 4.5v4"/>`,
  thanks: svg`<path d="M18 28.5C8.5 22.5 8 17 10 14.3c2-2.7 6-2.3 8 1.2 2-3.5 6-3.9 8-1.2 2 2.7 1.5 8.2-8 14.2Z" fill="#d6322a" stroke="none"/>`,
};

/** Draw an emote; null for a phrase. @param {string} reaction */
export function reactionFace(reaction) {
  const features = FEATURES[/** @type {keyof typeof FEATURES} */ (reaction)];
  if (!features) return null;
  return html`<svg viewBox="0 0 36 36" width="100%" height="100%" fill="none" stroke=${INK} stroke-width="2.4"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
    <circle cx="18" cy="18" r="16.5" fill="#ffcf4a" stroke="none"/>
    <path d="M4 12a16.5 16.5 0 0 1 26-4.5C22 4 11 5 4 12Z" fill="#fff" opacity=".35" stroke="none"/>${features}</svg>`;
}

/** Height in pixels below which the panel would be too low. */
const LOWEST = 180;

/**
 * Picker of reactions, with a panel that covers no card of the viewer's hand: it stays within `area`, and grows upwards
 * over the rest of the page. A reaction goes to everyone unless the viewer selects a player or a card.
 *
 * Events: "react" (detail: `Target` and the reaction).
 */
export class TableReactions extends LitElement {
  static properties = { room: { attribute: false }, cards: { attribute: false }, area: { attribute: false }, open: { state: true }, target: { state: true } };
  static styles = [
    baseStyles,
    css`
      :host {
        position: relative;
      }
      .panel {
        position: fixed;
        z-index: 20;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-1);
        width: 25rem;
        padding: var(--space-2);
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--highest);
        overflow-y: auto;
        overscroll-behavior: contain;
        animation: appear var(--quick) var(--ease);
      }
      .targets {
        display: flex;
        flex-wrap: wrap;
        gap: 2px;
      }
      .targets button {
        padding: 5px;
        width: var(--target);
        border-radius: 99px;
      }
      .targets [aria-pressed="true"] {
        box-shadow: inset 0 0 0 3px var(--accent);
      }
      .targets .muted {
        filter: grayscale(1);
        opacity: 0.6;
      }
      .number {
        width: 1.75rem;
        border-radius: 5px;
        background: #fdf8ec;
        color: #4b5a80;
        font: 800 var(--text--1) / 2.1rem var(--figures);
        box-shadow: var(--low);
      }
      .aim {
        flex-wrap: wrap;
        min-height: var(--target);
        padding-inline-start: var(--space-2);
      }
      .aim button {
        max-width: 100%;
        padding: 0 var(--space-2);
        color: inherit;
        font-size: var(--text--1);
      }
      .emotes {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(var(--target), 1fr));
        justify-items: center;
      }
      .emotes button {
        width: min(3.25rem, 100%);
        padding: 5px;
        aspect-ratio: 1;
      }
      .emotes button:hover {
        transform: scale(1.14);
        box-shadow: none;
      }
      .phrases {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(6.25rem, 1fr));
        gap: var(--space-1);
      }
      .phrases button {
        padding: 2px 6px;
        font-size: var(--text--1);
        line-height: 1.15;
        background: var(--sunken);
        box-shadow: none;
        text-wrap: balance;
        overflow-wrap: anywhere;
      }
      .opener {
        padding: 0;
      }
      @media ${lowScreen} {
        .opener {
          background: none;
          box-shadow: none;
        }
        .panel {
          width: 33rem;
        }
      }
    `,
  ];

  /** @param {Event} event */
  #closeOutside = (event) => {
    if (!event.composedPath().includes(this)) this.open = false;
  };

  /** @param {KeyboardEvent} event */
  #onKey = (event) => {
    if (event.key !== "Escape" || !this.open) return;
    event.stopImmediatePropagation();
    this.#close();
  };

  constructor() {
    super();
    /** @type {TableView | null} */
    this.room = null;
    /** @type {readonly number[]} the cards to which an emote can be pinned */
    this.cards = [];
    /** Returns the part of the page that the panel may cover. @type {() => Element | null} */
    this.area = () => null;
    this.open = false;
    /** @type {Target} */
    this.target = {};
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("pointerdown", this.#closeOutside);
    addEventListener("keydown", this.#onKey, true); // before the shortcuts of the game, wherever the focus is
    addEventListener("resize", this.#place);
    addEventListener("scroll", this.#place, { passive: true });
  }

  disconnectedCallback() {
    removeEventListener("pointerdown", this.#closeOutside);
    removeEventListener("keydown", this.#onKey, true);
    removeEventListener("resize", this.#place);
    removeEventListener("scroll", this.#place);
    super.disconnectedCallback();
  }

  /** Open the panel for a reaction to a player. @param {number} seat */
  aim(seat) {
    this.target = { to: seat };
    this.open = true;
  }

  get #opener() {
    return /** @type {HTMLElement} */ (this.renderRoot.querySelector(".opener"));
  }

  #toggle() {
    this.target = {};
    this.open = !this.open;
  }

  #close() {
    this.open = false;
    this.#opener.focus();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!this.open) return;
    const area = this.area();
    if (changed.has("open") && area && area.getBoundingClientRect().bottom < LOWEST) area.scrollIntoView({ block: "end" });
    this.#place();
  }

  /** Put the panel above the button, or below it if the button is above the area. */
  #place = () => {
    const panel = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".panel"));
    const area = this.area()?.getBoundingClientRect();
    if (!panel || !area) return;
    const opener = this.#opener.getBoundingClientRect();
    const below = opener.top < area.top;
    const [gap, edge, width] = [6, below ? area.bottom : Math.min(opener.top - 6, area.bottom), document.documentElement.clientWidth];
    Object.assign(panel.style, {
      right: `${Math.max(width - area.right, 0)}px`,
      maxWidth: `${Math.min(area.width, width)}px`,
      top: below ? `${opener.bottom + gap}px` : "auto",
      bottom: below ? "auto" : `${innerHeight - edge}px`,
      maxHeight: `${edge - (below ? opener.bottom : 0) - gap}px`,
    });
  };

  render() {
    return html`<button class="opener" aria-haspopup="true" aria-expanded=${this.open} aria-label=${t("table.react")} title=${t("table.react")}
        @click=${() => this.#toggle()}>${icon("smile", 26)}</button>
      ${this.open && this.room ? this.#renderPanel(this.room) : ""}`;
  }

  /** @param {TableView} room */
  #renderPanel(room) {
    const { to, card } = this.target;
    const who = to === undefined ? null : room.seats[to];
    const name = who ? playerName(who) : "";
    const words = card !== undefined ? t("table.react.to_card", { card }) : t(name ? "table.react.to" : "table.react.to_everyone", { name });
    return html`<div class="panel" role="group" aria-label=${t("table.react")}>
      <div class="targets" role="group" aria-label=${words}>
        ${this.#renderTarget({}, t("table.target.everyone"), icon("people", 26))}
        ${room.seats.map((who, seat) => (who && seat !== room.seat ? this.#renderTarget({ to: seat }, playerName(who), face(who, seat), isMuted(room, seat)) : ""))}
        ${this.cards.map((number) => this.#renderTarget({ card: number }, t("table.target.card", { card: number }), html`<span class="number">${number}</span>`))}
      </div>
      <div class="aim apart soft"><bdi class="small cut" aria-hidden="true">${words}</bdi>${this.#renderMute(room, name)}</div>
      <div class="emotes">${EMOTES.map((reaction) => this.#renderReaction(reaction, reactionFace(reaction)))}</div>
      ${card === undefined ? html`<div class="phrases">${PHRASES.map((reaction) => this.#renderReaction(reaction))}</div>` : ""}
    </div>`;
  }

  /**
   * @param {Target} target
   * @param {string} name
   * @param {unknown} picture
   * @param {boolean} [muted]
   */
  #renderTarget(target, name, picture, muted = false) {
    const pressed = target.to === this.target.to && target.card === this.target.card;
    return html`<button class="flat ${muted ? "muted" : ""}" aria-pressed=${pressed} aria-label=${name} title=${name} @click=${() => (this.target = target)}>${picture}</button>`;
  }

  /**
   * @param {string} reaction
   * @param {unknown} [picture] its words if there is none
   */
  #renderReaction(reaction, picture) {
    const words = t(`table.react.${reaction}`);
    return html`<button class=${picture ? "flat" : ""} aria-label=${words} title=${words} @click=${() => this.#react(reaction)}>${picture ?? words}</button>`;
  }

  /**
   * Render the button that mutes the selected person, or everyone.
   *
   * @param {TableView} room
   * @param {string} name
   */
  #renderMute({ seats }, name) {
    const { to, card } = this.target;
    const handle = to === undefined ? "" : seats[to]?.handle;
    if (card !== undefined || (to !== undefined && !handle)) return ""; // a bot says nothing
    const muted = handle ? settings.mutedPlayers.includes(handle) : settings.muted;
    const toggle = () => (handle ? toggleMuted(handle) : updateSettings({ muted: !muted }));
    return html`<button class="flat" @click=${toggle}>${icon(muted ? "sound" : "silent", 20)}<bdi class="cut">${t(`table.${muted ? "unmute" : "mute"}${handle ? "" : "_all"}`, { name })}</bdi></button>`;
  }

  /** @param {string} reaction */
  #react(reaction) {
    const detail = { ...this.target, reaction };
    this.#close();
    this.dispatchEvent(new CustomEvent("react", { detail }));
  }
}
customElements.define("table-reactions", TableReactions);
