import { LitElement, css, html, nothing, svg } from "../../vendor/lit/index.js";
import { sheet } from "../../parts/sheet.js";
import { language, say } from "../../words/say.js";
import { chance } from "./chance.js";
import { holdings } from "./laid.js";
import { rulesOf } from "./play.js";

/** @import { Sight } from "../../live/types.js" */
/** @import { Moment } from "../../table/history.js" */
/** @import { Estimate } from "./chance.js" */

/** How many games an estimate plays, and how long it takes at most; where the next one comes soon, a fourth as many. */
const UNTIL = { games: 1000, milliseconds: 400 };
/** The same where it holds up the page. */
const ALONE = { games: 100, milliseconds: 8 };
/** Of what was before, so many points are found, in so many games each, when there is nothing newer to find. */
const BEFORE = { points: 80, games: 250, milliseconds: 100 };
/** Milliseconds that the page has for itself in between. */
const PAUSE = 30;
/** More points than this nobody can tell apart. */
const MOST = 400;
const [WIDTH, HEIGHT] = [600, 100];

/**
 * The chance of winning as a line over the rounds, and beneath it how many of the cards one held. The chance is found by
 * playing on from positions that fit what has been seen, beside the page.
 */
export class WarLine extends LitElement {
  static properties = { sight: { attribute: false }, past: { attribute: false }, hasty: { type: Boolean }, points: { state: true } };
  static styles = [
    sheet,
    css`
      section {
        margin-top: var(--space-3);
        padding: var(--space-3) var(--space-4) 0;
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--low);
      }
      h2 {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        justify-content: space-between;
        gap: 0 var(--space-3);
        font-size: var(--text-0);
        letter-spacing: 0;
      }
      strong {
        font: 800 var(--text-2) / 1.1 var(--figures);
        font-variant-numeric: tabular-nums;
        color: var(--accent);
      }
      .plot {
        position: relative;
        margin: var(--space-2) 0 0;
        height: clamp(80px, 16vh, 150px);
      }
      svg {
        display: block;
        width: 100%;
        height: 100%;
        overflow: visible;
      }
      .held {
        fill: var(--sunken);
      }
      .half {
        stroke: var(--ink-soft);
        stroke-dasharray: 2 5;
        opacity: 0.5;
        vector-effect: non-scaling-stroke;
      }
      .reshuffle {
        stroke: var(--ink-soft);
        opacity: 0.35;
        vector-effect: non-scaling-stroke;
      }
      .war {
        stroke: var(--warn);
        stroke-width: 2;
        vector-effect: non-scaling-stroke;
      }
      .band {
        fill: var(--accent);
        opacity: 0.18;
      }
      .chance {
        fill: none;
        stroke: var(--accent);
        stroke-width: 2.5;
        stroke-linejoin: round;
        stroke-linecap: round;
        vector-effect: non-scaling-stroke;
      }
      .now {
        position: absolute;
        width: 12px;
        height: 12px;
        margin: -6px;
        border-radius: 50%;
        background: var(--accent);
        box-shadow: 0 0 0 3px var(--surface), var(--high);
      }
      .axis {
        display: flex;
        justify-content: space-between;
        align-items: center;
        gap: var(--space-3);
        min-height: var(--target);
        font-size: var(--text--2);
        line-height: 1.3;
        color: var(--ink-soft);
        font-variant-numeric: tabular-nums;
        cursor: pointer;
      }
      .axis::after {
        content: "?";
        flex: none;
        width: 20px;
        height: 20px;
        border-radius: 50%;
        text-align: center;
        line-height: 20px;
        font-weight: 700;
        background: var(--sunken);
      }
      .axis span:first-child {
        flex: 1;
      }
      details p {
        padding-bottom: var(--space-2);
      }
    `,
  ];

