import { html, nothing, svg } from "../../vendor/lit/index.js";
import { repeat } from "../../vendor/lit/directives/repeat.js";
import { back, playingCard } from "../../art/playing-card.js";
import { isCalm } from "../../ui/settings.js";
import { playSound } from "../../ui/sounds.js";
import { drawIcon, icon } from "../../ui/icons.js";
import { baseStyles } from "../../ui/styles.js";
import { nameOf } from "../../i18n/seat-names.js";
import { cardName, rankName } from "../../i18n/event-values.js";
import { keyFor } from "../../i18n/events.js";
import { formatNumber, joinTexts } from "../../i18n/format.js";
import { loadNamespaces, t } from "../../i18n/translate.js";
import { ChanceTable, chanceTableStyles, seatLabel } from "../chance-table.js";
import { Battle, battleStyles } from "./battle.js";
import { styles } from "./styles.js";
import { tableCards, winnerOf } from "./table-cards.js";
import { rulesOf } from "./simulation.js";
import "./win-chance-chart.js";

await loadNamespaces("war");

/** @import { TableView, TableEvent } from "../../api/types.js" */
/** @import { TableCards } from "./table-cards.js" */

/**
 * Display state: the cards, and the current event.
 *
 * @typedef {TableCards & {caption: TableEvent | null, shuffling?: boolean}} Shown
 *
 * The way in which cards are revealed, either by hand or automatically at a pace.
 *
 * @typedef {"hand" | "slow" | "fast" | "fastest"} Auto
 */

const ICONS = {
  slow: icon("play"),
  fast: drawIcon(svg`<path d="M4 6v12l8-6ZM12.5 6v12l8-6Z" fill="currentColor"/>`),
  fastest: drawIcon(svg`<path d="M4 6v12l7-6ZM11 6v12l7-6Z" fill="currentColor"/><path d="M20 6v12"/>`),
};
const AUTO_SPEEDS = /** @type {(keyof typeof ICONS)[]} */ (Object.keys(ICONS));
/** For each way of revealing, the speed (0 is instant) and the pause before the next reveal in milliseconds. */
const TIMES = { hand: [1, 0], slow: [1, 500], fast: [3, 60], fastest: [0, 0] };
/** Milliseconds between automatic reveals, chosen so that their rate stays below the server's limit. */
const MIN_SPEED_PAUSE = 70;
/** Milliseconds at normal speed. */
const SHUFFLE = 900;
/** Events for the caption, the most important first. */
const CAPTION_PRIORITY = ["won", "drawn", "sudden_death", "dealt", "reshuffled", "war", "collected"];

/**
 * Table of War: both piles, the revealed cards, and the win chance.
 *
 * @extends {ChanceTable<Shown>}
 */
export class WarTable extends ChanceTable {
  static properties = {
    ...ChanceTable.properties,
    backlog: { attribute: false },
    auto: { state: true },
  };
  static styles = [baseStyles, chanceTableStyles, styles, battleStyles];
  static get keys() {
    return [{ keys: t("war.keys"), words: t("war.keys.flip") }, { keys: "A", words: t("war.keys.auto") }];
  }

