import { LitElement, html, nothing } from "../../vendor/lit/index.js";
import { EventController, LanguageController } from "../../ui/controllers.js";
import { idle } from "../../ui/idle.js";
import { announce } from "../../ui/live-region.js";
import { onShortcut } from "../../ui/shortcuts.js";
import { baseStyles, lowScreen } from "../../ui/styles.js";
import { formatList } from "../../i18n/format.js";
import { playerName } from "../../i18n/players.js";
import { language, loadNamespaces, t } from "../../i18n/translate.js";
import { guard } from "../../vendor/lit/directives/guard.js";
import { RevealQueue, STILL } from "../reveal-queue.js";
import { renderBoard, renderDealSummary, renderTray } from "./board.js";
import { HintController } from "./hints.js";
import { renderActionBar, renderHand, numberOf, choicePrompt } from "./hand.js";
import { capacity, leaders, rowFor, displayState } from "./display-state.js";
import { boardStyles } from "./board-styles.js";
import { handStyles } from "./hand-styles.js";
import { stageStyles } from "./stage-styles.js";
import { styles } from "./styles.js";

await loadNamespaces("nimmt");
const loadReveal = () => import("./reveal.js");
void idle().then(loadReveal);

/** @import { TableView, TableEvent } from "../../api/types.js" */
/** @import { Choosing } from "./hand.js" */
/** @import { DisplayState } from "./display-state.js" */

/**
 * Deals of a match by variant; 0 means that the match ends at a number of heads, and other variants have one deal.
 *
 * @type {Record<string, number>}
 */
const DEALS = { arena: 5, classic: 0, tactical: 0 };
/** Matches while the table is laid out from left to right. */
const LOW = matchMedia(`${lowScreen}`);
/** Matches in windows without room for high cards. Unlike `innerHeight`, this forces no layout. */
const SHORT = matchMedia("(max-height: 599px)");
/**
 * Table of 6 nimmt!, which displays the events step by step. The viewer can choose when the view of the decision is
 * displayed.
 *
 * Events: "choose" and "mark" (detail: {action}), "unchoose"; "standing".
 */
export class NimmtTable extends LitElement {
  static properties = {
    room: { attribute: false },
    quiet: { type: Boolean, reflect: true },
    speed: { type: Number },
    television: { type: Boolean, reflect: true },
    ranks: { attribute: false },
    shown: { state: true },
    settled: { state: true },
    marked: { state: true },
    sending: { attribute: false },
    spotlight: { attribute: false },
    pins: { attribute: false },
    size: { state: true },
  };
  static styles = [baseStyles, styles, boardStyles, stageStyles, handStyles];
  /** Keyboard shortcuts. */
  static get keys() {
    return [
      { keys: "← → ↑ ↓", words: t("nimmt.keys.move") },
      { keys: "Enter", words: t("nimmt.keys.enter") },
      { keys: "Esc", words: t("nimmt.keys.escape") },
      { keys: "1 – 8", words: t("nimmt.keys.rows") },
      { keys: "H", words: t("nimmt.keys.hint") },
    ];
  }

  outcomes = new Set(["won"]);
  #hints = new HintController(this);
  #reveal = new RevealQueue(this, () => this.speed);
  /** @type {import("./reveal.js").NimmtReveal | undefined} */
  #animations;
  /** @type {TableView | null} The view that `shown` was made from; null while events are displayed. */
  #displayed = null;
  /** Number of reveals that are playing or queued. */
  #reveals = 0;
  #focus = 0;
  /** @type {string[]} marks sent and not yet confirmed by the server */
  #sent = [];
  #stopKeys = () => {};
  #width = 0;
  #size = new ResizeObserver(([entry]) => this.#resized(entry.contentRect.width));

  constructor() {
    super();
    /** @type {TableView | null} */
    this.room = null;
    /** Id of the table; "" in a replay. */
    this.table = "";
    this.quiet = false;
    this.speed = 1;
    this.television = false;
    /** @type {ReadonlyMap<string, import("./hint-text.js").Rank> | null} Ranks of the options by action, to show instead of hints. */
    this.ranks = null;
    /** @type {DisplayState | null} */
    this.shown = null;
    /** @type {TableView | null} The last view displayed completely; a reveal of later events may be in progress. */
    this.settled = null;
    this.marked = "";
    /** The choice that is on its way to the server; "" for none. The table clears it. */
    this.sending = "";
    /** @type {"hand" | number | ""} The cards that an explanation speaks of. */
    this.spotlight = "";
    /** @type {readonly import("../registry.js").ShownPin[]} */
    this.pins = [];
    this.size = sizeAt(screen.width, screen.height); // an estimate that is correct on phones and avoids a second layout
    new LanguageController(this);
    new EventController(this, LOW, "change");
  }

