import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { steadyNow } from "../api/clock.js";
import { DAY, formatDuration } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { setTurnBadge } from "../ui/page-title.js";
import { baseStyles } from "../ui/styles.js";
import "../ui/turn-notices.js";
import { renderTable, tableListStyles } from "./table-list.js";

/** @import { MyTable } from "../api/http-types.js" */

/** The time left from which on it is shown in words, such as "2 days left", and not in minutes and seconds. */
const LONG = 600_000;

/**
 * The player's unfinished tables: first those that wait for the player, then those that wait for others. The page's
 * title shows how many wait for a choice.
 */
export class MyTables extends LitElement {
  static properties = { tables: { attribute: false }, loadedAt: { attribute: false }, now: { state: true } };
  static styles = [
    baseStyles,
    tableListStyles,
    css`
      section + section {
        margin-top: var(--space-5);
      }
      turn-notices {
        margin-top: var(--space-3);
      }
      .count {
        margin-inline-start: var(--space-2);
        padding: 2px 10px;
        border-radius: 99px;
        font-size: var(--text-1);
        color: var(--on-accent);
        background: var(--accent);
      }
    `,
  ];

  /** @type {ReturnType<typeof setInterval> | undefined} Renders the time left for choices. */
  #timer;

  constructor() {
    super();
    /** @type {MyTable[]} */
    this.tables = [];
    /** When `tables` was loaded, as `steadyNow` returns it. */
    this.loadedAt = 0;
    this.now = steadyNow();
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => this.tables.some((table) => table.time_left !== null) && (this.now = steadyNow()), 1000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    setTurnBadge();
  }

  willUpdate() {
    const count = this.tables.filter((table) => table.waits_for === "choice").length;
    setTurnBadge(() => (count ? t("shell.turns.title", { count }) : ""));
  }

  /** Return what the player can do at the table, with the time left for a choice. @param {MyTable} each */
  #describe({ waits_for, time_left, status, summary }) {
    if (waits_for === "seat") return t("shell.table.held");
    if (status === "pending") return t("shell.table.not_started");
    if (waits_for !== "choice") return t(summary.seats.filter((seat) => seat?.kind === "person").length > 1 ? "shell.table.waiting" : "shell.table.resume");
    if (time_left === null) return t("shell.table.turn");
    const left = Math.max(0, this.loadedAt + time_left - Math.max(this.now, this.loadedAt));
    if (left >= LONG) return t("table.clock.left", { time: formatDuration(left) });
    const seconds = Math.ceil(left / 1000);
    return t("shell.table.turn.left", { time: `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}` });
  }

  /** @param {string} title @param {MyTable[]} tables @param {boolean} waits */
  #renderSection(title, tables, waits) {
    if (!tables.length) return nothing;
    return html`<section>
      <div class="head cluster apart"><h3>${title}${waits ? html`<span class="count figures">${tables.length}</span>` : nothing}</h3></div>
      <ul class="tight">${tables.map((table) => renderTable(table, this.#describe(table), waits))}</ul>
    </section>`;
  }

  render() {
    const of = (/** @type {MyTable["waits_for"]} */ what) => this.tables.filter((table) => table.waits_for === what);
    return html`${this.#renderSection(t("shell.tables.turn"), of("choice"), true)} ${this.#renderSection(t("shell.tables.held"), of("seat"), false)}
      ${this.#renderSection(t("shell.tables.waiting"), of(null), false)}
      ${this.tables.some((table) => (table.summary.clock ?? 0) >= DAY) ? html`<turn-notices boxed></turn-notices>` : nothing}`;
  }
}
customElements.define("my-tables", MyTables);
