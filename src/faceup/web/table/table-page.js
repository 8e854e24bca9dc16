import { LitElement, css, html } from "../vendor/lit/index.js";
import { loadGameElement } from "../games/registry.js";
import { request, BASE } from "../api/http.js";
import { SITE } from "../api/site.js";
import { Connection } from "../api/connection.js";
import { mayHaveParty } from "../parties/membership.js";
import { serverInfo } from "../api/server-info.js";
import { LanguageController } from "../ui/controllers.js";
import { settings, updateSettings } from "../ui/settings.js";
import { idle } from "../ui/idle.js";
import { setTurnBadge, setPageTitle } from "../ui/page-title.js";
import { keepAwake } from "../ui/wake-lock.js";
import { icon } from "../ui/icons.js";
import { baseStyles, lowScreen, screenStyles, tableScreenStyles } from "../ui/styles.js";
import { nameOf } from "../i18n/seat-names.js";
import { mayChoose } from "./status-line.js";
import "./faceup-table.js";
import { errorMessage } from "../i18n/errors.js";
import { gameTitle } from "../i18n/games.js";
import { hasTranslation, loadNamespaces, t } from "../i18n/translate.js";
import { navigate } from "../ui/navigation.js";

/** @import { ApiError } from "../api/http.js" */
/** @import { PartyOfTable } from "../api/http-types.js" */
/** @import { PartySource } from "../parties/requests.js" */
/** @import { TournamentFeed } from "../tournaments/requests.js" */
/** @import { Snapshot, TableView, UpdateDetail } from "../api/types.js" */
/** @import { FaceupTable } from "./faceup-table.js" */

/** The snapshot embedded in the page, the id of its table, and the time when it was received. It is used only once. */
let embedded = (() => {
  const data = document.getElementById("first");
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (!data) return null;
  data.remove();
  /** @type {Snapshot} */
  const line = JSON.parse(data.textContent ?? "");
  return { line, table: data.dataset.table, at: performance.timeOrigin + (visit?.responseStart ?? 0) };
})();
// Load the game's element before the first rendering, so that the page is drawn only once.
if (embedded && embedded.line.room.status !== "pending") await loadGameElement(embedded.line.room.config.game).catch(() => undefined);

/** Page of a table, from the lobby to the rematch. */
export class TablePage extends LitElement {
  static properties = { address: { attribute: false }, connection: { state: true }, busy: { state: true }, television: { state: true }, asker: { state: true }, party: { state: true }, partySource: { state: true }, stays: { state: true }, shown: { state: true }, offers: { state: true } };
  static styles = [
    baseStyles,
    screenStyles,
    tableScreenStyles,
    css`
      @media (max-width: 26rem) {
        header {
          gap: var(--space-1);
        }
        header .chip {
          padding: 1px 8px;
          font-size: var(--text--2);
        }
        header:has(a + a) span.chip {
          display: none; /* the link to the party needs its width */
        }
      }
      @media (max-width: 18rem) {
        header .chip {
          display: none;
        }
      }
      .corner {
        position: fixed;
        right: var(--space-2);
        bottom: var(--space-2);
        z-index: 4;
        padding: 0;
        color: var(--ink-soft);
        background: var(--surface);
        box-shadow: var(--low);
      }
      /* The table's status line is between the buttons. */
      @media ${lowScreen} {
        :host {
          position: relative;
        }
        .playing {
          position: absolute;
          z-index: 11;
          inset: 0 0 auto;
          gap: 0;
          padding-block: 2px;
          pointer-events: none;
        }
        .playing > * {
          pointer-events: auto;
        }
        .playing > .chip {
          display: none; /* the status line is in its place */
        }
        .playing h1 {
          visibility: hidden;
        }
        .playing ~ faceup-table {
          --bar-start: calc(var(--target) + var(--space-1));
          --bar-end: calc(2 * var(--target));
        }
        .playing:has(a + a) ~ faceup-table {
          --bar-start: calc(2 * var(--target) + var(--space-1)); /* the links to home and to the party */
        }
      }
    `,
  ];

  /** @type {TournamentFeed | null} */
  #feed = null;

  /** What loads the party; null before the first picture. @type {typeof import("../parties/requests.js") | null} */
  #parties = null;

