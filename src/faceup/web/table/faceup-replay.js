import { LitElement, html } from "../vendor/lit/index.js";
import { onKey } from "../manners/keys.js";
import { speed } from "../manners/settings.js";
import { icon } from "../parts/icons.js";
import { sheet } from "../parts/sheet.js";
import { known, say } from "../words/say.js";
import "./faceup-table.js";
import { namesOf } from "./names.js";
import { Player } from "./player.js";
import { replaying } from "./replaying.js";

/** @import { FaceupTable } from "./faceup-table.js" */

/** Of which games there are hands to be shown, and what shows them. */
const HANDS = { nimmt: () => import("../games/nimmt/hands.js") };

/** How many times as fast as usual; from the third on, nothing is animated. */
const SPEEDS = [1, 2, 4, 16];
/** Between two steps, in milliseconds at the usual speed. */
const PAUSE = 900;

/**
 * A game that is over, to be stepped and played through in both directions: the same table as a live one, over a row of
 * controls. It plays the lines at `src`, those that stand in it as a script of type application/x-ndjson, or `lines`.
 *
 * Event: "step" when it stands somewhere else.
 */
export class FaceupReplay extends LitElement {
  static properties = {
    src: {},
    lines: { attribute: false },
    seat: { type: Number },
    at: { type: Number },
    alone: { type: Boolean },
    verdicts: { attribute: false },
    player: { state: true },
    playing: { state: true },
    rate: { state: true },
    problem: { state: true },
    open: { state: true },
  };
  static styles = [sheet, replaying];

