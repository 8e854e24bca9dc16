import { LitElement, html, nothing } from "../vendor/lit/index.js";
import { request } from "../api/http.js";
import { loadGames, MATCH_OPTIONS } from "../api/games.js";
import { playInParty } from "../parties/requests.js";
import { chosenName, serverInfo, savedName, normalizeName } from "../api/server-info.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import { setPageTitle } from "../ui/page-title.js";
import { narrowStyles, baseStyles, formStyles } from "../ui/styles.js";
import { creationStyles } from "../ui/creation-styles.js";
import "../ui/face-picker.js";
import { gamesField, gamesStyles, selectField, stepsField, switchField } from "../ui/form-fields.js";
import { switchStyles } from "../ui/switch-styles.js";
import "../ui/top-bar.js";
import { levelName, optionName, variantTitle, variantSummary } from "../i18n/games.js";
import { errorMessage } from "../i18n/errors.js";
import { DAY } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { navigate } from "../ui/navigation.js";
import { runRequest } from "../ui/run-request.js";
import { createTableErrorContext, createTable } from "../ui/new-table.js";

/** @import { GameOption, GameVariant, PlayableGame } from "../api/http-types.js" */

const CLOCKS = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300];
/** Days per move, in seconds as the clock. */
const DAYS = [1, 2, 3, 7].map((days) => (days * DAY) / 1000);
const DELAYS = [0, 15, 30, 60, 120, 300, 600];
const GRACES = [0, 10, 20, 40, 60, 120, 300, 600];

/** Page to create a table. It shows the most important settings, and all other settings in a collapsed section. */
export class CreateTablePage extends LitElement {
  static properties = { games: { state: true }, form: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = [
    baseStyles,
    formStyles,
    switchStyles,
    gamesStyles,
    creationStyles,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {PlayableGame[]} */
    this.games = [];
    /** @type {Record<string, any>} */
    this.form = {};
    this.error = "";
    this.busy = false;
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("shell.create_table"));
    void serverInfo.refresh();
    loadGames().then(
      (games) => {
        this.games = games;
        const asked = new URLSearchParams(location.search).get("game");
        this.#choose(games.find((game) => game.name === asked) ?? games[0]);
      },
      (error) => (this.error = errorMessage(error)),
    );
  }

