import { LitElement, html, svg } from "../vendor/lit/index.js";
import { limitWait } from "../api/http.js";
import { LanguageController } from "../ui/controllers.js";
import { onShortcut } from "../ui/shortcuts.js";
import { revealSpeed } from "../ui/settings.js";
import { drawIcon, icon } from "../ui/icons.js";
import { baseStyles } from "../ui/styles.js";
import { t } from "../i18n/translate.js";
import "./faceup-table.js";
import { namesOf } from "../i18n/seat-names.js";
import { ReplaySource } from "./replay-source.js";
import { replayStyles } from "./replay-styles.js";

/** @import { FaceupTable } from "./faceup-table.js" */

const ICONS = {
  playback: svg`<path d="M16 5.5v13L5.5 12Z" fill="currentColor"/>`,
  first: svg`<path d="M17 5.5 10.5 12l6.5 6.5M6.5 6v12"/>`,
  last: svg`<path d="m7 5.5 6.5 6.5L7 18.5M17.5 6v12"/>`,
};

/** By game, the module that displays all hands. */
const HANDS = { nimmt: () => import("../games/nimmt/open-hands.js") };

/** Speeds as multiples of normal speed; the third and all later speeds skip animations. */
const SPEEDS = [1, 2, 4, 16];
/** Milliseconds between two steps at normal speed. */
const PAUSE = 900;

/**
 * Replay of a finished game, forwards and backwards, with the table element above a row of controls. The updates come
 * from `src`, from a nested script of type application/x-ndjson, or from `lines`. Other content is shown below the
 * table, and content for the slot "step" above the controls.
 *
 * Event: "step" when the current step changes.
 */
export class FaceupReplay extends LitElement {
  static properties = {
    src: {},
    lines: { attribute: false },
    seat: { type: Number },
    at: { type: Number },
    alone: { type: Boolean },
    replay: { state: true },
    playing: { state: true },
    rate: { state: true },
    problem: { state: true },
    open: { state: true },
  };
  static styles = [baseStyles, replayStyles];

