import { html, nothing } from "../../vendor/lit/index.js";
import { repeat } from "../../vendor/lit/directives/repeat.js";
import { back, playing } from "../../art/playing.js";
import { sound } from "../../manners/sounds.js";
import { icon } from "../../parts/icons.js";
import { sheet } from "../../parts/sheet.js";
import { nameOf } from "../../table/names.js";
import { language, need, say } from "../../words/say.js";
import { ChanceTable } from "../chance-table.js";
import { felt, who } from "../felt.js";
import { battlefield } from "./battlefield.js";
import { laid, winnerOf } from "./laid.js";
import { rulesOf } from "./play.js";
import "./war-line.js";

await need("war");

/** @import { Sight, TableEvent } from "../../live/types.js" */
/** @import { Icon } from "../../parts/icons.js" */
/** @import { Laid } from "./laid.js" */

/**
 * What is shown: what lies there, and what is just happening to it.
 *
 * @typedef {Laid & {says: TableEvent | null, sweeping?: boolean, shuffling?: boolean}} Shown
 *
 * How the cards are turned: by hand, or by themselves at a pace.
 *
 * @typedef {"hand" | "slow" | "fast" | "whole"} Auto
 */

/** @type {[Auto, Icon][]} */
const PACES = [["slow", "play"], ["fast", "fast"], ["whole", "fastest"]];
/** How many times as fast a pace is, 0 is at once, and how long it waits before it goes on. */
const TIMES = { hand: [1, 0], slow: [1, 500], fast: [3, 60], whole: [0, 0] };
/** No more than so many flips a second, which the server lets everybody have for long. */
const LEAST = 70;
const SWEEP = 260;
const DOWN = 170;
const UP = 480;
const WAR = 520;
const COLLECT = 320;
const SHUFFLE = 900;
/** What is worth saying of a flip, the most important first. */
const WORTH = ["won", "drawn", "sudden_death", "dealt", "reshuffled", "war", "collected"];

/**
 * A table of War: two piles, what both have turned up, and how likely each is to win.
 *
 * @extends {ChanceTable<Shown>}
 */
export class WarTable extends ChanceTable {
  static properties = {
    ...ChanceTable.properties,
    past: { attribute: false },
    stood: { state: true },
    auto: { state: true },
  };
  static styles = [sheet, felt, battlefield];
  static get keys() {
    return [{ keys: say("war.keys"), words: say("war.keys.flip") }, { keys: "A", words: say("war.keys.auto") }];
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    super("flip");
    /** @type {import("../../table/history.js").Moment[]} */
    this.past = [];
    /** @type {Sight | null} The last sight of which everything is shown. */
    this.stood = null;
    /** @type {Auto} */
    this.auto = "hand";
  }

  connectedCallback() {
    super.connectedCallback();
    this.#drive();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  /** By seat: cards in the pile. @returns {import("../index.js").Standing[]} */
  get standing() {
    const draw = this.shown?.draw ?? [];
    return draw.map((count) => ({ score: String(count), words: say("war.cards", { count }), leads: count > 0 && count > Math.min(...draw) }));
  }

  get pace() {
    return this.speed * TIMES[this.auto][0];
  }

  get itself() {
    return this.auto !== "hand";
  }

  /** Whether so much happens that it is not worth reading out. */
  get hasty() {
    return this.auto === "fast" || this.auto === "whole";
  }

  asks() {
    return say(this.auto === "hand" ? "war.asks" : "war.asks.auto");
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (changed.has("sight") || changed.has("auto") || changed.has("quiet")) this.#drive();
  }

  /**
   * Show what happened, then stand at the sight.
   *
   * @param {Sight | null} before
   * @param {Sight} sight
   * @param {TableEvent[]} events
   * @param {{jump: boolean}} how
   */
  async tell(before, sight, events, { jump }) {
    this.sight = sight;
    if (jump || events.some(({ event }) => event === "turned")) this.reveal.skip(); // it goes on already
    await this.reveal.add(async () => {
      const turned = events.find(({ event }) => event === "turned");
      const says = WORTH.map((each) => events.findLast(({ event }) => event === each)).find(Boolean) ?? (jump ? null : this.shown?.says);
      if (before && turned && !jump && !this.reveal.atOnce) await this.#flip(before, sight, events, turned);
      else if (!jump && !this.reveal.atOnce) await this.#shuffle(events);
      this.stood = sight;
      this.show({ ...laid(sight), ...(turned && before && !jump ? collected(before, sight, turned) : {}), says: says ?? null });
      await this.updateComplete;
    });
    this.requestUpdate();
    this.#drive();
  }

  /**
   * @param {Sight} before
   * @param {Sight} sight
   * @param {TableEvent[]} events
   * @param {TableEvent} turned
   */
  async #flip(before, sight, events, turned) {
    const fresh = before.view.turned.length === 0;
    const old = this.shown;
    if (old && fresh && old.cards[0].length && old.winner !== undefined) {
      this.show({ ...old, sweeping: true });
      await this.reveal.wait(SWEEP);
    }
    const counts = laid(before).draw;
    /** @type {Shown} */
    let shown = { round: before.view.rounds + 1, cards: fresh ? [[], []] : laid(before).cards, draw: counts, war: false, wars: before.view.wars, says: null };
    const most = Math.max(...turned.added);
    for (let place = 1; place <= most; place += 1) {
      const up = place === most;
      shown = { ...shown, cards: shown.cards.map((pile, seat) => lay(pile, turned, seat, place)), draw: shown.draw.map((count, seat) => count - (place <= turned.added[seat] ? 1 : 0)) };
      this.show(shown);
      if (up) sound("card");
      await this.reveal.wait(up ? UP : DOWN);
    }
    if (events.some(({ event }) => event === "war")) {
      shown = { ...shown, wars: sight.view.wars };
      this.show({ ...shown, war: true, says: events.find(({ event }) => event === "war") ?? null });
      sound("war");
      await this.reveal.wait(WAR);
    }
    if (events.some(({ event }) => event === "collected")) {
      this.show({ ...shown, winner: winnerOf(turned.cards), says: events.find(({ event }) => event === "collected") ?? null });
      await this.reveal.wait(COLLECT);
    }
    await this.#shuffle(events, sight);
  }

