import { LitElement, html, nothing } from "../../vendor/lit/index.js";
import { announce } from "../../manners/announce.js";
import { onKey } from "../../manners/keys.js";
import { sound } from "../../manners/sounds.js";
import { sheet } from "../../parts/sheet.js";
import { need, say } from "../../words/say.js";
import { Reveal } from "../reveal.js";
import { board } from "./board.js";
import { bar, hand, numberOf, prompt } from "./hand.js";
import { glide, places, turn } from "./motion.js";
import { over } from "./over.js";
import { capacity, leading, rowFor, standing, steps } from "./shown.js";
import { styles } from "./styles.js";
import { tray } from "./tray.js";

await need("nimmt");

/** @import { Sight, TableEvent } from "../../live/types.js" */
/** @import { Choosing } from "./hand.js" */
/** @import { Shown, Step } from "./shown.js" */

/** The time that one card takes to get to its row, in milliseconds, at the usual speed. */
const MOVE = 330;
/** How long a choice that was sent may look as if it had arrived, if nobody says that it has. */
const PATIENCE = 5000;

/**
 * A table of 6 nimmt!: the rows and everybody's place show what `tell` tells, step by step; the hand and what can be
 * chosen follow the newest sight at once.
 *
 * Events: "choose" and "mark" (detail: {action}), "unchoose"; "standing".
 */
export class NimmtTable extends LitElement {
  static properties = {
    sight: { attribute: false },
    quiet: { type: Boolean, reflect: true },
    speed: { type: Number },
    television: { type: Boolean, reflect: true },
    shown: { state: true },
    marked: { state: true },
    asked: { state: true },
    size: { state: true },
  };
  static styles = [sheet, styles];
  /** What can be done by keys. */
  static get keys() {
    return [
      { keys: "← → ↑ ↓", words: say("nimmt.keys.move") },
      { keys: "Enter", words: say("nimmt.keys.enter") },
      { keys: "Esc", words: say("nimmt.keys.escape") },
      { keys: "1 – 8", words: say("nimmt.keys.rows") },
    ];
  }

  #reveal = new Reveal(() => this.speed);
  #focus = 0;
  /** Marks that were sent and of which the server has not told us yet. */
  /** @type {string[]} */
  #sent = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #patience;
  #stopKeys = () => {};
  #language = () => this.requestUpdate();
  #size = new ResizeObserver(([entry]) => (this.size = sizeAt(entry.contentRect.width, innerHeight)));

  constructor() {
    super();
    /** @type {Sight | null} */
    this.sight = null;
    this.quiet = false;
    this.speed = 1;
    this.television = false;
    /** @type {Shown | null} */
    this.shown = null;
    this.marked = "";
    this.asked = "";
    this.size = sizeAt(screen.width, screen.height); // a guess, which is right on a phone: nothing is laid out twice
  }

  connectedCallback() {
    super.connectedCallback();
    this.#stopKeys = onKey((key, event) => this.#pressed(key, event));
    addEventListener("language", this.#language);
    this.#size.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#stopKeys();
    removeEventListener("language", this.#language);
    this.#size.disconnect();
    this.#reveal.skip();
  }

  /**
   * Show what happened, then stand at the sight. Tellings queue; it is done when this one has been shown.
   *
   * @param {Sight | null} before
   * @param {Sight} sight
   * @param {TableEvent[]} events
   * @param {{jump: boolean}} how
   */
  async tell(before, sight, events, { jump }) {
    this.shown ??= standing(before ?? sight);
    this.sight = sight;
    if (jump) this.#reveal.skip();
    await this.#reveal.add(() => this.#show(sight, jump ? [] : events));
  }

  /**
   * @param {Sight} sight
   * @param {TableEvent[]} events
   */
  async #show(sight, events) {
    const over = sight.status !== "active";
    for (const event of events) {
      if (over && event.event === "deal_over") continue; // the frame has more to say about the end
      for (const step of this.shown ? steps(this.shown, event) : []) {
        if (this.#reveal.atOnce) break;
        await this.#step(step);
      }
    }
    this.#becomes(standing(sight));
    await this.updateComplete;
  }

  /** @param {Step} step */
  async #step({ shown, moves, how, sound: makes }) {
    const reveal = this.#reveal;
    const root = /** @type {ShadowRoot} */ (this.renderRoot);
    await this.updateComplete;
    const time = moves * MOVE;
    if (how === "turn") {
      turn(root.querySelectorAll(".down"), reveal, true, time / 3);
      await reveal.wait(time / 3);
    }
    if (makes) sound(makes);
    const before = how === "move" ? places(root) : null;
    this.#becomes(shown);
    await this.updateComplete;
    if (how === "turn") turn(root.querySelectorAll(".up"), reveal, false, time / 3);
    if (before) glide(root, before, reveal, time);
    await reveal.wait(how === "turn" ? (time * 2) / 3 : time);
  }

  /** @param {Shown} shown */
  #becomes(shown) {
    this.shown = shown;
    this.dispatchEvent(new Event("standing"));
  }

