import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { face } from "../art/faces.js";
import { formatList } from "../i18n/format.js";
import { gameTitle, variantTitle } from "../i18n/games.js";
import { listedName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { closeButton, closeOnBackdrop } from "../ui/dialog-parts.js";
import { icon } from "../ui/icons.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";

/** @import { GameToWatch } from "../api/http-types.js" */

/** The number of faces that are shown of a game. */
const FACES = 5;

/** Dialog with the public games in progress. Event: "watch", with the id of the table as its detail. */
export class WatchList extends LitElement {
  static properties = { games: { attribute: false }, current: {} };
  static styles = [
    baseStyles,
    css`
      dialog {
        width: min(34rem, calc(100vw - 1.5rem));
      }
      header {
        margin-bottom: var(--space-3);
      }
      ul {
        grid-template-columns: minmax(0, 1fr);
      }
      li button {
        width: 100%;
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        justify-content: stretch;
        text-align: start;
        gap: var(--space-1) var(--space-3);
        padding: var(--space-3);
        font-weight: 400;
      }
      li button[aria-current] {
        outline: 2px solid var(--accent);
        outline-offset: -2px;
      }
      .faces,
      svg:not(.face) {
        justify-self: end;
      }
      small {
        grid-column: 1 / -1;
      }
      .faces {
        display: flex;
        align-self: center;
      }
      .face {
        width: 30px;
      }
      .face + .face {
        margin-inline-start: -8px;
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {GameToWatch[]} */
    this.games = [];
    /** The table that is shown. */
    this.current = "";
    new LanguageController(this);
  }

  get #dialog() {
    return /** @type {HTMLDialogElement} */ (this.renderRoot.querySelector("dialog"));
  }

  open() {
    this.#dialog.showModal();
  }

  /** @param {string} table */
  #choose(table) {
    this.#dialog.close();
    if (table !== this.current) this.dispatchEvent(new CustomEvent("watch", { detail: table }));
  }

  /** @param {GameToWatch} game */
  #renderGame({ table, game, variant, rated, decision, late, paused, delay, seats }) {
    const players = seats.flatMap((seat) => (seat ? [seat] : []));
    const ratings = players.flatMap(({ rating }) => (rating === null ? [] : [rating]));
    const facts = [
      t("watch.decision", { number: decision + 1 }),
      t(rated ? "table.rated" : "table.unrated"),
      ...(ratings.length ? [t("watch.best_rating", { rating: Math.max(...ratings) })] : []),
      ...(paused ? [t("watch.paused")] : late ? [t("watch.late")] : []),
      ...(delay ? [t("watch.delay", { count: delay / 1000 })] : []),
    ];
    return html`<li><button aria-current=${table === this.current ? "true" : nothing} @click=${() => this.#choose(table)}>
      <b>${gameTitle(game)} · ${variantTitle(game, variant)}</b>
      <span class="faces" aria-hidden="true">${players.slice(0, FACES).map((player) => face(player, seats.indexOf(player)))}</span>
      <span class="names cut">${formatList(players.map(listedName))}</span>
      ${table === this.current ? icon("eye") : nothing}
      <small class="soft small">${facts.join(" · ")}</small>
    </button></li>`;
  }

  render() {
    return html`<dialog autofocus aria-labelledby="title" @click=${closeOnBackdrop}>
      <header class="apart"><h2 id="title">${t("watch.list")}</h2>${closeButton()}</header>
      <ul class="tight">${this.games.map((game) => this.#renderGame(game))}</ul>
    </dialog>`;
  }
}
customElements.define("watch-list", WatchList);
