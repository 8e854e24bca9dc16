import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { sceneStyles, scene } from "../art/scenes.js";
import { randomId } from "../api/http.js";
import { loadGames } from "../api/games.js";
import { serverInfo, savedName, normalizeName } from "../api/server-info.js";
import { EventController, LanguageController } from "../ui/controllers.js";
import { setPageTitle } from "../ui/page-title.js";
import { narrowStyles, baseStyles, formStyles } from "../ui/styles.js";
import "../ui/face-picker.js";
import { switchStyles } from "../ui/switch-styles.js";
import "../ui/top-bar.js";
import { levelName, optionName, gameTitle, variantTitle, variantSummary } from "../i18n/games.js";
import { errorMessage } from "../i18n/errors.js";
import { t } from "../i18n/translate.js";
import { navigate } from "../ui/navigation.js";
import { createTableErrorContext, createTable } from "../api/create-table.js";

/** @import { Game, Variant } from "../api/games.js" */

const CLOCKS = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300];
const DELAYS = [0, 15, 30, 60, 120, 300, 600];
const GRACES = [0, 10, 20, 40, 60, 120, 300, 600];

/** Page to create a table. It shows the most important settings, and all other settings in a collapsed section. */
export class CreateTablePage extends LitElement {
  static properties = { games: { state: true }, form: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = [
    baseStyles,
    formStyles,
    sceneStyles,
    switchStyles,
    css`
      form {
        max-width: 46rem;
        margin: 0 auto;
        padding: var(--space-3) var(--space-4) var(--space-7);
        gap: var(--space-4);
      }
      legend {
        font-weight: 600;
        padding: 0;
        margin-bottom: var(--space-1);
      }
      .games {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(6.2rem, 1fr));
        gap: var(--space-3);
      }
      .games label {
        position: relative;
        border-radius: var(--radius);
        overflow: hidden;
        background: var(--surface);
        box-shadow: var(--low);
        cursor: pointer;
        text-align: center;
        padding-bottom: var(--space-2);
      }
      .games label > svg {
        display: block;
        width: 100%;
        aspect-ratio: 16 / 9;
        background: var(--ground);
        margin-bottom: var(--space-2);
      }
      .games input {
        position: absolute;
        inset: 0;
        opacity: 0;
        width: 100%;
        height: 100%;
        margin: 0;
        cursor: pointer;
      }
      .games label:has(:checked) {
        box-shadow: 0 0 0 3px var(--accent), var(--high);
      }
      .games label:has(:checked)::after {
        content: "✓";
        position: absolute;
        top: 6px;
        inset-inline-end: 6px;
        width: 24px;
        height: 24px;
        border-radius: 50%;
        background: var(--accent);
        color: var(--on-accent);
        font-weight: 800;
        line-height: 24px;
      }
      .games label:has(:focus-visible) {
        outline: 3px solid var(--focus);
        outline-offset: 3px;
      }
      .panel {
        display: grid;
        gap: var(--space-4);
        padding: var(--space-5);
      }
      .two {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
        gap: var(--space-4);
        align-items: start;
      }
      .field small {
        color: var(--ink-soft);
        font-size: var(--text--1);
      }
      .named {
        display: flex;
        gap: var(--space-3);
        align-items: center;
      }
      .named input {
        flex: 1;
        min-width: 0;
      }
      .steps {
        display: flex;
        gap: var(--space-2);
        align-items: center;
      }
      .steps output {
        min-width: 3rem;
        text-align: center;
        font: 800 var(--text-2) / 1 var(--figures);
      }
      .steps button {
        font-size: var(--text-2);
        padding: 0;
      }
      .check {
        display: flex;
        gap: var(--space-3);
        align-items: center;
        min-height: var(--target);
        cursor: pointer;
      }
      .two .check {
        grid-column: 1 / -1;
      }
      .check span {
        flex: 1;
      }
      .check small {
        display: block;
        font-weight: 400;
        color: var(--ink-soft);
      }
      summary::before {
        content: "▸";
        margin-inline-end: var(--space-2);
        transition: transform var(--quick) var(--ease);
      }
      details[open] summary::before {
        transform: rotate(90deg);
      }
      .more {
        display: grid;
        gap: var(--space-4);
        padding-top: var(--space-3);
      }
      .send {
        position: sticky;
        bottom: 0;
        padding: var(--space-3) 0;
        background: linear-gradient(transparent, var(--paper) 30%);
        display: grid;
        gap: var(--space-2);
      }
      .send .error { /* it may lie over the form */
        padding: var(--space-2) var(--space-3);
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--low);
      }
      .send button {
        min-height: 56px;
        font-size: var(--text-1);
      }
    `,
    narrowStyles,
  ];

  #id = randomId();

  constructor() {
    super();
    /** @type {Game[]} */
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
    setPageTitle(t("shell.create_table"));
    void serverInfo.refresh();
    loadGames().then(
      (found) => {
        this.games = found;
        const asked = new URLSearchParams(location.search).get("game");
        this.#choose(found.find((each) => each.name === asked) ?? found[0]);
      },
      (error) => (this.error = errorMessage(error)),
    );
  }

  /** @param {Game} game @param {Variant} [variant] */
  #choose(game, variant = game.variants[0]) {
    const keep = this.form;
    this.form = {
      name: keep.name ?? savedName(),
      game,
      variant,
      seats: variant.options.seats ?? variant.seats[0],
      clock: game.chooses ? (variant.clock ?? 0) : 0,
      options: {},
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
  async #send(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.error = "";
    const form = this.form;
    const config = {
      game: form.game.name,
      variant: form.variant.name,
      options: { ...form.options, ...(form.seats === form.variant.options.seats ? {} : { seats: form.seats }) },
      terms: {
        clock: form.clock ? form.clock * 1000 : null,
        hints: form.hints,
        fair: form.fair,
        reveal: form.clock && form.deadline ? "at_deadline" : "when_all_in",
      },
      listed: form.listed,
      rated: this.#rated,
      spectators: form.watch,
      spectator_delay: form.delay * 1000,
      grace: form.grace * 1000,
      ...(form.level ? { bots: [form.level] } : {}),
    };
    try {
      const table = await createTable(config, this.#id, normalizeName(form.name));
      navigate(`/t/${table}`);
    } catch (error) {
      this.error = errorMessage(error, createTableErrorContext(error));
      this.#id = randomId();
    } finally {
      this.busy = false;
    }
  }

  /** @param {string} words @param {string} name @param {unknown[]} choices @param {(value: any) => unknown} label */
  #renderSelect(words, name, choices, label, hint = "") {
    return html`<div class="field">
      <label for=${name}>${words}</label>
      <select id=${name} @change=${(/** @type {Event} */ event) => {
        const value = this.#value(event);
        this.#updateSettings({ [name]: typeof choices[0] === "number" ? Number(value) : value });
      }}>
        ${choices.map((each) => html`<option value=${each} ?selected=${each === this.form[name]}>${label(each)}</option>`)}
      </select>
      ${hint ? html`<small>${hint}</small>` : nothing}
    </div>`;
  }

  /** @param {string} name @param {string} words @param {string} hint */
  #renderCheck(name, words, hint) {
    return html`<label class="check"><span>${words}<small>${hint}</small></span>
      <input type="checkbox" .checked=${this.form[name]} @change=${(/** @type {Event} */ event) => this.#updateSettings({ [name]: this.#checked(event) })}></label>`;
  }

