import { LitElement, html } from "../vendor/lit/index.js";
import { seatColours } from "../art/faces.js";
import { loadGameElement } from "../games/registry.js";
import { STILL } from "../games/reveal-queue.js";
import { BASE } from "../api/http.js";
import { EventController, LanguageController, WidthController } from "../ui/controllers.js";
import { closeButton, closeOnBackdrop } from "../ui/dialog-parts.js";
import { endFirstGame, isFirstGame } from "../ui/first-game.js";
import { idle } from "../ui/idle.js";
import { takeLostFocus } from "../ui/keep-focus.js";
import { announce } from "../ui/live-region.js";
import { onShortcut } from "../ui/shortcuts.js";
import { settings, revealSpeed } from "../ui/settings.js";
import { playSound } from "../ui/sounds.js";
import { icon } from "../ui/icons.js";
import { baseStyles, lowScreen } from "../ui/styles.js";
import { errorMessage } from "../i18n/errors.js";
import { describeCaption, describeEvent } from "../i18n/events.js";
import { t } from "../i18n/translate.js";
import "./banner.js";
import { REACTION_DURATION } from "./bubbles.js";
import "./clock.js";
import "./seats.js";
import { tableStyles } from "./table-styles.js";
import { appendMoment, sentences } from "./moments.js";
import { isMuted } from "./muting.js";
import { nameOf, namesOf } from "../i18n/seat-names.js";
import { mayChoose, statusLine, winnerSentence } from "./status-line.js";

/** @import { TableEvent, TableView, Source, UpdateDetail } from "../api/types.js" */
/** @import { GameElement } from "../games/registry.js" */
/** @import { Moment } from "./moments.js" */

const loadLater = () => import("./later.js");

/** Milliseconds after which the status line shows that a choice is on its way. Most choices arrive sooner. */
const SENDS_SOON = 300;
/** Width in rem from which the seats and the log are next to the board. */
const WIDE = 62.5;
/** Matches while the table is laid out from left to right. */
const LOW = matchMedia(`${lowScreen}`);
/** @type {readonly import("../games/registry.js").ShownPin[]} */
const NO_PINS = [];

/**
 * Table of any game, with the seats, the clock, the log, the result, and the game's own element in the middle. It
 * displays its `source`, which is a live connection or a replay, and sends the player's commands.
 *
 * Events: "settings", "keys", "television", "rematch" and "verify", which the page handles, "silent" when the viewer
 * chooses and was never asked about sounds, "displayed" when `shown` has changed, and "shown" when all updates have
 * been displayed.
 */
export class FaceupTable extends LitElement {
  static properties = {
    source: { attribute: false },
    table: {},
    party: { attribute: false },
    quiet: { type: Boolean },
    television: { type: Boolean, reflect: true },
    bare: { type: Boolean, reflect: true },
    pace: { attribute: false },
    room: { state: true },
    shown: { state: true },
    revealing: { state: true },
    caption: { state: true },
    moments: { state: true },
    reactions: { state: true },
    problem: { state: true },
    sending: { state: true },
    wide: { state: true },
    historyMoment: { state: true },
    busy: { state: true },
    disconnected: { state: true },
    complete: { state: true },
    teacher: { state: true },
    later: { state: true },
  };
  static styles = [baseStyles, tableStyles];

