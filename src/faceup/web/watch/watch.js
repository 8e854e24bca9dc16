import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { Connection } from "../api/connection.js";
import { joinQuickMatch, createTableErrorContext } from "../ui/new-table.js";
import { loadGames } from "../api/games.js";
import { BASE } from "../api/http.js";
import { loadGamesToWatch } from "./requests.js";
import { errorMessage } from "../i18n/errors.js";
import { gameTitle } from "../i18n/games.js";
import { hasTranslation, t } from "../i18n/translate.js";
import "../table/faceup-table.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { announce } from "../ui/live-region.js";
import { navigate } from "../ui/navigation.js";
import { setPageTitle } from "../ui/page-title.js";
import { runRequest } from "../ui/run-request.js";
import { settings, updateSettings } from "../ui/settings.js";
import { baseStyles, screenStyles, tableScreenStyles } from "../ui/styles.js";
import "./watch-list.js";
import "./watch-next.js";

/** @import { GameToWatch, PlayableGame } from "../api/http-types.js" */
/** @import { FaceupTable } from "../table/faceup-table.js" */
/** @import { WatchList } from "./watch-list.js" */

const POLL_INTERVAL = 8000;

/** Page on which a spectator watches the best public game in progress, and then the next one. */
export class WatchPage extends LitElement {
  static properties = {
    games: { state: true },
    connection: { state: true },
    ready: { state: true },
    stays: { state: true },
    error: { state: true },
    busy: { state: true },
    playable: { state: true },
  };
  static styles = [
    baseStyles,
    screenStyles,
    tableScreenStyles,
    css`
      header .list {
        padding: 0 var(--space-3);
        white-space: nowrap;
      }
      .closed > svg {
        color: var(--ink-soft);
      }
      .closed h2 {
        text-wrap: balance;
        overflow-wrap: anywhere;
      }
      .ways {
        justify-content: center;
      }
    `,
  ];

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** Tables with games that are over. The list may still have them for some seconds. @type {Set<string>} */
  #over = new Set();
  /** Whether the page has shown the game in progress. */
  #started = false;
  #onUpdate = () => this.#changed();

