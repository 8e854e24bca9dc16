import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { scene, sceneStyles } from "../art/scenes.js";
import { BASE, request } from "../api/http.js";
import { errorMessage } from "../i18n/errors.js";
import { gameTitle } from "../i18n/games.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { navigate } from "../ui/navigation.js";
import { baseStyles, lowScreen, narrowStyles } from "../ui/styles.js";

/** The head of the home page: play, alone or with friends, or enter the code of a table. Event: "play". */
export class HomeHero extends LitElement {
  static properties = { game: {}, busy: { type: Boolean }, problem: {}, code: { state: true }, error: { state: true } };
  static styles = [
    baseStyles,
    sceneStyles,
    css`
      .hero {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(0, 0.9fr);
        overflow: hidden;
        border-radius: 24px;
        color: var(--on-felt);
        background: var(--ground);
        box-shadow: var(--high);
      }
      .words {
        display: grid;
        align-content: center;
        gap: var(--space-4);
        padding: clamp(1.25rem, 4vw, 3.25rem);
      }
      h1 {
        font-size: clamp(2rem, 1.1rem + 2.3vw, 3rem);
        line-height: calc(1.2 - 0.14 * var(--tight));
        letter-spacing: calc(-0.035em * var(--tight));
        text-wrap: balance;
      }
      p {
        max-width: 32rem;
        color: var(--on-felt-soft);
        text-wrap: pretty;
      }
      .ways {
        gap: var(--space-3);
        margin-top: var(--space-2);
      }
      .ways > * {
        flex: 1 1 11rem;
        max-width: 17rem;
        min-height: 4rem;
        font-size: var(--text-1);
      }
      button.gold {
        flex-direction: column;
        gap: 0;
        line-height: 1.2;
      }
      button.gold small {
        font-size: var(--text--1);
        font-weight: 500;
      }
      a.button {
        color: var(--on-felt);
        background: rgb(255 255 255 / 0.14);
        box-shadow: none;
        line-height: 1.2;
        text-align: center;
      }
      .art {
        display: grid;
        align-items: center;
        padding-inline-end: var(--space-3);
      }
      .art > svg {
        display: block;
        aspect-ratio: 16 / 9;
        width: 100%;
      }
      form {
        display: flex;
        align-items: center;
        gap: var(--space-2);
        max-width: 24rem;
        margin: var(--space-3) auto 0;
      }
      input {
        flex: 1 1 0;
        width: 100%;
        text-align: center;
        background: none;
        box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--ink-soft) 35%, transparent);
      }
      input:not(:placeholder-shown) {
        font-weight: 700;
      }
      .problem {
        color: #ffd9d5;
        font-weight: 600;
      }
      form + .error {
        margin-top: var(--space-2);
        text-align: center;
      }
      @media (max-width: 40rem) {
        .hero {
          grid-template-columns: minmax(0, 1fr);
        }
        .art {
          order: -1;
          padding: 0;
        }
        .art > svg {
          width: auto;
          height: clamp(7.5rem, 21dvh, 12rem);
          margin: 0 auto;
        }
        .ways svg {
          display: none;
        }
        .words {
          gap: var(--space-3);
          padding: var(--space-4) var(--space-4) var(--space-5);
        }
        h1 {
          font-size: var(--text-4);
        }
        .ways > * {
          flex-basis: 8rem;
          min-height: 3.75rem;
          padding-inline: var(--space-2);
        }
      }
      @media ${lowScreen} {
        .words {
          gap: var(--space-2);
          padding: var(--space-4) var(--space-5);
        }
        h1 {
          font-size: var(--text-3);
        }
        .ways > * {
          min-height: 3.5rem;
        }
        .ways svg {
          display: none;
        }
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** The game that is played alone. */
    this.game = "";
    this.busy = false;
    /** Why the last game could not be started. */
    this.problem = "";
    this.code = "";
    this.error = "";
    new LanguageController(this);
  }

  /** @param {Event} event */
  async #join(event) {
    event.preventDefault();
    const typed = this.code.trim();
    const table = /\/t\/([\w-]+)/.exec(typed)?.[1];
    const letters = (/\/([a-z]{5})\/?$/i.exec(typed)?.[1] ?? typed.replace(/[\s-]/g, "")).toUpperCase();
    this.error = "";
    if (table) return navigate(`/t/${table}`);
    if (!/^[A-Z]{5}$/.test(letters)) {
      this.error = t("errors.not_found.form");
      return;
    }
    try {
      const table = await request("GET", `/api/codes/${letters}`);
      navigate(`/t/${table.id}`);
    } catch (error) {
      this.error = errorMessage(error, "code");
    }
  }

  render() {
    return html`<section class="hero">
        <div class="words">
          <h1>${t("shell.motto")}</h1>
          <p>${t("shell.motto.summary")}</p>
          <div class="ways cluster">
            <button class="gold" ?disabled=${this.busy} @click=${() => this.dispatchEvent(new Event("play"))}>
              ${t("shell.hero.play")}<small class="block">${gameTitle(this.game)}</small></button>
            <a class="button" href="${BASE}/new?game=${this.game}">${icon("people")}${t("shell.play_with_friends")}</a>
          </div>
          ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        </div>
        <div class="art ${this.game}">${scene(this.game)}</div>
      </section>
      <form @submit=${this.#join}>
        <input aria-label=${t("shell.join.code")} placeholder=${t("shell.join.code")} .value=${this.code} autocapitalize="characters"
          autocomplete="off" spellcheck="false" maxlength="200"
          @input=${(/** @type {Event} */ event) => (this.code = /** @type {HTMLInputElement} */ (event.target).value)}>
        ${this.code.trim() ? html`<button class="main">${t("shell.join")}</button>` : nothing}
      </form>
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}`;
  }
}
customElements.define("home-hero", HomeHero);