  /**
   * Both piles are shuffled, for all to see.
   *
   * @param {TableEvent[]} events
   * @param {Sight} [sight]
   */
  async #shuffle(events, sight) {
    const why = events.find(({ event }) => event === "reshuffled" || event === "dealt");
    if (!why || !this.shown) return;
    this.show({ ...this.shown, ...(sight ? laid(sight) : {}), says: why, shuffling: true });
    sound("reveal");
    await this.reveal.wait(SHUFFLE);
  }

  /** By itself: go on when what happened has been shown, and try again where nothing came of it. */
  #drive() {
    clearTimeout(this.#timer);
    if (this.auto === "hand" || !this.isConnected || !this.may || this.reveal.busy) return;
    this.#timer = setTimeout(() => {
      this.press();
      this.#drive();
    }, Math.max(TIMES[this.auto][1], LEAST - this.since, this.again));
  }

  /** @param {string} key */
  pressed(key) {
    if (key.toLowerCase() !== "a") return this.press();
    if (!this.quiet) this.#turn(this.auto === "hand" ? "slow" : "hand");
    return !this.quiet;
  }

  /** @param {Auto} auto */
  #turn(auto) {
    this.auto = this.auto === auto ? "hand" : auto;
    this.dispatchEvent(new Event("standing"));
    if (this.auto !== "hand") this.reveal.skip();
  }

  render() {
    const { sight, shown } = this;
    if (!sight || !shown) return nothing;
    const mine = sight.seat ?? 0;
    const sudden = sight.status === "active" && sight.view.rounds >= rulesOf(sight.opening.options).cap;
    return html`<div class="felt ${sudden ? "sudden" : ""} ${this.reveal.atOnce ? "calm" : ""}">
      ${this.#lane(sight, shown, 1 - mine)}
      ${this.#says(sight, shown, mine)}
      ${this.#lane(sight, shown, mine)}
      ${this.#buttons(sight)}
    </div>
    <war-line .sight=${this.stood} .past=${this.past} ?hasty=${this.hasty}></war-line>`;
  }

  /**
   * Between the seats: how many cards each has, as one bar, and the round in a sentence.
   *
   * @param {Sight} sight
   * @param {Shown} shown
   * @param {number} mine
   */
  #says(sight, shown, mine) {
    const { cap } = rulesOf(sight.opening.options);
    const number = new Intl.NumberFormat(language()).format;
    const names = sight.seats.map((_, seat) => nameOf(sight, seat));
    const { says } = shown;
    const total = shown.draw[0] + shown.draw[1];
    return html`<div class="between">
      <div class="balance" aria-hidden="true" .style=${`--part: ${total ? shown.draw[mine] / total : 0.5}; --colour: var(--seat-${mine}); --other: var(--seat-${1 - mine})`}><i></i></div>
      <p class="says ${shown.war ? "war" : ""}">
        <span>${say("war.round", { round: number(Math.max(1, shown.round)), cap: number(cap) })} · ${say("war.wars", { count: shown.wars })}</span>
        ${says ? html`<strong>${this.#sentence(says, shown, names)}</strong>` : nothing}
      </p>
    </div>`;
  }

  /**
   * @param {TableEvent} event
   * @param {Shown} shown
   * @param {string[]} names
   */
  #sentence(event, shown, names) {
    const name = names[event.seat];
    if (event.event !== "collected" || shown.winner === undefined) return say(`war.says.${event.event}`, { ...event, name });
    const card = shown.cards[shown.winner].at(-1);
    return say("war.says.collected", { name, count: event.count, rank: card === undefined || card === null ? "" : say("war.rank", { rank: card >> 2 }) });
  }

  /**
   * @param {Sight} sight
   * @param {Shown} shown
   * @param {number} seat
   */
  #lane(sight, shown, seat) {
    const over = sight.status === "finished" && !this.reveal.busy;
    const won = over ? sight.result?.ranks[seat] === 1 : shown.winner === seat;
    const cards = shown.cards[seat];
    const name = nameOf(sight, seat);
    const sweep = shown.sweeping ? (shown.winner === seat ? "sweep own" : "sweep") : "";
    const toward = seat === (sight.seat ?? 0) ? -1 : 1;
    return html`<div class="lane ${won ? "won" : ""} ${shown.winner === 1 - seat && !over ? "lost" : ""}" .style=${`--colour: var(--seat-${seat}); --toward: ${toward}`}>
      ${who(name)}
      ${this.#pile(shown, seat)}
      <div class="spread ${sweep}" role="img" aria-label=${this.#told(cards)} .style=${`--gaps: ${Math.max(1, cards.length - 1)}`}>
        ${repeat(cards, (_, place) => `${shown.round}.${place}`, (card, place) => html`<div class="card ${card === null ? "down" : "up"} ${place === cards.length - 1 ? "last" : ""}" .style=${`--at: ${place}`}>
          ${card === null ? back() : playing(card)}</div>`)}
      </div>
    </div>`;
  }

  /**
   * @param {Shown} shown
   * @param {number} seat
   */
  #pile(shown, seat) {
    const count = shown.draw[seat];
    const layers = count ? Math.min(5, 1 + Math.floor(count / 8)) : 0;
    return html`<div class="pile ${shown.shuffling ? "shuffling" : ""}" role="img" aria-label=${say("war.pile", { count })}>
      ${Array.from({ length: layers }, (_, layer) => html`<div class="card" .style=${`--layer: ${layer}; --side: ${layer % 2 ? 1 : -1}`}>${back()}</div>`)}
      <b>${count}</b>
    </div>`;
  }

  /** @param {(number | null)[]} cards */
  #told(cards) {
    if (!cards.length) return say("war.nothing");
    return new Intl.ListFormat(language(), { type: "unit" }).format(cards.map((card) => (card === null ? say("war.down") : say("war.card", { card }))));
  }

  /** @param {Sight} sight */
  #buttons(sight) {
    if (this.quiet || sight.seat === undefined || sight.status !== "active") return nothing;
    return html`<div class="does">
      <button class="do" ?disabled=${!this.may} @click=${() => this.press()}>${say(sight.choice === undefined ? "war.flip" : "war.flipped")}</button>
      <div class="auto" role="group" aria-label=${say("war.auto")}>
        ${PACES.map(([auto, sign]) => html`<button aria-pressed=${this.auto === auto} aria-label=${say(`war.auto.${auto}`)} title=${say(`war.auto.${auto}`)}
          @click=${() => this.#turn(auto)}>${icon(this.auto === auto ? "pause" : sign)}</button>`)}
      </div>
    </div>`;
  }
}

/**
 * The cards of a round that is over as they lay on the table, those that lie face down among them.
 *
 * @param {Sight} before the last flip
 * @param {Sight} sight after it
 * @param {TableEvent} turned
 * @returns {{cards?: (number | null)[][]}}
 */
function collected(before, sight, turned) {
  if (laid(sight).winner === undefined) return {};
  let cards = before.view.turned.length ? laid(before).cards : [[], []];
  for (let place = 1; place <= Math.max(...turned.added); place += 1) cards = cards.map((pile, seat) => lay(pile, turned, seat, place));
  return { cards };
}

/**
 * A seat's cards on the table with the next that it adds: face down, but for its last.
 *
 * @param {(number | null)[]} pile
 * @param {TableEvent} turned
 * @param {number} seat
 * @param {number} place from 1
 */
function lay(pile, turned, seat, place) {
  const added = turned.added[seat];
  if (place > added) return pile;
  return [...pile, place === added ? turned.cards[seat] : null];
}
customElements.define("war-table", WarTable);
