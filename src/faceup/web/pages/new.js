import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { grounds, scene } from "../art/scenes.js";
import { newId } from "../live/api.js";
import { games } from "../live/games.js";
import { house, remembered, trimmed } from "../live/house.js";
import { title } from "../manners/title.js";
import { narrow, sheet } from "../parts/sheet.js";
import "../parts/top-bar.js";
import { levelName, optionName, titleOf, variantOf, variantSays } from "../words/games.js";
import { refused } from "../words/refused.js";
import { say } from "../words/say.js";
import { go } from "./go.js";
import { aboutOpening, openTable } from "./opening.js";

/** @import { Game, Variant } from "../live/games.js" */

const CLOCKS = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300];
const DELAYS = [0, 15, 30, 60, 120, 300, 600];
const GRACES = [0, 10, 20, 40, 60, 120, 300, 600];

/** Open a table: the few things that matter, and behind a fold all the others. */
export class NewPage extends LitElement {
  static properties = { games: { state: true }, wish: { state: true }, said: { state: true }, busy: { state: true } };
  static styles = [
    sheet,
    grounds,
    css`
      form {
        max-width: 46rem;
        margin: 0 auto;
        padding: var(--space-3) var(--space-4) var(--space-7);
        display: grid;
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
      .games svg {
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
      .field {
        display: grid;
        gap: var(--space-1);
      }
      .field small {
        color: var(--ink-soft);
        font-size: var(--text--1);
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
      .check span {
        flex: 1;
      }
      .check small {
        display: block;
        font-weight: 400;
        color: var(--ink-soft);
      }
      input[type="checkbox"] {
        appearance: none;
        flex: none;
        width: 48px;
        height: 28px;
        min-height: 0;
        padding: 0;
        margin: 0;
        border-radius: 14px;
        background: var(--ink-soft);
        position: relative;
        cursor: pointer;
        transition: background var(--quick) var(--ease);
      }
      input[type="checkbox"]::before {
        content: "";
        position: absolute;
        top: 3px;
        left: 3px;
        width: 22px;
        height: 22px;
        border-radius: 50%;
        background: var(--surface);
        box-shadow: var(--low);
        transition: transform var(--quick) var(--ease);
      }
      input[type="checkbox"]:checked {
        background: var(--accent);
      }
      input[type="checkbox"]:checked::before {
        transform: translateX(20px);
      }
      summary {
        cursor: pointer;
        font-weight: 600;
        min-height: var(--target);
        display: flex;
        align-items: center;
        color: var(--accent);
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
      .send button {
        min-height: 56px;
        font-size: var(--text-1);
      }
      .said {
        color: var(--danger);
        font-weight: 600;
      }
    `,
    narrow,
  ];

  #id = newId();
  #words = () => this.requestUpdate();