  /** How everybody stands, as it is shown now. */
  get standing() {
    const { shown } = this;
    const leads = shown ? leading(shown) : [];
    return shown?.seats.map(({ heads }, seat) => ({ score: `${heads}`, words: say("nimmt.heads", { heads }), leads: leads.includes(seat) }));
  }

  /** @param {Sight} sight */
  asks(sight) {
    const { view, seat, words } = sight;
    if (!words.length) return undefined;
    const [low, whose] = view.waiting[0] ?? [];
    const choose = whose === seat && low ? say("nimmt.below", { card: low }) : say("nimmt.choose");
    return (sight === this.sight && prompt(this.#choosing)) || choose;
  }

  /** @param {Map<string, any>} changed */
  willUpdate(changed) {
    if (!changed.has("sight") || !this.sight) return;
    this.shown ??= standing(this.sight);
    const before = /** @type {Sight | undefined} */ (changed.get("sight"));
    const { decision, mark = "", choice = "" } = this.sight;
    if (before?.decision !== decision) {
      this.#sent = [];
      this.marked = mark;
      this.asked = "";
    } else if (mark !== (before.mark ?? "")) {
      // Our own marks come back to us, one by one; another tab's are news.
      const known = this.#sent.indexOf(mark);
      if (known >= 0) this.#sent.splice(0, known + 1);
      else this.marked = mark;
    }
    if (before && choice !== (before.choice ?? "")) {
      this.asked = "";
      if (choice) this.marked = choice;
    }
  }

  /** @returns {Choosing} */
  get #choosing() {
    const sight = /** @type {Sight} */ (this.sight);
    const { view, words } = sight;
    const can = !this.quiet && sight.seat !== undefined && sight.status === "active" && sight.paused === undefined && words.length > 0;
    const playing = view.hand.includes(this.#focus);
    const chosen = this.asked || sight.choice || "";
    return {
      hand: view.hand,
      rows: view.rows,
      most: capacity(sight),
      asked: !can ? "" : words[0].startsWith("take") ? "row" : "card",
      marked: can ? this.marked : "",
      chosen,
      sending: this.asked !== "" && this.asked !== sight.choice,
      focus: playing ? this.#focus : (view.hand.find((/** @type {number} */ each) => chosen === `play ${each}`) ?? view.hand[0]),
    };
  }

  /** @param {Map<string, any>} changed */
  updated(changed) {
    if (changed.has("marked")) this.dispatchEvent(new Event("standing")); // what we ask for has changed
  }

  /** @param {string} action in words; "" takes a mark away */
  #mark(action) {
    if (action === this.marked) return;
    this.marked = action;
    this.#sent.push(action);
    this.#reveal.hurry();
    this.dispatchEvent(new CustomEvent("mark", { detail: { action: action || null } }));
    if (action) announce(prompt(this.#choosing));
  }

  #confirm() {
    if (!this.marked || this.marked === (this.asked || this.sight?.choice)) return;
    const action = (this.asked = this.marked);
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.asked === action && (this.asked = ""), PATIENCE);
    this.#reveal.skip();
    this.dispatchEvent(new CustomEvent("choose", { detail: { action } }));
  }

  #takeBack() {
    this.asked = "";
    this.dispatchEvent(new CustomEvent("unchoose"));
  }

