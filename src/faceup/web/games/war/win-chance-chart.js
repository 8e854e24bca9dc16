import { LitElement, css, html, nothing, svg } from "../../vendor/lit/index.js";
import { LanguageController } from "../../ui/controllers.js";
import { baseStyles } from "../../ui/styles.js";
import { formatPercent } from "../../i18n/format.js";
import { t } from "../../i18n/translate.js";
import { estimateWinChance, withoutNoise } from "./win-chance.js";
import { cardCounts } from "./table-cards.js";
import { rulesOf } from "./simulation.js";

/** @import { TableView } from "../../api/types.js" */
/** @import { Moment } from "../../table/moments.js" */
/** @import { Estimate } from "./win-chance.js" */

/**
 * Games per estimate, and maximum duration of an estimate; if the next estimate comes soon, only a quarter of the
 * games.
 */
const LIMITS = { games: 1000, milliseconds: 400 };
/**
 * Games per estimate and its maximum duration if there is no worker, so that estimates run on the page's own thread.
 */
const WITHOUT_WORKER = { games: 100, milliseconds: 8 };
/**
 * Limits for estimates of the backlog, which run if nothing newer waits: number of points, and games and time per
 * point.
 */
const BACKLOG_LIMITS = { points: 80, games: 250, milliseconds: 100 };
/** Milliseconds between two estimates, so that the page can do other work. */
const PAUSE = 30;
/** Maximum number of points drawn. */
const MOST = 400;
const [WIDTH, HEIGHT] = [600, 100];

/**
 * Chart of the win chance by round, drawn over the number of cards held. A worker estimates the chance by simulating
 * games from positions that agree with what has been seen.
 */