  #stopKeys = () => {};
  #stylesAdopted = false;
  #resizeObserver = new ResizeObserver(([entry]) => this.#setControlsHeight(entry.borderBoxSize[0].blockSize));
  /** @type {Element | null} */
  #measured = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #onUpdate = () => {
    this.at = this.replay?.step ?? 0;
    this.dispatchEvent(new Event("step"));
    this.requestUpdate();
  };

  constructor() {
    super();
    this.src = "";
    /** The updates as text, instead of `src`. */
    this.lines = "";
    /** @type {number | undefined} seat of the viewpoint; undefined for a spectator */
    this.seat = undefined;
    /** Current step. */
    this.at = 0;
    /** Whether the replay fills the page, and handles all its keys. */
    this.alone = false;
    /** @type {ReplaySource | null} */
    this.replay = null;
    /** @type {-1 | 0 | 1} backwards, stopped, forwards */
    this.playing = 0;
    this.rate = 1;
    /** Whether all hands are shown. */
    this.open = false;
    /** @type {typeof import("../games/nimmt/open-hands.js") | null} */
    this.hands = null;
    this.problem = "";
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    const inside = this.querySelector('script[type="application/x-ndjson"]')?.textContent;
    if (inside && !this.lines) this.lines = inside;
    if (this.alone) this.#stopKeys = onShortcut((key) => this.#onKey(key));
    else this.addEventListener("keydown", this.#onKeydown);
  }

  disconnectedCallback() {
    this.#resizeObserver.disconnect();
    this.#measured = null;
    this.#stopKeys();
    this.stop();
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("lines") && this.lines) this.#load(this.lines);
    else if (changed.has("src") && this.src && !this.lines) void this.#fetch(this.src);
    if (!this.replay) return;
    if (changed.has("seat")) this.replay.setSeat(this.#seat);
    if (!changed.has("at") || this.at === this.replay.step) return;
    this.replay.seek(this.at);
    this.at = this.replay.step;
  }

  updated() {
    const controls = this.renderRoot.querySelector(".controls");
    if (controls === this.#measured) return;
    this.#measured = controls;
    this.#resizeObserver.disconnect();
    if (!controls) return;
    // The height is set before the first layout, so that the table is laid out only once.
    this.#setControlsHeight(controls.getBoundingClientRect().height);
    this.#resizeObserver.observe(controls, { box: "border-box" });
  }

  /** Set the height of the controls, so that the table leaves it free. @param {number} height */
  #setControlsHeight(height) {
    this.style.setProperty("--controls-height", `${Math.round(height)}px`);
  }

  get #seat() {
    const seats = this.replay?.room.seats.length ?? 0;
    return this.seat !== undefined && this.seat >= 0 && this.seat < seats ? this.seat : undefined;
  }

  /** @param {string} src */
  async #fetch(src) {
    let text = "";
    try {
      const answer = await fetch(src, { signal: limitWait() });
      if (!answer.ok) throw new Error(answer.statusText);
      text = await answer.text();
    } catch {
      if (src === this.src) this.problem = t("replay.missing");
      return;
    }
    if (src === this.src) this.#load(text);
  }

  /** @param {string} text */
  #load(text) {
    this.stop();
    this.replay?.removeEventListener("update", this.#onUpdate);
    try {
      this.replay = new ReplaySource(text);
      this.problem = "";
    } catch {
      this.replay = null;
      this.problem = t("replay.malformed");
      return;
    }
    if (this.src) this.replay.drawing = (step) => `${this.src.replace(/replay$/, "moment.svg")}?at=${step}`;
    this.replay.seat = this.#seat;
    this.replay.step = this.replay.clamp(this.at);
    this.at = this.replay.step;
    this.replay.addEventListener("update", this.#onUpdate);
    this.dispatchEvent(new Event("step"));
    void this.#show(this.replay.room.config.game);
  }

  /** @param {string} game */
  async #show(game) {
    this.hands = Object.hasOwn(HANDS, game) ? await HANDS[/** @type {keyof typeof HANDS} */ (game)]() : null;
    this.requestUpdate();
  }

  /**
   * Play until the end of the replay, or until the viewer stops it.
   *
   * @param {-1 | 1} way
   */
  play(way = 1) {
    const { replay } = this;
    if (!replay) return;
    if (way > 0 && replay.step === replay.last) replay.seek(0);
    this.playing = way;
    this.#scheduleNext();
  }

  stop() {
    clearTimeout(this.#timer);
    this.playing = 0;
  }

  /**
   * Show the table after the reveal of a decision, from the seat's point of view.
   *
   * @param {{decision: number, seat: number}} choice
   */
  showDecision({ decision, seat }) {
    const { replay } = this;
    if (!replay) return;
    this.stop();
    this.seat = seat;
    const before = Array.from({ length: replay.last }, (_, step) => step).find((step) => replay.at(step).decision === decision);
    replay.seek((before ?? decision) + 1);
  }

  /** Show the next step, and schedule the one after it. */
  #scheduleNext() {
    clearTimeout(this.#timer);
    if (!this.playing || !this.replay) return;
    if (this.playing < 0) {
      if (this.replay.back()) this.#timer = setTimeout(() => this.#scheduleNext(), PAUSE / this.rate);
      else this.stop();
    } else if (!this.replay.forward()) this.stop();
  }

  /** Continue playing after the table has displayed a step. */
  #shown() {
    if (this.playing > 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#scheduleNext(), PAUSE / this.rate);
    }
  }

  /**
   * Stop playing, and seek.
   *
   * @param {(replay: ReplaySource) => unknown} where
   */
  #stopAndSeek(where) {
    this.stop();
    if (this.replay) where(this.replay);
  }

  /** @param {KeyboardEvent} event */
  #onKeydown = (event) => {
    const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented);
    const writing = event.composedPath().some((element) => element instanceof Element && element.matches("input, select, dialog, button, a") && event.key === " ");
    if (plain && !writing && this.#onKey(event.key)) event.preventDefault();
  };

  /** @param {string} key */
  #onKey(key) {
    const press = {
      " ": () => (this.playing ? this.stop() : this.play()),
      ArrowRight: () => this.#stopAndSeek((replay) => replay.forward()),
      ArrowLeft: () => this.#stopAndSeek((replay) => replay.back()),
      Home: () => this.#stopAndSeek((replay) => replay.seek(0)),
      End: () => this.#stopAndSeek((replay) => replay.seek(replay.last)),
      n: () => this.#goToBookmark(1),
      b: () => this.#goToBookmark(-1),
      h: () => (this.open = !this.open),
    }[key];
    press?.();
    return Boolean(press);
  }

  /**
   * Go to the next or previous bookmark.
   *
   * @param {-1 | 1} way
   */
  #goToBookmark(way) {
    this.#stopAndSeek((replay) => {
      const steps = replay.bookmarks.map(({ v }) => v);
      const next = way > 0 ? steps.find((step) => step > replay.step) : steps.findLast((step) => step < replay.step);
      replay.seek(next ?? (way > 0 ? replay.last : 0));
    });
  }

  /** @returns {import("../ui/shortcuts.js").Shortcut[]} */
  get keys() {
    return [
      { keys: t("replay.keys.space"), words: t("replay.keys.play") },
      { keys: "← →", words: t("replay.keys.step") },
      { keys: "N B", words: t("replay.keys.mark") },
      { keys: t("replay.keys.ends"), words: t("replay.keys.end") },
      { keys: "H", words: t("replay.hands") },
      { keys: "L", words: t("table.keys.log") },
    ];
  }

  render() {
    const { replay } = this;
    if (this.problem) return html`<p class="problem notice" role="alert">${this.problem}</p>`;
    if (!replay) return html`<p class="problem notice soft">${t("replay.loading")}</p>`;
    const pace = this.rate >= 4 ? 0 : this.rate * revealSpeed();
    return html`
      <faceup-table .source=${replay} quiet bare .pace=${pace} @shown=${this.#shown}></faceup-table>
      <slot></slot>
      ${this.#renderControls(replay)}
    `;
  }

  /** @param {ReplaySource} replay */
  #renderHands(replay) {
    if (!this.hands || !this.open) return "";
    const { renderOpenHands, openHandsStyles } = this.hands;
    const next = replay.step < replay.last ? replay.events(replay.step + 1) : [];
    if (!this.#stylesAdopted) this.#stylesAdopted = Boolean(adopt(this.renderRoot, openHandsStyles));
    return html`<div class="hands" role="region" tabindex="0" aria-label=${t("replay.hands")}>${renderOpenHands(replay.room, namesOf(replay.room), next)}</div>`;
  }

  /** @param {ReplaySource} replay */
  #renderControls(replay) {
    const { step, last } = replay;
    const running = this.playing !== 0;
    return html`<section class="controls" aria-label=${t("replay.controls")}>
      <slot name="step"></slot>
      ${this.#renderHands(replay)}
      <div class="slide" .style=${`--part: ${last ? step / last : 0}`}>
        <div class="bookmarks" aria-hidden="true">${replay.bookmarks.map(({ v, events }) => html`<i class=${kind(events)} .style=${`--part: ${last ? v / last : 0}`}></i>`)}</div>
        <input type="range" min="0" max=${last} .value=${String(step)} aria-label=${t("replay.position")}
          aria-valuetext=${t("replay.step", { step, last })} @input=${this.#onSlider}>
      </div>
      <div class="buttons">
        <span class="soft small count figures">${t("replay.step", { step, last })}</span>
        <button class="quiet ends" aria-label=${t("replay.first")} ?disabled=${step === 0} @click=${() => this.#stopAndSeek((to) => to.seek(0))}>${drawIcon(ICONS.first)}</button>
        <button class="quiet" aria-label=${t(this.playing < 0 ? "replay.stop" : "replay.backwards")} ?disabled=${step === 0 && !running}
          aria-pressed=${this.playing < 0} @click=${() => (this.playing < 0 ? this.stop() : this.play(-1))}>${this.playing < 0 ? icon("pause") : drawIcon(ICONS.playback)}</button>
        <button class="quiet" aria-label=${t("table.history.back")} ?disabled=${step === 0} @click=${() => this.#stopAndSeek((to) => to.back())}>${icon("back")}</button>
        <button class="main play" aria-label=${t(this.playing > 0 ? "replay.stop" : "replay.play")}
          @click=${() => (this.playing > 0 ? this.stop() : this.play())}>${icon(this.playing > 0 ? "pause" : "play", 28)}</button>
        <button class="quiet" aria-label=${t("table.history.next")} ?disabled=${step === last} @click=${() => this.#stopAndSeek((to) => to.forward())}>${icon("next")}</button>
        <button class="quiet" aria-label=${t("replay.faster", { rate: this.rate })} @click=${this.#changeSpeed}><b>${this.rate}×</b></button>
        <button class="quiet ends" aria-label=${t("replay.last")} ?disabled=${step === last} @click=${() => this.#stopAndSeek((to) => to.seek(to.last))}>${drawIcon(ICONS.last)}</button>
        <div class="look aligned soft">
          ${this.hands ? html`<button class="quiet" aria-label=${t("replay.hands")} title=${t("replay.hands")} aria-pressed=${this.open}
            @click=${() => (this.open = !this.open)}>${icon("hand")}</button>` : ""}
          ${this.#renderViewpoints(replay)}
        </div>
      </div>
    </section>`;
  }

  /** @param {ReplaySource} replay */
  #renderViewpoints(replay) {
    const names = namesOf(replay.room);
    /** @param {Event} event */
    const look = (event) => {
      const { value } = /** @type {HTMLSelectElement} */ (event.target);
      this.seat = value === "" ? undefined : Number(value);
    };
    return html`<label class="aligned soft">${icon("eye", 20)}<span class="visually-hidden">${t("replay.viewpoint")}</span>
      <select @change=${look}>
        <option value="" ?selected=${replay.seat === undefined}>${t("replay.spectator")}</option>
        ${names.map((name, seat) => html`<option value=${seat} ?selected=${replay.seat === seat}>${name}</option>`)}
      </select></label>`;
  }

  /** @param {Event} event */
  #onSlider(event) {
    const step = Number(/** @type {HTMLInputElement} */ (event.target).value);
    this.#stopAndSeek((replay) => replay.seek(step));
  }

  #changeSpeed() {
    this.rate = SPEEDS[(SPEEDS.indexOf(this.rate) + 1) % SPEEDS.length];
    if (this.playing < 0) this.#scheduleNext();
  }
}
customElements.define("faceup-replay", FaceupReplay);

/**
 * Add a style sheet to a shadow root.
 *
 * @param {Node} root
 * @param {import("../vendor/lit/index.js").CSSResult} sheet
 */
function adopt(root, sheet) {
  if (!(root instanceof ShadowRoot) || !sheet.styleSheet) return false;
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet.styleSheet];
  return true;
}

/** @param {import("../api/types.js").TableEvent[]} events */
function kind(events) {
  return events.some(({ event }) => ["won", "match_won", "drawn", "deal_over"].includes(event)) ? "end" : "";
}
