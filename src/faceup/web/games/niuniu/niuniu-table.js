import { guard } from "../../vendor/lit/directives/guard.js";
import { html, nothing } from "../../vendor/lit/index.js";
import { die } from "../../art/dice.js";
import { isCalm } from "../../ui/settings.js";
import { playSound } from "../../ui/sounds.js";
import { baseStyles } from "../../ui/styles.js";
import { nameOf } from "../../i18n/seat-names.js";
import { formatList, joinTexts, labelled } from "../../i18n/format.js";
import { language, loadNamespaces, t } from "../../i18n/translate.js";
import { ChanceTable, chanceTableStyles, seatLabel } from "../chance-table.js";
import { cube, tossedDie, tumbleStyles } from "./dice-animations.js";
import { scoreHand, sum } from "./hand.js";
import { styles } from "./styles.js";
import { handTotals } from "./hand-statistics.js";
import { fadeIn, flourish, landDice, nameHands, nameStyles, shakeDice } from "./throw-animations.js";
import "./niuniu-odds.js";

await loadNamespaces("niuniu");

/** @import { TableView, TableEvent } from "../../api/types.js" */
/** @import { Hand } from "./hand.js" */

/**
 * The phase of a throw. The dice are not thrown yet, tumbling, at rest, sorted by triples, or scored.
 *
 * @typedef {"still" | "rolling" | "lying" | "sorted" | "scored"} Phase
 *
 * Display state.
 *
 * @typedef {object} Shown
 * @property {number[][]} dice by seat; none before the first throw
 * @property {Hand[]} hands
 * @property {number[]} best the seats with the most points
 * @property {Phase} phase
 * @property {number} thrown how many seats have thrown, in the order of their trays
 * @property {readonly number[]} named the seats with sorted dice, in the phases "sorted" and "scored"
 * @property {number} tossed how many of the viewer's dice have been thrown
 * @property {number} settled how many of them lie still
 * @property {any} view the view with the displayed counts
 * @property {number} played the number of throws with the displayed one
 *
 * What is displayed in the tray of a seat.
 *
 * @typedef {object} Tray
 * @property {number} seat
 * @property {TableView["seats"][number]} player
 * @property {string} name
 * @property {boolean} isOwn whether it is the viewer's
 * @property {number[]} dice
 * @property {number | undefined} points of the hand; undefined while no dice lie on the table
 * @property {number} faces
 * @property {boolean} hidden whether the dice are those of the last throw
 * @property {boolean} sorted
 * @property {boolean} rolling
 * @property {number} roll milliseconds of the roll
 * @property {boolean} air whether the dice are in the air if none lie on the table
 * @property {"" | "won" | "shared" | "lost"} rank
 * @property {number} tossed how many dice have been thrown
 * @property {number} settled how many of them lie still
 * @property {number} statistics
 */

/** Dice of a seat. */
const DICE = 5;
/** How far dice are shifted until they are sorted, in dice, so that they lie in the middle. */
const CENTRED = 0.25;
/** Milliseconds at normal speed. */
const ROLL = 1150;
/** Between the throws of two seats. */
const NEXT = 110;
/** Seats at a table from which two throw at once. */
const CROWD = 7;
const CALM = 620;
/** Time for which the hands are in view before the next throw or the result, unless the viewer continues. */
const HOLD = 1400;

/**
 * Table of Niu Niu: the dice and hand of each seat, and the odds.
 *
 * @extends {ChanceTable<Shown>}
 */
export class NiuniuTable extends ChanceTable {
  static styles = [baseStyles, chanceTableStyles, tumbleStyles, styles, nameStyles];
  static get keys() {
    return [{ keys: t("niuniu.keys"), words: t("niuniu.keys.throw") }];
  }

  outcomes = new Set(["match_won"]);

  /** Whether the viewer has chosen to throw, and waits for others, so that the dice of the last throw are picked up. */
  #raised = false;

  constructor() {
    super("throw");
  }

