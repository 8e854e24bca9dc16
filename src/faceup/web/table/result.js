import { LitElement, css, html } from "../vendor/lit/index.js";
import { BASE } from "../live/api.js";
import { icon } from "../parts/icons.js";
import { sheet } from "../parts/sheet.js";
import { say } from "../words/say.js";
import { winners } from "./next.js";

/** @import { Sight } from "../live/types.js" */

/** How it ended: everybody's place, and what can be done now (events "rematch" and "verify"). */
export class TableResult extends LitElement {
  static properties = { sight: { attribute: false }, table: {}, quiet: { type: Boolean }, busy: { type: Boolean } };
  static styles = [
    sheet,
    css`
      section {
        display: grid;
        gap: var(--space-4);
        padding: var(--space-5);
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--high);
        animation: rise calc(var(--move) * 1.5) var(--ease);
      }
      ol {
        list-style: none;
        display: grid;
        gap: var(--space-1);
      }
      li {
        display: grid;
        grid-template-columns: 2.4em minmax(0, 1fr) auto;
        align-items: center;
        gap: var(--space-3);
        padding: var(--space-2) var(--space-3);
        border-radius: var(--radius-small);
        font-variant-numeric: tabular-nums;
      }
      li.first {
        color: #3a2a00;
        background: linear-gradient(180deg, #ffdd7d, #ffc940);
        box-shadow: var(--low);
        font-weight: 700;
      }
      .place {
        font-family: var(--figures);
        font-size: var(--text-1);
        display: flex;
        align-items: center;
        gap: 2px;
      }
      .name {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .score {
        font: 700 var(--text-1) / 1 var(--figures);
      }
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
      }
      @media (max-width: 480px) {
        section {
          padding: var(--space-4);
        }
        nav {
          display: grid;
        }
      }
      @keyframes rise {
        from {
          transform: translateY(16px);
          opacity: 0;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Sight | null} */
    this.sight = null;
    this.table = "";
    this.quiet = false;
    this.busy = false;
  }

  render() {
    const { sight } = this;
    if (!sight?.result) return "";
    const { scores, ranks } = sight.result;
    const order = ranks.map((_, seat) => seat).sort((one, other) => ranks[one] - ranks[other]);
    return html`<section aria-labelledby="says">
      <h2 id="says">${winners(sight)}</h2>
      <ol>
        ${order.map((seat) => html`<li class=${ranks[seat] === 1 ? "first" : ""}>
          <span class="place"><span class="seen-by-readers-alone">${say("table.result.place", { place: ranks[seat] })}</span>
            <span aria-hidden="true">${ranks[seat]}.</span>${ranks[seat] === 1 ? icon("star", 18) : ""}</span>
          <bdi class="name">${sight.seats[seat]?.name ?? say("table.seat", { number: seat + 1 })}${seat === sight.seat ? say("table.aside", { text: say("table.you") }) : ""}</bdi>
          <span class="score">${scores[seat]}</span>
        </li>`)}
      </ol>
      ${this.quiet ? "" : html`<nav aria-label=${say("table.result.then")}>
        ${sight.seat === undefined && !sight.rematch
          ? ""
          : html`<button class="main" ?disabled=${this.busy} @click=${() => this.dispatchEvent(new Event("rematch"))}>
              ${icon("again")}${say(sight.rematch ? "table.result.join" : "table.result.rematch")}</button>`}
        <a class="button" href="${BASE}/t/${this.table}/replay">${icon("film")}${say("table.result.replay")}</a>
        ${sight.fair ? html`<button @click=${() => this.dispatchEvent(new Event("verify"))}>${icon("shield")}${say("table.result.verify")}</button>` : ""}
        <a class="button" href="${BASE}/">${icon("home")}${say("table.home")}</a>
      </nav>`}
    </section>`;
  }
}
customElements.define("table-result", TableResult);