  /** @type {Source | null} */
  #subscribed = null;
  /** @type {GameElement | null} */
  #game = null;
  #gameLoaded = Promise.resolve();
  #animating = 0;
  /** Updates with a reveal that is queued or playing. */
  #reveals = 0;
  /** @type {UpdateDetail[]} updates held back until the end of a reveal */
  #held = [];
  /** Whether it has become the viewer's turn since the last animation. */
  #chimes = false;
  /** The displayed decision of the viewer; -1 for none. */
  #turn = -1;
  /** The choice that is on its way to the server. @type {Promise<unknown> | null} */
  #sent = null;
  /** @type {Moment[]} Moments before the page was opened. */
  #backlog = [];
  /** @type {UpdateDetail | null} The first update of the source. */
  #snapshot = null;
  /** The reactions that were announced since the last reveal. @type {Set<string>} */
  #spoken = new Set();
  /** The number of reactions that were displayed. */
  #reacted = 0;
  #stopKeys = () => {};
  /** @param {Event} event */
  #onUpdate = (event) => this.#receive(/** @type {CustomEvent<UpdateDetail>} */ (event).detail);
  #onStatus = () => {
    if (this.source?.status === "lost") announce(t("table.disconnected"));
    this.#showDisconnected(this.source?.disconnected ?? []);
    this.requestUpdate();
  };

  constructor() {
    super();
    /** @type {Source | null} */
    this.source = null;
    /** Table id, if it has a page. */
    this.table = "";
    /** @type {{id: string} | null} The party of the player to which the table belongs. */
    this.party = null;
    this.quiet = false;
    this.television = false;
    /** Whether to hide what belongs to a live table: status line, menu, reactions and actions at the end. */
    this.bare = false;
    /** @type {number | undefined} Speed of reveals, if it differs from the speed of the settings. */
    this.pace = undefined;
    /** @type {TableView | null} The newest view, which may be ahead of the display. Only commands may depend on it. */
    this.room = null;
    /**
     * The view that is displayed: the last one whose events have all been shown, and in a reveal no one has to act there.
     * Everything that can be seen or heard depends on it, and on the events that the reveal has shown since.
     *
     * @type {TableView | null}
     */
    this.shown = null;
    /** Whether a reveal is in progress, after `shown`. */
    this.revealing = false;
    /** The last event that the reveal has shown, as a sentence; "" before the first. */
    this.caption = "";
    /** @type {Moment[]} */
    this.moments = [];
    /** @type {readonly import("./bubbles.js").ShownReaction[]} */
    this.reactions = [];
    /** Error message. */
    this.problem = "";
    /** Whether to say that the viewer's choice is on its way to the server. */
    this.sending = false;
    this.wide = matchMedia(`(min-width: ${WIDE}em)`).matches && !LOW.matches; // an estimate, which forces no layout
    /** @type {Moment | null} The moment shown in the history dialog. */
    this.historyMoment = null;
    this.busy = false;
    /** @type {number[]} seats of players who have lost their connection */
    this.disconnected = [];
    /** Whether to render what the first picture does not need. */
    this.complete = false;
    /** What explains the viewer's first game. @type {typeof import("./first-game.js") | null} */
    this.teacher = null;
    /** The modules that are loaded after the first picture. @type {Awaited<ReturnType<typeof loadLater>> | null} */
    this.later = null;
    void idle().then(() => (this.complete = true));
    void idle().then(loadLater).then((loaded) => (this.later = loaded));
    new LanguageController(this);
    new WidthController(this, (_, rem) => (this.wide = rem >= WIDE && !LOW.matches));
    new EventController(this, window, "settings", () => {
      if (this.shown && this.reactions.length) this.reactions = this.#audible(this.shown, this.reactions);
      this.#refresh();
    });
  }

  connectedCallback() {
    super.connectedCallback();
    this.#stopKeys = onShortcut((key) => this.#onKey(key));
    if (this.source) this.#subscribe(this.source);
  }

  disconnectedCallback() {
    this.#stopKeys();
    this.#subscribe(null);
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("source") && this.isConnected) this.#subscribe(this.source);
    if (this.#game) {
      if (changed.has("pace")) this.#game.speed = this.pace ?? revealSpeed();
      this.#game.backlog = this.source?.moments ?? this.#backlog;
      this.#game.quiet = this.#quiet;
      this.#game.television = this.television;
      this.#game.spotlight = this.#explanation?.about ?? "";
      this.#game.pins = this.#pins;
    }
  }

  #refresh() {
    if (this.#game) this.#game.speed = this.pace ?? revealSpeed();
    this.requestUpdate();
    // Child elements must render again whom the viewer has muted, although their properties have not changed.
    for (const element of this.renderRoot.querySelectorAll("*")) if (element instanceof LitElement) element.requestUpdate();
  }

  get #quiet() {
    return this.quiet || !this.source?.send;
  }

  /** @param {Source | null} source */
  #subscribe(source) {
    if (this.#subscribed === source) return;
    this.#subscribed?.removeEventListener("update", this.#onUpdate);
    this.#subscribed?.removeEventListener("status", this.#onStatus);
    this.#subscribed = source;
    this.#snapshot = null;
    this.#held = [];
    this.shown = null;
    this.#turn = -1;
    if (!source) return;
    source.addEventListener("update", this.#onUpdate);
    source.addEventListener("status", this.#onStatus);
    if (source.room) this.#apply({ before: null, room: source.room, events: [], at: source.now(), v: source.v, jump: true, snapshot: true });
  }

  /** @param {number[]} seats */
  #showDisconnected(seats) {
    const { shown: room } = this;
    const lost = seats.filter((seat) => !this.disconnected.includes(seat));
    this.disconnected = seats;
    if (room) for (const seat of lost) announce(t("table.event.connection_lost", { name: nameOf(room, seat) }));
  }

  /**
   * Apply an update. That others have chosen is held back until a reveal has ended, since each change costs frames.
   *
   * @param {UpdateDetail} detail
   */
  #receive(detail) {
    const { events, jump, room } = detail;
    const minor = events.length && events.every(({ event, seat }) => STILL.has(event) && seat !== room.seat);
    if (this.#animating && minor && !jump && !this.source?.seek) this.#held.push(detail);
    else for (const message of [...this.#held.splice(0), detail]) this.#apply(message);
  }

  /** @param {UpdateDetail} detail */
  #apply(detail) {
    const { before, room, events, jump, snapshot } = detail;
    this.room = room;
    this.problem = "";
    if (snapshot) {
      this.#snapshot = detail;
      this.moments = this.#backlog = [];
    }
    let shownEvents = 0;
    const onShown = (/** @type {TableEvent | undefined} */ event) => {
      const until = event ? events.indexOf(event) + 1 : events.length;
      for (const next of events.slice(shownEvents, until)) {
        if (next.event !== "reaction") this.#narrate(next, room, events);
        else if (!jump) void this.#onReaction(next, room);
      }
      shownEvents = Math.max(shownEvents, until);
    };
    if (room.status === "pending") {
      onShown(undefined);
      return this.#display(room);
    }
    if (room.status === "finished") void import("./result.js");
    const reveals = Number(!jump && before !== null && before.view !== room.view);
    this.#animating += 1;
    this.#reveals += reveals;
    if (reveals) this.#setRevealing(true);
    // There is nothing to see before the first view, and the lobby is left when the game starts.
    if (!this.shown || this.shown.status === "pending") this.#display(room);
    this.#gameLoaded = this.#gameLoaded.then(() => this.#createGame(room)).then((game) => {
      game.room = room;
      game.table = this.table;
      game.drawing = this.source?.drawing?.(detail.v ?? 0) ?? (this.table && `${BASE}/api/tables/${this.table}/drawing.svg`);
      void game.show(before, room, events, { jump, onShown }).finally(() => {
        this.#animating -= 1;
        this.#reveals -= reveals;
        onShown(undefined);
        this.#logMoment(detail);
        this.#setRevealing(this.#reveals > 0);
        this.#display(room);
        if (!this.#animating) this.#onShown();
      });
    });
  }

  /** @param {boolean} revealing */
  #setRevealing(revealing) {
    if (revealing === this.revealing) return;
    this.revealing = revealing;
    this.caption = "";
    if (revealing) this.#spoken.clear();
    if (revealing && this.shown) this.#display(this.shown);
  }

  /** Display a view whose events have all been shown. During a reveal, its decision is over. @param {TableView} room */
  #display(room) {
    const before = this.shown;
    this.shown = this.revealing ? withoutActors(room) : room;
    for (const [seat, colour] of seatColours(room.seats).entries()) this.style.setProperty(`--player-${seat}`, `var(--seat-${colour})`);
    if (room.status === "finished" && before?.status === "active") {
      playSound(endSound(room));
      void this.#announceOutcome(room);
    }
    if (!this.revealing) {
      this.#checkExplained();
      this.#announceTurn(room);
    }
    this.dispatchEvent(new Event("displayed"));
  }

  /** Handle the end of all animations. The game then displays what was held back, and this is called again. */
  #onShown() {
    const held = this.#held.splice(0);
    for (const message of held) this.#apply(message);
    if (held.length) return;
    if (this.#chimes) playSound("turn");
    this.#chimes = false;
    this.dispatchEvent(new Event("shown"));
  }

  /**
   * Add an update to the log after it has been displayed, so that the log is never ahead of a reveal.
   *
   * @param {UpdateDetail} detail
   */
  #logMoment(detail) {
    if (this.source?.moments) return;
    this.moments = appendMoment(this.moments, detail);
    if (detail.snapshot && detail.room.decision) void this.#loadBacklog(detail);
  }

  /**
   * Load the moments before the page was opened, and put them at the start of the log.
   *
   * @param {UpdateDetail} first
   */
  async #loadBacklog(first) {
    const { v = 0 } = first;
    // If the moments cannot be loaded, the log starts with the first update.
    const lines = await this.source?.fetchBacklog?.().catch(() => "");
    if (!lines || first !== this.#snapshot) return;
    const { backlogMoments } = await import("./backlog.js");
    this.#backlog = backlogMoments(lines).filter((moment) => moment.v <= v);
    this.moments = [...this.#backlog, ...this.moments.filter((moment) => moment.v > v)];
  }

  /**
   * Announce an event that has been shown, and make it the caption of the reveal.
   *
   * @param {TableEvent} event
   * @param {TableView} room
   * @param {TableEvent[]} events all events of the update
   */
  #narrate(event, room, events) {
    if (this.#game?.skipsAnnouncements && room.status === "active") return;
    const names = namesOf(room, events);
    const sentence = describeEvent(room.config.game, event, names, room.seat);
    const saysWhoWon = room.status === "finished" && this.#game?.outcomes?.has(event.event);
    if (!saysWhoWon && (event.event !== "chose" || event.seat !== room.seat)) announce(sentence);
    if (this.revealing && !STILL.has(event.event)) this.caption = describeCaption(room.config.game, event, names, room.seat) || this.caption;
  }

  /**
   * Let the keyboard continue at the result, which screen readers read then; announce who has won if it is elsewhere.
   *
   * @param {TableView} room
   */
  async #announceOutcome(room) {
    const shown = this.#quiet ? null : await import("./result.js").catch(() => null);
    await this.updateComplete;
    const result = shown && /** @type {import("./result.js").TableResult | null} */ (this.renderRoot.querySelector("table-result"));
    await result?.updateComplete;
    const heading = /** @type {HTMLElement | null | undefined} */ (result?.renderRoot.querySelector("#winner"));
    if (!heading || !takeLostFocus(heading)) announce(winnerSentence(room));
  }

  /**
   * Show and announce a reaction after all that its sender has seen; one that is pinned to a card is in the view. The
   * same one is announced once between two reveals.
   *
   * @param {TableEvent} event
   * @param {TableView} room
   */
  async #onReaction(event, room) {
    const { seat, to, card, reaction } = event;
    if (isMuted(room, seat)) return;
    if (seat !== room.seat) playSound("reaction");
    const words = describeEvent(room.config.game, event, namesOf(room), room.seat);
    if (!this.#spoken.has(words)) announce(words);
    this.#spoken.add(words);
    if (card !== undefined) return;
    const { reactionFace } = this.later ?? (await loadLater());
    const shown = { seat, to, reaction, face: reactionFace(reaction), key: ++this.#reacted };
    this.reactions = [...this.reactions.filter((other) => other.seat !== seat), shown];
    setTimeout(() => (this.reactions = this.reactions.filter((other) => other !== shown)), REACTION_DURATION);
  }

  /**
   * Announce that it is the viewer's turn, if it was not before.
   *
   * @param {TableView} room
   */
  #announceTurn(room) {
    if (!this.#game) return; // it has the words
    const turn = mayChoose(room) && !this.#quiet ? room.decision : -1;
    if (turn >= 0 && turn !== this.#turn && room.choice === undefined && !this.#game.autoplays) {
      announce(this.#statusLine(room).words);
      this.#chimes = true;
    }
    this.#turn = turn;
  }

  /**
   * Return the reactions of the people that the viewer has not muted.
   *
   * @template {{seat: number}} T
   * @param {TableView} room
   * @param {readonly T[]} reactions
   */
  #audible(room, reactions) {
    return reactions.filter(({ seat }) => !isMuted(room, seat));
  }

  /** The emotes that are pinned to the displayed cards; they are gone when the next reveal starts. */
  get #pins() {
    const { shown, later, revealing } = this;
    if (!shown?.pins || !later || revealing) return NO_PINS;
    return this.#audible(shown, shown.pins).map((pin) => ({ ...pin, face: later.reactionFace(pin.reaction) }));
  }

  /**
   * @param {TableView} room
   * @returns {Promise<GameElement>}
   */
  async #createGame(room) {
    const name = await loadGameElement(room.config.game);
    if (this.#game?.localName === name) return this.#game;
    const game = this.#game = element(name);
    game.quiet = this.#quiet;
    game.television = this.television;
    game.speed = this.pace ?? revealSpeed();
    game.addEventListener("choose", (event) => this.#choose("choose", event));
    game.addEventListener("unchoose", (event) => this.#choose("unchoose", event));
    game.addEventListener("mark", (event) => this.#choose("mark", event));
    game.addEventListener("standing", () => this.requestUpdate());
    game.classList.add("game");
    if (isFirstGame(room.config.game, this.table) && mayChoose(room)) void import("./first-game.js").then((teacher) => {
      this.teacher = teacher;
      this.#checkExplained();
    });
    this.requestUpdate();
    await this.updateComplete;
    return game;
  }

  /**
   * @param {"choose" | "unchoose" | "mark"} what
   * @param {Event} event
   */
  #choose(what, event) {
    const { seat, decision } = this.room ?? {};
    if (seat === undefined) return;
    const action = what === "unchoose" ? {} : { action: /** @type {CustomEvent} */ (event).detail?.action ?? null };
    const sent = this.#send({ command: what, seat, decision, ...action });
    if (what !== "mark") this.#showSending(sent, what === "choose" ? action.action : "");
    if (!settings.offered && !settings.sounds) this.dispatchEvent(new Event("silent"));
    if (what !== "unchoose") playSound(what);
  }

  /**
   * Show that a choice is on its way until the server has stored or rejected it, also while the connection is lost.
   *
   * @param {Promise<unknown>} sent
   * @param {string} action in notation; "" if a choice is withdrawn
   */
  #showSending(sent, action) {
    const game = this.#game;
    this.#sent = sent;
    this.sending = false;
    if (game) game.sending = action;
    const timer = setTimeout(() => (this.sending = sent === this.#sent && action !== ""), SENDS_SOON);
    void sent.then(() => {
      clearTimeout(timer);
      if (sent !== this.#sent) return;
      this.sending = false;
      if (game) game.sending = "";
    });
  }

  /**
   * @param {object} command
   * @param {string} [about] as in `errorMessage`
   */
  async #send(command, about) {
    try {
      await this.source?.send?.(command);
    } catch (error) {
      this.showError(/** @type {import("../api/http.js").ApiError} */ (error), about);
    }
  }

  /**
   * Show and announce an error.
   *
   * @param {import("../api/http.js").ApiError} error
   * @param {string} [about] as in `errorMessage`
   */
  showError(error, about) {
    // The choices were revealed before this command arrived, and the reveal is displayed.
    if (error.kind === "stale") return;
    this.problem = errorMessage(error, about);
    announce(this.problem);
  }

  /** @param {string} key */
  #onKey(key) {
    if (this.hidden) return;
    if (key === "?" && !this.bare) return !this.dispatchEvent(new Event("keys", { cancelable: true })) || true;
    if (key === "Escape" && this.television) return this.dispatchEvent(new Event("television"));
    if (key !== "l") return false;
    this.#openLog();
    return true;
  }

  /** Shortcuts of the game's element and of the table. */
  get keys() {
    const game = /** @type {{keys?: import("../ui/shortcuts.js").Shortcut[]}} */ (this.#game?.constructor ?? {});
    return [...(game.keys ?? []), { keys: "L", words: t("table.keys.log") }, { keys: "?", words: t("table.keys.keys") }];
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
   * Show an earlier moment. A replay seeks to the moment, and a live table shows it in a dialog.
   *
   * @param {CustomEvent<Moment>} event
   */
  async #step({ detail }) {
    if (this.source?.seek) {
      this.source.seek(detail.v);
      return;
    }
    this.historyMoment = detail;
    this.#dialog("past")?.close();
    const game = element(await loadGameElement(detail.room.config.game));
    game.quiet = true;
    game.speed = 0;
    game.room = detail.room;
    await this.updateComplete;
    this.renderRoot.querySelector("#then .board")?.replaceChildren(game);
    const dialog = this.#dialog("then");
    if (!dialog?.open) dialog?.showModal();
    await game.show(null, detail.room, [], { jump: true });
  }

  /** @param {number} by */
  #stepHistory(by) {
    const place = this.moments.findIndex((moment) => moment.v === this.historyMoment?.v) + by;
    if (this.moments[place]) void this.#step(new CustomEvent("step", { detail: this.moments[place] }));
  }

  render() {
    const { shown: room } = this;
    if (!room || room.status === "pending") return "";
    return html`
      ${this.#renderDelay(room)}
      <div class="frame ${this.wide ? "wide" : ""} ${room.seats.length > 5 ? "many" : ""}">
        <table-seats .room=${this.source?.seek ? withoutActors(room) : room} .standing=${this.#game?.standing ?? []} .reactions=${this.reactions} .disconnected=${this.disconnected} ?wide=${this.wide} ?television=${this.television} @aim=${this.#aim}></table-seats>
        ${this.#renderStatusLine(room)}
        ${this.#renderBanner()}
        <div class="board">
          ${this.#over ? html`<table-result .room=${room} .party=${this.party} .standing=${this.#game?.standing ?? []} .moments=${this.source?.moments ?? this.moments} table=${this.table} ?quiet=${this.bare || this.television} ?television=${this.television} ?busy=${this.busy}
            @rematch=${this.#forward} @share=${this.#forward} @verify=${this.#forward}></table-result>` : ""}
          ${this.#game ?? html`<div class="skeleton" aria-hidden="true"></div>`}
        </div>
        ${this.#renderFoot(room)}
      </div>
      ${this.bare ? "" : html`<table-menu .room=${room} table=${this.table} .now=${() => this.source?.now() ?? 0} @command=${(/** @type {CustomEvent} */ event) => this.#send(event.detail)}
        @share=${this.#forward} @settings=${this.#forward} @keys=${this.#forward} @television=${this.#forward}></table-menu>`}
      ${!this.complete ? "" : html`${this.wide ? "" : this.#renderLogDialog()}${this.#renderHistoryDialog()}`}
    `;
  }

  /** Whether the result may be shown, because everything before it has been displayed. */
  get #over() {
    return this.shown?.status === "finished";
  }

  /** @param {Event} event */
  #forward = (event) => this.dispatchEvent(new Event(event.type));

  async openMenu() {
    await import("./menu.js");
    /** @type {import("./menu.js").TableMenu | null} */ (this.renderRoot.querySelector("table-menu"))?.open();
  }

  /** @param {TableView} room */
  #renderDelay(room) {
    const delay = room.config.spectator_delay / 1000;
    const late = room.seat === undefined && delay && room.status === "active" && this.source?.send;
    return late ? html`<table-banner info .words=${t("table.spectator_delay", { count: delay })}></table-banner>` : "";
  }

  /** Render a problem over the status line, so that nothing on the table moves. */
  #renderBanner() {
    const lost = this.source?.status === "lost";
    return html`<table-banner .words=${(lost ? t("table.disconnected") : this.problem) || undefined} ?lost=${lost}>
      ${this.problem && !lost ? html`<button class="quiet" aria-label=${t("table.dismiss")} @click=${() => (this.problem = "")}>${icon("close")}</button>` : ""}
    </table-banner>`;
  }

  #announceDeadline = () => {
    const { shown: room } = this;
    if (this.#quiet || this.revealing || !room || !mayChoose(room) || room.choice !== undefined) return;
    announce(t("table.clock.soon"));
    playSound("hurry");
  };

  /** What the ox says in the viewer's first game; null if nothing is left to explain, and in a reveal. */
  get #explanation() {
    const { shown, teacher } = this;
    if (!teacher || !shown || this.revealing) return null;
    return teacher.explain(shown, this.#game?.marked ?? "", this.moments.at(-1)?.events ?? []);
  }

  /** @param {TableView} room */
  #statusLine(room) {
    if (!this.#game) return { mood: /** @type {const} */ ("waiting"), words: "" }; // nothing can be chosen yet
    const status = statusLine(room, this.#game.prompt?.(room), this.sending);
    const { words } = (status.mood === "mine" && this.#explanation) || status;
    return { ...status, words };
  }

  /** End the explanations if nothing is left to explain. */
  #checkExplained() {
    if (this.teacher && this.shown && !this.revealing && !this.#explanation) this.#endFirstGame();
  }

  #endFirstGame() {
    this.teacher = null;
    endFirstGame(this.shown?.config.game ?? "");
  }

  /** @param {TableView} room */
  #renderStatusLine(room) {
    const narrates = this.revealing && !this.#game?.skipsAnnouncements;
    const { mood, words } = narrates
      ? { mood: "narrating", words: this.caption || t(room.decision === this.room?.decision ? "table.next.moment" : "table.next.reveal") }
      : this.#statusLine(room);
    const teacher = mood === "away" || mood === "paused" ? null : this.teacher; // these have a button of their own
    return html`<div class="next aligned ${mood} ${this.teacher ? "taught" : ""}" ?hidden=${(mood === "over" && this.#over) || this.bare}>
      <table-clock .room=${room} ?still=${this.revealing} .now=${() => this.source?.now() ?? 0} @soon=${this.#announceDeadline}></table-clock>
      ${teacher?.ox(this.#explanation?.mood ?? "awake") ?? ""}
      ${mood === "away" ? icon("robot", 28) : mood === "spectating" ? icon("eye", 26) : ""}
      <p>${words}</p>
      ${mood === "away" && this.source?.send ? html`<button class="main" @click=${() => this.#send({ command: "return", seat: room.seat })}>${t("table.return")}</button>` : ""}
      ${mood === "paused" && room.is_host && this.source?.send ? html`<button class="main" @click=${() => this.#send({ command: "resume" })}>${icon("play")}${t("table.resume")}</button>` : ""}
      ${teacher ? html`<button class="quiet" aria-label=${t("learn.first.skip")} title=${t("learn.first.skip")} @click=${() => this.#endFirstGame()}>${icon("close")}</button>` : ""}
    </div>`;
  }

  /** @param {TableView} room */
  #renderFoot(room) {
    const now = this.source?.current ?? Infinity;
    const last = (this.source?.moments ?? this.moments).findLast(({ v }) => v <= now);
    return html`<div class="foot">
      ${this.wide
        ? html`<section class="log surface" aria-labelledby="log"><h2 id="log">${t("table.log")}</h2>${this.#renderLog()}</section>`
        : html`<button class="ticker flat soft small grow" @click=${() => this.#openLog()}>${icon("list")}<span>${last ? sentences(last).at(-1)?.words : t("table.log")}</span></button>`}
      ${this.#reacts ? html`<table-reactions .room=${room} .cards=${this.#over ? [] : this.#game?.painful ?? []} .area=${this.#pickerArea} @react=${this.#react}></table-reactions>` : ""}
    </div>`;
  }

  /** Whether the viewer may react. */
  get #reacts() {
    return this.source?.send && this.shown?.seat !== undefined && this.shown.status !== "closed" && !this.bare && !this.television;
  }

  /** The part of the page that the picker of reactions may cover: never the viewer's hand. */
  #pickerArea = () => (this.wide || this.#over ? null : this.#game?.felt) ?? this.renderRoot.querySelector(this.wide ? ".log" : ".board");

  /** @param {CustomEvent} event */
  #react = ({ detail }) => this.#send({ command: "react", seat: this.shown?.seat, ...detail }, "react");

  /** @param {CustomEvent<number>} event */
  #aim = ({ detail }) => {
    if (this.#reacts && !this.revealing) /** @type {import("./reactions.js").TableReactions | null} */ (this.renderRoot.querySelector("table-reactions"))?.aim?.(detail);
  };

  #renderLog() {
    return html`<table-log tabindex="0" .moments=${this.source?.moments ?? this.moments} .current=${this.source?.current ?? -1} @step=${this.#step}></table-log>`;
  }

  #renderLogDialog() {
    return html`<dialog autofocus id="past" aria-labelledby="past-title" @click=${closeOnBackdrop}>
      <header><h2 id="past-title">${t("table.log")}</h2>${closeButton()}</header>${this.#renderLog()}
    </dialog>`;
  }

  #renderHistoryDialog() {
    return html`<dialog autofocus id="then" aria-labelledby="then-title" @click=${closeOnBackdrop} @close=${() => (this.historyMoment = null)}>
      <header><h2 id="then-title">${t("table.history")}</h2>
        <button class="quiet" aria-label=${t("table.history.back")} @click=${() => this.#stepHistory(-1)}>${icon("back")}</button>
        <button class="quiet" aria-label=${t("table.history.next")} @click=${() => this.#stepHistory(1)}>${icon("next")}</button>${closeButton()}
      </header>
      <div class="moment soft small">${this.historyMoment ? sentences(this.historyMoment).map(({ words }) => html`<p>${words}</p>`) : ""}</div>
      <div class="board"></div>
    </dialog>`;
  }
}
customElements.define("faceup-table", FaceupTable);

/** Return the sound of a game's end: for the winner, for the last, or for others. @param {TableView} room */
function endSound({ seat, result }) {
  const rank = seat === undefined ? 0 : result?.ranks[seat];
  return rank === 1 ? "win" : rank && rank === Math.max(...(result?.ranks ?? [])) ? "lose" : "over";
}

/**
 * Return the view as a replay and a reveal show it, in which no seat has to act.
 *
 * @param {TableView} room
 * @returns {TableView}
 */
function withoutActors(room) {
  return { ...room, actions: [], chosen: [], view: { ...room.view, to_act: [] } };
}

/** @param {string} name */
function element(name) {
  return /** @type {GameElement} */ (/** @type {unknown} */ (document.createElement(name)));
}
