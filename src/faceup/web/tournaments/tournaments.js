import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { loadGames } from "../api/games.js";
import { BASE } from "../api/http.js";
import { normalizeName, savedName, serverInfo } from "../api/server-info.js";
import { createTournament, loadMyTournaments } from "./requests.js";
import { tournamentName } from "./tournament-parts.js";
import { errorMessage } from "../i18n/errors.js";
import { levelName, variantSummary, variantTitle } from "../i18n/games.js";
import { t } from "../i18n/translate.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import { creationStyles } from "../ui/creation-styles.js";
import { gamesField, gamesStyles, selectField, stepsField, switchField } from "../ui/form-fields.js";
import { navigate } from "../ui/navigation.js";
import { setPageTitle } from "../ui/page-title.js";
import { runRequest } from "../ui/run-request.js";
import { baseStyles, formStyles, narrowStyles } from "../ui/styles.js";
import { switchStyles } from "../ui/switch-styles.js";
import "../ui/top-bar.js";

/** @import { GameVariant, PlayableGame, TournamentEntry } from "../api/http-types.js" */

const CLOCKS = [5, 10, 15, 20, 30, 45, 60, 90, 120];
/** Seconds between two rounds. */
const BREAKS = [0, 15, 30, 60, 120, 300, 600];
/** Minutes that a round lasts at most. */
const ROUND_TIMES = [5, 10, 15, 20, 30, 45, 60, 90, 120];
const MAX_ROUNDS = 20;
/** Seconds of the clock in a game that has none by default. */
const CLOCK = 30;