export class WinChanceChart extends LitElement {
  static properties = { room: { attribute: false }, backlog: { attribute: false }, skipsAnnouncements: { type: Boolean }, points: { state: true } };
  static styles = [
    baseStyles,
    css`
      section {
        margin-top: var(--space-3);
        padding: var(--space-3) var(--space-4) 0;
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
        gap: var(--space-3);
        font-size: var(--text--2);
        line-height: 1.3;
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
  #noWorker = false;
  #asked = 0;
  /** @type {Map<number, number>} round by request number */
  #open = new Map();
  /** @type {Moment[]} earlier moments to estimate, the newest last */
  #left = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    super();
    /** @type {TableView | null} */
    this.room = null;
    /** @type {Moment[]} moments before the page was opened, or all of a replay */
    this.backlog = [];
    this.skipsAnnouncements = false;
    /** @type {Map<number, Estimate>} for seat 0, by round; half rounds are wars */
    this.points = new Map();
    new LanguageController(this);
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("backlog")) this.#left = thinned(this.backlog, BACKLOG_LIMITS.points);
    if (this.#left.length) this.#later();
    if (!changed.has("room") || !this.room) return;
    const { view, config, result } = this.room;
    const round = at(view);
    if (result) this.#onEstimate(round, { chance: result.ranks[0] === result.ranks[1] ? 0.5 : result.ranks[0] === 1 ? 1 : 0, error: 0, games: 0 });
    else if (view.due === "flip" && !this.points.has(round)) this.#ask(round, view, config.options);
  }

  /**
   * @param {number} round
   * @param {any} view
   * @param {Record<string, any>} options
   * @param {{games: number, milliseconds: number}} until
   */
  #ask(round, view, options, until = this.skipsAnnouncements ? { ...LIMITS, games: LIMITS.games / 4 } : LIMITS) {
    this.#worker ??= this.#startWorker();
    if (!this.#worker) {
      this.#onEstimate(round, estimateWinChance(view, options, WITHOUT_WORKER));
      return;
    }
    if (this.skipsAnnouncements && this.#open.size > 1) return; // slow devices skip rounds
    this.#asked += 1;
    this.#open.set(this.#asked, round);
    const { log: _, ...position } = view;
    this.#worker.postMessage({ number: this.#asked, view: position, options, until });
  }

  /** Estimate a point of the backlog after a pause for the page, if no newer estimate is pending. */
  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#open.size) return; // the result calls this again
      const room = this.#left.pop()?.room;
      if (room?.view.due === "flip" && !this.points.has(at(room.view))) this.#ask(at(room.view), room.view, room.config.options, BACKLOG_LIMITS);
      else if (this.#left.length) this.#later();
    }, PAUSE);
  }

  /** Return a worker, or null where workers are unavailable, for example in a page saved as a file. */
  #startWorker() {
    if (this.#noWorker) return null;
    try {
      const worker = new Worker(new URL("./chance-worker.js", import.meta.url), { type: "module" });
      worker.addEventListener("message", ({ data: { number, ...estimate } }) => {
        const round = this.#open.get(number);
        this.#open.delete(number);
        if (round !== undefined) this.#onEstimate(round, estimate);
      });
      worker.addEventListener("error", () => {
        this.#noWorker = true;
        this.#worker = null;
      });
      return worker;
    } catch {
      this.#noWorker = true;
      return null;
    }
  }

  /**
   * @param {number} round
   * @param {Estimate} estimate
   */
  #onEstimate(round, estimate) {
    this.points = new Map(this.points).set(round, estimate);
  }

  render() {
    const { room } = this;
    if (!room || room.view.due === "deal") return nothing;
    const { view, config } = room;
    const turned = room.seat === 1;
    // Estimates are the chances of seat 0. If the viewer has seat 1, the chart shows the complements.
    const { per_suit, suits, down, reshuffle } = rulesOf(config.options);
    const held = cardCounts(view.log, per_suit * suits, down).map((count) => count / (per_suit * suits));
    const from = view.rounds - view.log.length;
    const end = Math.max(20, Math.ceil((view.rounds + 1) * 1.08));
    const x = (/** @type {number} */ round) => ((round - from) / (end - from)) * WIDTH;
    const y = (/** @type {number} */ part) => (turned ? part : 1 - part) * HEIGHT;
    const estimates = [...this.points].filter(([round]) => round >= from && round <= at(view)).sort(([first], [second]) => first - second);
    const points = thinned(withoutNoise(estimates, (round) => held[Math.floor(round) - from]));
    const shade = thinned(held.map((part, place) => /** @type {[number, number]} */ ([from + place, part])));
    const last = points.at(-1);
    const now = last && percent(last[1], turned);
    const margin = last?.[1].error ? `± ${formatPercent(2 * last[1].error)}` : "";
    const who = room.seat === undefined ? room.seats[0]?.name ?? t("table.seat", { number: 1 }) : undefined;
    const title = who ? t("war.chance.of", { name: who }) : t("war.chance");
    return html`<section class="surface" aria-labelledby="title">
      <h2 id="title">${title}<span><strong>${now}</strong>${margin ? html` <small class="soft figures">${margin}</small>` : nothing}</span></h2>
      <div class="plot" role="img" aria-label=${t("war.chance.label", { title, chance: `${now ?? ""} ${margin}`.trim(), count: view.rounds })}>
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
          <path class="held" d="M0 ${HEIGHT}${shade.map(([round, part]) => `L${x(round)} ${y(part)}`).join("")}V${HEIGHT}Z"/>
          <path class="half" d="M0 ${HEIGHT / 2}H${WIDTH}"/>
          ${reshuffle ? svg`<path class="reshuffle" d=${rounds(from, view.rounds, reshuffle).map((round) => `M${x(round)} 0V${HEIGHT}`).join("")}/>` : nothing}
          <path class="war" d=${view.log.flatMap((/** @type {number[]} */ cards, /** @type {number} */ place) => (cards.length > 2 ? [`M${x(from + place + 1)} ${HEIGHT}v-7`] : [])).join("")}/>
          ${points.length > 1 ? svg`<path class="band" d=${band(points, x, y)}/>
          <path class="chance" d=${points.map(([round, estimate], place) => `${place ? "L" : "M"}${x(round)} ${y(estimate.chance)}`).join("")}/>` : nothing}
        </svg>
        ${last ? html`<i class="now" .style=${`left: ${(x(last[0]) / WIDTH) * 100}%; top: ${y(last[1].chance)}%`}></i>` : nothing}
      </div>
      <details><summary class="axis apart soft figures"><span>${t("war.chart.legend")}</span><span>${t("war.chart.rounds", { count: view.rounds })}</span></summary>
        <p class="small soft">${t("war.chart.help")}</p></details>
    </section>`;
  }
}

/**
 * Format a probability; before the end of the game, it is never rounded to 0 or 1.
 *
 * @param {Estimate} estimate
 * @param {boolean} turned whether to show seat 1's chance
 */
function percent({ chance, games }, turned) {
  const part = turned ? 1 - chance : chance;
  const shown = games ? Math.min(0.99, Math.max(0.01, part)) : part;
  return formatPercent(shown);
}

/**
 * Return so few of the points that they can be distinguished in the chart, always including the last point.
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
 * Return the confidence band, which reaches two standard errors to either side of the points.
 *
 * @param {[number, Estimate][]} points
 * @param {(round: number) => number} x
 * @param {(part: number) => number} y
 */
function band(points, x, y) {
  const edge = (/** @type {number} */ side) => points.map(([round, { chance, error }]) => `${x(round)} ${y(Math.min(1, Math.max(0, chance + 2 * side * error)))}`);
  return `M${edge(1).join("L")}L${edge(-1).reverse().join("L")}Z`;
}
customElements.define("win-chance-chart", WinChanceChart);