  /**
   * For each seat, the throws won (ties are ordered by throws drawn) and, at the end, the statistics of the hands.
   *
   * @returns {import("../registry.js").SeatStanding[]}
   */
  get standing() {
    /** @type {{won: number[], drawn: number[], played: number}} */
    const { won, drawn, played } = this.shown?.view ?? { won: [], drawn: [], played: 0 };
    const { config, status, view } = this.settled ?? {};
    const over = status === "finished" && view.log.length;
    const most = Math.max(...won);
    const drew = Math.max(...drawn.filter((_, seat) => won[seat] === most));
    return won.map((count, seat) => ({
      score: String(count),
      words: t("niuniu.score", { count, drawn: drawn[seat], context: drawn[seat] ? "drawn" : "" }),
      leads: played > 0 && count === most && drawn[seat] === drew,
      hands: over ? handTotals(view.log, seat, config?.options.baozi) : undefined,
    }));
  }

  /** @param {TableView} room */
  prompt(room) {
    void room;
    return t("niuniu.prompt");
  }

  /**
   * Animate the events, then display the view.
   *
   * @param {TableView | null} _before
   * @param {TableView} room
   * @param {TableEvent[]} events
   * @param {import("../registry.js").How} how
   */
  async show(_before, room, events, { jump, onShown }) {
    const raised = this.#raised;
    this.room = room;
    const threw = !jump && events.some(({ event }) => event === "threw");
    if (jump || room.view.played - (this.shown?.view.played ?? 0) > 2) this.reveal.skip(); // the display is two throws behind
    await this.reveal.add(async () => {
      if (threw) await this.#throw(room, raised);
      this.settled = room;
      this.display(displayState(room, "scored"));
      for (const event of jump ? [] : events) onShown?.(event);
      await this.updateComplete;
      if (threw) await this.reveal.wait(HOLD);
    });
    this.requestUpdate();
  }

