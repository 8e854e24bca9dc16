import { LitElement, css, html, nothing } from "../../vendor/lit/index.js";
import { LanguageController } from "../../ui/controllers.js";
import { baseStyles } from "../../ui/styles.js";
import { formatPercent } from "../../i18n/format.js";
import { t } from "../../i18n/translate.js";
import { scoreHand } from "./hand.js";
import { battleOdds, handOdds } from "./odds.js";

/** @import { TableView } from "../../api/types.js" */
/** @import { Odds } from "./odds.js" */
/** @import { Shown } from "./niuniu-table.js" */

/** A panel that shows the probability of each hand, and how often the hand occurred in this match. */
export class NiuniuOdds extends LitElement {
  static properties = { room: { attribute: false }, shown: { attribute: false } };
  static styles = [
    baseStyles,
    css`
      :host {
        container: odds / inline-size;
      }
      details {
        margin-top: var(--space-3);
      }
      summary {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 var(--space-3);
        padding: var(--space-2) var(--space-4);
        border-radius: var(--radius);
        font-weight: 600;
      }
      summary span {
        font-weight: 400;
      }
      .inside {
        gap: var(--space-3) var(--space-6);
        padding: 0 var(--space-4) var(--space-4);
      }
      table {
        flex: 2 1 15rem;
        min-width: 0;
        border-collapse: separate;
        border-spacing: 0 3px;
      }
      th,
      td {
        padding: 1px var(--space-1);
        text-align: end;
        font-weight: 400;
        line-height: 1.3;
      }
      thead th {
        font-size: var(--text--2);
        color: var(--ink-soft);
      }
      th:first-child {
        text-align: start;
        white-space: nowrap;
      }
      .mine th {
        font-weight: 800;
      }
      .mine th::after {
        content: " ◂";
        color: var(--accent);
      }
      .bar {
        width: 50%;
        padding: 0 var(--space-2);
      }
      .bar i {
        display: block;
        width: calc(var(--part) * 100%);
        min-width: 2px;
        height: 0.8em;
        border-radius: 0.4em;
        background: linear-gradient(var(--accent), color-mix(in srgb, var(--accent), black 14%));
        opacity: 0.45;
      }
      .mine .bar i {
        opacity: 1;
      }
      @container odds (max-width: 16rem) {
        .inside {
          padding: 0 var(--space-2) var(--space-3);
        }
        .bar {
          display: none;
        }
        :is(th, td):not(:first-child) {
          overflow-wrap: anywhere;
        }
      }
      .text {
        flex: 1 1 12rem;
        min-width: 0;
        display: grid;
        align-content: start;
        gap: var(--space-3);
      }
    `,
  ];

  #faces = 0;
  /** @type {Odds} */
  #odds = { points: [], below: [] };

  constructor() {
    super();
    /** @type {TableView | null} */
    this.room = null;
    /** @type {Shown | null} */
    this.shown = null;
    new LanguageController(this);
  }

  /** Nothing changes during a throw. */
  shouldUpdate() {
    return !this.hasUpdated || this.shown?.phase === "scored" || this.shown?.phase === "still";
  }

  /** Render updates in a task of their own, after that of the dice. */
  async scheduleUpdate() {
    if (this.hasUpdated) await new Promise((done) => setTimeout(done));
    super.scheduleUpdate();
  }

  willUpdate() {
    const faces = this.room?.config.options.faces ?? 6;
    if (faces !== this.#faces) [this.#faces, this.#odds] = [faces, handOdds(faces)];
  }

  render() {
    const { room, shown } = this;
    if (!room || !shown) return nothing;
    const { baozi = 3 } = room.config.options;
    const { points, below } = this.#odds;
    const ownPoints = room.seat === undefined || shown.phase !== "scored" ? undefined : shown.hands[room.seat]?.points;
    const came = Array(11).fill(0);
    for (const dice of shown.view.log.flat()) came[scoreHand(dice, baozi).points] += 1;
    const { win, draw, lose } = battleOdds(this.#odds, room.seats.length);
    const most = Math.max(...points);
    const line = !ownPoints ? "" : t("niuniu.odds.percentile", { hand: t(`niuniu.hand.${ownPoints}`), below: percent(below[ownPoints]) });
    return html`<details class="surface" ?open=${this.#open} @toggle=${(/** @type {Event} */ event) => (this.#open = /** @type {HTMLDetailsElement} */ (event.target).open)}>
      <summary>${t("niuniu.odds")}<span class="soft small">${line}</span></summary>
      <div class="inside cluster">
        <table class="figures">
          <thead><tr><th scope="col">${t("niuniu.odds.hand")}</th><td></td><th scope="col">${t("niuniu.odds.probability")}</th><th scope="col">${t("niuniu.odds.observed")}</th></tr></thead>
          <tbody>${[10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((score) => html`<tr class=${score === ownPoints ? "mine" : ""}>
            <th scope="row">${t(`niuniu.hand.${score}`)}</th><td class="bar"><i .style=${`--part: ${points[score] / most}`}></i></td>
            <td>${percent(points[score])}</td><td>${came[score]}</td></tr>`)}</tbody>
        </table>
        <div class="text soft small">
          ${room.seats.length > 1 ? html`<p>${t("niuniu.odds.battle", { count: room.seats.length, win: percent(win), draw: percent(draw), lose: percent(lose) })}</p>` : nothing}
          <p>${t("niuniu.odds.statistics", { baozi })}</p>
        </div>
      </div>
    </details>`;
  }

  #open = matchMedia("(min-width: 64rem)").matches;
}

/** @param {number} chance */
const percent = (chance) => formatPercent(chance, 1);
customElements.define("niuniu-odds", NiuniuOdds);
