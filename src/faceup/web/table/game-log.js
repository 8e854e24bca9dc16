import { LitElement, css, html } from "../vendor/lit/index.js";
import { repeat } from "../vendor/lit/directives/repeat.js";
import { baseStyles } from "../ui/styles.js";
import { t } from "../i18n/translate.js";
import { sentences } from "./moments.js";

/** @import { Moment } from "./moments.js" */

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
        list-style: none;
        margin-bottom: auto;
      }
      button {
        display: block;
        width: 100%;
        min-height: 0;
        text-align: start;
        font-weight: 400;
        font-size: var(--text--1);
        line-height: 1.4;
        padding: var(--space-2) var(--space-3);
        background: none;
        box-shadow: none;
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
      .later button {
        color: var(--ink-soft);
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
        font-size: var(--text--1);
        color: var(--ink-soft);
        border-radius: var(--radius-small);
        cursor: pointer;
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
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!changed.has("current") || this.current < 0) return;
    const shown = this.renderRoot.querySelector(".now") ?? this.renderRoot.querySelector("li"); // the first step has no moment
    shown?.scrollIntoView({ block: "nearest" });
  }

  render() {
    if (!this.moments.length) return html`<p class="soft small">${t("table.log.empty")}</p>`;
    const shown = this.current < 0 ? null : this.moments.findLast((each) => each.v <= this.current)?.v;
    return html`<ol>
      ${repeat(
        foldFairDeals(this.moments),
        ([first]) => first.v,
        (group) => (group.length > 1 ? this.#renderFolded(group, shown) : this.#renderMoment(group[0], shown)),
      )}
    </ol>`;
  }

  /**
   * Render the steps of a verifiable deal as one line that can be expanded.
   *
   * @param {Moment[]} group
   * @param {number | null | undefined} shown
   */
  #renderFolded(group, shown) {
    return html`<li><details ?open=${group.some(({ v }) => v === shown)}>
      <summary>${t("table.log.fair", { count: group.length })}</summary>
      <ol>${group.map((moment) => this.#renderMoment(moment, shown))}</ol>
    </details></li>`;
  }

  /**
   * @param {Moment} moment
   * @param {number | null | undefined} shown the `v` of the current moment; null means the newest moment
   */
  #renderMoment(moment, shown) {
    return html`<li class=${moment.v === shown ? "now" : this.current >= 0 && moment.v > this.current ? "later" : ""}>
      <button title=${t("table.log.step")} aria-current=${moment.v === shown ? "step" : "false"} @click=${() => this.#step(moment)}>
        ${sentences(moment).map(({ event, words }) => html`<span class=${event}>${words}</span>`)}
      </button>
    </li>`;
  }

  /** @param {Moment} moment */
  #step(moment) {
    this.dispatchEvent(new CustomEvent("step", { detail: moment, bubbles: true, composed: true }));
  }
}

/**
 * Group consecutive moments that only prepare or reveal a verifiable deal; every other moment is a group of its own.
 *
 * @param {Moment[]} moments
 * @returns {Moment[][]}
 */
function foldFairDeals(moments) {
  /** @type {Moment[][]} */
  const groups = [];
  let folding = false;
  for (const moment of moments) {
    const fair = moment.events.every(({ event }) => FAIR_EVENTS.has(event));
    if (fair && folding) groups[groups.length - 1].push(moment);
    else groups.push([moment]);
    folding = fair;
  }
  return groups;
}
customElements.define("table-log", TableLog);