  /**
   * @param {TableView} room
   * @param {boolean} raised whether the dice have been picked up
   */
  async #throw(room, raised) {
    const { reveal } = this;
    if (reveal.atOnce) return;
    const before = this.shown;
    const last = raised ? null : before;
    const counts = before?.view ?? room.view;
    const order = this.#order(room);
    /** @param {Phase} phase @param {number} [thrown] @param {Partial<Shown>} [more] */
    const set = async (phase, thrown = Infinity, more = {}) => {
      const next = displayState(room, phase);
      for (const seat of order.slice(thrown)) {
        next.dice[seat] = last?.dice[seat] ?? [];
        next.hands[seat] = /** @type {Hand} */ (last?.hands[seat]);
      }
      this.display({ ...next, view: counts, thrown, ...more });
      await this.updateComplete;
    };
    if (isCalm()) {
      playSound("roll");
      await set("lying");
      fadeIn(this.renderRoot, ".dice", reveal);
      await reveal.wait(CALM);
      await set("sorted");
      fadeIn(this.renderRoot, ".dice, .worth, .sums", reveal);
      return reveal.wait(CALM);
    }
    await reveal.frame(); // the update is a task of its own
    await set("rolling", 0);
    if (last?.dice.length) await shakeDice(this.renderRoot, reveal);
    const lanes = this.#lanes(order);
    const others = order.filter((seat) => seat !== room.seat).length;
    for (let thrown = 0; thrown < order.length && !reveal.atOnce; ) {
      const now = thrown < others ? order.slice(thrown, Math.min(thrown + (order.length < CROWD ? 1 : 2), others)) : order.slice(thrown);
      thrown += now.length;
      if (now[0] === room.seat) await this.#eachDie((tossed) => set("rolling", thrown, { tossed, settled: 0 }));
      else await set("rolling", thrown);
      for (const seat of now) landDice(lanes[seat], reveal, ROLL);
      await reveal.wait(NEXT * now.length);
    }
    await reveal.wait(ROLL * 0.9);
    if (reveal.atOnce) return;
    if (room.seat !== undefined) await this.#eachDie((settled) => set("rolling", Infinity, { settled }));
    const { hands, best } = displayState(room, "sorted");
    await nameHands(lanes, hands, reveal, (namedSeats) => set("sorted", Infinity, { named: namedSeats }));
    await flourish(this.renderRoot, best.length === 1 ? lanes[best[0]] : undefined, t(`niuniu.hand.${hands[best[0]].points}`), reveal);
  }

  /**
   * Display each of the viewer's dice in a frame of its own, because they are cubes while they roll.
   *
   * @param {(count: number) => Promise<unknown>} apply
   */
  async #eachDie(apply) {
    for (let count = 1; count <= DICE; count += 1) {
      await apply(count);
      await this.reveal.frame();
    }
  }

  /** Seats in the order of their trays: the viewer's dice come last, nearest to the viewer. @param {TableView} room */
  #order(room) {
    const seats = room.seats.map((_, seat) => seat);
    return room.seat === undefined ? seats : [...seats.filter((seat) => seat !== room.seat), room.seat];
  }

  /** The trays by seat. @param {number[]} order */
  #lanes(order) {
    const lanes = this.renderRoot.querySelectorAll(".lane");
    return order.reduce((/** @type {Element[]} */ bySeat, seat, place) => Object.assign(bySeat, { [seat]: lanes[place] }), []);
  }

  render() {
    const { settled: room, shown } = this;
    if (!room || !shown) return nothing;
    const order = this.#order(room);
    const { seats } = room;
    return html`<div class="felt ${isCalm() ? "calm" : ""} ${seats.length > 2 ? "pairs" : ""} ${seats.length > 3 ? "many" : ""} ${seats.length > 6 ? "crowd" : ""}">
      <p class="caption cluster figures">${this.#caption(room, shown)}</p>
      <ul class="lanes">${order.map((seat) => this.#lane(room, shown, seat))}</ul>
      ${this.#button()}
      <div class="named" aria-hidden="true"></div>
    </div>
    ${this.television ? nothing : html`<niuniu-odds .room=${room} .shown=${shown}></niuniu-odds>`}`;
  }

  /**
   * Render the caption: the number of the throw, and its winner.
   *
   * @param {TableView} room
   * @param {Shown} shown
   */
  #caption(room, shown) {
    const { throws = 1 } = room.config.options;
    const { played } = shown;
    const scored = shown.phase === "scored" && !this.#isEmpty;
    const next = !scored && (shown.phase === "scored" || shown.phase === "still");
    const which = t("niuniu.throw_number", { number: Math.min(throws, played + (next ? 1 : 0)), throws, context: throws > 1 ? "" : "only" });
    if (!scored) return html`<span>${which}</span>`;
    const { best } = shown;
    const names = formatList(best.filter((seat) => seat !== room.seat).map((seat) => nameOf(room, seat)));
    const hand = t(`niuniu.hand.${shown.hands[best[0]].points}`);
    const key = best.length > 1 ? "niuniu.drawn" : "niuniu.wins";
    return html`<span>${which}</span> <strong>${t(best.includes(room.seat ?? -1) ? `${key}.me` : key, { names, hand })}</strong>`;
  }

  /** Whether no dice lie on the table: none have been thrown, or they have been picked up. */
  get #isEmpty() {
    return !this.reveal.busy && (this.#raised || !this.shown?.dice.length);
  }

  willUpdate() {
    const { status, choice, chosen = [], view } = this.room ?? {};
    if (status !== "active" || choice === undefined) this.#raised = false;
    else if (chosen.length < view.to_act.length) this.#raised = true; // otherwise, the next throw follows at once
  }

  /**
   * Render the tray of a seat if it has changed, because in a throw one tray changes after the other.
   *
   * @param {TableView} room
   * @param {Shown} shown
   * @param {number} seat
   */
  #lane(room, shown, seat) {
    const hand = this.#isEmpty ? undefined : shown.hands[seat];
    const hidden = this.#order(room).indexOf(seat) >= shown.thrown; // the last throw, which `landDice` replaces
    const sorted = hidden || isSorted(shown, seat);
    const scored = Boolean(hand) && sorted && !hidden && shown.phase === "scored";
    const isOwn = seat === room.seat;
    /** @type {Tray} */
    const tray = {
      seat,
      player: room.seats[seat],
      name: nameOf(room, seat),
      isOwn,
      dice: shown.dice[seat],
      points: hand?.points,
      faces: room.config.options.faces ?? 6,
      hidden,
      sorted,
      rolling: ["rolling", "sorted"].includes(shown.phase) && !sorted && !isCalm(),
      roll: this.reveal.time(ROLL) * 0.85,
      air: hidden || (room.status === "active" && room.chosen.includes(seat) && !this.reveal.busy),
      rank: !scored ? "" : !shown.best.includes(seat) ? "lost" : shown.best.length > 1 ? "shared" : "won",
      tossed: isOwn ? shown.tossed : DICE,
      settled: isOwn ? shown.settled : DICE,
      statistics: shown.view.statistics[seat],
    };
    return guard([language(), ...Object.values(tray)], () => this.#tray(tray, hand));
  }

  /**
   * @param {Tray} tray
   * @param {Hand | undefined} hand
   */
  #tray(tray, hand) {
    const { seat, player, name, isOwn, dice, sorted, rank, statistics } = tray;
    const open = hand && sorted;
    return html`<li class="lane ${isOwn ? "mine" : ""} ${rank}" .style=${`--colour: var(--player-${seat})`}>
      ${seatLabel(player, seat, name)}
      <span class="worth aligned" aria-hidden="true">${open ? html`${rank === "won" ? html`<svg class="crown" viewBox="0 0 24 24"><path d="M3 7l4.5 4L12 4l4.5 7L21 7l-2 12H5Z"/></svg>` : nothing}${t(`niuniu.hand.${hand.points}`)}` : nothing}</span>
      ${hand ? this.#dice(tray, hand) : this.#waiting(tray)}
      <span class="sums cluster small figures" aria-hidden="true">${open && hand.triple.length ? this.#sums(dice, hand) : open ? html`<span class="none">${t("niuniu.no_triple")}</span>` : nothing}</span>
      <span class="score">${t("niuniu.statistics", { count: statistics })}</span>
    </li>`;
  }

  /**
   * Render the dice of a seat, which are falling, lie as thrown, or are sorted so that the triple lies together.
   *
   * @param {Tray} tray
   * @param {Hand} hand
   */
  #dice({ seat, isOwn, dice, faces, hidden, sorted, rolling, roll, tossed, settled }, hand) {
    const places = sorted && hand.triple.length ? [...hand.triple, ...hand.rest] : [0, 1, 2, 3, 4];
    const kind = ["dice", sorted && "sorted", rolling && "rolling", hand.triple.length ? "niu" : "no"];
    return html`<div class=${kind.filter(Boolean).join(" ")} role="img" aria-label=${hidden ? t("niuniu.rolling") : this.#describeHand(dice, hand)}
        .style=${`--roll: ${roll}ms`}>
      <i class="plate three"></i><i class="plate two"></i>
      ${dice.map((shows, place) => html`<div class="place ${hand.triple.includes(place) ? "three" : ""}" .style=${this.#lies(places.indexOf(place), sorted && hand.triple.length > 0, seat, place)}>
        ${!isOwn ? tossedDie(shows, faces) : !rolling || place < settled ? die(shows, faces) : place < tossed ? cube(shows, faces) : nothing}
      </div>`)}
    </div>`;
  }

  /**
   * Return the style of a die's place. The position is no custom property, because the parts of the die would inherit it
   * and their styles would be computed again.
   *
   * @param {number} at position from the left
   * @param {boolean} apart whether the last two are set apart
   * @param {number} seat
   * @param {number} place
   */
  #lies(at, apart, seat, place) {
    const [turn, more] = [(seat * 53 + place * 37) % 90, (seat * 31 + place * 17) % 7];
    const tumble = `--from: ${-40 - turn}%; --turn-x: ${450 + 90 * (more % 4)}deg; --turn-y: ${-360 - 3 * turn}deg; --turn-z: ${turn - 45}deg`;
    return `${tumble}; ${position(at, apart ? (at > 2 ? 0.5 : 0) : CENTRED, apart ? 0 : (turn % 13) - 6)}`;
  }

  /**
   * Render five empty places, or dice in the air.
   *
   * @param {Tray} tray
   */
  #waiting({ seat, air }) {
    return html`<div class="dice ${air ? "air" : "empty"}" role="img" aria-label=${t(air ? "niuniu.rolling" : "niuniu.empty")}>
      ${[0, 1, 2, 3, 4].map((place) => html`<div class="place" .style=${`--wait: ${-place * 90}ms; ${position(place, CENTRED, air ? ((seat + 1) * 23 + place * 37) % 50 - 25 : 0)}`}>${air ? die(0) : nothing}</div>`)}
    </div>`;
  }

  /**
   * @param {number[]} dice
   * @param {Hand} hand
   */
  #sums(dice, hand) {
    const [ten, rest] = [hand.triple, hand.rest].map((places) => places.map((place) => dice[place]).join(" + "));
    return html`<span class="three">${ten} = <b>${sum(dice, hand.triple)}</b></span><span class="two">${rest} = <b>${sum(dice, hand.rest)}</b></span>`;
  }

  /**
   * @param {number[]} dice
   * @param {Hand} hand
   */
  #describeHand(dice, hand) {
    const shows = dice.join(" ");
    if (!hand.triple.length) return labelled(shows, t(`niuniu.hand.${hand.points}`));
    const [ten, rest] = [hand.triple, hand.rest].map((places) => places.map((place) => dice[place]).join(" + "));
    return joinTexts([labelled(shows, t(`niuniu.hand.${hand.points}`)), `${ten} = ${sum(dice, hand.triple)}`, `${rest} = ${sum(dice, hand.rest)}`]);
  }

  #button() {
    const { room } = this;
    if (!room || !this.hasButton) return nothing;
    return html`<div class="actions cluster"><button class="action" ?disabled=${this.isDisabled} @click=${(/** @type {MouseEvent} */ event) => event.detail < 2 && this.press()}>
      ${t(room.choice !== undefined ? "niuniu.throw_done" : this.sending ? "table.sending" : "niuniu.throw")}</button></div>`;
  }
}