  connectedCallback() {
    super.connectedCallback();
    this.#stopKeys = onShortcut((key, event) => this.#onKey(key, event));
    this.#size.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#stopKeys();
    this.#size.disconnect();
    this.#reveal.skip();
  }

  /**
   * Animate the events, then display the view. Calls are queued, and each promise resolves when its view is displayed.
   *
   * @param {TableView | null} before
   * @param {TableView} room
   * @param {TableEvent[]} events
   * @param {import("../registry.js").How} how
   */
  async show(before, room, events, { jump, onShown = () => {} }) {
    this.#displayFirst(before ?? room);
    this.room = room;
    if (!this.#reveal.busy && events.every(({ event }) => STILL.has(event))) this.settled = room;
    const reveals = Number(!jump && events.some(({ event }) => event === "revealed"));
    if (jump || (reveals && this.#reveals > 1)) this.#reveal.skip(); // the display would be two turns behind
    this.#reveals += reveals;
    await this.#reveal.add(() => this.#show(room, jump ? [] : events, onShown)).finally(() => (this.#reveals -= reveals));
  }

  /**
   * @param {TableView} room
   * @param {TableEvent[]} events
   * @param {(event: TableEvent) => void} onShown
   */
  async #show(room, events, onShown) {
    const over = room.status !== "active";
    if (events.length && this.#reveal.followed && events.every(({ event }) => STILL.has(event))) {
      return this.#setDisplayed(displayState(room), room);
    }
    await this.updateComplete;
    if (events.length && !this.#reveal.atOnce) await this.#animate(room, events, over, onShown);
    if (this.#displayed !== room) this.#setDisplayed(displayState(room), room);
    await this.updateComplete;
    await this.#reveal.frame(); // the log follows in a separate task
  }

  /**
   * @param {TableView} room
   * @param {TableEvent[]} events
   * @param {boolean} over
   * @param {(event: TableEvent) => void} onShown
   */
  async #animate(room, events, over, onShown) {
    const loaded = await loadReveal().catch(() => null);
    if (!loaded) return; // the server is unreachable or newer: the view changes at once
    const animations = (this.#animations ??= new loaded.NimmtReveal(this.renderRoot, this.#reveal));
    animations.names = room.seats.map((seat) => (seat ? playerName(seat) : ""));
    animations.me = room.seat ?? -1;
    animations.onShown = onShown;
    animations.television = this.television;
    animations.vibrates = !this.quiet && navigator.userActivation?.hasBeenActive;
    if (events.some(({ event }) => event === "revealed")) await this.#reveal.frame(); // the update is a task of its own
    const animated = over ? events.filter(({ event }) => event !== "deal_over") : events; // the result dialog covers the end
    for (const step of this.shown ? loaded.animationSteps(this.shown, animated) : []) {
      if (this.#reveal.atOnce) break;
      await animations.play(step, () => {
        this.#setDisplayed(step.shown);
        if (step.event && step.act !== "flip") onShown(step.event);
        return this.updateComplete;
      });
      if (step.act === "flip" && step.event && !this.#reveal.atOnce) onShown(step.event);
    }
    animations.end();
  }

  /**
   * Display a view at once if nothing is displayed yet.
   *
   * @param {TableView} room
   */
  #displayFirst(room) {
    if (this.shown) return;
    this.shown = displayState(room);
    this.#displayed = this.settled = room;
  }

  /**
   * @param {DisplayState} shown
   * @param {TableView | null} [room] the view that it was made from, if it is not a step of an event
   */
  #setDisplayed(shown, room = null) {
    const before = this.shown?.seats;
    this.shown = shown;
    this.#displayed = room;
    if (room) this.settled = room;
    const same = before && shown.seats.every(({ heads, out }, seat) => heads === before[seat]?.heads && out === before[seat]?.out);
    if (!same) this.dispatchEvent(new Event("standing"));
  }

  /**
   * Fit the cards to the width. A reveal in progress ends, because its cards fly to where the rows were.
   *
   * @param {number} width
   */
  #resized(width) {
    if (this.#width && width !== this.#width) this.#reveal.skip();
    this.#width = width;
    this.size = sizeAt(width, innerHeight);
  }

  /** The displayed score of each seat. */
  get standing() {
    const { shown } = this;
    const leads = shown ? leaders(shown) : [];
    return shown?.seats.map(({ heads }, seat) => ({ score: `${heads}`, words: t("nimmt.heads", { count: heads }), leads: leads.includes(seat) }));
  }

  /** The cards that took a row in the displayed turn, and the one that has to. */
  get painful() {
    const { rows = [], takings = [], seats = [], choosing = -1 } = this.shown ?? {};
    const waiting = choosing < 0 ? [] : [seats[choosing].card];
    return [...waiting, ...takings.flatMap((taking, row) => (taking && rows[row][0] ? [rows[row][0]] : []))];
  }

  get felt() {
    return this.renderRoot.querySelector(".felt");
  }

  /** @param {TableView} room */
  prompt(room) {
    const { view, seat, actions: words } = room;
    if (!words.length) return undefined;
    const [low, chooser] = view.waiting[0] ?? [];
    const choose = chooser === seat && low ? t("nimmt.choose_row", { card: low }) : t("nimmt.choose");
    if (room.decision !== this.settled?.decision) return choose;
    return this.#hints.sentence(this.marked) ?? (choicePrompt(this.#choosing) || choose);
  }

  /** @param {Map<string, any>} changed */
  willUpdate(changed) {
    if (!changed.has("room") || !this.room) return;
    this.#displayFirst(this.room);
    const before = /** @type {TableView | undefined} */ (changed.get("room"));
    const { decision, mark = "", choice = "" } = this.room;
    if (before?.decision !== decision) {
      this.#sent = [];
      this.marked = mark;
      this.sending = "";
    } else if (mark !== (before.mark ?? "")) {
      // The server confirms the marks of this page in order. A mark that this page has not sent is from another tab.
      const sentIndex = this.#sent.indexOf(mark);
      if (sentIndex >= 0) this.#sent.splice(0, sentIndex + 1);
      else this.marked = mark;
    }
    if (before && choice !== (before.choice ?? "")) {
      this.sending = "";
      if (choice) this.marked = choice;
    }
  }

  /** @returns {Choosing} */
  get #choosing() {
    const room = /** @type {TableView} */ (this.settled);
    const { view, actions: words } = room;
    const { hand } = /** @type {DisplayState} */ (this.shown);
    const can = !this.quiet && room.decision === this.room?.decision && room.seat !== undefined && room.status === "active" && room.paused === undefined && words.length > 0;
    const playing = hand.includes(this.#focus);
    const chosen = room.choice ?? "";
    const current = this.sending || chosen;
    return {
      hand,
      rows: view.rows,
      most: capacity(room),
      asked: !can ? "" : words[0].startsWith("take") ? "row" : "card",
      marked: can ? this.marked : "",
      chosen,
      sending: this.sending,
      hint: this.ranks ? { open: true, busy: false, ranks: this.ranks, toggle: () => {} } : can ? this.#hints.of(room) : null,
      focus: playing ? this.#focus : (hand.find((number) => current === `play ${number}`) ?? hand[0]),
    };
  }

  /** @param {Map<string, any>} changed */
  updated(changed) {
    if (changed.has("marked")) this.dispatchEvent(new Event("standing")); // the prompt has changed
  }

  /** @param {string} action in notation; "" removes the mark */
  #mark(action) {
    if (action === this.marked) return;
    this.marked = action;
    this.#sent.push(action);
    this.dispatchEvent(new CustomEvent("mark", { detail: { action: action || null } }));
    if (action) announce(choicePrompt(this.#choosing));
  }

  #confirm() {
    if (!this.marked || this.marked === (this.sending || this.room?.choice)) return;
    const action = (this.sending = this.marked);
    this.#reveal.skip();
    this.dispatchEvent(new CustomEvent("choose", { detail: { action } }));
  }

  #undo() {
    this.sending = "";
    this.dispatchEvent(new CustomEvent("unchoose"));
  }

  /**
   * Handle a tap on an action. The first tap selects the action, the second confirms it, and a tap on a confirmed
   * action withdraws it.
   *
   * @param {string} action
   */
  #onTap(action) {
    if (action === (this.sending || this.room?.choice)) {
      if (this.marked === action) this.#undo();
      else this.#mark(action);
    } else if (action === this.marked) this.#confirm();
    else this.#mark(action);
  }

  /** @param {number} card */
  #tappedCard(card) {
    this.#focus = card;
    if (this.#choosing.asked === "card") this.#onTap(`play ${card}`);
    else if (this.#reveal.busy) void this.#reveal.ended.then(() => this.#choosing.asked === "card" && this.#onTap(`play ${card}`)); // the tap skips it
    this.requestUpdate();
  }

  /**
   * @param {string} key
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  #onKey(key, event) {
    if (!this.room || this.quiet) return false;
    const path = event.composedPath();
    const target = /** @type {Element} */ (path[0]);
    const nowhere = !target.matches("a, button, summary, [role=button], [tabindex='0']"); // on the page, a heading or the empty hand
    if (!nowhere && !path.includes(this)) return false;
    const choosing = this.#choosing;
    const row = Number(key) - 1;
    if (choosing.asked === "row" && row >= 0 && row < choosing.rows.length) this.#onTap(`take row ${row}`);
    else if (key === "h" && choosing.hint) choosing.hint.toggle();
    else if (key === "Escape" && choosing.asked) this.#onEscape(choosing);
    else if (key === "Enter" && choosing.asked === "row" && this.marked && (nowhere || target.matches(".held"))) this.#confirm();
    else return this.#onArrow(key, choosing);
    return true;
  }

  /** @param {Choosing} choosing */
  #onEscape({ chosen, sending, marked }) {
    const current = sending || chosen;
    if (marked && marked !== current) this.#mark(current);
    else if (current) this.#undo();
  }

  /**
   * Move the focus in the hand.
   *
   * @param {string} key
   * @param {Choosing} choosing
   * @returns {boolean}
   */
  #onArrow(key, { hand, focus }) {
    const inside = Boolean(this.shadowRoot?.activeElement?.closest(".held"));
    if (!inside && !/^Arrow(Left|Right)$/.test(key)) return false; // the other keys scroll the page
    const at = hand.indexOf(focus);
    const held = /** @type {NodeListOf<HTMLElement>} */ (this.renderRoot.querySelectorAll(".held"));
    const line = [...held].filter((element) => element.offsetTop === held[0].offsetTop).length;
    const to = /** @type {Record<string, number>} */ ({
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - line,
      ArrowDown: at + line,
      Home: 0,
      End: hand.length - 1,
    })[key];
    if (to === undefined || !hand.length) return false;
    const card = hand[Math.min(Math.max(to, 0), hand.length - 1)];
    this.#focus = inside ? card : focus;
    this.requestUpdate();
    void this.updateComplete.then(() => /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(`[data-hand="${this.#focus}"]`))?.focus());
    return true;
  }

  render() {
    const { settled: room, shown } = this;
    if (!room || !shown) return nothing;
    const names = room.seats.map((seat) => (seat ? playerName(seat) : ""));
    const choosing = this.#choosing;
    const { hand: held = 10 } = room.config.options;
    const numbers = `--most: ${choosing.most}; --rows: ${Math.max(shown.rows.length, 1)}; --seats: ${shown.seats.length}; --held: ${held}`;
    const hasHand = this.#hasHand;
    const kind = ["table", `size-${this.#cardSize}`, this.#terse && "terse", this.#flat && "flat", shown.seats.length > 5 && "many", shown.seats.length > 5 && "crowd", held > 7 && "long", !hasHand && "handless", this.spotlight === "hand" && "lit-hand"];
    return html`<div class=${kind.filter(Boolean).join(" ")} .style=${numbers}>
      <div class="felt">
        ${renderTray({ shown, names, me: room.seat ?? -1, size: this.#cardSize === "small" && !this.#flat ? "small" : "squat", staged: Boolean(this.#animations?.staged), pins: this.pins })}
        ${shown.rows.length
          ? renderBoard({
              shown,
              most: choosing.most,
              hint: this.#hint(choosing),
              names,
              size: this.#cardSize,
              ranks: choosing.hint?.ranks,
              lit: this.spotlight,
              pins: this.pins,
              pick: choosing.asked === "row" && shown.choosing >= 0 ? (row) => this.#onTap(`take row ${row}`) : null,
            })
          : html`<p class="shuffling centred">${t("nimmt.shuffling")}</p>`}
        ${shown.over ? renderDealSummary(shown, names) : nothing}
        <div class="above" aria-hidden="true"><div class="stage"></div></div>
      </div>
      ${renderActionBar(choosing, this.#state(shown, names), () => this.#confirm(), () => this.#undo())}
      ${hasHand ? this.#hand(choosing) : nothing}
    </div>`;
  }

  /** Render the hand if it has changed, because a reveal changes only the board. @param {Choosing} choosing */
  #hand(choosing) {
    const { hand, asked, marked, chosen, sending, focus, hint } = choosing;
    const size = this.#flat ? "squat" : "full";
    const changing = [language(), hand.join(), asked, marked, chosen, sending, focus, hint?.ranks, size];
    return guard(changing, () => renderHand(choosing, (card) => this.#tappedCard(card), size));
  }

  /** Whether the viewer's hand is displayed below the rows. */
  get #hasHand() {
    return this.room?.seat !== undefined && !this.television;
  }

  /** Size of the cards in the rows. Without a hand, a low phone has room for higher cards; in a replay it has not. */
  get #cardSize() {
    return this.size === "squat" && !LOW.matches && !this.#hasHand && !this.quiet ? "small" : this.size;
  }

  /** Whether there is no room for names at cards, and for long sentences; on a television they would be too small. */
  get #terse() {
    return LOW.matches || this.size !== "full" || this.television;
  }

  /** Whether cards of the hand are square, since a low phone has no room for higher ones. */
  get #flat() {
    return LOW.matches || (this.#cardSize === "squat" && (SHORT.matches || (this.shown?.seats.length ?? 0) > 5));
  }

  /**
   * Return a hint for the selected or chosen action, or null if the displayed rows are not the current ones.
   *
   * @param {Choosing} choosing
   */
  #hint({ asked, marked, chosen, rows }) {
    const action = marked || chosen;
    if (!asked || !action || this.shown?.rows !== rows) return null;
    if (asked === "row") return { card: 0, row: numberOf(action) };
    const card = numberOf(action);
    return { card, row: rowFor(rows, card) };
  }

  /**
   * @param {DisplayState} shown
   * @param {string[]} names
   */
  #state(shown, names) {
    if (shown.choosing >= 0 && shown.choosing !== this.room?.seat) return t("nimmt.waiting_for_row", { name: names[shown.choosing] });
    const leads = leaders(shown).filter((seat) => seat in names); // another puzzle may have fewer seats
    const { status, view, config: { options, variant } } = /** @type {TableView} */ (this.settled);
    // Cards that are being chosen belong to the next turn, as they do while they are revealed.
    const chooses = status === "active" && shown.turn === view.log.length && !view.waiting.length && view.sizes.some(Boolean);
    const turn = shown.turn + Number(chooses);
    const deals = options.deals ?? DEALS[variant] ?? 1;
    return [
      deals === 1 || !shown.deal ? "" : t("nimmt.deal", { deal: shown.deal, of: deals, context: deals ? "of" : "" }),
      turn ? t("nimmt.turn", { turn, of: options.hand ?? 10 }) : "",
      leads.length && !this.#terse && status === "active" ? this.#describeLeaders(leads, names, shown.seats[leads[0]].heads) : "",
    ]
      .filter(Boolean)
      .join(" · ");
  }

  /**
   * @param {number[]} leads
   * @param {string[]} names
   * @param {number} heads
   */
  #describeLeaders(leads, names, heads) {
    const others = leads.filter((seat) => seat !== this.room?.seat);
    const key = others.length === leads.length ? "nimmt.leads" : others.length ? "nimmt.leads.us" : "nimmt.leads.me";
    const summary = others.length === leads.length ? "nimmt.leads.players" : "nimmt.leads.others";
    return t(key, { count: leads.length, names: leads.length > 2 ? t(summary, { count: others.length }) : formatList(others.map((seat) => names[seat])), heads });
  }
}

/**
 * Return the card size for the available space.
 *
 * @param {number} width of the table
 * @param {number} height of the window
 * @returns {import("../../art/nimmt-card.js").Size}
 */
function sizeAt(width, height) {
  if (LOW.matches) return (width - 250) / 6 > height / 4 - 29 ? "squat" : "small";
  return width >= 500 ? "full" : height < 740 ? "squat" : "small";
}

customElements.define("nimmt-table", NimmtTable);