  #renderRated() {
    const reason = this.#unratedReason;
    return html`<label class="check"><span>${t("shell.new.rated")}<small>${t(`shell.new.rated.${reason || "hint"}`)}</small></span>
      <input type="checkbox" .checked=${this.#rated} ?disabled=${reason !== ""}
        @change=${(/** @type {Event} */ event) => this.#updateSettings({ rated: this.#checked(event) })}></label>`;
  }

  /** @param {Game["options"][number]} option */
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
      return html`<label class="check"><span>${words}</span>
        <input type="checkbox" .checked=${value === true}
          @change=${(/** @type {Event} */ event) => set(this.#checked(event))}></label>`;
    }
    if (option.schema.enum) {
      return html`<div class="field"><label for=${option.name}>${words}</label>
        <select id=${option.name} @change=${(/** @type {Event} */ event) => set(this.#value(event))}>
          ${option.schema.enum.map((each) => html`<option value=${each} ?selected=${each === value}>${t(`shell.choice.${each}`)}</option>`)}
        </select></div>`;
    }
    return html`<div class="field"><label for=${option.name}>${words}</label>
      <input id=${option.name} type="number" inputmode="numeric" min="0" placeholder=${t("shell.default")} .value=${value === null ? "" : `${value}`}
        @change=${(/** @type {Event} */ event) => set(this.#value(event) === "" ? "" : Number(this.#value(event)))}></div>`;
  }

  #renderSeats() {
    const { variant, seats } = this.form;
    const [fewest, most] = variant.seats;
    return html`<div class="field" role="group" aria-labelledby="seats">
      <span id="seats"><b>${t("shell.option.seats")}</b></span>
      <div class="steps">
        <button type="button" aria-label=${t("shell.less")} ?disabled=${seats <= fewest} @click=${() => this.#updateSettings({ seats: seats - 1 })}>−</button>
        <output aria-live="polite">${seats}</output>
        <button type="button" aria-label=${t("shell.more")} ?disabled=${seats >= most} @click=${() => this.#updateSettings({ seats: seats + 1 })}>+</button>
      </div>
    </div>`;
  }

  #renderGames() {
    return html`<fieldset>
      <legend class="visually-hidden">${t("shell.new.game")}</legend>
      <div class="games">
        ${this.games.map((each) => html`<label class=${each.name}>
          <input type="radio" name="game" value=${each.name} .checked=${each === this.form.game} @change=${() => this.#choose(each)}>
          ${scene(each.name)}${gameTitle(each.name)}</label>`)}
      </div>
    </fieldset>`;
  }

  #renderMoreSettings() {
    const { game, clock, watch } = this.form;
    const secondsOr = (/** @type {string} */ none) => (/** @type {number} */ each) => (each ? t("shell.seconds", { seconds: each }) : none);
    return html`<div class="more">
      <div class="two">
        ${game.options.filter((/** @type {{name: string}} */ each) => each.name !== "seats").map((/** @type {any} */ each) => this.#renderOption(each))}
      </div>
      ${this.#renderCheck("fair", t("shell.new.fair"), t("shell.new.fair.hint"))}
      ${game.chooses ? this.#renderCheck("hints", t("shell.new.hints"), t("shell.new.hints.hint")) : nothing}
      ${game.chooses && clock ? this.#renderCheck("deadline", t("shell.new.deadline"), t("shell.new.deadline.hint")) : nothing}
      <div class="two">
        ${game.levels.length ? this.#renderSelect(t("shell.new.level"), "level", game.levels, levelName) : nothing}
        ${this.#renderSelect(t("shell.new.watch"), "watch", ["anyone", "nobody"], (each) => t(`shell.new.watch.${each}`))}
        ${watch === "anyone" ? this.#renderSelect(t("shell.new.delay"), "delay", DELAYS, secondsOr(t("shell.new.delay.none"))) : nothing}
        ${this.#renderSelect(t("shell.new.grace"), "grace", GRACES, secondsOr(t("shell.new.grace.none")))}
      </div>
    </div>`;
  }

  render() {
    const { game, variant } = this.form;
    if (!game) return html`<top-bar></top-bar>${this.error ? html`<form><p class="error" role="alert">${this.error}</p></form>` : nothing}`;
    const seconds = (/** @type {number} */ each) => (each ? t("shell.seconds", { seconds: each }) : t("shell.no_timer"));
    return html`<top-bar></top-bar>
      <form @submit=${this.#send}>
        <h1>${t("shell.create_table")}</h1>
        ${this.#renderGames()}
        <section class="panel">
          <div class="two">
            ${game.variants.length > 1
              ? html`<div class="field">
                  <label for="variant">${t("shell.new.variant")}</label>
                  <select id="variant" @change=${(/** @type {Event} */ event) => this.#choose(game, game.variants.find((/** @type {Variant} */ each) => each.name === this.#value(event)))}>
                    ${game.variants.map((/** @type {Variant} */ each) => html`<option value=${each.name} ?selected=${each === variant}>${variantTitle(game.name, each.name)}</option>`)}
                  </select>
                  <small>${variantSummary(game.name, variant.name)}</small>
                </div>`
              : nothing}
            ${variant.seats[0] < variant.seats[1] ? this.#renderSeats() : nothing}
            ${game.chooses ? this.#renderSelect(t("shell.new.clock"), "clock", [0, ...CLOCKS], seconds) : nothing}
            <div class="field">
              <label for="name">${t("shell.name.optional")}</label>
              <div class="named">
                <face-picker></face-picker>
                <input id="name" maxlength="40" autocomplete="nickname" spellcheck="false" .value=${this.form.name} placeholder=${serverInfo.player?.name ?? t("shell.name.placeholder")}
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
        <div class="send">
          ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
          <button class="main" ?disabled=${this.busy}>${t("shell.create_table")}</button>
        </div>
      </form>`;
  }
}
customElements.define("create-table-page", CreateTablePage);
