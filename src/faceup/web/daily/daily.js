import { LitElement, html, nothing } from "../vendor/lit/index.js";
import { isoDate, loadDailyDay, loadDailyOverview, noonOf, squares, startDaily } from "./requests.js";
import { verifyDay } from "./verify-day.js";
import { BASE } from "../api/http.js";
import { savedName, serverInfo } from "../api/server-info.js";
import { asPlayer, face } from "../art/faces.js";
import { flame } from "../art/flame.js";
import { errorMessage } from "../i18n/errors.js";
import { formatList } from "../i18n/format.js";
import { levelName } from "../i18n/games.js";
import { listedPerson, personName, playerName } from "../i18n/players.js";
import { dateLocale, t } from "../i18n/translate.js";
import { DayController, EventController, LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { announce } from "../ui/live-region.js";
import { navigate } from "../ui/navigation.js";
import { setPageTitle } from "../ui/page-title.js";
import { runRequest } from "../ui/run-request.js";
import { share } from "../ui/share.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";
import "../ui/top-bar.js";
import { leafStyles } from "./daily-card.js";
import { bullHead } from "./daily-parts.js";
import { dailyStyles } from "./daily-styles.js";

/** @import { DailyAttempt, DailyOverview, DailyView, RankedAttempt } from "../api/http-types.js" */

/** Page of the daily deal: today's at `/daily`, and any other day's at `/daily/DATE`. */
export class DailyPage extends LitElement {
  static properties = {
    address: { attribute: false },
    overview: { state: true },
    day: { state: true },
    busy: { state: true },
    error: { state: true },
    note: { state: true },
    text: { state: true },
  };
  static styles = [baseStyles, leafStyles, dailyStyles, narrowStyles];

  constructor() {
    super();
    /** @type {{date?: string}} */
    this.address = {};
    /** @type {DailyOverview | null} */
    this.overview = null;
    /** @type {DailyView | null} the day that is shown */
    this.day = null;
    this.busy = false;
    this.error = "";
    /** Status message of the last action. */
    this.note = "";
    /** The text to share, if it could not be copied. */
    this.text = "";
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
    new DayController(this, () => this.#load());
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("daily.title"));
    void serverInfo.refresh();
    void this.#load();
    document.addEventListener("visibilitychange", this.#refresh);
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.#refresh);
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #refresh = () => document.visibilityState === "visible" && void this.#load();

  async #load() {
    try {
      const overview = await loadDailyOverview();
      const { date } = this.address;
      this.day = date && date !== overview.today.date ? await loadDailyDay(date) : overview.today;
      this.overview = overview;
      this.error = "";
      clearTimeout(this.#timer);
      if (this.day.ranking && !this.day.par) this.#timer = setTimeout(this.#refresh, 15_000); // par is being computed
    } catch (error) {
      this.error = errorMessage(error, "daily");
    }
  }

  async #play() {
    const { day } = this;
    if (!day) return;
    await runRequest(this, async () => navigate(`/t/${await startDaily(day.date, serverInfo.player ? "" : savedName())}`), "daily");
  }

  async #share() {
    const { day, overview } = this;
    const attempt = day?.attempt;
    if (!day || !attempt?.turns) return;
    const title = t("daily.share.text", { date: this.#dateText(day.date, { dateStyle: "medium" }) });
    const par = day.par ? t("table.parenthesis", { text: t("daily.share.par", { par: day.par.heads }) }) : "";
    const streak = day.date === overview?.today.date && overview.streak > 1 ? ` · 🔥 ${overview.streak}` : "";
    const text = `${title}\n🐮 ${attempt.heads}${par}${streak}\n${squares(attempt.turns)}`;
    const url = new URL(`${BASE}/daily`, location.href).href;
    const result = await share({ title: t("daily.title"), text, url });
    this.note = result === "copied" ? t("daily.share.copied") : result === "failed" ? t("daily.share.failed") : "";
    this.text = result === "failed" ? `${text}\n${url}` : "";
    announce(this.note);
  }

  /** @param {string} date @param {Intl.DateTimeFormatOptions} [options] */
  #dateText(date, options = { weekday: "long", day: "numeric", month: "long" }) {
    return noonOf(date).toLocaleDateString(dateLocale(), options);
  }

  /** Format a time of day with its weekday. @param {number} at */
  #timeText(at) {
    return new Date(at).toLocaleString(dateLocale(), { weekday: "long", hour: "2-digit", minute: "2-digit" });
  }

  /** The date before today. */
  get #yesterday() {
    const date = noonOf(this.overview?.today.date ?? isoDate());
    date.setDate(date.getDate() - 1);
    return isoDate(date);
  }

  /** @param {DailyView} day */
  #renderHero(day) {
    const { attempt } = day;
    const finished = attempt !== null && attempt.heads !== null;
    const bots = day.bots.map((kind, index) => ({ name: day.bot_names[index], kind }));
    return html`<section class="hero" aria-labelledby="date">
      <div class="leaf" aria-hidden="true"><small>${this.#dateText(day.date, { month: "long" })}</small><b>${noonOf(day.date).getDate()}</b></div>
      <div class="what">
        <p class="kicker">${t(day.date === this.#yesterday ? "daily.yesterday" : "daily.title")}</p>
        <h1 id="date">${this.#dateText(day.date)}</h1>
        ${finished ? nothing : html`<p>${t("daily.lead")}</p>`}
      </div>
      <ul class="bots" aria-label=${t("daily.against", { names: formatList(bots.map(playerName)) })}>
        ${bots.map((bot, index) => html`<li aria-hidden="true">${face(bot, index + 1)}<span>${playerName(bot)}</span></li>`)}
      </ul>
      ${finished ? this.#renderResult(day, attempt) : this.#renderStart(day)}
    </section>`;
  }

  /** @param {DailyView} day */
  #renderStart(day) {
    const { attempt } = day;
    const active = attempt?.status === "active";
    const isToday = day.date === this.overview?.today.date;
    if (!day.open) return html`<p class="start">${t(attempt ? "daily.unfinished" : "daily.missed")}</p>`;
    if (attempt && !active && attempt.status !== null) return html`<p class="start">${t("daily.unfinished")}</p>`;
    return html`<div class="start cluster aligned">
      <button class="main" ?disabled=${this.busy} @click=${this.#play}>${icon("play")}${t(active ? "daily.resume" : "daily.play")}</button>
      <p>${isToday ? t("daily.players", { count: day.players, context: day.players ? "" : "none" }) : t("daily.still_open", { when: this.#timeText(day.ends_at) })}</p>
    </div>`;
  }

  /** @param {DailyView} day @param {DailyAttempt} attempt */
  #renderResult(day, attempt) {
    const { par } = day;
    const difference = par ? (attempt.heads ?? 0) - par.heads : 0;
    const compared = difference < 0 ? "under" : difference ? "over" : "even";
    return html`<div class="result">
      <p class="heads">${bullHead}<b>${attempt.heads}</b><span>${t("daily.heads.unit", { count: attempt.heads })}</span></p>
      <div class="facts tight">
        <p><b class="first">${t("daily.rank", { rank: attempt.rank, count: day.players })}</b> ${t("daily.rank.summary")}</p>
        ${par
          ? html`<p><b class=${compared}>${t(`daily.par.${compared}`, { count: Math.abs(difference) })}</b> ${t("daily.par", { heads: par.heads })} – ${t("daily.par.summary", { bot: levelName(par.bot) })}</p>`
          : html`<p>${t("daily.par.pending")}</p>`}
        <p>${t("daily.place", { place: attempt.place, count: day.bots.length + 1 })}</p>
      </div>
      ${attempt.turns ? this.#renderTurns(attempt.turns, par?.turns) : nothing}
      <nav class="cluster" aria-label=${t("daily.title")}>
        ${attempt.turns ? html`<button class="main" @click=${this.#share}>${icon("link")}${t("daily.share")}</button>` : nothing}
        ${attempt.status
          ? html`${day.open ? html`<a class="button" href="${BASE}/t/${attempt.table}">${icon("eye")}${t("daily.table")}</a>` : nothing}
            <a class="button" href="${BASE}/t/${attempt.table}/replay">${icon(day.open ? "film" : "coach")}${t(day.open ? "daily.replay" : "daily.review")}</a>`
          : nothing}
      </nav>
      ${this.note ? html`<p class="note">${this.note}</p>` : nothing}
      ${this.text ? html`<textarea readonly rows="5" aria-label=${t("daily.share.failed")} .value=${this.text}></textarea>` : nothing}
    </div>`;
  }

  /** @param {number[]} turns @param {number[]} [par] */
  #renderTurns(turns, par) {
    return html`<div class="turns small">
      <span aria-hidden="true">${t("daily.turns")}</span><daily-turns .turns=${turns} label=${t("daily.turns")}></daily-turns>
      ${par ? html`<span aria-hidden="true">${t("daily.turns.par")}</span><daily-turns .turns=${par} label=${t("daily.turns.par")}></daily-turns>` : nothing}
    </div>`;
  }

  /** @param {DailyView} day */
  #renderRanking(day) {
    return html`<section class="panel" aria-labelledby="ranking">
      <h2 id="ranking">${t("daily.ranking")}</h2>
      ${!day.ranking
        ? html`<p class="soft">${t("daily.ranking.hidden")}</p>`
        : day.ranking.length
          ? html`<ol class="ranking stack">${day.ranking.map((row) => this.#renderRank(row))}</ol>`
          : html`<p class="soft">${t("daily.ranking.none")}</p>`}
      <p class="soft small">${day.open ? t("daily.secret_until", { when: this.#timeText(day.ends_at) }) : t("daily.revealed")}</p>
    </section>`;
  }

  /** @param {RankedAttempt} each */
  #renderRank({ rank, who, guest, heads, table }) {
    const me = Boolean(who.handle) && who.handle === serverInfo.player?.handle;
    return html`<li class="aligned ${me ? "me" : ""}">
      <span class="rank">${rank}</span>
      ${face(asPlayer(who))}
      <span class="who aligned grow">${who.handle ? html`<a href="${BASE}/players/${who.handle}"><bdi>${listedPerson(who)}</bdi></a>` : html`<bdi>${listedPerson(who)}</bdi>`}
        ${me ? html`<small>${t("daily.ranking.you")}</small>` : guest ? html`<small>${t("daily.ranking.guest")}</small>` : nothing}</span>
      <b><span class="visually-hidden">${t("daily.heads", { count: heads })}</span><span aria-hidden="true">${heads}</span>${bullHead}</b>
      ${table ? html`<a class="watch centred" href="${BASE}/t/${table}/replay" aria-label=${t("daily.ranking.watch", { name: personName(who.name) })}>${icon("film")}</a>` : nothing}
    </li>`;
  }

  /** Render the link to yesterday's deal. Its verdicts open when its day has ended everywhere. @param {DailyOverview} overview */
  #renderYesterday({ calendar }) {
    const day = calendar.find(({ date }) => date === this.#yesterday);
    if (!day || this.day?.date === day.date) return nothing;
    const state = day.heads === null ? t(day.started ? "daily.day.started" : day.open ? "daily.day.open" : "daily.day.missed") : t("daily.heads", { count: day.heads });
    const ends = Date.parse(`${day.date}T00:00Z`) + 36 * 3_600_000;
    return html`<a class="panel yesterday aligned" href="${BASE}/daily/${day.date}">
      <span><b>${t("daily.yesterday")} · ${state}</b><span class="soft small">${day.open ? t("daily.yesterday.later", { when: this.#timeText(ends) }) : t("daily.yesterday.open")}</span></span>${icon("next")}</a>`;
  }

  /** @param {DailyOverview} overview @param {DailyView} day */
  #renderDays(overview, day) {
    const { streak, best_streak: best, today, calendar } = overview;
    return html`<section class="panel" aria-labelledby="days">
      <div class="streak aligned">
        <span class=${streak ? "" : "out"}>${flame}</span>
        <p><b>${streak ? t("daily.streak", { count: streak }) : t("daily.streak.none")}</b>${best > 1 ? html`<br><span class="soft small">${t("daily.streak.best", { count: best })}</span>` : nothing}</p>
        <p class="next"><span class="soft small">${t("daily.next")}</span><br><daily-countdown></daily-countdown></p>
      </div>
      <h2 id="days">${t("daily.calendar")}</h2>
      <daily-calendar .days=${calendar} today=${today.date} here=${day.date}></daily-calendar>
      ${day.date === today.date ? nothing : html`<a class="button" href="${BASE}/daily">${t("daily.today")}</a>`}
    </section>`;
  }

  /** @param {DailyOverview} overview @param {DailyView} day */
  #renderFair(overview, day) {
    const { tomorrow } = overview;
    const short = (/** @type {string} */ date) => this.#dateText(date, { dateStyle: "medium" });
    return html`<details class="panel fair" ?open=${Boolean(day.secret)}>
      <summary class="aligned">${icon("shield")}${t("daily.fair")}</summary>
      <p>${t("daily.fair.how")}</p>
      <dl>
        <dt>${t("daily.fair.commitment", { date: short(day.date) })}</dt><dd><code>${day.commitment}</code></dd>
        ${day.secret
          ? html`<dt>${t("daily.fair.secret")}</dt><dd><code>${day.secret}</code></dd>`
          : html`<dt>${t("daily.fair.commitment", { date: short(tomorrow.date) })}</dt><dd><code>${tomorrow.commitment}</code></dd>`}
      </dl>
      ${day.secret ? (verifyDay(day) ? html`<p class="valid">✓ ${t("daily.fair.valid")}</p>` : html`<p class="error">✗ ${t("daily.fair.invalid")}</p>`) : nothing}
    </details>`;
  }

  render() {
    const { overview, day } = this;
    return html`<top-bar here="/daily"></top-bar>
      <div class="all">
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
        ${overview && day
          ? html`${this.#renderHero(day)}
            <div class="columns">${this.#renderRanking(day)}<div class="column">${this.#renderDays(overview, day)}${this.#renderYesterday(overview)}</div></div>
            ${this.#renderFair(overview, day)}`
          : html`<section class="hero ghost"></section>`}
      </div>`;
  }
}
customElements.define("daily-page", DailyPage);
