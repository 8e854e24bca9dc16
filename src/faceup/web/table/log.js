import { LitElement, css, html } from "../vendor/lit/index.js";
import { repeat } from "../vendor/lit/directives/repeat.js";
import { sheet } from "../parts/sheet.js";
import { say } from "../words/say.js";
import { sentences } from "./history.js";

/** @import { Moment } from "./history.js" */

/** What happened, in words; each moment is a step back in time (event "step", detail: the moment). */
export class TableLog extends LitElement {
  static properties = { moments: { attribute: false }, current: { type: Number } };
  static styles = [
    sheet,
    css`
      :host {
        display: flex;
        flex-direction: column-reverse; /* it stands at its end, and stays there as it grows */
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
      p {
        padding: var(--space-2) var(--space-3);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Moment[]} */
    this.moments = [];
    /** The `v` of the moment that is shown; -1 is the newest. */
    this.current = -1;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!changed.has("current") || this.current < 0) return;
    const shown = this.renderRoot.querySelector(".now") ?? this.renderRoot.querySelector("li"); // of the first step there is none
    shown?.scrollIntoView({ block: "nearest" });
  }

  render() {
    if (!this.moments.length) return html`<p class="soft small">${say("table.log.empty")}</p>`;
    const shown = this.current < 0 ? null : this.moments.findLast((each) => each.v <= this.current)?.v;
    return html`<ol>
      ${repeat(
        this.moments,
        (moment) => moment.v,
        (moment) => html`<li class=${moment.v === shown ? "now" : this.current >= 0 && moment.v > this.current ? "later" : ""}>
          <button title=${say("table.log.step")} aria-current=${moment.v === shown ? "step" : "false"} @click=${() => this.#step(moment)}>
            ${sentences(moment).map(({ event, words }) => html`<span class=${event}>${words}</span>`)}
          </button>
        </li>`,
      )}
    </ol>`;
  }

  /** @param {Moment} moment */
  #step(moment) {
    this.dispatchEvent(new CustomEvent("step", { detail: moment, bubbles: true, composed: true }));
  }
}
customElements.define("table-log", TableLog);