  outcomes = new Set(["drawn", "won"]);

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Battle | undefined} */
  #battle;

  constructor() {
    super("flip");
    /** @type {import("../../table/moments.js").Moment[]} */
    this.backlog = [];
    /** @type {Auto} */
    this.auto = "hand";
  }

  connectedCallback() {
    super.connectedCallback();
    this.#scheduleAutoFlip();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  /** Number of cards by seat. @returns {import("../registry.js").SeatStanding[]} */
  get standing() {
    const draw = this.shown?.draw ?? [];
    return draw.map((count) => ({ score: String(count), words: t("war.cards", { count }), leads: count > 0 && count > Math.min(...draw) }));
  }

  get pace() {
    return this.speed * TIMES[this.auto][0];
  }

  get autoplays() {
    return this.auto !== "hand";
  }

  /** Whether events come too fast to be read out. */
  get skipsAnnouncements() {
    return this.auto === "fast" || this.auto === "fastest";
  }

  prompt() {
    return t(this.auto === "hand" ? "war.prompt" : "war.prompt.auto");
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (changed.has("room") || changed.has("auto") || changed.has("quiet")) this.#scheduleAutoFlip();
  }

  /**
   * Animate the events, then display the view.
   *
   * @param {TableView | null} before
   * @param {TableView} room
   * @param {TableEvent[]} events
   * @param {import("../registry.js").How} how
   */
  async show(before, room, events, { jump, onShown = () => {} }) {
    this.room = room;
    if (jump || events.some(({ event }) => event === "turned")) this.reveal.skip(); // a later flip skips the animation
    await this.reveal.add(async () => {
      const turned = events.find(({ event }) => event === "turned");
      const caption = CAPTION_PRIORITY.map((kind) => events.findLast(({ event }) => event === kind)).find(Boolean) ?? (jump ? null : this.shown?.caption);
      if (before && turned && !jump && !this.reveal.atOnce) await this.#flip(before, room, events, turned, onShown);
      else if (!jump && !this.reveal.atOnce) await this.#shuffle(events);
      this.#battle?.end();
      this.settled = room;
      this.display({ ...tableCards(room), ...(turned && before && !jump ? collected(before, room, turned) : {}), caption: caption ?? null });
      await this.updateComplete;
    });
    this.requestUpdate();
    this.#scheduleAutoFlip();
  }

  /**
   * @param {TableView} before
   * @param {TableView} room
   * @param {TableEvent[]} events
   * @param {TableEvent} turned
   * @param {(event: TableEvent) => void} onShown
   */
  async #flip(before, room, events, turned, onShown) {
    await this.updateComplete;
    await this.reveal.frame(); // the update is a task of its own
    const battle = (this.#battle ??= new Battle(this.renderRoot, this.reveal, isCalm));
    const { reveal } = this;
    const fresh = before.view.turned.length === 0;
    const old = this.shown;
    const ownSeat = room.seat ?? 0;
    /** @param {number} seat */
    const laneOf = (seat) => (seat === ownSeat ? 1 : 0);
    /** @param {Shown} next */
    const set = async (next) => {
      this.display((shown = next));
      await this.updateComplete;
    };
    if (old && fresh && old.cards[0].length && old.winner !== undefined) await battle.sweep(laneOf(old.winner));
    /** @type {Shown} */
    let shown = { round: before.view.rounds + 1, cards: fresh ? [[], []] : tableCards(before).cards, draw: tableCards(before).draw, war: false, wars: before.view.wars, caption: null };
    const most = Math.max(...turned.added);
    for (let place = 1; place <= most && !reveal.atOnce; place += 1) {
      const [{ cards, draw }, last] = [shown, place === most];
      await set({ ...shown, cards: cards.map((pile, seat) => lay(pile, turned, seat, place, false)), draw: draw.map((count, seat) => count - (place <= turned.added[seat] ? 1 : 0)) });
      await battle.lay(!last);
      if (!last) continue;
      if (most > 1) await battle.tremble();
      await battle.turn(() => set({ ...shown, cards: cards.map((pile, seat) => lay(pile, turned, seat, place, true)) }));
    }
    if (reveal.atOnce) return;
    onShown(turned);
    const war = events.find(({ event }) => event === "war");
    if (war) {
      await set({ ...shown, wars: room.view.wars, war: true, caption: war });
      onShown(war);
      await battle.cry(t("war.caption.war"));
    }
    const collects = events.find(({ event }) => event === "collected");
    const winner = winnerOf(turned.cards);
    if (collects && winner !== undefined) {
      await battle.strike(laneOf(winner), !fresh);
      await set({ ...shown, winner, caption: collects });
      if (!reveal.atOnce) onShown(collects);
      await reveal.wait(120);
    }
    await this.#shuffle(events, room);
  }

  /**
   * Animate both piles being shuffled.
   *
   * @param {TableEvent[]} events
   * @param {TableView} [room]
   */
  async #shuffle(events, room) {
    const why = events.find(({ event }) => event === "reshuffled" || event === "dealt");
    if (!why || !this.shown) return;
    this.display({ ...this.shown, ...(room ? tableCards(room) : {}), caption: why, shuffling: true });
    playSound("reveal");
    await this.reveal.wait(SHUFFLE);
  }

  /** Reveal the next card automatically when the animation is over; try again if the server does not acknowledge it. */
  #scheduleAutoFlip() {
    clearTimeout(this.#timer);
    if (this.auto === "hand" || !this.isConnected || !this.canPress || this.reveal.busy) return;
    this.#timer = setTimeout(() => {
      this.press();
      this.#scheduleAutoFlip();
    }, Math.max(TIMES[this.auto][1], MIN_SPEED_PAUSE - this.sincePress, this.resendIn));
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
    const { settled: room, shown } = this;
    if (!room || !shown) return nothing;
    const ownSeat = room.seat ?? 0;
    const sudden = room.status === "active" && room.view.rounds >= rulesOf(room.config.options).cap;
    return html`<div class="felt ${sudden ? "sudden" : ""} ${this.reveal.atOnce || isCalm() ? "calm" : ""}">
      ${this.#lane(room, shown, 1 - ownSeat)}
      ${this.#caption(room, shown, ownSeat)}
      ${this.#lane(room, shown, ownSeat)}
      ${this.#buttons()}
      <div class="above" aria-hidden="true"></div>
    </div>
    <win-chance-chart .room=${room} .backlog=${this.backlog} ?skipsAnnouncements=${this.skipsAnnouncements}></win-chance-chart>`;
  }

  /**
   * Render the balance of cards as a bar, and the caption.
   *
   * @param {TableView} room
   * @param {Shown} shown
   * @param {number} ownSeat
   */
  #caption(room, shown, ownSeat) {
    const { cap } = rulesOf(room.config.options);
    const { caption } = shown;
    const total = shown.draw[0] + shown.draw[1];
    return html`<div class="between stack">
      <div class="balance" aria-hidden="true" .style=${`--part: ${total ? shown.draw[ownSeat] / total : 0.5}; --colour: var(--player-${ownSeat}); --other: var(--player-${1 - ownSeat})`}><i></i></div>
      <p class="caption cluster figures ${shown.war ? "war" : ""}">
        <span>${t("war.round", { round: formatNumber(Math.max(1, shown.round), 0), cap: formatNumber(cap, 0) })} · ${t("war.wars", { count: shown.wars })}</span>
        ${caption ? html`<strong class="cut">${this.#sentence(caption, shown, room)}</strong>` : nothing}
      </p>
    </div>`;
  }

  /**
   * @param {TableEvent} event
   * @param {Shown} shown
   * @param {TableView} room
   */
  #sentence(event, shown, room) {
    const card = event.event === "collected" && shown.winner !== undefined ? shown.cards[shown.winner].at(-1) : undefined;
    const rank = card === undefined || card === null ? "" : rankName(card >> 2);
    const key = keyFor(event, room.seat, [`war.caption.${event.event}`]) ?? "";
    return t(key, { ...event, name: nameOf(room, event.seat), rank });
  }

  /**
   * @param {TableView} room
   * @param {Shown} shown
   * @param {number} seat
   */
  #lane(room, shown, seat) {
    const over = room.status === "finished" && !this.reveal.busy;
    const won = over ? room.result?.ranks[seat] === 1 : shown.winner === seat;
    const cards = shown.cards[seat];
    const name = nameOf(room, seat);
    return html`<div class="lane ${won ? "won" : ""} ${shown.winner === 1 - seat && !over ? "lost" : ""}" .style=${`--colour: var(--player-${seat})`}>
      ${seatLabel(room.seats[seat], seat, name)}
      ${this.#pile(shown, seat)}
      <div class="spread" role="img" aria-label=${this.#describeCards(cards)} .style=${`--gaps: ${Math.max(1, cards.length - 1)}`}>
        ${repeat(cards, (_, place) => `${shown.round}.${place}`, (card, place) => html`<div class="card ${card === null ? "down" : "up"} ${place === cards.length - 1 ? "last" : ""}" .style=${`--at: ${place}`}>
          ${card === null ? back() : playingCard(card)}</div>`)}
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
    return html`<div class="pile ${shown.shuffling ? "shuffling" : ""}" role="img" aria-label=${t("war.pile", { count })}>
      ${Array.from({ length: layers }, (_, layer) => html`<div class="card" .style=${`--layer: ${layer}; --side: ${layer % 2 ? 1 : -1}`}>${back()}</div>`)}
      <b>${count}</b>
    </div>`;
  }

  /** @param {(number | null)[]} cards */
  #describeCards(cards) {
    if (!cards.length) return t("war.no_card");
    return joinTexts(cards.map((card) => (card === null ? t("war.down") : cardName(card))));
  }

  #buttons() {
    const { room } = this;
    if (!room || !this.hasButton) return nothing;
    return html`<div class="actions cluster">
      <button class="action" ?disabled=${this.isDisabled} @click=${() => this.press()}>${t(room.choice !== undefined ? "war.flip_done" : this.sending ? "table.sending" : "war.flip")}</button>
      <div class="auto" role="group" aria-label=${t("war.auto")}>
        ${AUTO_SPEEDS.map((auto) => html`<button aria-pressed=${this.auto === auto} aria-label=${t(`war.auto.${auto}`)} title=${t(`war.auto.${auto}`)}
          @click=${() => this.#turn(auto)}>${this.auto === auto ? icon("pause") : ICONS[auto]}</button>`)}
      </div>
    </div>`;
  }
}

/**
 * Return the cards of a finished round as they lay on the table, including those face down.
 *
 * @param {TableView} before view before the last flip
 * @param {TableView} room view after it
 * @param {TableEvent} turned
 * @returns {{cards?: (number | null)[][]}}
 */
function collected(before, room, turned) {
  if (tableCards(room).winner === undefined) return {};
  let cards = before.view.turned.length ? tableCards(before).cards : [[], []];
  for (let place = 1; place <= Math.max(...turned.added); place += 1) cards = cards.map((pile, seat) => lay(pile, turned, seat, place, true));
  return { cards };
}

/**
 * Return a seat's cards on the table with the next card that the seat adds.
 *
 * @param {(number | null)[]} pile
 * @param {TableEvent} turned
 * @param {number} seat
 * @param {number} place from 1
 * @param {boolean} open whether the last added card is face up
 */
function lay(pile, turned, seat, place, open) {
  const added = turned.added[seat];
  if (place > added) return pile;
  return [...pile, open && place === added ? turned.cards[seat] : null];
}
customElements.define("war-table", WarTable);
