import { LitElement, css, html } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { icon } from "../ui/icons.js";
import { baseStyles } from "../ui/styles.js";
import { t } from "../i18n/translate.js";
import { winnerSentence } from "./status-line.js";

/** @import { TableView } from "../api/types.js" */

/** Result dialog with the ranks, and buttons for what to do next. Events: "rematch" and "verify". */
export class TableResult extends LitElement {
  static properties = { room: { attribute: false }, standing: { attribute: false }, table: {}, quiet: { type: Boolean }, busy: { type: Boolean } };
  static styles = [
    baseStyles,
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
        gap: 0 var(--space-3);
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
      hand-statistics {
        grid-column: 2 / -1;
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
    /** @type {TableView | null} */
    this.room = null;
    /** @type {import("../games/registry.js").SeatStanding[]} */
    this.standing = [];
    this.table = "";
    this.quiet = false;
    this.busy = false;
  }

  render() {
    const { room } = this;
    if (!room?.result) return "";
    const { scores, ranks } = room.result;
    const order = ranks.map((_, seat) => seat).sort((one, other) => ranks[one] - ranks[other]);
    return html`<section aria-labelledby="winner">
      <h2 id="winner">${winnerSentence(room)}</h2>
      <ol>
        ${order.map((seat) => html`<li class=${ranks[seat] === 1 ? "first" : ""}>
          <span class="place"><span class="visually-hidden">${t("table.result.place", { place: ranks[seat] })}</span>
            <span aria-hidden="true">${ranks[seat]}.</span>${ranks[seat] === 1 ? icon("star", 18) : ""}</span>
          <bdi class="name">${room.seats[seat]?.name ?? t("table.seat", { number: seat + 1 })}${seat === room.seat ? t("table.parenthesis", { text: t("table.you") }) : ""}</bdi>
          <span class="score">${scores[seat]}</span>
          ${this.standing[seat]?.hands ? html`<hand-statistics ?open=${ranks.length < 4} .totals=${this.standing[seat].hands}></hand-statistics>` : ""}
        </li>`)}
      </ol>
      ${this.quiet ? "" : html`<nav aria-label=${t("table.result.actions")}>
        ${room.seat === undefined && !room.rematch
          ? ""
          : html`<button class="main" ?disabled=${this.busy} @click=${() => this.dispatchEvent(new Event("rematch"))}>
              ${icon("again")}${t(room.rematch ? "table.result.join" : "table.result.rematch")}</button>`}
        <a class="button" href="${BASE}/t/${this.table}/replay">${icon("film")}${t("table.result.replay")}</a>
        ${room.fair ? html`<button @click=${() => this.dispatchEvent(new Event("verify"))}>${icon("shield")}${t("table.result.verify")}</button>` : ""}
        <a class="button" href="${BASE}/">${icon("home")}${t("table.home")}</a>
      </nav>`}
    </section>`;
  }
}
customElements.define("table-result", TableResult);
