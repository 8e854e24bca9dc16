import { LitElement, html } from "../vendor/lit/index.js";
import { elementFor } from "../games/index.js";
import { BASE } from "../live/api.js";
import { announce } from "../manners/announce.js";
import { onKey } from "../manners/keys.js";
import { settings, speed } from "../manners/settings.js";
import { sound } from "../manners/sounds.js";
import { icon } from "../parts/icons.js";
import { sheet } from "../parts/sheet.js";
import { known, say, told } from "../words/say.js";
import "./banner.js";
import "./clock.js";
import "./log.js";
import "./reactions.js";
import "./seats.js";
import { frame } from "./frame.js";
import { remembered, sentences } from "./history.js";
import { namesOf } from "./names.js";
import { mayChoose, next } from "./next.js";

/** @import { Sight, Source, Told } from "../live/types.js" */
/** @import { GameElement } from "../games/index.js" */
/** @import { Moment } from "./history.js" */

/** A face is shown for so long. */
const SAYS = 4000;
/** From here on, the seats stand beside the board, and so does the log. */
const WIDE = 1000;

/**
 * A table of any game: the seats, the clock, the log, the result, and in their middle the game's own element. It shows
 * what its `source` tells, live or not, and sends what is chosen.
 *
 * Events: "settings", "keys", "television", "rematch", "verify", which the page sees to, and "shown" when everything that
 * was told is shown.
 */
export class FaceupTable extends LitElement {
  static properties = {
    source: { attribute: false },
    table: {},
    quiet: { type: Boolean },
    television: { type: Boolean, reflect: true },
    bare: { type: Boolean, reflect: true },
    pace: { attribute: false },
    sight: { state: true },
    shown: { state: true },
    moments: { state: true },
    says: { state: true },
    problem: { state: true },
    wide: { state: true },
    then: { state: true },
    busy: { state: true },
  };
  static styles = [sheet, frame];