  /** Whether the game is over, and other people took part. */
  #met = false;
  #onUpdate = (/** @type {Event} */ event) => this.#changed(/** @type {CustomEvent<UpdateDetail>} */ (event).detail);

  constructor() {
    super();
    /** @type {{table?: string}} */
    this.address = {};
    /** @type {Connection | null} */
    this.connection = null;
    this.busy = false;
    /** @type {TableView | null} The view that the table displays, which a newer one follows after its reveal; null before the first. */
    this.shown = null;
    /** @type {PartyOfTable | null} The party of the player to which the table belongs. */
    this.party = null;
    /** @type {PartySource | null} The party while its page would show the next game. */
    this.partySource = null;
    /** @type {string | null} Name of the player who asked for a rematch, "" if unknown; null if no one did while this page was open. */
    this.asker = null;
    /** Whether the viewer wants to stay at this table although there is a rematch. */
    this.stays = false;
    /** Whether to offer sounds, in place of the title and of the button for sounds. */
    this.offers = false;
    this.television = new URLSearchParams(location.search).has("television");
    new LanguageController(this);
  }

  updated() {
    document.documentElement.toggleAttribute("data-television", this.television);
  }

  disconnectedCallback() {
    this.#leave();
    document.documentElement.removeAttribute("data-television");
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("address")) return;
    this.#leave();
    this.asker = null;
    this.stays = false;
    if (!this.address.table) return;
    this.connection = new Connection(this.address.table, embedded?.table === this.address.table ? embedded : undefined);
    embedded = null;
    this.connection.addEventListener("update", this.#onUpdate);
    this.connection.addEventListener("status", this.#onUpdate);
    this.#changed();
    void this.#loadParty(this.address.table);
  }

  /** @param {string} table */
  async #loadParty(table) {
    await idle();
    if (!(await mayHaveParty())) return;
    this.#parties = await import("../parties/requests.js");
    const party = this.address.table === table ? await this.#parties.loadPartyOfTable(table) : null;
    if (party) await loadNamespaces("party");
    if (this.address.table !== table) return;
    this.party = party;
    this.#followParty();
  }

  /** When the game of a party is over, follow the party to its next one. */
  #followParty() {
    if (!this.#parties || !this.party || this.partySource || !["finished", "closed"].includes(this.#room?.status ?? "")) return;
    void import("../parties/party-countdown.js");
    this.partySource = new this.#parties.PartySource(this.party.id);
    this.partySource.addEventListener("change", () => this.requestUpdate());
  }

  #leave() {
    this.#feed?.close();
    this.#feed = null;
    this.partySource?.stop();
    this.partySource = null;
    this.party = null;
    this.connection?.removeEventListener("update", this.#onUpdate);
    this.connection?.removeEventListener("status", this.#onUpdate);
    this.connection?.close();
    this.connection = null;
    this.shown = null; // without the connection, the lobby would ask for the picture of a table without a name
    setTurnBadge();
    keepAwake(false);
  }

  /** @param {UpdateDetail} [detail] */
  #changed(detail) {
    const room = this.#room;
    if (room) {
      const asks = detail?.events?.find(({ event }) => event === "rematch_created");
      if (asks) this.asker = asks.seat === undefined || asks.seat === null ? "" : nameOf(room, asks.seat);
      const met = room.status === "finished" && room.seats.filter((seat) => seat?.kind === "person").length > 1;
      if (met && !serverInfo.known && !this.#met) void serverInfo.refresh(); // these people can send invitations now
      this.#met = met;
      if (room.rematch || this.#countsDown) void loadNamespaces("series").then(() => import("./rematch.js"));
      const mayAct = mayChoose(room) && room.choice === undefined;
      setPageTitle(() => gameTitle(room.config.game));
      setTurnBadge(() => (mayAct ? t("table.turn") : ""));
      keepAwake(mayAct);
      if (room.series && room.status !== "active") void import("./series.js"); // for the lobby and the result
      void this.#followTournament();
      this.#followParty();
      if (room.status === "pending") void loadNamespaces("shell").then(() => import("./lobby.js"));
    }
    this.requestUpdate();
  }

  /** The view that the page displays. */
  get #room() {
    return this.shown ?? this.connection?.room ?? null;
  }

  #onDisplayed() {
    const { source, shown } = this.#frame ?? {};
    if (source !== this.connection) return; // of the table before
    this.shown = shown ?? null;
    this.#changed();
  }

