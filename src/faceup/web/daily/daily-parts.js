import { LitElement, css, html, nothing, svg } from "../vendor/lit/index.js";
import { bandOf, isoDate, noonOf } from "./requests.js";
import { BASE } from "../api/http.js";
import { BULL_HEAD } from "../art/heads.js";
import { dateLocale, t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { baseStyles } from "../ui/styles.js";

/** @import { CalendarDay } from "../api/http-types.js" */

/** A bull's head in the colour of the text. */
export const bullHead = svg`<svg class="bull" viewBox="0 0 24 24" aria-hidden="true"><path d=${BULL_HEAD} fill="currentColor" fill-rule="evenodd" /></svg>`;

/** Colours of the bands of heads, from none to ten or more. */
export const bandStyles = css`
  .band0 {
    --band: #2f8f5b;
    --on-band: #fff;
  }
  .band1 {
    --band: #e0ac2b;
    --on-band: #2a1d00;
  }
  .band2 {
    --band: #b9530c;
    --on-band: #fff;
  }
  .band3 {
    --band: #a31d16;
    --on-band: #fff;
  }
`;

/** Time until the next midnight of this device, as 5:03:07. It is not announced, because it changes each second. */
export class DailyCountdown extends LitElement {
  static styles = css`
    :host {
      font-variant-numeric: tabular-nums;
      white-space: nowrap;
    }
  `;

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => this.requestUpdate(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    super.disconnectedCallback();
  }

  render() {
    const now = new Date();
    const seconds = Math.max(0, Math.ceil((new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime()) / 1000));
    const two = (/** @type {number} */ value) => `${value % 60}`.padStart(2, "0");
    return html`<time role="timer" aria-live="off">${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60))}:${two(seconds)}</time>`;
  }
}
customElements.define("daily-countdown", DailyCountdown);

/** The weeks of daily deals up to today, at most six, with the heads of the days that the player has finished. Each day is a link. */
export class DailyCalendar extends LitElement {
  static properties = { days: { attribute: false }, today: {}, here: {} };
  static styles = [
    baseStyles,
    css`
      ol {
        display: grid;
        grid-template-columns: repeat(7, minmax(0, 1fr));
        gap: var(--space-1);
        margin: 0;
        padding: 0;
      }
      .weekday {
        text-align: center;
        font-size: min(var(--text--2), 5.5vw);
        padding-bottom: var(--space-1);
      }
      .day {
        display: grid;
        align-content: center;
        justify-items: center;
        min-height: var(--target);
        border-radius: var(--radius-small);
        color: var(--ink-soft);
        text-decoration: none;
        font-size: min(var(--text--2), 5.5vw);
        line-height: 1.15;
      }
      a.day {
        background: var(--sunken);
      }
      .day b {
        font: 800 min(var(--text-0), 6vw) / 1.1 var(--figures);
      }
      a.finished {
        background: var(--felt);
        color: var(--on-felt);
      }
      a.today {
        box-shadow: inset 0 0 0 2px var(--accent);
      }
      a[aria-current] {
        box-shadow: 0 0 0 2px var(--surface), 0 0 0 4px var(--accent);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {CalendarDay[]} */
    this.days = [];
    this.today = "";
    this.here = "";
    new LanguageController(this);
  }

  /** Return the dates of whole weeks from Monday to Sunday: two weeks, or more if there were deals before them. */
  get #dates() {
    const today = noonOf(this.today);
    const first = new Date(today);
    const monday = today.getDate() - ((today.getDay() + 6) % 7);
    const earliest = this.days.at(-1)?.date ?? this.today;
    let weeks = 2;
    do first.setTime(noonOf(this.today).setDate(monday - 7 * (weeks - 1)));
    while (isoDate(first) > earliest && ++weeks <= 6);
    return Array.from({ length: 7 * Math.min(weeks, 6) }, (_, index) => {
      const date = new Date(first);
      date.setDate(first.getDate() + index);
      return date;
    });
  }

  /** @param {Date} date @param {CalendarDay | undefined} day */
  #renderDay(date, day) {
    const number = date.getDate();
    if (!day) return html`<li><span class="day none">${number}</span></li>`;
    const finished = day.heads !== null;
    const state = finished ? t("daily.heads", { count: day.heads }) : t(day.started ? "daily.day.started" : day.open ? "daily.day.open" : "daily.day.missed");
    const words = date.toLocaleDateString(dateLocale(), { day: "numeric", month: "long" });
    return html`<li><a class="day ${finished ? "finished" : ""} ${day.date === this.today ? "today" : ""}" href="${BASE}/daily/${day.date}"
      aria-current=${day.date === this.here ? "date" : nothing}><span class="visually-hidden">${t("daily.day", { date: words, state })}</span>
      <span aria-hidden="true">${number}</span><b aria-hidden="true">${finished ? day.heads : day.started ? "…" : "·"}</b></a></li>`;
  }

  render() {
    if (!this.today) return nothing;
    const dates = this.#dates;
    const byDate = new Map(this.days.map((day) => [day.date, day]));
    return html`<ol>
      ${dates.slice(0, 7).map((date) => html`<li class="weekday soft" aria-hidden="true">${date.toLocaleDateString(dateLocale(), { weekday: "short" })}</li>`)}
      ${dates.map((date) => this.#renderDay(date, byDate.get(isoDate(date))))}
    </ol>`;
  }
}
customElements.define("daily-calendar", DailyCalendar);

/** The heads of each turn as coloured squares. */
export class DailyTurns extends LitElement {
  static properties = { turns: { attribute: false }, label: {} };
  static styles = [
    baseStyles,
    bandStyles,
    css`
      ol {
        margin: 0;
        padding: 0;
        display: grid;
        grid-template-columns: repeat(10, minmax(0, 2.75rem));
        gap: clamp(2px, 1cqw, 6px);
      }
      li {
        aspect-ratio: 1;
        border-radius: 22%;
        display: grid;
        place-items: center;
        background: var(--band);
        color: var(--on-band);
        forced-color-adjust: none; /* the colour tells the heads */
        font: 800 clamp(0.5rem, 3.4vw, var(--text-0)) / 1 var(--figures);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {number[]} */
    this.turns = [];
    this.label = "";
    new LanguageController(this);
  }

  render() {
    return html`<ol aria-label=${this.label}>
      ${this.turns.map((heads, turn) => html`<li class="band${bandOf(heads)}">
        <span class="visually-hidden">${t("daily.turn", { turn: turn + 1, heads: t("daily.heads", { count: heads }) })}</span>
        <span aria-hidden="true">${heads || ""}</span></li>`)}
    </ol>`;
  }
}
customElements.define("daily-turns", DailyTurns);