  /** @param {PlayableGame} game @param {GameVariant} [variant] */
  #choose(game, variant = game.variants[0]) {
    const keep = this.form;
    this.form = {
      name: keep.name ?? savedName(),
      game,
      variant,
      seats: variant.options.seats ?? variant.seats[0],
      clock: game.chooses ? (variant.clock ?? 0) : 0,
      options: this.#party ? { ...MATCH_OPTIONS[game.name] } : {},
      level: game.levels[0] ?? "",
      listed: keep.listed ?? false,
      fair: keep.fair ?? false,
      rated: keep.rated,
      hints: keep.hints ?? true,
      deadline: false,
      watch: keep.watch ?? "anyone",
      delay: keep.delay ?? 0,
      grace: keep.grace ?? 20,
    };
  }

  /** @param {Record<string, any>} changes */
  #updateSettings(changes) {
    this.form = { ...this.form, ...changes };
  }

  /** Return why the game cannot be rated, or "". */
  get #unratedReason() {
    const { game, options, seats } = this.form;
    if (game.ladder !== "rating") return "chance";
    if (seats < 2) return "alone";
    return Object.keys(options).length ? "options" : "";
  }

  /** The days that players have for each choice; 0 if they have less time or no limit. */
  get #days() {
    return Math.floor((this.form.clock * 1000) / DAY);
  }

  /** Whether the table will be rated: as chosen, by default if the player has an account. */
  get #rated() {
    return !this.#unratedReason && (this.form.rated ?? serverInfo.player?.guest === false);
  }

  /** @param {Event} event */
  #value(event) {
    return /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;
  }

  /** @param {Event} event */
  #checked(event) {
    return /** @type {HTMLInputElement} */ (event.target).checked;
  }

  /** @param {Event} event */
  #send(event) {
    event.preventDefault();
    const form = this.form;
    const config = {
      game: form.game.name,
      variant: form.variant.name,
      options: { ...form.options, ...(form.seats === form.variant.options.seats ? {} : { seats: form.seats }) },
      terms: {
        clock: form.clock ? form.clock * 1000 : null,
        hints: form.hints,
        fair: form.fair && !this.#days,
        reveal: form.clock && form.deadline && !this.#days ? "at_deadline" : "when_all_in",
      },
      listed: form.listed,
      rated: this.#rated,
      spectators: form.watch,
      spectator_delay: form.delay * 1000,
      grace: form.grace * 1000,
      ...(form.level ? { bots: [form.level] } : {}),
    };
    return runRequest(this, async () => navigate(await this.#create(config)), createTableErrorContext);
  }

  /** The party that the address names; null for none. */
  get #party() {
    return new URLSearchParams(location.search).get("party");
  }

  /** Create the table, in the party if there is one. Return the page to go to. @param {object} config */
  async #create(config) {
    if (!this.#party) return `/t/${await createTable(config, normalizeName(this.form.name))}`;
    return playInParty(await request("GET", `/api/parties/${encodeURIComponent(this.#party)}`), config);
  }

  /** @param {string} words @param {string} name @param {any[]} choices @param {(value: any) => unknown} label */
  #renderSelect(words, name, choices, label) {
    return selectField({ id: name, words, value: this.form[name], choices, label, onChange: (value) => this.#updateSettings({ [name]: value }) });
  }

  /** @param {string} name @param {string} words @param {string} hint */
  #renderCheck(name, words, hint) {
    return switchField({ words, hint, checked: this.form[name], onChange: (checked) => this.#updateSettings({ [name]: checked }) });
  }

  #renderClock() {
    const { clock } = this.form;
    /** @param {number} value @param {string} words */
    const option = (value, words) => html`<option value=${value} ?selected=${value === clock}>${words}</option>`;
    return html`<div class="field">
      <label for="clock">${t("shell.new.clock")}</label>
      <select id="clock" @change=${(/** @type {Event} */ event) => this.#updateSettings({ clock: Number(this.#value(event)) })}>
        ${option(0, t("shell.no_timer"))}
        <optgroup label=${t("shell.new.clock.live")}>${CLOCKS.map((clock) => option(clock, t("shell.seconds", { seconds: clock })))}</optgroup>
        <optgroup label=${t("shell.new.clock.days")}>${DAYS.map((clock) => option(clock, t("shell.setting.days", { count: (clock * 1000) / DAY })))}</optgroup>
      </select>
      ${this.#days ? html`<small>${t("shell.new.clock.days.hint")}</small>` : nothing}
    </div>`;
  }

  #renderRated() {
    const reason = this.#unratedReason;
    const [words, hint] = [t("shell.new.rated"), t(`shell.new.rated.${reason || "hint"}`)];
    return switchField({ words, hint, checked: this.#rated, disabled: reason !== "", onChange: (rated) => this.#updateSettings({ rated }) });
  }

  /** @param {GameOption} option */
  #renderOption(option) {
    const { game, variant, options } = this.form;
    const words = optionName(game.name, option.name);
    const usual = variant.options[option.name] ?? option.default;
    const value = options[option.name] ?? usual;
    /** @param {any} chosen */
    const set = (chosen) => {
      const { [option.name]: _, ...others } = options;
      this.#updateSettings({ options: chosen === "" || chosen === usual ? others : { ...others, [option.name]: chosen } });
    };
    if (option.schema.type === "boolean") {
      return html`<label class="switch"><span>${words}</span>
        <input type="checkbox" .checked=${value === true}
          @change=${(/** @type {Event} */ event) => set(this.#checked(event))}></label>`;
    }
    if (option.schema.enum) {
      return html`<div class="field"><label for=${option.name}>${words}</label>
        <select id=${option.name} @change=${(/** @type {Event} */ event) => set(this.#value(event))}>
          ${option.schema.enum.map((/** @type {string} */ choice) => html`<option value=${choice} ?selected=${choice === value}>${t(`shell.choice.${choice}`)}</option>`)}
        </select></div>`;
    }
    return html`<div class="field"><label for=${option.name}>${words}</label>
      <input id=${option.name} type="number" inputmode="numeric" min="0" placeholder=${t("shell.default")} .value=${value === null ? "" : `${value}`}
        @change=${(/** @type {Event} */ event) => set(this.#value(event) === "" ? "" : Number(this.#value(event)))}></div>`;
  }

  #renderSeats() {
    const { variant, seats } = this.form;
    const [less, more] = [t("shell.less"), t("shell.more")];
    return stepsField({ id: "seats", words: t("shell.option.seats"), value: seats, range: variant.seats, less, more, onChange: (value) => this.#updateSettings({ seats: value }) });
  }

  #renderMoreSettings() {
    const { game, clock, watch } = this.form;
    const secondsOr = (/** @type {string} */ none) => (/** @type {number} */ seconds) => (seconds ? t("shell.seconds", { seconds }) : none);
    return html`<div class="more">
      <div class="two columns">
        ${game.options.filter((/** @type {GameOption} */ gameOption) => gameOption.name !== "seats").map((/** @type {GameOption} */ gameOption) => this.#renderOption(gameOption))}
      </div>
      ${this.#days ? nothing : this.#renderCheck("fair", t("shell.new.fair"), t("shell.new.fair.hint"))}
      ${game.chooses ? this.#renderCheck("hints", t("shell.new.hints"), t("shell.new.hints.hint")) : nothing}
      ${game.chooses && clock && !this.#days ? this.#renderCheck("deadline", t("shell.new.deadline"), t("shell.new.deadline.hint")) : nothing}
      <div class="two columns">
        ${game.levels.length ? this.#renderSelect(t("shell.new.level"), "level", game.levels, levelName) : nothing}
        ${this.#renderSelect(t("shell.new.watch"), "watch", ["anyone", "nobody"], (choice) => t(`shell.new.watch.${choice}`))}
        ${watch === "anyone" ? this.#renderSelect(t("shell.new.delay"), "delay", DELAYS, secondsOr(t("shell.new.delay.none"))) : nothing}
        ${this.#days ? nothing : this.#renderSelect(t("shell.new.grace"), "grace", GRACES, secondsOr(t("shell.new.grace.none")))}
      </div>
    </div>`;
  }

  render() {
    const { game, variant } = this.form;
    if (!game) return html`<top-bar></top-bar>${this.error ? html`<form class="page-body"><p class="error" role="alert">${this.error}</p></form>` : nothing}`;
    return html`<top-bar></top-bar>
      <form class="page-body" @submit=${this.#send}>
        <h1>${t("shell.create_table")}</h1>
        ${gamesField({ words: t("shell.new.game"), games: this.games, value: game, onChange: (chosen) => this.#choose(chosen) })}
        <section class="panel stack">
          <div class="two columns">
            ${game.variants.length > 1
              ? html`<div class="field">
                  <label for="variant">${t("shell.new.variant")}</label>
                  <select id="variant" @change=${(/** @type {Event} */ event) => this.#choose(game, game.variants.find((/** @type {GameVariant} */ candidate) => candidate.name === this.#value(event)))}>
                    ${game.variants.map((/** @type {GameVariant} */ candidate) => html`<option value=${candidate.name} ?selected=${candidate === variant}>${variantTitle(game.name, candidate.name)}</option>`)}
                  </select>
                  <small>${variantSummary(game.name, variant.name)}</small>
                </div>`
              : nothing}
            ${variant.seats[0] < variant.seats[1] ? this.#renderSeats() : nothing}
            ${game.chooses ? this.#renderClock() : nothing}
            <div class="field">
              <label for="name">${t("shell.name.optional")}</label>
              <div class="named aligned">
                <face-picker></face-picker>
                <input id="name" maxlength="40" autocomplete="nickname" spellcheck="false" .value=${this.form.name} placeholder=${chosenName(serverInfo.player?.name ?? "") || t("shell.name.placeholder")}
                  @input=${(/** @type {Event} */ event) => this.#updateSettings({ name: this.#value(event) })}>
              </div>
            </div>
          </div>
          ${this.#renderCheck("listed", t("shell.new.listed"), t("shell.new.listed.hint"))}
          ${this.#renderRated()}
          <details>
            <summary>${t("shell.new.all")}</summary>
            ${this.#renderMoreSettings()}
          </details>
        </section>
        <div class="send tight">
          ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
          <button class="main" ?disabled=${this.busy}>${t("shell.create_table")}</button>
        </div>
      </form>`;
  }
}
customElements.define("create-table-page", CreateTablePage);