  /**
   * A tap marks; another one on the same confirms, or takes back what was confirmed.
   *
   * @param {string} action
   */
  #tapped(action) {
    if (action === (this.asked || this.sight?.choice)) {
      if (this.marked === action) this.#takeBack();
      else this.#mark(action);
    } else if (action === this.marked) this.#confirm();
    else this.#mark(action);
  }

  /** @param {number} card */
  #tappedCard(card) {
    this.#focus = card;
    if (this.#choosing.asked === "card") this.#tapped(`play ${card}`);
    this.requestUpdate();
  }

  /**
   * @param {string} key
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  #pressed(key, event) {
    if (!this.sight || this.quiet) return false;
    const path = event.composedPath();
    const target = /** @type {Element} */ (path[0]);
    const nowhere = target.matches("body, main"); // the focus is on the page: whoever came from another begins there
    const elsewhere = !nowhere && !path.includes(this) && target.matches("a, button, summary, [tabindex], [role]");
    if (elsewhere) return false;
    const choosing = this.#choosing;
    const row = Number(key) - 1;
    if (choosing.asked === "row" && row >= 0 && row < choosing.rows.length) this.#tapped(`take row ${row}`);
    else if (key === "Escape" && choosing.asked) this.#escaped(choosing);
    else if (key === "Enter" && choosing.asked === "row" && this.marked && nowhere) this.#confirm();
    else return this.#moved(key, choosing);
    return true;
  }

  /** @param {Choosing} choosing */
  #escaped({ chosen, marked }) {
    if (marked && marked !== chosen) this.#mark(chosen);
    else if (chosen) this.#takeBack();
    else this.#reveal.skip();
  }

  /**
   * Along the hand, and from line to line of it.
   *
   * @param {string} key
   * @param {Choosing} choosing
   * @returns {boolean}
   */
  #moved(key, { hand, focus }) {
    const inside = Boolean(this.shadowRoot?.activeElement?.closest(".held"));
    if (!inside && !/^Arrow(Left|Right)$/.test(key)) return false; // the others scroll the page
    const at = hand.indexOf(focus);
    const held = /** @type {NodeListOf<HTMLElement>} */ (this.renderRoot.querySelectorAll(".held"));
    const line = [...held].filter((each) => each.offsetTop === held[0].offsetTop).length;
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
    const { sight, shown } = this;
    if (!sight || !shown) return nothing;
    const names = sight.seats.map((seat) => seat?.name ?? "");
    const choosing = this.#choosing;
    const { hand: held = 10 } = sight.opening.options;
    const numbers = `--most: ${choosing.most}; --rows: ${Math.max(shown.rows.length, 1)}; --seats: ${shown.seats.length}; --held: ${held}`;
    const mine = sight.seat !== undefined && !this.television;
    const kind = ["table", `size-${this.size}`, shown.seats.length > 5 && "many", shown.seats.length > 5 && "crowd", held > 7 && "long", !mine && "handless"];
    return html`<div class=${kind.filter(Boolean).join(" ")} .style=${numbers}>
      <div class="felt" @click=${() => this.#reveal.skip()}>
        ${tray({ shown, names, me: sight.seat ?? -1, size: this.size === "squat" ? "squat" : "small" })}
        ${shown.rows.length
          ? board({
              shown,
              most: choosing.most,
              hint: this.#hint(choosing),
              names,
              size: this.size,
              pick: choosing.asked === "row" && shown.choosing >= 0 ? (row) => this.#tapped(`take row ${row}`) : null,
            })
          : html`<p class="shuffling">${say("nimmt.shuffling")}</p>`}
        ${shown.over ? over(shown, names) : nothing}
      </div>
      ${bar(choosing, this.#state(shown, names), () => this.#confirm(), () => this.#takeBack())}
      ${mine ? hand(choosing, (card) => this.#tappedCard(card)) : nothing}
    </div>`;
  }

  /**
   * What is marked or chosen, as long as the rows on the screen are those that it would go to.
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
   * @param {Shown} shown
   * @param {string[]} names
   */
  #state(shown, names) {
    if (shown.choosing >= 0 && shown.choosing !== this.sight?.seat) return say("nimmt.waits", { name: names[shown.choosing] });
    const leads = leading(shown);
    const { options } = /** @type {Sight} */ (this.sight).opening;
    return [
      options.deals === 1 || !shown.deal ? "" : say("nimmt.deal", { deal: shown.deal, of: options.deals }),
      shown.turn ? say("nimmt.turn", { turn: shown.turn, of: options.hand ?? 10 }) : "",
      leads.length ? say("nimmt.leads", { names: leads.map((seat) => names[seat]), heads: shown.seats[leads[0]].heads }) : "",
    ]
      .filter(Boolean)
      .join(" · ");
  }
}

/**
 * How large cards are drawn where there is so much room.
 *
 * @param {number} width of the table
 * @param {number} height of the window
 * @returns {import("../../art/card.js").Size}
 */
function sizeAt(width, height) {
  return width >= 500 ? "full" : height < 740 ? "squat" : "small";
}

customElements.define("nimmt-table", NimmtTable);
