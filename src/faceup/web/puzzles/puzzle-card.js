import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { loadPuzzleOverview } from "./requests.js";
import { BASE } from "../api/http.js";
import { flame } from "../art/flame.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { cardLinkStyles } from "../ui/list-styles.js";
import { icon } from "../ui/icons.js";
import { baseStyles } from "../ui/styles.js";

/** @import { PuzzleOverview } from "../api/http-types.js" */

/** Link to the puzzles on the home page, with the streak. */
export class PuzzleCard extends LitElement {
  static properties = { overview: { state: true } };
  static styles = [
    baseStyles,
    cardLinkStyles,
    css`
      a {
        --tile: radial-gradient(90% 160% at 12% -20%, #5661b8, #3a4391 45%, #272e69);
      }
      .pair {
        position: relative;
        width: 2.875rem;
        height: 3.25rem;
      }
      .pair i {
        position: absolute;
        inset: 0 0 0 0.5rem;
        border-radius: 7px;
        background: var(--card);
        box-shadow: var(--low);
        transform: rotate(9deg);
      }
      .pair i:first-child {
        inset: 2px 0.625rem 0 0;
        transform: rotate(-10deg);
        filter: brightness(0.86);
      }
      .pair b {
        position: absolute;
        inset: 0 0 0 0.5rem;
        display: grid;
        place-items: center;
        transform: rotate(9deg);
        color: var(--card-ink);
        font: 800 1.6rem / 1 var(--figures);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {PuzzleOverview | null} */
    this.overview = null;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    loadPuzzleOverview().then(
      (overview) => (this.overview = overview),
      () => undefined, // the link works anyway
    );
  }

  get #state() {
    const { tried = 0, solved = 0, next = true } = this.overview ?? {};
    if (!next) return t("shell.puzzles.done");
    return tried ? t("shell.puzzles.solved", { solved, count: tried }) : t("shell.puzzles.summary");
  }

  render() {
    const streak = this.overview?.streak ?? 0;
    const words = t("shell.puzzles.streak", { count: streak });
    return html`<a class="aligned tile" href="${BASE}/puzzles">
      <span class="pair rigid" aria-hidden="true"><i></i><i></i><b>?</b></span>
      <span class="words grow"><b>${t("shell.puzzles")}</b><span>${this.#state}</span></span>
      ${streak ? html`<span class="streak" title=${words}><span class="flames" aria-hidden="true">${flame}${streak}</span><span class="visually-hidden">${words}</span></span>` : nothing}
      <span class="go">${icon("next")}</span>
    </a>`;
  }
}
customElements.define("puzzle-card", PuzzleCard);