  /** @type {Source | null} */
  #listening = null;
  /** @type {GameElement | null} */
  #game = null;
  #ready = Promise.resolve();
  #telling = 0;
  /** @type {Moment[]} What was told before we came. */
  #earlier = [];
  /** @type {Told | null} With what we came. */
  #begun = null;
  #stopKeys = () => {};
  #sizes = new ResizeObserver(([entry]) => (this.wide = entry.contentRect.width >= WIDE));
  #again = () => {
    if (this.#game) this.#game.speed = this.pace ?? speed();
    this.requestUpdate();
    // What is said there may be said otherwise now, though nothing has changed that they are given.
    for (const each of this.renderRoot.querySelectorAll("*")) if (each instanceof LitElement) each.requestUpdate();
  };
  /** @param {Event} event */
  #told = (event) => this.#heard(/** @type {CustomEvent<Told>} */ (event).detail);
  #status = () => {
    if (this.source?.status === "lost") announce(say("table.lost"));
    this.requestUpdate();
  };

  constructor() {
    super();
    /** @type {Source | null} */
    this.source = null;
    /** Its id, where it has a page of its own. */
    this.table = "";
    this.quiet = false;
    this.television = false;
    /** Without what belongs to a live table: what is next, the menu, reactions, and what can be done at the end. */
    this.bare = false;
    /** @type {number | undefined} How fast, where it is not as somebody has set it. */
    this.pace = undefined;
    /** @type {Sight | null} */
    this.sight = null;
    /** @type {Sight | null} The last sight of which everything is shown: a reveal may be under way. */
    this.shown = null;
    /** @type {Moment[]} */
    this.moments = [];
    /** @type {Record<number, {reaction: string, count: number}>} */
    this.says = {};
    /** What was refused, in words. */
    this.problem = "";
    this.wide = screen.width >= WIDE; // a guess: to ask for the window's width would lay everything out
    /** @type {Moment | null} The moment of the past that is looked at. */
    this.then = null;
    this.busy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#sizes.observe(this);
    addEventListener("settings", this.#again);
    addEventListener("language", this.#again);
    this.#stopKeys = onKey((key) => this.#key(key));
    if (this.source) this.#listen(this.source);
  }

  disconnectedCallback() {
    this.#sizes.disconnect();
    removeEventListener("settings", this.#again);
    removeEventListener("language", this.#again);
    this.#stopKeys();
    this.#listen(null);
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("source") && this.isConnected) this.#listen(this.source);
    if (this.#game) {
      if (changed.has("pace")) this.#game.speed = this.pace ?? speed();
      this.#game.past = this.source?.moments ?? this.#earlier;
      this.#game.quiet = this.#quiet;
      this.#game.television = this.television;
    }
  }

  get #quiet() {
    return this.quiet || !this.source?.send;
  }

  /** @param {Source | null} source */
  #listen(source) {
    if (this.#listening === source) return;
    this.#listening?.removeEventListener("told", this.#told);
    this.#listening?.removeEventListener("status", this.#status);
    this.#listening = source;
    this.#begun = null;
    if (!source) return;
    source.addEventListener("told", this.#told);
    source.addEventListener("status", this.#status);
    if (source.sight) this.#heard({ before: null, sight: source.sight, events: [], at: source.now(), v: source.v, jump: true, whole: true });
  }

  /** @param {Told} detail */
  #heard(detail) {
    const { before, sight, events, jump, whole } = detail;
    this.sight = sight;
    this.problem = "";
    if (whole) {
      this.#begun = detail;
      this.moments = this.#earlier = [];
    }
    for (const event of events) this.#say(event, sight);
    this.#calls(before, sight);
    if (sight.status === "pending") return;
    if (sight.status === "finished") void import("./result.js");
    this.#telling += 1;
    this.#ready = this.#ready.then(() => this.#make(sight)).then((game) => {
      game.sight = sight;
      game.drawing = this.source?.drawing?.(detail.v ?? 0) ?? (this.table && `${BASE}/api/tables/${this.table}/drawing.svg`);
      void game.tell(before, sight, events, { jump }).finally(() => {
        this.#telling -= 1;
        this.#tells(detail);
        if (this.#telling) return;
        this.#stands();
      });
    });
  }

  /** Everything that was told is shown. */
  #stands() {
    const { sight, shown } = this;
    if (sight?.status === "finished" && shown?.status === "active") sound(sight.seat !== undefined && sight.result?.ranks[sight.seat] === 1 ? "win" : "over");
    this.shown = sight;
    this.dispatchEvent(new Event("shown"));
  }

  /**
   * The log tells what has been shown, and is never ahead of a reveal.
   *
   * @param {Told} detail
   */
  #tells(detail) {
    if (this.source?.moments) return;
    this.moments = remembered(this.moments, detail);
    if (detail.whole && detail.sight.decision) void this.#recall(detail);
  }

  /**
   * Ask for what was told before we came with this: it is the beginning of the log.
   *
   * @param {Told} begun
   */
  async #recall(begun) {
    const { v = 0 } = begun;
    const told = await this.source?.past?.().catch(() => ""); // then the log begins here
    if (!told || begun !== this.#begun) return;
    const { recalled } = await import("./past.js");
    this.#earlier = recalled(told).filter((moment) => moment.v <= v);
    this.moments = [...this.#earlier, ...this.moments.filter((moment) => moment.v > v)];
  }

  /**
   * Say at once what happened: who listens may choose as soon as who looks, and a reveal takes time for the eyes alone.
   *
   * @param {import("../live/types.js").TableEvent} event
   * @param {Sight} sight
   */
  #say(event, sight) {
    if (event.event === "says") {
      if (settings.muted) return;
      this.#shows(event.seat, event.reaction);
      if (event.seat !== sight.seat) sound("says");
    }
    if (this.#game?.hasty && sight.status === "active") return;
    if (event.event !== "chose" || event.seat !== sight.seat) announce(told(sight.opening.game, event, namesOf(sight)));
  }

  /**
   * Say what is next, where that has changed.
   *
   * @param {Sight | null} before
   * @param {Sight} sight
   */
  #calls(before, sight) {
    const asked = mayChoose(sight) && sight.choice === undefined && !this.#quiet;
    const was = before && mayChoose(before) && before.decision === sight.decision;
    if (asked && !was && !this.#game?.itself) {
      announce(next(sight, this.#game?.asks?.(sight)).words);
      sound("turn");
    }
  }

  /**
   * @param {number} seat
   * @param {string} reaction
   */
  #shows(seat, reaction) {
    const count = (this.says[seat]?.count ?? 0) + 1;
    this.says = { ...this.says, [seat]: { reaction, count } };
    setTimeout(() => {
      if (this.says[seat]?.count !== count) return;
      const { [seat]: _, ...rest } = this.says;
      this.says = rest;
    }, SAYS);
  }

  /**
   * @param {Sight} sight
   * @returns {Promise<GameElement>}
   */
  async #make(sight) {
    const name = await elementFor(sight.opening.game);
    if (this.#game?.localName === name) return this.#game;
    const game = this.#game = element(name);
    game.quiet = this.#quiet;
    game.television = this.television;
    game.speed = this.pace ?? speed();
    game.addEventListener("choose", (event) => this.#choose("choose", event));
    game.addEventListener("unchoose", (event) => this.#choose("unchoose", event));
    game.addEventListener("mark", (event) => this.#choose("mark", event));
    game.addEventListener("standing", () => this.requestUpdate());
    game.classList.add("game");
    this.requestUpdate();
    await this.updateComplete;
    return game;
  }

  /**
   * @param {"choose" | "unchoose" | "mark"} what
   * @param {Event} event
   */
  #choose(what, event) {
    const { seat, decision } = this.sight ?? {};
    if (seat === undefined) return;
    const action = what === "unchoose" ? {} : { action: /** @type {CustomEvent} */ (event).detail?.action ?? null };
    void this.#send({ do: what, seat, decision, ...action });
    if (what !== "unchoose") sound(what);
  }

  /** @param {object} command */
  async #send(command) {
    try {
      await this.source?.send?.(command);
    } catch (refusal) {
      this.#refused(/** @type {import("../live/api.js").Refusal} */ (refusal));
    }
  }

  /** @param {import("../live/api.js").Refusal} refusal */
  #refused({ kind, message }) {
    if (kind === "stale") return; // the reveal came first: what is shown says it
    this.problem = known(`refusals.${kind}`) ? say(`refusals.${kind}`) : message;
    announce(this.problem);
  }

  /** @param {string} key */
  #key(key) {
    if (this.hidden) return;
    if (key === "?" && !this.bare) return !this.dispatchEvent(new Event("keys", { cancelable: true })) || true;
    if (key === "Escape" && this.television) return this.dispatchEvent(new Event("television"));
    if (key === "l") return this.#openLog(), true;
    return false;
  }

  /** The keys that the game's element knows, and the table's own. */
  get keys() {
    const game = /** @type {{keys?: import("../manners/keys.js").Key[]}} */ (this.#game?.constructor ?? {});
    return [...(game.keys ?? []), { keys: "L", words: say("table.keys.log") }, { keys: "?", words: say("table.keys.keys") }];
  }

  #openLog() {
    if (this.wide) /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("table-log"))?.focus();
    else this.#dialog("past")?.showModal();
  }

  /** @param {string} id */
  #dialog(id) {
    return /** @type {HTMLDialogElement | null} */ (this.renderRoot.querySelector(`dialog#${id}`));
  }

  /**
   * Look at a moment of the past: the replay goes there; a live table shows beside itself what was seen then.
   *
   * @param {CustomEvent<Moment>} event
   */
  async #step({ detail }) {
    if (this.source?.seek) {
      this.source.seek(detail.v);
      return;
    }
    this.then = detail;
    this.#dialog("past")?.close();
    const game = element(await elementFor(detail.sight.opening.game));
    game.quiet = true;
    game.speed = 0;
    game.sight = detail.sight;
    await this.updateComplete;
    this.renderRoot.querySelector("#then .board")?.replaceChildren(game);
    const dialog = this.#dialog("then");
    if (!dialog?.open) dialog?.showModal();
    await game.tell(null, detail.sight, [], { jump: true });
  }

  /** @param {number} by */
  #other(by) {
    const place = this.moments.findIndex((each) => each.v === this.then?.v) + by;
    if (this.moments[place]) void this.#step(new CustomEvent("step", { detail: this.moments[place] }));
  }

  render() {
    const { sight } = this;
    if (!sight || sight.status === "pending") return "";
    return html`
      ${this.#banner(sight)}
      <div class="frame ${this.wide ? "wide" : ""} ${sight.seats.length > 6 ? "many" : ""}">
        <table-seats .sight=${this.source?.seek ? restful(sight) : sight} .standing=${this.#game?.standing ?? []} .says=${this.says} ?wide=${this.wide}></table-seats>
        ${this.#next(sight)}
        <div class="board">
          ${this.#over ? html`<table-result .sight=${sight} table=${this.table} ?quiet=${this.bare} ?busy=${this.busy}
            @rematch=${() => this.dispatchEvent(new Event("rematch"))} @verify=${() => this.dispatchEvent(new Event("verify"))}></table-result>` : ""}
          ${this.#game}
        </div>
        ${this.#foot(sight)}
      </div>
      ${this.bare ? "" : html`<table-menu .sight=${sight} @ask=${(/** @type {CustomEvent} */ event) => this.#send(event.detail)}
        @settings=${this.#pass} @keys=${this.#pass} @television=${this.#pass}></table-menu>`}
      ${this.wide ? "" : this.#past()}${this.#then()}
    `;
  }

  /** Whether the result may be seen: everything before it has been shown. */
  get #over() {
    return this.sight?.status === "finished" && this.shown?.status === "finished";
  }

  /** @param {Event} event */
  #pass = (event) => this.dispatchEvent(new Event(event.type));

  async openMenu() {
    await import("./menu.js");
    /** @type {import("./menu.js").TableMenu | null} */ (this.renderRoot.querySelector("table-menu"))?.open();
  }

  /** @param {Sight} sight */
  #banner(sight) {
    const lost = this.source?.status === "lost";
    const words = lost ? say("table.lost") : this.problem;
    const delay = sight.opening.watch_delay / 1000;
    const late = sight.seat === undefined && delay && sight.status === "active" && this.source?.send;
    return html`<table-banner .words=${words || (late ? say("table.delay", { count: delay }) : undefined)} ?lost=${lost} ?calm=${!words}>
      ${this.problem && !lost ? html`<button class="quiet" aria-label=${say("table.shut")} @click=${() => (this.problem = "")}>${icon("close")}</button>` : ""}
    </table-banner>`;
  }

  #soon = () => {
    const { sight } = this;
    if (this.#quiet || !sight || !mayChoose(sight) || sight.choice !== undefined) return;
    announce(say("table.clock.soon"));
    sound("hurry");
  };

  /** @param {Sight} sight */
  #next(sight) {
    const revealing = sight.status === "finished" && !this.#over;
    const { mood, words } = revealing
      ? { mood: "waiting", words: say("table.next.moment") }
      : next(sight, this.#game?.asks?.(sight));
    return html`<div class="next ${mood}" ?hidden=${(mood === "over" && this.#over) || this.bare}>
      <table-clock .sight=${sight} .now=${() => this.source?.now() ?? 0} @soon=${this.#soon}></table-clock>
      ${mood === "away" ? icon("robot", 28) : mood === "looking" ? icon("eye", 26) : ""}
      <p>${words}</p>
      ${mood === "away" && this.source?.send ? html`<button class="main" @click=${() => this.#send({ do: "return", seat: sight.seat })}>${say("table.return")}</button>` : ""}
      ${mood === "paused" && sight.hosting && this.source?.send ? html`<button class="main" @click=${() => this.#send({ do: "resume" })}>${icon("play")}${say("table.resume")}</button>` : ""}
    </div>`;
  }

  /** @param {Sight} sight */
  #foot(sight) {
    const reacts = this.source?.send && sight.seat !== undefined && sight.status !== "closed" && !this.bare;
    const now = this.source?.current ?? Infinity;
    const last = (this.source?.moments ?? this.moments).findLast(({ v }) => v <= now);
    return html`<div class="foot">
      ${this.wide
        ? html`<section class="log" aria-labelledby="log"><h2 id="log">${say("table.log")}</h2>${this.#log()}</section>`
        : html`<button class="ticker" @click=${() => this.#openLog()}>${icon("list")}<span>${last ? sentences(last).at(-1)?.words : say("table.log")}</span></button>`}
      ${reacts ? html`<table-reactions @react=${(/** @type {CustomEvent} */ event) => this.#send({ do: "react", seat: sight.seat, reaction: event.detail })}></table-reactions>` : ""}
    </div>`;
  }

  #log() {
    return html`<table-log tabindex="0" .moments=${this.source?.moments ?? this.moments} .current=${this.source?.current ?? -1} @step=${this.#step}></table-log>`;
  }

  #past() {
    return html`<dialog autofocus id="past" aria-labelledby="past-title" @click=${closeOutside}>
      <header><h2 id="past-title">${say("table.log")}</h2>${shutter()}</header>${this.#log()}
    </dialog>`;
  }

  #then() {
    return html`<dialog autofocus id="then" aria-labelledby="then-title" @click=${closeOutside} @close=${() => (this.then = null)}>
      <header><h2 id="then-title">${say("table.then")}</h2>
        <button class="quiet" aria-label=${say("table.then.back")} @click=${() => this.#other(-1)}>${icon("back")}</button>
        <button class="quiet" aria-label=${say("table.then.next")} @click=${() => this.#other(1)}>${icon("next")}</button>${shutter()}
      </header>
      <div class="told">${this.then ? sentences(this.then).map(({ words }) => html`<p>${words}</p>`) : ""}</div>
      <div class="board"></div>
    </dialog>`;
  }
}
customElements.define("faceup-table", FaceupTable);

/**
 * In a replay nobody is waited for.
 *
 * @param {Sight} sight
 * @returns {Sight}
 */
function restful(sight) {
  return { ...sight, view: { ...sight.view, to_act: [] } };
}

/** @param {string} name */
function element(name) {
  return /** @type {GameElement} */ (/** @type {unknown} */ (document.createElement(name)));
}

/** @param {MouseEvent} event */
function closeOutside(event) {
  if (event.target === event.currentTarget) /** @type {HTMLDialogElement} */ (event.currentTarget).close();
}

function shutter() {
  /** @param {Event} event */
  const close = (event) => /** @type {HTMLElement} */ (event.currentTarget).closest("dialog")?.close();
  return html`<button class="quiet" aria-label=${say("table.shut")} @click=${close}>${icon("close")}</button>`;
}
