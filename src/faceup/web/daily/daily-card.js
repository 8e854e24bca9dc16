import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { loadDailyOverview, isoDate, noonOf } from "./requests.js";
import { BASE } from "../api/http.js";
import { flame } from "../art/flame.js";
import { dateLocale, t } from "../i18n/translate.js";
import { cardLinkStyles } from "../ui/list-styles.js";
import { DayController, LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { baseStyles } from "../ui/styles.js";

/** @import { DailyOverview } from "../api/http-types.js" */

/** Styles of the leaf of a calendar, with the month above the day. */
export const leafStyles = css`
  .leaf {
    overflow: hidden;
    text-align: center;
    background: var(--card);
    color: var(--card-ink);
    transform: rotate(-4deg);
    line-height: 1;
  }
  .leaf small {
    display: block;
    overflow: hidden;
    background: var(--heads-5);
    color: #fff;
    font-weight: 700;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .leaf b {
    display: block;
  }
`;

/** Link to the daily deal on the home page, with today's state and the streak. */
export class DailyCard extends LitElement {
  static properties = { overview: { state: true } };
  static styles = [
    baseStyles,
    cardLinkStyles,
    leafStyles,
    css`
      .leaf {
        width: 2.875rem;
        border-radius: 9px;
        box-shadow: var(--low);
      }
      .leaf small {
        padding: 3px 0;
        font-size: 0.6875rem;
      }
      .leaf b {
        padding: 4px 0 6px;
        font: 800 1.4rem / 1 var(--figures);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {DailyOverview | null} */
    this.overview = null;
    new LanguageController(this);
    new DayController(this, () => this.#load());
  }

  connectedCallback() {
    super.connectedCallback();
    this.#load();
  }

  #load() {
    loadDailyOverview().then(
      (overview) => (this.overview = overview),
      () => undefined, // the link works anyway
    );
  }

  /** Describe today's state. */
  get #state() {
    const { today } = this.overview ?? {};
    if (!today) return t("shell.daily.summary");
    const { attempt } = today;
    if (!attempt) return t("shell.daily.play");
    if (attempt.heads === null) return t(attempt.status === "active" ? "shell.daily.resume" : "shell.daily.summary");
    return t("shell.daily.done", { count: attempt.heads, rank: attempt.rank, players: today.players });
  }

  render() {
    const date = noonOf(this.overview?.today.date ?? isoDate());
    const streak = this.overview?.streak ?? 0;
    return html`<a class="aligned tile" href="${BASE}/daily">
      <span class="leaf rigid" aria-hidden="true"><small>${date.toLocaleDateString(dateLocale(), { month: "short" })}</small><b>${date.getDate()}</b></span>
      <span class="words grow"><b>${t("shell.daily")}</b><span>${this.#state}</span></span>
      ${streak ? html`<span class="streak" title=${t("shell.daily.streak", { count: streak })}><span class="flames" aria-hidden="true">${flame}${streak}</span><span class="visually-hidden">${t("shell.daily.streak", { count: streak })}</span></span>` : nothing}
      <span class="go">${icon("next")}</span>
    </a>`;
  }
}
customElements.define("daily-card", DailyCard);
