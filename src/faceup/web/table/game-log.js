import { LitElement, css, html } from "../vendor/lit/index.js";
import { repeat } from "../vendor/lit/directives/repeat.js";
import { LanguageController } from "../ui/controllers.js";
import { baseStyles } from "../ui/styles.js";
import { t } from "../i18n/translate.js";
import { sentences } from "./moments.js";

/** @import { Moment } from "./moments.js" */

/**
 * An entry of the log: a moment with its lines, or the steps of a verifiable deal with the moment of the first.
 *
 * @typedef {{moment: Moment, lines: {event: string, words: string, moment: Moment}[], fair: boolean}} Entry
 */

/** Events that prepare and reveal a verifiable deal. */
const FAIR_EVENTS = new Set(["commitment_published", "pledge_made", "pledges_listed", "contribution_revealed", "seat_excluded", "secret_revealed"]);

/** Game log; a click on a moment emits the event "step" (detail: the moment). */
export class TableLog extends LitElement {
  static properties = { moments: { attribute: false }, current: { type: Number } };
  static styles = [
    baseStyles,
    css`
      :host {
        display: flex;
        flex-direction: column-reverse; /* stays scrolled to its end as it grows */
        overflow-y: auto;
        overscroll-behavior: contain;
        scrollbar-width: thin;
      }
      ol {
        margin-bottom: auto;
      }
      button {
        display: block;
        width: 100%;
        min-height: 0;
        text-align: start;
        font-weight: 400;
        line-height: 1.4;
        padding: var(--space-2) var(--space-3);
        border-radius: var(--radius-small);
        overflow-wrap: anywhere;
      }
      button:hover {
        background: var(--sunken);
        box-shadow: none;
      }
      button span {
        display: block;
      }
      button span + span {
        margin-top: 2px;
      }
      .now button {
        background: var(--sunken);
        box-shadow: inset 3px 0 0 var(--accent);
      }
      .opened,
      .revealed,
      .won,
      .match_won,
      .deal_over {
        font-weight: 700;
      }
      p,
      summary {
        padding: var(--space-2) var(--space-3);
      }
      summary {
        min-height: 36px;
        border-radius: var(--radius-small);
      }
      summary:hover {
        background: var(--sunken);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Moment[]} */
    this.moments = [];
    /** The `v` of the current moment; -1 means the newest moment. */
    this.current = -1;
    new LanguageController(this);
  }

  /** Render updates in a task of their own, after that of the board. */
  async scheduleUpdate() {
    if (this.hasUpdated) await new Promise((done) => setTimeout(done));
    super.scheduleUpdate();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!changed.has("current") || this.current < 0) return;
    const shown = this.renderRoot.querySelector(".now") ?? this.renderRoot.querySelector("li"); // the first step has no moment
    shown?.scrollIntoView({ block: "nearest" });
  }

  render() {
    if (!this.moments.length) return html`<p class="soft small">${t("table.log.empty")}</p>`;
    const shown = this.current < 0 ? null : this.moments.findLast((moment) => moment.v <= this.current)?.v;
    return html`<ol>
      ${repeat(
        foldFairDeals(this.moments),
        ({ moment, fair }) => `${moment.v} ${fair}`,
        (entry) => (entry.fair ? this.#renderFolded(entry, shown) : this.#renderEntry(entry, shown)),
      )}
    </ol>`;
  }

  /**
   * Render the steps of a verifiable deal as one line that can be expanded.
   *
   * @param {Entry} entry
   * @param {number | null | undefined} shown
   */
  #renderFolded({ moment, lines }, shown) {
    const steps = lines.map((line) => ({ moment: line.moment, lines: [line], fair: false }));
    return html`<li><details ?open=${moment.v === shown}>
      <summary class="soft small">${t("table.log.fair", { count: lines.length })}</summary>
      <ol>${steps.map((step) => this.#renderEntry(step, shown))}</ol>
    </details></li>`;
  }

  /**
   * @param {Entry} entry
   * @param {number | null | undefined} shown the `v` of the current moment; null means the newest moment
   */
  #renderEntry({ moment, lines }, shown) {
    return html`<li class=${moment.v === shown ? "now" : this.current >= 0 && moment.v > this.current ? "later" : ""}>
      <button class="flat small soft" title=${t("table.log.step")} aria-current=${moment.v === shown ? "step" : "false"} @click=${() => this.#step(moment)}>
        ${lines.map(({ event, words }) => html`<span class=${event}>${words}</span>`)}
      </button>
    </li>`;
  }

  /** @param {Moment} moment */
  #step(moment) {
    this.dispatchEvent(new CustomEvent("step", { detail: moment, bubbles: true, composed: true }));
  }
}

/**
 * Return the entries of the log: one for each moment, and one for consecutive steps of a verifiable deal.
 *
 * @param {Moment[]} moments
 */
function foldFairDeals(moments) {
  /** @type {Entry[]} */
  const entries = [];
  for (const moment of moments) {
    const lines = sentences(moment).map((line) => ({ ...line, moment }));
    const steps = lines.filter(({ event }) => FAIR_EVENTS.has(event));
    const others = lines.filter(({ event }) => !FAIR_EVENTS.has(event));
    const last = entries.at(-1);
    if (steps.length && last?.fair) last.lines.push(...steps);
    else if (steps.length) entries.push({ moment, lines: steps, fair: true });
    if (others.length) entries.push({ moment, lines: others, fair: false });
  }
  return entries;
}
customElements.define("table-log", TableLog);
