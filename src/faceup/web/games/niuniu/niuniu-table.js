import { html, nothing } from "../../vendor/lit/index.js";
import { cube, die, tossed, tumbling } from "../../art/dice.js";
import { sound } from "../../manners/sounds.js";
import { sheet } from "../../parts/sheet.js";
import { inList, nameOf } from "../../table/names.js";
import { need, say } from "../../words/say.js";
import { ChanceTable } from "../chance-table.js";
import { felt, who } from "../felt.js";
import { score, sum } from "./hand.js";
import { board } from "./board.js";
import "./niuniu-odds.js";

await need("niuniu");

/** @import { Sight, TableEvent } from "../../live/types.js" */
/** @import { Hand } from "./hand.js" */

/**
 * How far a throw is: nobody has thrown yet, the dice tumble, they lie, the triples have moved together, all is told.
 *
 * @typedef {"still" | "rolling" | "lying" | "sorted" | "told"} Phase
 *
 * What is shown, which a reveal leads from one throw to the next.
 *
 * @typedef {object} Shown
 * @property {number[][]} dice by seat; none before the first throw
 * @property {Hand[]} hands
 * @property {Phase} phase
 * @property {any} view the counts that belong to it
 */

const ROLL = 1150;
const LIE = 260;
const SORT = 620;

/**
 * A table of Niu Niu: everyone's dice, which hand they make, and what chance has to say about it.
 *
 * @extends {ChanceTable<Shown>}
 */
export class NiuniuTable extends ChanceTable {
  static styles = [sheet, felt, tumbling, board];
  static get keys() {
    return [{ keys: say("niuniu.keys"), words: say("niuniu.keys.throw") }];
  }

  constructor() {
    super("throw");
  }

  /** By seat: throws won. @returns {import("../index.js").Standing[]} */
  get standing() {
    const { won, played } = this.shown?.view ?? { won: [], played: 0 };
    return won.map((/** @type {number} */ count) => ({
      score: String(count),
      words: say("niuniu.won", { count }),
      leads: played > 0 && count > 0 && count === Math.max(...won),
    }));
  }

  /** @param {Sight} sight */
  asks(sight) {
    void sight;
    return say("niuniu.asks");
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
    if (jump || events.some(({ event }) => event === "threw")) this.reveal.skip(); // it goes on already
    await this.reveal.add(async () => {
      if (!jump && events.some(({ event }) => event === "threw")) await this.#throw(sight);
      this.show(standing(sight, "told"));
      await this.updateComplete;
    });
    this.requestUpdate();
  }