  /** @type {Worker | null} */
  #worker = null;
  #alone = false;
  #asked = 0;
  /** @type {Map<number, number>} rounds, by the number of what was asked */
  #open = new Map();
  /** @type {Moment[]} of those before, the ones whose chance is to be found, the newest last */
  #left = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    super();
    /** @type {Sight | null} */
    this.sight = null;
    /** @type {Moment[]} what was before somebody came, or all of a replay */
    this.past = [];
    this.hasty = false;
    /** @type {Map<number, Estimate>} for seat 0, by the round it was made in; half rounds are wars */
    this.points = new Map();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("past")) this.#left = thinned(this.past, BEFORE.points);
    if (this.#left.length) this.#later();
    if (!changed.has("sight") || !this.sight) return;
    const { view, opening, result } = this.sight;
    const here = at(view);
    if (result) this.#heard(here, { chance: result.ranks[0] === result.ranks[1] ? 0.5 : result.ranks[0] === 1 ? 1 : 0, error: 0, games: 0 });
    else if (view.due === "flip" && !this.points.has(here)) this.#ask(here, view, opening.options);
  }

  /**
   * @param {number} here
   * @param {any} view
   * @param {Record<string, any>} options
   * @param {{games: number, milliseconds: number}} until
   */
  #ask(here, view, options, until = this.hasty ? { ...UNTIL, games: UNTIL.games / 4 } : UNTIL) {
    this.#worker ??= this.#begin();
    if (!this.#worker) {
      this.#heard(here, chance(view, options, ALONE));
      return;
    }
    if (this.hasty && this.#open.size > 1) return; // a slow machine leaves rounds out
    this.#asked += 1;
    this.#open.set(this.#asked, here);
    const { log: _, ...known } = view;
    this.#worker.postMessage({ number: this.#asked, view: known, options, until });
  }

  /** Find a point of what was before, if nothing newer is being found, after the page has had its turn. */
  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#open.size) return; // its answer leads here again
      const sight = this.#left.pop()?.sight;
      if (sight?.view.due === "flip" && !this.points.has(at(sight.view))) this.#ask(at(sight.view), sight.view, sight.opening.options, BEFORE);
      else if (this.#left.length) this.#later();
    }, PAUSE);
  }

  /** Nothing where a page may not have workers, as a page that was kept as a file may not. */
  #begin() {
    if (this.#alone) return null;
    try {
      const worker = new Worker(new URL("./chancer.js", import.meta.url), { type: "module" });
      worker.addEventListener("message", ({ data: { number, ...estimate } }) => {
        const here = this.#open.get(number);
        this.#open.delete(number);
        if (here !== undefined) this.#heard(here, estimate);
      });
      worker.addEventListener("error", () => {
        this.#alone = true;
        this.#worker = null;
      });
      return worker;
    } catch {
      this.#alone = true;
      return null;
    }
  }

  /**
   * @param {number} here
   * @param {Estimate} estimate
   */
  #heard(here, estimate) {
    this.points = new Map(this.points).set(here, estimate);
  }

  render() {
    const { sight } = this;
    if (!sight || sight.view.due === "deal") return nothing;
    const { view, opening } = sight;
    const turned = sight.seat === 1;
    // Parts are seat 0's; whoever looks from seat 1 sees the rest of them.
    const { per_suit, suits, down, reshuffle } = rulesOf(opening.options);
    const held = holdings(view.log, per_suit * suits, down).map((count) => count / (per_suit * suits));
    const from = view.rounds - view.log.length;
    const end = Math.max(20, Math.ceil((view.rounds + 1) * 1.08));
    const x = (/** @type {number} */ round) => ((round - from) / (end - from)) * WIDTH;
    const y = (/** @type {number} */ part) => (turned ? part : 1 - part) * HEIGHT;
    const points = thinned([...this.points].filter(([round]) => round >= from && round <= at(view)).sort(([one], [other]) => one - other));
    const shade = thinned(held.map((part, place) => /** @type {[number, number]} */ ([from + place, part])));
    const last = points.at(-1);
    const now = last && percent(last[1], turned);
    const who = sight.seat === undefined ? sight.seats[0]?.name ?? say("table.seat", { number: 1 }) : undefined;
    const title = who ? say("war.chance.of", { name: who }) : say("war.chance");
    return html`<section aria-labelledby="title">
      <h2 id="title">${title}<strong>${now}</strong></h2>
      <div class="plot" role="img" aria-label=${say("war.chance.told", { title, chance: now ?? "", rounds: view.rounds })}>
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
          <path class="held" d="M0 ${HEIGHT}${shade.map(([round, part]) => `L${x(round)} ${y(part)}`).join("")}V${HEIGHT}Z"/>
          <path class="half" d="M0 ${HEIGHT / 2}H${WIDTH}"/>
          ${reshuffle ? svg`<path class="reshuffle" d=${rounds(from, view.rounds, reshuffle).map((round) => `M${x(round)} 0V${HEIGHT}`).join("")}/>` : nothing}
          <path class="war" d=${view.log.flatMap((/** @type {number[]} */ cards, /** @type {number} */ place) => (cards.length > 2 ? [`M${x(from + place + 1)} ${HEIGHT}v-7`] : [])).join("")}/>
          ${points.length > 1 ? svg`<path class="band" d=${band(points, x, y)}/>
          <path class="chance" d=${points.map(([round, found], place) => `${place ? "L" : "M"}${x(round)} ${y(found.chance)}`).join("")}/>` : nothing}
        </svg>
        ${last ? html`<i class="now" .style=${`left: ${(x(last[0]) / WIDTH) * 100}%; top: ${y(last[1].chance)}%`}></i>` : nothing}
      </div>
      <details><summary class="axis"><span>${say("war.line.words")}</span><span>${say("war.line.rounds", { count: view.rounds })}</span></summary>
        <p class="small soft">${say("war.line.how")}</p></details>
    </section>`;
  }
}

/**
 * In words; never quite certain before it is.
 *
 * @param {Estimate} estimate
 * @param {boolean} turned whether it is seat 1's that is asked for
 */
function percent({ chance, games }, turned) {
  const part = turned ? 1 - chance : chance;
  const shown = games ? Math.min(0.99, Math.max(0.01, part)) : part;
  return new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 0 }).format(shown);
}

/**
 * As many of these as can be told apart; always the last.
 *
 * @template T
 * @param {T[]} points
 * @param {number} [most]
 */
function thinned(points, most = MOST) {
  const every = Math.ceil(points.length / most);
  return points.filter((_, place) => (points.length - 1 - place) % every === 0);
}

/** @param {any} view */
function at(view) {
  return view.rounds + (view.turned.length && view.table[0].length ? 0.5 : 0);
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} every
 */
function rounds(from, to, every) {
  const first = Math.floor(from / every) + 1;
  return Array.from({ length: Math.max(0, Math.floor(to / every) - first + 1) }, (_, place) => (first + place) * every);
}

/**
 * Where the line may really be: two standard errors to either side.
 *
 * @param {[number, Estimate][]} points
 * @param {(round: number) => number} x
 * @param {(part: number) => number} y
 */
function band(points, x, y) {
  const edge = (/** @type {number} */ side) => points.map(([round, { chance, error }]) => `${x(round)} ${y(Math.min(1, Math.max(0, chance + 2 * side * error)))}`);
  return `M${edge(1).join("L")}L${edge(-1).reverse().join("L")}Z`;
}
customElements.define("war-line", WarLine);