/** Page with the player's tournaments and the form for a new one. */
export class TournamentsPage extends LitElement {
  static properties = { games: { state: true }, form: { state: true }, myTournaments: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = [
    baseStyles,
    formStyles,
    switchStyles,
    gamesStyles,
    creationStyles,
    css`
      .mine {
        max-width: 46rem;
        margin: 0 auto;
        padding: var(--space-3) var(--space-4) 0;
        display: grid;
        gap: var(--space-3);
      }
      .mine a {
        gap: var(--space-1) var(--space-3);
        min-height: 3.25rem;
        padding: var(--space-2) var(--space-4);
        overflow-wrap: anywhere;
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {PlayableGame[]} */
    this.games = [];
    /** @type {Record<string, any>} */
    this.form = {};
    /** @type {TournamentEntry[]} */
    this.myTournaments = [];
    this.error = "";
    this.busy = false;
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("tournaments.title"));
    void this.#loadMyTournaments();
    loadGames().then(
      (games) => {
        this.games = games;
        this.#choose(games[0]);
      },
      (error) => (this.error = errorMessage(error)),
    );
  }

  async #loadMyTournaments() {
    await serverInfo.refresh();
    if (serverInfo.player) this.myTournaments = await loadMyTournaments().catch(() => []);
  }

  /** @param {PlayableGame} game @param {GameVariant} [variant] */
  #choose(game, variant = game.variants[0]) {
    const keep = this.form;
    this.form = {
      name: "",
      format: "swiss",
      rounds: 5,
      break: 60,
      round_time: 30,
      join_until: 1,
      late: false,
      bots: false,
      rated: false,
      watch: "anyone",
      begin: "host",
      admission: "anyone",
      at: nextHour(),
      ...keep,
      game,
      variant,
      seats: Math.min(Math.max(4, variant.seats[0]), variant.seats[1]),
      clock: variant.clock ?? CLOCK,
      level: game.levels.includes(keep.level) ? keep.level : (game.levels[1] ?? game.levels[0] ?? ""),
    };
  }

  /** @param {Record<string, any>} changes */
  #update(changes) {
    this.form = { ...this.form, ...changes };
  }

  /** Whether the tables can be rated: only the number of seats differs from the defaults. */
  get #ratable() {
    return this.form.game.ladder === "rating";
  }

  get #settings() {
    const form = this.form;
    const seats = form.seats === form.variant.options.seats ? {} : { seats: form.seats };
    return {
      name: normalizeName(form.name),
      table: {
        game: form.game.name,
        variant: form.variant.name,
        options: seats,
        terms: { clock: form.clock * 1000, hints: false },
        rated: form.rated && this.#ratable,
        spectators: form.watch,
        ...(form.bots ? { bots: [form.level || "random"] } : {}),
      },
      format: form.format,
      rounds: form.rounds,
      join_until: Math.min(form.join_until, form.rounds),
      late_half: form.late,
      admission: form.admission,
      break_time: form.break * 1000,
      round_time: form.round_time * 60_000,
      ...(form.begin === "time" ? { starts_at: new Date(form.at).getTime() } : {}),
    };
  }

  /** @param {Event} event */
  #send(event) {
    event.preventDefault();
    const create = async () => {
      const { tournament } = await createTournament(this.#settings, serverInfo.player ? "" : normalizeName(savedName()));
      navigate(`/tournaments/${tournament.id}`);
    };
    return runRequest(this, create, "tournaments");
  }

  /** @param {string} words @param {string} name @param {any[]} choices @param {(value: any) => unknown} label */
  #renderSelect(words, name, choices, label) {
    return selectField({ id: name, words, value: this.form[name], choices, label, onChange: (value) => this.#update({ [name]: value }) });
  }

  /** @param {string} name @param {string} words @param {string} hint */
  #renderSwitch(name, words, hint, disabled = false) {
    return switchField({ words, hint, checked: this.form[name] && !disabled, disabled, onChange: (checked) => this.#update({ [name]: checked }) });
  }

  /** @param {string} words @param {string} name @param {[number, number]} range */
  #renderSteps(words, name, range) {
    const [less, more] = [t("tournaments.fewer", { what: words }), t("tournaments.more", { what: words })];
    return stepsField({ id: name, words, value: this.form[name], range, less, more, onChange: (value) => this.#update({ [name]: value }) });
  }

  #renderMine() {
    if (!this.myTournaments.length) return nothing;
    return html`<section class="mine" aria-labelledby="mine">
      <h2 id="mine">${t("tournaments.mine")}</h2>
      <ul class="tight">${this.myTournaments.map(({ id, tournament, name, host }) => html`<li><a class="cluster apart surface" href="${BASE}/tournaments/${id}">
        <b>${tournamentName(tournament)}</b>
        <span class="soft small">${[host ? t("tournaments.mine.host") : "", name ? t("tournaments.mine.as", { name }) : ""].filter(Boolean).join(" · ")}</span></a></li>`)}</ul>
    </section>`;
  }

  #renderTable() {
    const { game, variant } = this.form;
    const seconds = (/** @type {number} */ duration) => t("shell.seconds", { seconds: duration });
    return html`<section class="panel stack">
      <div class="field">
        <label for="name">${t("tournaments.name")}</label>
        <input id="name" required maxlength="40" autocomplete="off" .value=${this.form.name} placeholder=${t("tournaments.name.example")}
          @input=${(/** @type {Event} */ event) => this.#update({ name: /** @type {HTMLInputElement} */ (event.target).value })}>
      </div>
      <div class="two columns">
        ${game.variants.length > 1
          ? selectField({
              id: "variant",
              words: t("shell.new.variant"),
              value: variant.name,
              choices: game.variants.map((/** @type {GameVariant} */ variant) => variant.name),
              label: (name) => variantTitle(game.name, name),
              hint: variantSummary(game.name, variant.name),
              onChange: (name) => this.#choose(game, game.variants.find((/** @type {GameVariant} */ variant) => variant.name === name)),
            })
          : nothing}
        ${variant.seats[0] < variant.seats[1] ? this.#renderSteps(t("tournaments.seats"), "seats", [Math.max(2, variant.seats[0]), variant.seats[1]]) : nothing}
        ${this.#renderSteps(t("tournaments.rounds"), "rounds", [1, MAX_ROUNDS])}
        ${this.#renderSelect(t("shell.new.clock"), "clock", CLOCKS.includes(this.form.clock) ? CLOCKS : [this.form.clock, ...CLOCKS], seconds)}
      </div>
      ${this.#renderSelect(t("tournaments.format"), "format", ["swiss", "mixed"], (choice) => t(`tournaments.format.${choice}`))}
    </section>`;
  }

  #renderTimes() {
    const { begin, rounds } = this.form;
    const pause = (/** @type {number} */ duration) => (duration === 0 ? t("tournaments.none") : duration < 60 ? t("shell.seconds", { seconds: duration }) : t("tournaments.minutes", { minutes: duration / 60 }));
    const until = Array.from({ length: rounds }, (_, index) => index + 1);
    return html`<section class="panel stack">
      <div class="two columns">
        ${this.#renderSelect(t("tournaments.begin"), "begin", ["host", "time"], (choice) => t(`tournaments.begin.${choice}`))}
        ${begin === "time"
          ? html`<div class="field"><label for="at">${t("tournaments.at")}</label>
              <input id="at" type="datetime-local" required .value=${this.form.at}
                @change=${(/** @type {Event} */ event) => this.#update({ at: /** @type {HTMLInputElement} */ (event.target).value })}></div>`
          : nothing}
        ${this.#renderSelect(t("tournaments.break"), "break", BREAKS, pause)}
        ${this.#renderSelect(t("tournaments.round_time"), "round_time", ROUND_TIMES, (minutes) => t("tournaments.minutes", { minutes }))}
        ${this.#renderSelect(t("tournaments.join_until"), "join_until", until, (round) => (round === 1 ? t("tournaments.join_until.start") : t("tournaments.join_until.round", { round })))}
      </div>
      ${this.#renderSelect(t("tournaments.admission"), "admission", ["anyone", "account", "approval"], (choice) => t(`tournaments.admission.${choice}`))}
      ${this.form.join_until > 1 ? this.#renderSwitch("late", t("tournaments.late"), t("tournaments.late.hint")) : nothing}
    </section>`;
  }

  #renderSeats() {
    const { game, bots } = this.form;
    return html`<section class="panel stack">
      ${this.#renderSwitch("bots", t("tournaments.bots"), t("tournaments.bots.hint"))}
      <div class="two columns">
        ${bots && game.levels.length ? this.#renderSelect(t("shell.new.level"), "level", game.levels, levelName) : nothing}
        ${this.#renderSelect(t("shell.new.watch"), "watch", ["anyone", "nobody"], (choice) => t(`shell.new.watch.${choice}`))}
      </div>
      ${this.#renderSwitch("rated", t("shell.new.rated"), t(this.#ratable ? "shell.new.rated.hint" : "shell.new.rated.chance"), !this.#ratable)}
    </section>`;
  }

  render() {
    const { game } = this.form;
    return html`<top-bar></top-bar>
      ${this.#renderMine()}
      <form class="page-body" @submit=${this.#send}>
        <h1>${t("tournaments.new")}</h1>
        <p class="soft">${t("tournaments.intro")}</p>
        ${game
          ? html`${gamesField({ words: t("shell.new.game"), games: this.games, value: game, onChange: (chosen) => this.#choose(chosen) })}
              ${this.#renderTable()}${this.#renderTimes()}${this.#renderSeats()}
              <div class="send tight">
                ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
                <button class="main" ?disabled=${this.busy}>${t("tournaments.create")}</button>
              </div>`
          : this.error
            ? html`<p class="error" role="alert">${this.error}</p>`
            : nothing}
      </form>`;
  }
}
customElements.define("tournaments-page", TournamentsPage);

/** Return the next full hour on this device's clock, for an input of the type "datetime-local". */
function nextHour() {
  const at = new Date(Math.ceil((Date.now() + 60_000) / 3_600_000) * 3_600_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