  /** @param {Sight} sight */
  async #throw(sight) {
    if (this.reveal.atOnce) return;
    sound("roll");
    const counts = this.shown?.view ?? sight.view;
    for (const [phase, time] of /** @type {[Phase, number][]} */ ([["rolling", ROLL], ["lying", LIE], ["sorted", SORT]])) {
      this.show({ ...standing(sight, phase), view: counts });
      await this.reveal.wait(time);
    }
  }

  render() {
    const { sight, shown } = this;
    if (!sight || !shown) return nothing;
    const seats = sight.seats.map((_, seat) => seat);
    // One's own dice lie nearest, as at a table.
    const order = sight.seat === undefined ? seats : [...seats.filter((seat) => seat !== sight.seat), sight.seat];
    return html`<div class="felt ${seats.length > 2 ? "pairs" : ""} ${seats.length > 3 ? "many" : ""} ${seats.length > 6 ? "crowd" : ""}">
      <p class="says">${this.#says(sight, shown)}</p>
      <ul class="lanes">${order.map((seat) => this.#lane(sight, shown, seat))}</ul>
      ${this.#button(sight)}
    </div>
    ${this.television ? nothing : html`<niuniu-odds .sight=${sight} .shown=${shown}></niuniu-odds>`}`;
  }

  /**
   * The throw in a sentence: which one, and who has won it.
   *
   * @param {Sight} sight
   * @param {Shown} shown
   */
  #says(sight, shown) {
    const { throws = 1 } = sight.opening.options;
    const { played } = sight.view;
    const told = shown.phase === "told" && !this.#picked(sight);
    const next = !told && (shown.phase === "told" || shown.phase === "still");
    const which = say("niuniu.which", { number: Math.min(throws, played + (next ? 1 : 0)), throws });
    if (!told) return html`<span>${which}</span>`;
    const best = first(shown);
    const names = inList(best.map((seat) => nameOf(sight, seat)));
    const hand = say("niuniu.hand", { points: shown.hands[best[0]].points });
    const key = best.length > 1 ? "niuniu.drawn" : best[0] === sight.seat ? "niuniu.wins.me" : "niuniu.wins";
    return html`<span>${which}</span> <strong>${say(key, { names, hand })}</strong>`;
  }

  /**
   * Whether the dice of the last throw are in people's hands again: the viewer has thrown anew.
   *
   * @param {Sight} sight
   */
  #picked(sight) {
    return !this.reveal.busy && (!this.shown?.dice.length || (sight.status === "active" && sight.choice !== undefined));
  }

  /**
   * @param {Sight} sight
   * @param {Shown} shown
   * @param {number} seat
   */
  #lane(sight, shown, seat) {
    const picked = this.#picked(sight);
    const hand = picked ? undefined : shown.hands[seat];
    const open = hand && (shown.phase === "sorted" || shown.phase === "told");
    const told = open && shown.phase === "told";
    const best = told && first(shown).includes(seat);
    const alone = best && first(shown).length === 1;
    const name = nameOf(sight, seat);
    return html`<li class="lane ${seat === sight.seat ? "mine" : ""} ${alone ? "won" : best ? "shared" : ""} ${told && !best ? "lost" : ""}"
        .style=${`--colour: var(--seat-${seat % 10})`}>
      ${who(name)}
      <span class="worth" aria-hidden="true">${open ? html`${alone ? html`<svg class="crown" viewBox="0 0 24 24"><path d="M3 7l4.5 4L12 4l4.5 7L21 7l-2 12H5Z"/></svg>` : nothing}${say("niuniu.hand", hand)}` : nothing}</span>
      ${hand ? this.#dice(shown, seat, hand) : this.#waiting(sight, seat)}
      <span class="sums" aria-hidden="true">${open && hand.triple.length ? this.#sums(shown.dice[seat], hand) : open ? html`<span class="none">${say("niuniu.none")}</span>` : nothing}</span>
      <span class="score">${say("niuniu.statistics", { count: shown.view.statistics[seat] })}</span>
    </li>`;
  }

  /**
   * Dice that fall, lie as they were thrown, or lie with the three that make the Niu together.
   *
   * @param {Shown} shown
   * @param {number} seat
   * @param {Hand} hand
   */
  #dice(shown, seat, hand) {
    const dice = shown.dice[seat];
    const sorted = shown.phase === "sorted" || shown.phase === "told";
    const places = sorted && hand.triple.length ? [...hand.triple, ...hand.rest] : [0, 1, 2, 3, 4];
    const faces = this.sight?.opening.options.faces ?? 6;
    const rolling = shown.phase === "rolling" || shown.phase === "lying";
    return html`<div class="dice ${sorted ? "sorted" : ""} ${hand.triple.length ? "niu" : "no"}" role="img" aria-label=${this.#told(dice, hand)}>
      <i class="plate three"></i><i class="plate two"></i>
      ${dice.map((shows, place) => html`<div class="place ${hand.triple.includes(place) ? "three" : ""}" .style=${this.#lies(places.indexOf(place), sorted && hand.triple.length > 0, seat, place)}>
        ${rolling && !this.reveal.atOnce ? (this.#light(seat) ? tossed(shows, faces) : cube(shows, faces)) : die(shows, faces)}
      </div>`)}
    </div>`;
  }

  /**
   * Many dice fall flat but one's own, so that phones keep up.
   *
   * @param {number} seat
   */
  #light(seat) {
    return seat !== this.sight?.seat && (this.sight?.seats.length ?? 0) > 4;
  }

  /**
   * @param {number} at its place from the left
   * @param {boolean} apart whether the last two lie apart
   * @param {number} seat
   * @param {number} place
   */
  #lies(at, apart, seat, place) {
    const [turn, more] = [(seat * 53 + place * 37) % 90, (seat * 31 + place * 17) % 7];
    const roll = this.reveal.time(ROLL);
    return `--at: ${at}; --apart: ${apart && at > 2 ? 1 : 0}; --lie: ${apart ? 0 : (turn % 13) - 6}deg; --roll: ${roll * (0.72 + 0.03 * more)}ms;`
      + ` --wait: ${roll * 0.02 * more}ms; --from: ${-40 - turn}%; --turn-x: ${450 + 90 * (more % 4)}deg; --turn-y: ${-360 - 3 * turn}deg; --turn-z: ${turn - 45}deg`;
  }

  /**
   * Before the throw: five places, or five dice in the air.
   *
   * @param {Sight} sight
   * @param {number} seat
   */
  #waiting(sight, seat) {
    const air = sight.status === "active" && sight.chosen.includes(seat);
    return html`<div class="dice ${air ? "air" : "empty"}" role="img" aria-label=${say(air ? "niuniu.air" : "niuniu.empty")}>
      ${[0, 1, 2, 3, 4].map((place) => html`<div class="place" .style=${`--at: ${place}; --apart: 0; --lie: ${air ? ((seat + 1) * 23 + place * 37) % 50 - 25 : 0}deg; --wait: ${-place * 90}ms`}>${air ? die(0) : nothing}</div>`)}
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
  #told(dice, hand) {
    const shows = dice.join(" ");
    if (!hand.triple.length) return `${shows}: ${say("niuniu.hand", hand)}`;
    const [ten, rest] = [hand.triple, hand.rest].map((places) => places.map((place) => dice[place]).join(" + "));
    return `${shows}: ${say("niuniu.hand", hand)}. ${ten} = ${sum(dice, hand.triple)}, ${rest} = ${sum(dice, hand.rest)}`;
  }

  /** @param {Sight} sight */
  #button(sight) {
    if (this.quiet || sight.seat === undefined || sight.status !== "active") return nothing;
    return html`<div class="does"><button class="do" ?disabled=${!this.may} @click=${(/** @type {MouseEvent} */ event) => event.detail < 2 && this.press()}>
      ${say(sight.choice === undefined ? "niuniu.throw" : "niuniu.thrown")}</button></div>`;
  }
}

/**
 * What is shown when a sight is all told.
 *
 * @param {Sight} sight
 * @param {Phase} phase
 * @returns {Shown}
 */
function standing({ view, opening }, phase) {
  const dice = view.log.at(-1) ?? [];
  const hands = dice.map((/** @type {number[]} */ each) => score(each, opening.options.baozi));
  return { dice, hands, phase: dice.length ? phase : "still", view };
}

/**
 * The seats that have the most points.
 *
 * @param {Shown} shown
 */
function first({ hands }) {
  const most = Math.max(...hands.map((hand) => hand.points));
  return hands.flatMap((hand, seat) => (hand.points === most ? [seat] : []));
}
customElements.define("niuniu-table", NiuniuTable);