  constructor() {
    super();
    /** @type {GameToWatch[] | null} the games in progress, the best one first */
    this.games = null;
    /** @type {Connection | null} */
    this.connection = null;
    /** Whether the end of the game has been shown. */
    this.ready = false;
    /** Whether the viewer wants to stay at the game that has ended. */
    this.stays = false;
    this.error = "";
    this.busy = false;
    /** @type {PlayableGame[]} */
    this.playable = [];
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("watch.title"));
    this.#timer = setInterval(() => document.visibilityState === "visible" && void this.#load(), POLL_INTERVAL);
    void this.#load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#leave();
  }

  /** Load the games, and watch the best one if the page shows none. */
  async #load() {
    try {
      const games = await loadGamesToWatch();
      this.games = games.filter(({ table }) => !this.#over.has(table));
      this.error = "";
    } catch (error) {
      this.error = errorMessage(error);
      this.games ??= [];
    }
    if (!this.isConnected) return;
    if (!this.connection && this.games.length) this.#watch(this.games[0].table);
    if (!this.connection && !this.playable.length) this.playable = await loadGames().catch(() => []);
  }

  /** @param {string} table */
  #watch(table) {
    this.#leave();
    this.ready = this.stays = this.#started = false;
    this.connection = new Connection(table);
    this.connection.addEventListener("update", this.#onUpdate);
    this.connection.addEventListener("status", this.#onUpdate);
  }

  #leave() {
    this.connection?.removeEventListener("update", this.#onUpdate);
    this.connection?.removeEventListener("status", this.#onUpdate);
    this.connection?.close();
    this.connection = null;
  }

  #changed() {
    const { connection } = this;
    const room = connection?.room;
    if (room) setPageTitle(() => t("watch.title.game", { game: gameTitle(room.config.game) }));
    if (room?.series && room.status === "finished") void import("../table/series.js"); // for the result
    this.#started ||= room?.status === "active";
    if (connection && this.#isOver && !this.#over.has(connection.table)) {
      this.#over.add(connection.table);
      this.games = (this.games ?? []).filter(({ table }) => table !== connection.table);
      // The result follows the last reveal. Without a result, the page continues immediately.
      this.ready = room?.status !== "finished";
      if (!this.#started) return this.#next(); // the list still had it, although it was over
      if (this.ready) announce(this.#ended);
    }
    this.requestUpdate();
  }

  /** Whether the game is over, or can no longer be watched. */
  get #isOver() {
    const { room, status } = this.connection ?? {};
    return room?.status === "finished" || room?.status === "closed" || status === "ended";
  }

  /** Why the page shows no game, although it did. */
  get #ended() {
    const { room, why = "" } = this.connection ?? {};
    if (room?.status === "closed") return t(`table.closed.${room.closed ?? "operator"}`);
    return t([`table.ended.${why}`].find(hasTranslation) ?? "table.ended.table_not_found");
  }

  /** Show the next game, or that there is none. */
  #next() {
    const [next] = this.games ?? [];
    if (next) return this.#watch(next.table);
    this.#leave();
    void this.#load();
  }

  get #frame() {
    return /** @type {FaceupTable | null} */ (this.renderRoot.querySelector("faceup-table"));
  }

  #openList() {
    /** @type {WatchList | null} */ (this.renderRoot.querySelector("watch-list"))?.open();
  }

  #share = async () => {
    const { table, room } = /** @type {Connection} */ (this.connection);
    if (room) await (await import("../ui/share-dialog.js")).shareTable(table, room);
  };
  #settings = async () => (await import("../ui/dialogs.js")).openSettings();
  #keys = async () => (await import("../ui/dialogs.js")).openShortcuts(this.#frame?.keys ?? []);
  #verify = async () => (await import("../ui/verify-dialog.js")).openVerifyDialog(this.connection?.table ?? "");
  #rematch = () => {
    const { rematch } = this.connection?.room ?? {};
    if (rematch) navigate(`/t/${rematch}`);
  };

  #sounds() {
    updateSettings({ sounds: !settings.sounds });
    this.requestUpdate();
  }

  /** @param {PlayableGame} game */
  #quickMatch(game) {
    return runRequest(this, async () => navigate(`/t/${await joinQuickMatch(game)}`), createTableErrorContext);
  }

  #renderHeader() {
    const room = this.connection?.room;
    const count = (this.games ?? []).length;
    return html`<header>
      <a class="button quiet" href="${BASE}/" aria-label=${t("table.home")}>${icon("home")}</a>
      <h1>${room ? gameTitle(room.config.game) : t("watch.title")}</h1>
      ${count ? html`<button class="list" aria-haspopup="dialog" @click=${this.#openList}>${icon("list")}${t("watch.games", { count })}</button>` : nothing}
      <button class="quiet" aria-label=${t(settings.sounds ? "ui.sounds.off" : "ui.sounds.on")}
        aria-pressed=${settings.sounds} @click=${this.#sounds}>${icon(settings.sounds ? "sound" : "silent")}</button>
      <button class="quiet" aria-label=${t("ui.settings")} aria-haspopup="dialog" @click=${this.#settings}>${icon("gear")}</button>
    </header>`;
  }

  #renderEmpty() {
    return html`<div class="closed notice">
      ${icon("eye", 56)}
      <div role="status"><h2>${t("watch.none")}</h2></div>
      <p class="soft">${t("watch.none.hint")}</p>
      <div class="ways cluster">
        ${this.playable.map((game) => html`<button class="main" ?disabled=${this.busy} @click=${() => this.#quickMatch(game)}>${t("watch.quick_match", { game: gameTitle(game.name) })}</button>`)}
        <a class="button" href="${BASE}/">${icon("home")}${t("table.home")}</a>
      </div>
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}
    </div>`;
  }

  #renderNext() {
    if (!this.ready || this.stays) return nothing;
    return html`<watch-next .game=${this.games?.[0] ?? null} @watch=${this.#next} @stay=${() => (this.stays = true)}></watch-next>`;
  }

  render() {
    const { connection } = this;
    const room = connection?.room;
    const shown = room?.status === "active" || room?.status === "finished";
    return html`${this.#renderHeader()}
      ${!connection && this.games ? this.#renderEmpty() : nothing}
      ${connection && this.ready && !shown ? html`<p class="closed notice">${this.#ended}</p>` : nothing}
      <faceup-table class=${this.ready && !this.stays ? "toasted" : ""} .source=${connection} table=${connection?.table ?? ""} ?hidden=${!shown}
        @shown=${() => this.#isOver && (this.ready = true)} @share=${this.#share} @settings=${this.#settings} @keys=${this.#keys}
        @rematch=${this.#rematch} @verify=${this.#verify}></faceup-table>
      ${this.#renderNext()}
      <watch-list .games=${this.games ?? []} current=${connection?.table ?? ""} @watch=${(/** @type {CustomEvent<string>} */ event) => this.#watch(event.detail)}></watch-list>`;
  }
}
customElements.define("watch-page", WatchPage);