  /** Whether the countdown of a rematch is running. */
  get #countsDown() {
    const { countdown_ends, status } = this.#room ?? {};
    return status === "active" && countdown_ends !== undefined && (this.connection?.now() ?? 0) < countdown_ends;
  }

  /** Whether the viewer may no longer see the table, or it was deleted, while it was shown. */
  get #gone() {
    const { status, why } = this.connection ?? {};
    return status === "ended" && Boolean(why) && why !== "finished" && why !== "closed";
  }

  render() {
    const { connection } = this;
    const room = this.#gone ? null : this.#room;
    const status = room?.status;
    const asks = status === "finished" && room?.rematch && !this.stays;
    return html`
      ${this.television && status ? "" : html`<header class=${status === "active" || status === "finished" ? "playing" : ""}>
        <a class="button quiet" href="${BASE}/" aria-label=${t("table.home")}>${icon("home")}</a>
        ${this.party ? html`<a class="button quiet" href="${BASE}/party/${this.party.id}" aria-label=${t("party.back")} title=${t("party.back")}>${icon("people")}</a>` : ""}
        <h1 ?hidden=${this.offers}>${room ? gameTitle(room.config.game) : SITE.name}</h1>
        ${this.offers ? html`<sound-offer @close=${() => (this.offers = false)}></sound-offer>` : ""}
        ${room?.tournament && !this.offers ? html`<a class="chip" href="${BASE}/tournaments/${room.tournament.id}" title=${t("table.result.tournament")}>${t("table.tournament.round", { round: room.tournament.round })}</a>` : ""}
        ${room && status !== "pending" && !room.tournament && !this.offers ? html`<span class="chip">${t(room.rated ? "table.rated" : "table.unrated")}</span>` : ""}
        ${this.offers ? "" : html`<button class="quiet" aria-label=${t(settings.sounds ? "ui.sounds.off" : "ui.sounds.on")}
          aria-pressed=${settings.sounds} @click=${this.#sounds}>${icon(settings.sounds ? "sound" : "silent")}</button>`}
        <button class="quiet" aria-label=${t("table.menu")} aria-haspopup="dialog"
          @click=${() => (status === "active" || status === "finished" ? this.#frame?.openMenu() : this.#settings())}>${icon("more")}</button>
      </header>`}
      ${this.television && (status === "pending" || status === "active")
        ? html`<button class="quiet corner" aria-label=${t("table.tv_view")} @click=${() => (this.television = false)}>${icon("screen")}</button>`
        : ""}
      ${this.#renderClosed()}
      ${status === "pending" ? html`<table-lobby .source=${connection} .room=${room} .members=${this.party?.members ?? []} table=${this.address.table ?? ""} ?television=${this.television}></table-lobby>` : ""}
      <faceup-table class=${asks || this.partySource?.party?.countdown ? "toasted" : ""} .source=${connection} .party=${this.party} table=${this.address.table ?? ""} ?television=${this.television} .busy=${this.busy}
        ?hidden=${status !== "active" && status !== "finished"} @displayed=${this.#onDisplayed} @silent=${this.#offerSounds} @share=${this.#share} @settings=${this.#settings} @keys=${this.#keys}
        @television=${() => (this.television = !this.television)} @rematch=${this.#rematch} @verify=${this.#verify}></faceup-table>
      ${asks ? this.#renderToast(room) : ""}
      ${this.partySource ? html`<party-countdown .source=${this.partySource}></party-countdown>` : ""}
      ${this.#countsDown ? html`<table-countdown .until=${room?.countdown_ends ?? 0} .now=${() => connection?.now() ?? 0} @over=${() => this.requestUpdate()}></table-countdown>` : ""}
    `;
  }

  /** @param {TableView} room */
  #renderToast(room) {
    const spectator = room.seat === undefined;
    return html`<rematch-toast .name=${this.asker ?? ""} .spectator=${spectator} .follows=${spectator && (this.television || this.asker !== null)} ?television=${this.television} .busy=${this.busy}
      @follow=${this.#rematch} @stay=${() => (this.stays = true)}></rematch-toast>`;
  }

  #renderClosed() {
    const { connection } = this;
    const closed = this.#room?.status === "closed";
    if (!closed && !(connection?.status === "ended" && (this.#gone || !connection.room))) return "";
    const why = connection?.why === "unauthenticated" ? "revoked" : connection?.why;
    let words = t([`table.ended.${why}`].find(hasTranslation) ?? "table.ended.table_not_found");
    if (closed) words = t(`table.closed.${this.#room?.closed ?? "operator"}`);
    else if (connection?.error?.kind === "banned") words = errorMessage(connection.error);
    return html`<div class="closed notice" role="alert"><h2>${words}</h2>${this.#renderWayOut()}</div>`;
  }

  #renderWayOut() {
    const tournament = this.connection?.room?.tournament;
    const home = html`<a class="button main" href="${BASE}/">${icon("home")}${t("table.home")}</a>`;
    if (/^(revoked|unauthenticated)$/.test(this.connection?.why ?? "")) return html`<a class="button main" href="${BASE}/me">${icon("people")}${t("table.login")}</a>${home}`;
    if (tournament) return html`<a class="button main" href="${BASE}/tournaments/${tournament.id}">${icon("list")}${t("table.result.tournament")}</a>`;
    return this.party ? html`<a class="button main" href="${BASE}/party/${this.party.id}">${icon("people")}${t("party.back")}</a>${home}` : home;
  }

  /** When a tournament's table is over, wait for the player's next one, and go there. */
  async #followTournament() {
    const { table } = this.connection ?? {};
    const room = this.#room;
    if (this.#feed || !room?.tournament || room.seat === undefined || !["finished", "closed"].includes(room.status)) return;
    const { TournamentFeed } = await import("../tournaments/requests.js");
    if (this.#feed || this.connection?.table !== table) return;
    const feed = (this.#feed = new TournamentFeed(room.tournament.id));
    feed.addEventListener("change", () => {
      const next = feed.seen?.me?.table;
      if (next && next !== table) navigate(`/t/${next}${this.television ? "?television" : ""}`, { replace: true });
    });
  }

  #sounds() {
    updateSettings({ sounds: !settings.sounds });
    this.requestUpdate();
  }

  /** Offer sounds once in this browser, on screens whose header has a line of its own. */
  #offerSounds = async () => {
    if (matchMedia(`${lowScreen}`).matches) return;
    updateSettings({ offered: true });
    await import("../ui/sound-offer.js");
    this.offers = true;
  };
  #share = async () => {
    const { table, room } = /** @type {Connection} */ (this.connection);
    if (room) await (await import("../ui/share-dialog.js")).shareTable(table, room);
  };
  #settings = async () => (await import("../ui/dialogs.js")).openSettings();
  #keys = async () => {
    (await import("../ui/dialogs.js")).openShortcuts(this.#frame?.keys ?? []);
  };

  /** Create or join the rematch; spectators watch it. The server gives players their seats. */
  async #rematch() {
    const { room, table } = this.connection ?? {};
    if (this.busy || !room) return;
    this.busy = true;
    try {
      if (this.#parties && this.party && !room.rematch) {
        await this.#parties.startCountdown({ id: this.party.id, room: table ?? null }, null);
        await this.partySource?.reload();
        if (!this.partySource?.party?.countdown) navigate(`/party/${this.party.id}`); // another table has been started
        return;
      }
      const watched = room.seat === undefined && !room.is_host ? room.rematch : undefined;
      const next = watched ?? (await request("POST", `/api/tables/${table}/commands`, { command: "rematch" })).table;
      navigate(`/t/${next}${this.television ? "?television" : ""}`);
    } catch (error) {
      this.#frame?.showError(/** @type {ApiError} */ (error));
    } finally {
      this.busy = false;
    }
  }

  get #frame() {
    return /** @type {FaceupTable | null} */ (this.renderRoot.querySelector("faceup-table"));
  }

  async #verify() {
    await loadNamespaces("shell");
    (await import("../ui/verify-dialog.js")).openVerifyDialog(this.address.table ?? "");
  }
}
customElements.define("table-page", TablePage);