  constructor() {
    super();
    /** @type {Game[]} */
    this.games = [];
    /** @type {Record<string, any>} */
    this.wish = {};
    this.said = "";
    this.busy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    title(say("shell.new"));
    addEventListener("language", this.#words);
    void house.ask();
    games().then(
      (found) => {
        this.games = found;
        const asked = new URLSearchParams(location.search).get("game");
        this.#choose(found.find((each) => each.name === asked) ?? found[0]);
      },
      (error) => (this.said = refused(error)),
    );
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("language", this.#words);
  }

  /** @param {Game} game @param {Variant} [variant] */
  #choose(game, variant = game.variants[0]) {
    const keep = this.wish;
    this.wish = {
      name: keep.name ?? remembered(),
      game,
      variant,
      seats: variant.options.seats ?? variant.seats[0],
      clock: game.chooses ? (variant.clock ?? 0) : 0,
      options: {},
      level: game.levels[0] ?? "",
      listed: keep.listed ?? false,
      fair: keep.fair ?? false,
      hints: keep.hints ?? true,
      deadline: false,
      watch: keep.watch ?? "anyone",
      delay: keep.delay ?? 0,
      grace: keep.grace ?? 20,
    };
  }

  /** @param {Record<string, any>} changes */
  #set(changes) {
    this.wish = { ...this.wish, ...changes };
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
    this.said = "";
    const wish = this.wish;
    const opening = {
      game: wish.game.name,
      variant: wish.variant.name,
      options: { ...wish.options, ...(wish.seats === wish.variant.options.seats ? {} : { seats: wish.seats }) },
      terms: {
        clock: wish.clock ? wish.clock * 1000 : null,
        hints: wish.hints,
        fair: wish.fair,
        reveal: wish.clock && wish.deadline ? "at_deadline" : "when_all_in",
      },
      listed: wish.listed,
      watch: wish.watch,
      watch_delay: wish.delay * 1000,
      grace: wish.grace * 1000,
      ...(wish.level ? { bots: [wish.level] } : {}),
    };
    try {
      const table = await openTable(opening, this.#id, trimmed(wish.name));
      go(`/t/${table}`);
    } catch (error) {
      this.said = refused(error, aboutOpening(error));
      this.#id = newId();
    } finally {
      this.busy = false;
    }
  }

  /** @param {string} words @param {string} name @param {unknown[]} choices @param {(value: any) => unknown} told */
  #select(words, name, choices, told, says = "") {
    return html`<div class="field">
      <label for=${name}>${words}</label>
      <select id=${name} @change=${(/** @type {Event} */ event) => {
        const value = this.#value(event);
        this.#set({ [name]: typeof choices[0] === "number" ? Number(value) : value });
      }}>
        ${choices.map((each) => html`<option value=${each} ?selected=${each === this.wish[name]}>${told(each)}</option>`)}
      </select>
      ${says ? html`<small>${says}</small>` : nothing}
    </div>`;
  }

