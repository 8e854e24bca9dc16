import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { GAMES, MATCH_OPTIONS, loadGames } from "../api/games.js";
import { BASE, request } from "../api/http.js";
import { playInParty } from "./requests.js";
import { errorMessage } from "../i18n/errors.js";
import { gameTitle, variantTitle } from "../i18n/games.js";
import { listedName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { gamesField, gamesStyles } from "../ui/form-fields.js";
import { icon } from "../ui/icons.js";
import { navigate } from "../ui/navigation.js";
import { runRequest } from "../ui/run-request.js";
import { baseStyles, narrowStyles } from "../ui/styles.js";

/** @import { PartyTable, PartyView } from "../api/http-types.js" */
/** @import { PartySource } from "./requests.js" */

/** The running table of a party, with a seat by one tap, and the choice of the next game. */
export class PartyPlay extends LitElement {
  static properties = { party: { attribute: false }, source: { attribute: false }, game: { state: true }, busy: { state: true }, error: { state: true }, another: { state: true } };
  static styles = [
    baseStyles,
    gamesStyles,
    css`
      .tile {
        gap: var(--space-4);
        padding: var(--space-5);
      }
      p,
      small {
        color: var(--on-felt-soft);
      }
      .game {
        font-weight: 700;
        color: var(--on-felt);
      }
      .seats {
        gap: var(--space-1) var(--space-2);
        margin-top: var(--space-2);
      }
      .seats .chip {
        font-size: var(--text-0);
        background: rgb(0 0 0 / 0.24);
        unicode-bidi: isolate;
      }
      .games {
        --game: rgb(0 0 0 / 0.24);
        --chosen: #ffc940;
        --on-chosen: #3a2a00;
        --ring: #fff;
        grid-template-columns: repeat(3, 1fr);
      }
      .quiet {
        color: inherit;
      }
      .row {
        gap: var(--space-1);
        margin-inline: calc(-1 * var(--space-4));
        margin-block: calc(-1 * var(--space-2));
      }
      .error {
        color: #ffd0ca;
      }
      @media (max-width: 26rem) {
        .tile {
          padding: var(--space-4);
        }
        .games {
          gap: var(--space-2);
        }
        label {
          font-size: var(--text--1);
        }
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** @type {PartyView | null} */
    this.party = null;
    /** @type {PartySource | null} */
    this.source = null;
    /** The game that the player chose; "" for the one of the last settings. */
    this.game = "";
    this.busy = false;
    this.error = "";
    /** Whether to start another table although one is running. */
    this.another = false;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    void loadGames().then(
      () => this.requestUpdate(),
      (error) => (this.error = errorMessage(error)),
    );
  }

  /** The table that is open or at which a game is on. @returns {PartyTable | null} */
  get #running() {
    const table = this.party?.table;
    return table && (table.status === "pending" || table.status === "active") ? table : null;
  }

  /** @param {PartyTable} table */
  #sit({ id, place }) {
    return runRequest(this, async () => {
      if (place === "reserved" || place === "free") await request("POST", `/api/tables/${id}/commands`, { command: "sit" });
      navigate(`/t/${id}`);
    }, "sit");
  }

  /** @param {PartyView} party @param {string} game */
  #play(party, game) {
    const config = party.config?.game === game ? null : { game, options: MATCH_OPTIONS[game] ?? {} };
    return runRequest(this, async () => {
      const next = await playInParty(party, config);
      if (next.startsWith("/t/")) return navigate(next);
      this.another = false;
      await this.source?.reload();
    }, "sit");
  }

  /** @param {PartyTable} table */
  #renderTable(table) {
    const { game, variant, seats } = table.summary;
    const free = seats.filter((seat) => !seat).length;
    const words = table.place ? { seat: "return", reserved: "take", free: "take" }[table.place] : "watch";
    return html`<div>
        <h2>${t(`party.table.${table.status}`)}</h2>
        <p class="game">${gameTitle(game)} · ${variantTitle(game, variant)}</p>
        <div class="seats cluster">${seats.map((seat) => (seat ? html`<span class="chip">${listedName(seat)}</span>` : nothing))}${free ? html`<span class="chip">${t("party.table.empty", { count: free })}</span>` : nothing}</div>
      </div>
      <button class="gold large" ?disabled=${this.busy} @click=${() => this.#sit(table)}>${t(`party.table.${words}`)}</button>
      <div class="row cluster"><button class="quiet" @click=${() => (this.another = true)}>${t("party.play.another")}</button></div>`;
  }

  /** @param {PartyView} party */
  #renderChoice(party) {
    const games = [...GAMES.keys()];
    const chosen = this.game || party.config?.game || games[0];
    const presentCount = party.members.filter((member) => member.here).length;
    const last = party.table?.status === "finished" ? party.table : null;
    return html`<div>
        <h2>${t(last ? "party.play.next" : "party.play.title")}</h2>
        <p>${t("party.play.hint", { count: presentCount })}</p>
      </div>
      ${gamesField({ words: t("party.play.title"), games: games.map((name) => ({ name })), value: { name: chosen }, onChange: ({ name }) => (this.game = name) })}
      <button class="gold large" ?disabled=${this.busy} @click=${() => this.#play(party, chosen)}>${icon("play")}${t("party.play")}</button>
      <div class="row cluster">
        <a class="button quiet" href="${BASE}/new?party=${party.id}&game=${chosen}">${icon("gear")}${t("party.play.settings")}</a>
        ${last ? html`<a class="button quiet" href="${BASE}/t/${last.id}/replay">${icon("film")}${t("party.table.last")}</a>` : nothing}
      </div>`;
  }

  render() {
    const { party } = this;
    if (!party) return nothing;
    const running = this.another ? null : this.#running;
    return html`<section class="tight tile">
      ${running ? this.#renderTable(running) : this.#renderChoice(party)}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
    </section>`;
  }
}
customElements.define("party-play", PartyPlay);