/**
 * Return the style of a place in a tray.
 *
 * @param {number} at position from the left
 * @param {number} shift from there, in dice
 * @param {number} angle in degrees
 */
function position(at, shift, angle) {
  return `transform: translateX(calc(${at} * (var(--die) + var(--gap)) + ${shift} * var(--die))) rotate(${angle}deg)`;
}

/**
 * Return the display state of a table view.
 *
 * @param {TableView} room
 * @param {Phase} phase
 * @returns {Shown}
 */
function displayState({ view, config }, phase) {
  const dice = [...(view.log.at(-1) ?? [])];
  const hands = dice.map((/** @type {number[]} */ seatDice) => scoreHand(seatDice, config.options.baozi));
  const most = Math.max(...hands.map((hand) => hand.points));
  const best = hands.flatMap((hand, seat) => (hand.points === most ? [seat] : []));
  return { dice, hands, best, phase: dice.length ? phase : "still", thrown: Infinity, named: hands.map((_, seat) => seat), tossed: DICE, settled: DICE, view, played: view.played };
}

/**
 * @param {Pick<Shown, "phase" | "named">} shown
 * @param {number} seat
 */
function isSorted({ phase, named }, seat) {
  return (phase === "sorted" || phase === "scored") && named.includes(seat);
}
customElements.define("niuniu-table", NiuniuTable);