  #stopKeys = () => {};
  #dressed = false;
  #sizes = new ResizeObserver(([entry]) => this.#under(entry.borderBoxSize[0].blockSize));
  /** @type {Element | null} */
  #measured = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #told = () => {
    this.at = this.player?.step ?? 0;
    this.dispatchEvent(new Event("step"));
    this.requestUpdate();
  };
  #language = () => this.requestUpdate();

  constructor() {
    super();
    this.src = "";
    /** The lines themselves, in place of an address. */
    this.lines = "";
    /** @type {number | undefined} from where it is seen: a seat, or as a spectator */
    this.seat = undefined;
    /** The step at which it stands. */
    this.at = 0;
    /** Whether it has its page to itself, and so all keys. */
    this.alone = false;
    /** @type {import("../live/types.js").Verdict[]} what the coach says to each choice, once somebody has asked */
    this.verdicts = [];
    /** @type {Player | null} */
    this.player = null;
    /** @type {-1 | 0 | 1} backwards, not at all, forwards */
    this.playing = 0;
    this.rate = 1;
    /** Whether everybody's hand is shown. */
    this.open = false;
    /** @type {typeof import("../games/nimmt/hands.js") | null} */
    this.hands = null;
    this.problem = "";
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("language", this.#language);
    const inside = this.querySelector('script[type="application/x-ndjson"]')?.textContent;
    if (inside && !this.lines) this.lines = inside;
    if (this.alone) this.#stopKeys = onKey((key) => this.#key(key));
    else this.addEventListener("keydown", this.#keydown);
  }

  disconnectedCallback() {
    removeEventListener("language", this.#language);
    this.#sizes.disconnect();
    this.#measured = null;
    this.#stopKeys();
    this.stop();
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("lines") && this.lines) this.#load(this.lines);
    else if (changed.has("src") && this.src && !this.lines) void this.#fetch(this.src);
    if (!this.player) return;
    if (changed.has("seat")) this.player.look(this.#seat);
    if (changed.has("at") && this.at !== this.player.step) this.player.seek(this.at);
  }

  updated() {
    const controls = this.renderRoot.querySelector(".controls");
    if (controls === this.#measured) return;
    this.#measured = controls;
    this.#sizes.disconnect();
    if (!controls) return;
    this.#under(controls.getBoundingClientRect().height); // so that the table is laid out once before it is first seen
    this.#sizes.observe(controls, { box: "border-box" });
  }

  /** What the controls need of the screen, the table has to do without. @param {number} height */
  #under(height) {
    this.style.setProperty("--under", `${Math.round(height)}px`);
  }

  get #seat() {
    const seats = this.player?.sight.seats.length ?? 0;
    return this.seat !== undefined && this.seat >= 0 && this.seat < seats ? this.seat : undefined;
  }

  /** @param {string} src */
  async #fetch(src) {
    let text = "";
    try {
      const answer = await fetch(src);
      if (!answer.ok) throw new Error(answer.statusText);
      text = await answer.text();
    } catch {
      this.problem = say("replay.missing");
      return;
    }
    if (src === this.src) this.#load(text);
  }

  /** @param {string} text */
  #load(text) {
    this.stop();
    this.player?.removeEventListener("told", this.#told);
    try {
      this.player = new Player(text);
      this.problem = "";
    } catch {
      this.player = null;
      this.problem = say("replay.malformed");
      return;
    }
    if (this.src) this.player.drawing = (step) => `${this.src.replace(/replay$/, "moment.svg")}?at=${step}`;
    this.player.seat = this.#seat;
    this.player.step = Math.max(0, Math.min(this.player.last, this.at));
    this.at = this.player.step;
    this.player.addEventListener("told", this.#told);
    this.dispatchEvent(new Event("step"));
    void this.#show(this.player.sight.opening.game);
  }

  /** @param {string} game */
  async #show(game) {
    this.hands = Object.hasOwn(HANDS, game) ? await HANDS[/** @type {keyof typeof HANDS} */ (game)]() : null;
    this.requestUpdate();
  }

  /**
   * Play on by itself until the end, or until it is stopped.
   *
   * @param {-1 | 1} way
   */
  play(way = 1) {
    const { player } = this;
    if (!player) return;
    if (way > 0 && player.step === player.last) player.seek(0);
    this.playing = way;
    this.#on();
  }

  stop() {
    clearTimeout(this.#timer);
    this.playing = 0;
  }

  /** The next step, if there is one; the one after it when that is shown. */
  #on() {
    clearTimeout(this.#timer);
    if (!this.playing || !this.player) return;
    if (this.playing < 0) {
      if (this.player.back()) this.#timer = setTimeout(() => this.#on(), PAUSE / this.rate);
      else this.stop();
    } else if (!this.player.forward()) this.stop();
  }

  /** The frame says that everything is shown. */
  #shown() {
    if (this.playing > 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#on(), PAUSE / this.rate);
    }
  }

  /**
   * Stop, and go somewhere.
   *
   * @param {(player: Player) => unknown} where
   */
  #go(where) {
    this.stop();
    if (this.player) where(this.player);
  }

  /** @param {KeyboardEvent} event */
  #keydown = (event) => {
    const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented);
    const writing = event.composedPath().some((each) => each instanceof Element && each.matches("input, select, dialog, button, a") && event.key === " ");
    if (plain && !writing && this.#key(event.key)) event.preventDefault();
  };

  /** @param {string} key */
  #key(key) {
    const press = {
      " ": () => (this.playing ? this.stop() : this.play()),
      ArrowRight: () => this.#go((player) => player.forward()),
      ArrowLeft: () => this.#go((player) => player.back()),
      Home: () => this.#go((player) => player.seek(0)),
      End: () => this.#go((player) => player.seek(player.last)),
      n: () => this.#mark(1),
      b: () => this.#mark(-1),
      h: () => (this.open = !this.open),
    }[key];
    press?.();
    return Boolean(press);
  }

  /**
   * On to the next thing that one looks for, or back to the last.
   *
   * @param {-1 | 1} way
   */
  #mark(way) {
    this.#go((player) => {
      const steps = player.marks.map(({ v }) => v);
      const next = way > 0 ? steps.find((step) => step > player.step) : steps.findLast((step) => step < player.step);
      player.seek(next ?? (way > 0 ? player.last : 0));
    });
  }

  /** @returns {import("../manners/keys.js").Key[]} */
  get keys() {
    return [
      { keys: say("replay.keys.space"), words: say("replay.keys.play") },
      { keys: "← →", words: say("replay.keys.step") },
      { keys: "N B", words: say("replay.keys.mark") },
      { keys: say("replay.keys.ends"), words: say("replay.keys.end") },
      { keys: "H", words: say("replay.hands") },
      { keys: "L", words: say("table.keys.log") },
    ];
  }

  render() {
    const { player } = this;
    if (this.problem) return html`<p class="problem" role="alert">${this.problem}</p>`;
    if (!player) return html`<p class="problem soft">${say("replay.loading")}</p>`;
    const pace = speed() === 0 || this.rate >= 4 ? 0 : this.rate;
    return html`
      <faceup-table .source=${player} quiet bare .pace=${pace} @shown=${this.#shown}></faceup-table>
      <slot></slot>
      ${this.#controls(player)}
    `;
  }

  /** @param {Player} player */
  #hands(player) {
    if (!this.hands || !this.open) return "";
    const { hands, handsSheet } = this.hands;
    const next = player.step < player.last ? player.events(player.step + 1) : [];
    if (!this.#dressed) this.#dressed = Boolean(adopt(this.renderRoot, handsSheet));
    return html`<div class="hands" role="region" tabindex="0" aria-label=${say("replay.hands")}>${hands(player.sight, namesOf(player.sight), next)}</div>`;
  }

  /** @param {Player} player */
  #controls(player) {
    const { step, last } = player;
    const running = this.playing !== 0;
    return html`<section class="controls" aria-label=${say("replay.controls")}>
      ${this.#verdicts(player)}
      ${this.#hands(player)}
      <div class="slide" .style=${`--part: ${last ? step / last : 0}`}>
        <div class="marks" aria-hidden="true">${player.marks.map(({ v, events }) => html`<i class=${kind(events)} .style=${`--part: ${last ? v / last : 0}`}></i>`)}</div>
        <input type="range" min="0" max=${last} .value=${String(step)} aria-label=${say("replay.position")}
          aria-valuetext=${say("replay.step", { step, last })} @input=${this.#slid}>
      </div>
      <div class="buttons">
        <span class="soft small count">${say("replay.step", { step, last })}</span>
        <button class="quiet ends" aria-label=${say("replay.first")} ?disabled=${step === 0} @click=${() => this.#go((to) => to.seek(0))}>${icon("first")}</button>
        <button class="quiet" aria-label=${say(this.playing < 0 ? "replay.stop" : "replay.backwards")} ?disabled=${step === 0 && !running}
          aria-pressed=${this.playing < 0} @click=${() => (this.playing < 0 ? this.stop() : this.play(-1))}>${icon(this.playing < 0 ? "pause" : "playback")}</button>
        <button class="quiet" aria-label=${say("replay.back")} ?disabled=${step === 0} @click=${() => this.#go((to) => to.back())}>${icon("back")}</button>
        <button class="main play" aria-label=${say(this.playing > 0 ? "replay.stop" : "replay.play")}
          @click=${() => (this.playing > 0 ? this.stop() : this.play())}>${icon(this.playing > 0 ? "pause" : "play", 28)}</button>
        <button class="quiet" aria-label=${say("replay.forward")} ?disabled=${step === last} @click=${() => this.#go((to) => to.forward())}>${icon("next")}</button>
        <button class="quiet" aria-label=${say("replay.faster", { rate: this.rate })} @click=${this.#faster}><b>${this.rate}×</b></button>
        <button class="quiet ends" aria-label=${say("replay.last")} ?disabled=${step === last} @click=${() => this.#go((to) => to.seek(to.last))}>${icon("last")}</button>
        <div class="look">
          ${this.hands ? html`<button class="quiet" aria-label=${say("replay.hands")} title=${say("replay.hands")} aria-pressed=${this.open}
            @click=${() => (this.open = !this.open)}>${icon("hand")}</button>` : ""}
          ${this.#seats(player)}
        </div>
      </div>
    </section>`;
  }

  /** @param {Player} player */
  #seats(player) {
    const names = namesOf(player.sight);
    /** @param {Event} event */
    const look = (event) => {
      const { value } = /** @type {HTMLSelectElement} */ (event.target);
      this.seat = value === "" ? undefined : Number(value);
    };
    return html`<label>${icon("eye", 20)}<span class="seen-by-readers-alone">${say("replay.look")}</span>
      <select @change=${look}>
        <option value="" ?selected=${player.seat === undefined}>${say("replay.spectator")}</option>
        ${names.map((name, seat) => html`<option value=${seat} ?selected=${player.seat === seat}>${name}</option>`)}
      </select></label>`;
  }

  /** @param {Event} event */
  #slid(event) {
    const step = Number(/** @type {HTMLInputElement} */ (event.target).value);
    this.#go((player) => player.seek(step));
  }

  #faster() {
    this.rate = SPEEDS[(SPEEDS.indexOf(this.rate) + 1) % SPEEDS.length];
    if (this.playing < 0) this.#on();
  }

  /**
   * What the coach says to the choices that led to this step.
   *
   * @param {Player} player
   */
  #verdicts(player) {
    if (!this.verdicts.length || player.step === 0) return "";
    const { decision } = player.at(player.step - 1);
    const found = this.verdicts.filter((each) => each.decision === decision);
    const names = namesOf(player.sight);
    const game = player.sight.opening.game;
    return html`<ul class="verdicts" aria-label=${say("replay.coach")}>${found.map((each) => html`<li class="verdict ${each.word}">
      <p><b>${names[each.seat]}</b> ${action(game, each.chosen)}${each.by === "clock" ? say("table.aside", { text: say("replay.clock") }) : ""}
        <em>${say(`replay.word.${each.word}`)}</em></p>
      <p class="soft">${[
        each.best === each.chosen || each.cost.value < 0.05 ? "" : say("replay.better", { best: action(game, each.best), heads: each.cost.value.toFixed(1) }),
        each.win_after === null ? "" : say("replay.chance", { before: percent(each.win_before), after: percent(each.win_after) }),
      ].filter(Boolean).join(" · ")}</p>
    </li>`)}</ul>`;
  }
}
customElements.define("faceup-replay", FaceupReplay);

/**
 * Let a root have one style more.
 *
 * @param {Node} root
 * @param {import("../vendor/lit/index.js").CSSResult} sheet
 */
function adopt(root, sheet) {
  if (!(root instanceof ShadowRoot) || !sheet.styleSheet) return false;
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet.styleSheet];
  return true;
}

/** @param {import("../live/types.js").TableEvent[]} events */
function kind(events) {
  return events.some(({ event }) => ["won", "match_won", "drawn", "deal_over"].includes(event)) ? "end" : "";
}

/** @param {number} part */
function percent(part) {
  return `${Math.round(100 * part)} %`;
}

/**
 * An action as a person says it: "play 57" by the catalogue's words for it, where it has any.
 *
 * @param {string} game
 * @param {string} words
 */
function action(game, words) {
  const [verb, ...rest] = words.split(" ");
  const number = Number(rest.at(-1));
  const key = `replay.action.${game}.${verb}`;
  return known(key) ? say(key, { number, row: number + 1 }) : words;
}