  /** @param {string} name @param {string} words @param {string} says */
  #check(name, words, says) {
    return html`<label class="check"><span>${words}<small>${says}</small></span>
      <input type="checkbox" .checked=${this.wish[name]} @change=${(/** @type {Event} */ event) => this.#set({ [name]: this.#checked(event) })}></label>`;
  }

  /** @param {Game["options"][number]} option */
  #option(option) {
    const { game, variant, options } = this.wish;
    const words = optionName(game.name, option.name);
    const usual = variant.options[option.name] ?? option.usual;
    const value = options[option.name] ?? usual;
    /** @param {any} chosen */
    const set = (chosen) => {
      const { [option.name]: _, ...others } = options;
      this.#set({ options: chosen === "" || chosen === usual ? others : { ...others, [option.name]: chosen } });
    };
    if (option.schema.type === "boolean") {
      return html`<label class="check"><span>${words}</span>
        <input type="checkbox" .checked=${value === true}
          @change=${(/** @type {Event} */ event) => set(this.#checked(event))}></label>`;
    }
    if (option.schema.enum) {
      return html`<div class="field"><label for=${option.name}>${words}</label>
        <select id=${option.name} @change=${(/** @type {Event} */ event) => set(this.#value(event))}>
          ${option.schema.enum.map((each) => html`<option value=${each} ?selected=${each === value}>${say(`shell.choice.${each}`)}</option>`)}
        </select></div>`;
    }
    return html`<div class="field"><label for=${option.name}>${words}</label>
      <input id=${option.name} type="number" inputmode="numeric" min="0" placeholder=${say("shell.usual")} .value=${value === null ? "" : `${value}`}
        @change=${(/** @type {Event} */ event) => set(this.#value(event) === "" ? "" : Number(this.#value(event)))}></div>`;
  }

  #seats() {
    const { variant, seats } = this.wish;
    const [fewest, most] = variant.seats;
    return html`<div class="field" role="group" aria-labelledby="seats">
      <span id="seats"><b>${say("shell.option.seats")}</b></span>
      <div class="steps">
        <button type="button" aria-label=${say("shell.fewer")} ?disabled=${seats <= fewest} @click=${() => this.#set({ seats: seats - 1 })}>−</button>
        <output aria-live="polite">${seats}</output>
        <button type="button" aria-label=${say("shell.more")} ?disabled=${seats >= most} @click=${() => this.#set({ seats: seats + 1 })}>+</button>
      </div>
    </div>`;
  }

  render() {
    const { game, variant } = this.wish;
    if (!game) return html`<top-bar></top-bar>${this.said ? html`<form><p class="said" role="alert">${this.said}</p></form>` : nothing}`;
    const seconds = (/** @type {number} */ each) => (each ? say("shell.seconds", { seconds: each }) : say("shell.noclock"));
    return html`<top-bar></top-bar>
      <form @submit=${this.#send}>
        <h1>${say("shell.new")}</h1>
        <fieldset>
          <legend class="seen-by-readers-alone">${say("shell.new.game")}</legend>
          <div class="games">
            ${this.games.map((each) => html`<label class=${each.name}>
              <input type="radio" name="game" value=${each.name} .checked=${each === game} @change=${() => this.#choose(each)}>
              ${scene(each.name)}${titleOf(each.name)}</label>`)}
          </div>
        </fieldset>
        <section class="panel">
          <div class="two">
            ${game.variants.length > 1
              ? html`<div class="field">
                  <label for="variant">${say("shell.new.variant")}</label>
                  <select id="variant" @change=${(/** @type {Event} */ event) => this.#choose(game, game.variants.find((/** @type {Variant} */ each) => each.name === this.#value(event)))}>
                    ${game.variants.map((/** @type {Variant} */ each) => html`<option value=${each.name} ?selected=${each === variant}>${variantOf(game.name, each.name)}</option>`)}
                  </select>
                  <small>${variantSays(game.name, variant.name)}</small>
                </div>`
              : nothing}
            ${variant.seats[0] < variant.seats[1] ? this.#seats() : nothing}
            ${game.chooses ? this.#select(say("shell.new.clock"), "clock", [0, ...CLOCKS], seconds) : nothing}
            <div class="field">
              <label for="name">${say("shell.name.optional")}</label>
              <input id="name" maxlength="40" autocomplete="nickname" spellcheck="false" .value=${this.wish.name} placeholder=${house.you?.name ?? say("shell.name.any")}
                @input=${(/** @type {Event} */ event) => this.#set({ name: this.#value(event) })}>
            </div>
          </div>
          ${this.#check("listed", say("shell.new.listed"), say("shell.new.listed.says"))}
          <details>
            <summary>${say("shell.new.all")}</summary>
            <div class="more">
              <div class="two">
                ${game.options.filter((/** @type {{name: string}} */ each) => each.name !== "seats").map((/** @type {any} */ each) => this.#option(each))}
              </div>
              ${this.#check("fair", say("shell.new.fair"), say("shell.new.fair.says"))}
              ${game.chooses ? this.#check("hints", say("shell.new.hints"), say("shell.new.hints.says")) : nothing}
              ${game.chooses && this.wish.clock ? this.#check("deadline", say("shell.new.deadline"), say("shell.new.deadline.says")) : nothing}
              <div class="two">
                ${game.levels.length ? this.#select(say("shell.new.level"), "level", game.levels, levelName) : nothing}
                ${this.#select(say("shell.new.watch"), "watch", ["anyone", "nobody"], (each) => say(`shell.new.watch.${each}`))}
                ${this.wish.watch === "anyone" ? this.#select(say("shell.new.delay"), "delay", DELAYS, (each) => (each ? say("shell.seconds", { seconds: each }) : say("shell.new.delay.none"))) : nothing}
                ${this.#select(say("shell.new.grace"), "grace", GRACES, (each) => (each ? say("shell.seconds", { seconds: each }) : say("shell.new.grace.none")))}
              </div>
            </div>
          </details>
        </section>
        <div class="send">
          ${this.said ? html`<p class="said" role="alert">${this.said}</p>` : nothing}
          <button class="main" ?disabled=${this.busy}>${say("shell.new.open")}</button>
        </div>
      </form>`;
  }
}
customElements.define("new-page", NewPage);
