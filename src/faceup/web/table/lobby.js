import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE, request } from "../api/http.js";
import { GAMES, loadGames } from "../api/games.js";
import { chosenName, serverInfo, saveName, savedName, normalizeName } from "../api/server-info.js";
import { face } from "../art/faces.js";
import { LanguageController } from "../ui/controllers.js";
import "../ui/face-picker.js";
import { icon } from "../ui/icons.js";
import "../ui/share-table.js";
import { narrowStyles, baseStyles } from "../ui/styles.js";
import { switchStyles } from "../ui/switch-styles.js";
import { levelName, describeConfig, gameTitle, hasDays, variantTitle } from "../i18n/games.js";
import { formatList } from "../i18n/format.js";
import { playerName, temperOf } from "../i18n/players.js";
import { hasTranslation, loadNamespaces, t } from "../i18n/translate.js";
import { nameOf } from "../i18n/seat-names.js";
import { navigate } from "../ui/navigation.js";
import { runRequest } from "../ui/run-request.js";

/** @import { TableResponse } from "../api/http-types.js" */
/** @import { RoomSeat, TableView } from "../api/types.js" */
/** @import { Connection } from "../api/connection.js" */

/**
 * The lobby of a table before the game, with the seats, the invitation and the settings. A player who opens the link
 * takes a seat with one tap, and need not enter a name.
 */
export class TableLobby extends LitElement {
  static properties = {
    source: { attribute: false },
    room: { attribute: false },
    members: { attribute: false },
    place: { state: true },
    levels: { state: true },
    level: { state: true },
    name: { state: true },
    untimed: { state: true },
    error: { state: true },
    busy: { state: true },
    television: { type: Boolean, reflect: true },
  };
  static styles = [
    baseStyles,
    switchStyles,
    css`
      :host {
        box-sizing: border-box;
        width: 100%;
        max-width: 68rem;
        margin: 0 auto;
        padding: var(--space-4);
      }
      header {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: var(--space-1) var(--space-3);
        margin: var(--space-2) 0 var(--space-4);
      }
      header h2 {
        font-size: var(--text-4);
        letter-spacing: calc(-0.02em * var(--tight));
      }
      .halves {
        display: grid;
        grid-template-columns: minmax(0, 1fr); /* a long name is cut off */
        gap: var(--space-4);
      }
      @media (min-width: 54rem) {
        .halves {
          grid-template-columns: 1fr 1fr;
          align-items: start;
        }
        :host([mine]) .halves {
          grid-template-columns: 1.1fr 1fr;
        }
      }
      @media (max-width: 53.99rem) {
        /* On the host's phone, the QR code comes first. */
        :host([host]) .halves > .me {
          display: contents;
        }
        :host([host]) share-table {
          order: -1;
        }
      }
      .me input {
        flex: 1 1 8rem;
      }
      .me .main {
        flex: 1 1 9rem;
      }
      .me label:not(.switch) {
        display: block;
        width: 100%;
      }
      :host([television]) {
        max-width: none;
      }
      :host([television]) .who b {
        font-size: max(1em, 3.2vh);
      }
      :host([television]) .who .temper {
        display: none;
      }
      ul {
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr));
        margin: var(--space-3) 0 0;
      }
      li {
        display: flex;
        align-items: center;
        gap: var(--space-3);
        min-height: 3.75rem;
        padding: var(--space-2) var(--space-3);
        border-radius: var(--radius-small);
        background: var(--raised);
        box-shadow: var(--low);
        --from: 6px;
        animation: enter var(--move) var(--ease);
      }
      li.empty {
        background: var(--sunken);
        box-shadow: none;
        animation: none;
      }
      .disc,
      .face {
        flex: none;
        width: 2.375rem;
        height: 2.375rem;
      }
      .disc {
        border-radius: 50%;
        font: 700 1rem / 1 var(--figures);
        background: rgb(var(--shade) / 0.12);
      }
      .temper {
        display: block;
        font-style: italic;
      }
      .held .face {
        opacity: 0.55;
      }
      .held:has(.main) {
        flex-wrap: wrap;
      }
      .held .main {
        flex: 1 1 100%;
      }
      .who b {
        display: block;
      }
      li button {
        padding: var(--space-2) var(--space-3);
        font-size: var(--text--1);
      }
      li .icon {
        padding: 0;
        margin-inline: calc(-1 * var(--space-1));
        color: var(--ink-soft);
      }
      .host {
        align-items: end;
        margin-top: var(--space-4);
      }
      .host .main {
        flex: 1 1 12rem;
      }
      .host div {
        flex: 1 1 12rem;
        display: grid;
        gap: var(--space-1);
      }
      .host div > div {
        display: flex;
        gap: var(--space-2);
      }
      .host .untimed {
        flex: 1 1 100%;
      }
      .host .untimed input {
        flex: none;
      }
      .chips {
        gap: var(--space-1) var(--space-2);
      }
      .foot {
        margin-top: var(--space-4);
      }
    `,
    narrowStyles,
  ];

  /** @type {ReturnType<typeof setInterval> | undefined} Renders the time until bots take the empty seats. */
  #seconds;

  constructor() {
    super();
    /** @type {Connection | null} */
    this.source = null;
    /** @type {TableView | null} */
    this.room = null;
    /** The members of the table's party. @type {import("../api/http-types.js").MemberView[]} */
    this.members = [];
    /** @type {TableResponse | null} */
    this.place = null;
    /** @type {string[]} */
    this.levels = [];
    this.level = "";
    /** Whether to start without a time limit if the others are bots. */
    this.untimed = true;
    this.name = savedName();
    this.error = "";
    this.busy = false;
    this.television = false;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#seconds = setInterval(() => this.#describeFill() && this.requestUpdate(), 1000);
    void this.#loadPlayer();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#seconds);
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!(changed.has("room") || changed.has("members")) || !this.room) return;
    this.toggleAttribute("mine", this.#seat !== undefined);
    this.toggleAttribute("host", this.#isHost);
    if (this.room.series || this.members.length) void loadNamespaces("series").then(() => this.requestUpdate());
    if (changed.has("room") && !changed.get("room")) void this.#load();
  }

  /** Return when bots take the empty seats of a quick match, or "". */
  #describeFill() {
    const at = this.room?.fills_at;
    if (at === undefined || at === null) return "";
    return t("shell.pending.fill", { seconds: Math.max(0, Math.ceil((at - (this.source?.now() ?? 0)) / 1000)) });
  }

  get #seat() {
    return this.room?.seat;
  }

  /** Whether the viewer may take a seat: a removed player may not. */
  get #maySit() {
    return this.#seat === undefined && !this.room?.removed;
  }

  get #isHost() {
    return this.room?.is_host ?? false;
  }

  async #loadPlayer() {
    await serverInfo.refresh();
    if (!this.name && serverInfo.player) this.name = chosenName(serverInfo.player.name);
  }

  /** Load the table's code and link, and the bot levels. */
  async #load() {
    try {
      [this.place] = await Promise.all([request("GET", `/api/tables/${this.source?.table}`), loadGames()]);
      this.levels = GAMES.get(this.room?.config.game ?? "")?.levels ?? [];
      this.level = this.levels[1] ?? this.levels[0] ?? "random";
    } catch {
      // the lobby also works without the code and the bot levels
    }
  }

  /** @param {object} command @param {string} [about] */
  #send(command, about) {
    return runRequest(this, async () => this.source?.send(command), about);
  }

  /** @param {number} [seat] */
  #sit(seat) {
    return runRequest(this, async () => {
      const typed = this.name;
      const name = normalizeName(typed);
      const isNewPlayer = !serverInfo.player;
      const command = { command: "sit", ...(seat === undefined ? {} : { seat }) };
      await request("POST", `/api/tables/${this.source?.table}/commands`, command, undefined, 0, name ? { name } : {});
      if (isNewPlayer) this.source?.reconnect();
      if (name) saveName(name);
      if (name && serverInfo.player && serverInfo.player.name !== name) await request("PATCH", "/api/me", { name });
      await serverInfo.refresh();
      if (this.name === typed) this.name = chosenName(serverInfo.player?.name ?? name); // keep what the user is typing
    }, "sit");
  }

  /** @param {Event} event */
  #saveName(event) {
    event.preventDefault();
    const name = normalizeName(this.name);
    if (this.#seat === undefined) return this.#sit();
    if (!name || name === this.room?.seats[this.#seat]?.name) return;
    return runRequest(this, async () => {
      await this.source?.send({ command: "rename", seat: this.#seat, name });
      saveName(name);
      serverInfo.setPlayer(await request("PATCH", "/api/me", { name }));
    }, "name");
  }

  /** Show the player's new face in the seat. The live connection would still send the old one, hence the request. */
  #showFace() {
    const seat = this.#seat;
    const name = seat === undefined ? undefined : this.room?.seats[seat]?.name;
    if (name === undefined) return this.source?.reconnect(); // the visitor may just have become a player
    return runRequest(this, () => request("POST", `/api/tables/${this.source?.table}/commands`, { command: "rename", seat, name }));
  }

  #leave() {
    return runRequest(this, async () => {
      await this.source?.send({ command: "leave", seat: this.#seat });
      navigate("/");
    });
  }

  /**
   * Return the player that a rematch or a party holds the seat for, unless the seat is taken.
   *
   * @param {number} seat
   * @returns {import("../art/faces.js").Player | undefined}
   */
  #heldFor(seat) {
    const { series, reserved = [] } = this.room ?? {};
    if (!reserved[seat]) return undefined;
    const member = this.members.find(({ handle }) => handle === reserved[seat]);
    return series?.players.find(({ handle }) => handle === reserved[seat]) ?? (member && { ...member, kind: "person", face: member.face ?? undefined });
  }

  /** Whether a seat is empty and not reserved. */
  get #isOpen() {
    return this.room?.seats.some((player, seat) => !player && !this.room?.reserved[seat]) ?? false;
  }

  /** Whether this is a television, on which no one takes a seat. */
  get #watched() {
    return this.television && this.#seat === undefined;
  }

  /** The names of all players that a rematch holds seats for. */
  get #missing() {
    return formatList(this.room?.reserved.flatMap((_, seat) => this.#heldFor(seat) ?? []).map(playerName) ?? []);
  }

  /** @param {RoomSeat | null} player @param {number} seat */
  #renderSeat(player, seat) {
    const room = /** @type {TableView} */ (this.room);
    const reserved = room.reserved[seat];
    if (!player) {
      const isOwn = reserved && (reserved === serverInfo.player?.handle || serverInfo.handles.includes(reserved));
      const free = this.#maySit && (!reserved || isOwn);
      const held = this.#heldFor(seat);
      return html`<li class="empty soft ${held ? "held" : ""}">
        ${held ? face(held, seat) : html`<span class="disc soft centred" aria-hidden="true">${seat + 1}</span>`}
        <span class="who grow"><b class=${held ? "cut" : ""}>${held ? playerName(held) : t(reserved ? "shell.pending.reserved" : "shell.pending.empty")}</b>${held ? html`<span class="soft small">${t("series.held")}</span>` : nothing}</span>
        ${free && !this.#watched ? html`<button class=${isOwn ? "main" : ""} ?disabled=${this.busy} @click=${() => this.#sit(seat)}>${t(isOwn ? "series.take" : "shell.pending.here")}</button>` : nothing}
        ${this.#isHost && reserved ? this.#renderRemoveButton(seat, t("shell.pending.release")) : nothing}
      </li>`;
    }
    const bot = player.kind !== "person" || player.program;
    const what = [
      seat === this.#seat ? t("table.you") : "",
      bot ? (temperOf(player) ? t("shell.pending.bot", { level: levelName(player.kind) }) : t("table.bot")) : "",
      seat === room.host ? t("table.host") : "",
      room.away.includes(seat) ? t("shell.pending.disconnected") : "",
    ].filter(Boolean);
    const name = playerName(player);
    return html`<li>
      ${face(player, seat)}
      <span class="who grow"><b class="cut">${name}</b><span class="soft small">${what.join(" · ") || t(hasDays(room.config) ? "shell.pending.kept" : "shell.pending.connected")}</span>${bot && temperOf(player) ? html`<span class="temper soft small">${temperOf(player)}</span>` : nothing}</span>
      ${this.#isHost && !bot && seat !== this.#seat
        ? html`<button class="quiet icon" aria-label=${t("table.make_host", { name })} title=${t("table.make_host", { name })}
            ?disabled=${this.busy} @click=${() => this.#send({ command: "transfer_host", seat })}>${icon("star")}</button>`
        : nothing}
      ${this.#seat !== undefined && !this.#isHost && !bot && seat !== this.#seat
        ? html`<button class="quiet icon" aria-label=${t("table.report", { name })} title=${t("table.report", { name })}
            @click=${() => this.#report(seat, name)}>${icon("flag")}</button>`
        : nothing}
      ${this.#isHost && seat !== this.#seat ? this.#renderRemoveButton(seat, t("shell.pending.remove", { name })) : nothing}
    </li>`;
  }

  /** @param {number} seat @param {string} words */
  #renderRemoveButton(seat, words) {
    return html`<button class="quiet icon" aria-label=${words} title=${words} ?disabled=${this.busy}
      @click=${() => this.#send({ command: "remove", seat })}>${icon("close")}</button>`;
  }

  /**
   * @param {number} seat
   * @param {string} name
   */
  async #report(seat, name) {
    await (await import("./report-dialog.js")).openReport(this.source?.table ?? "", seat, name);
  }

  async #invite() {
    const handles = this.room?.seats.map((player) => player?.handle) ?? [];
    (await import("../friends/invite-dialog.js")).openInvite({ table: this.source?.table ?? "" }, handles);
  }

  /** Whether the host is the only person, and has a time limit that is not in days. */
  get #clockedAlone() {
    const { seats = [], times = [], config } = this.room ?? {};
    const clocked = config?.terms.clock && !hasDays(config) && GAMES.get(config.game)?.chooses && this.#seat !== undefined && times[this.#seat] !== null;
    return clocked && seats.filter((player) => player?.kind === "person").length === 1;
  }

  #start() {
    return runRequest(this, async () => {
      if (this.#clockedAlone && this.untimed) await this.source?.send({ command: "pace", seat: this.#seat, times: null });
      await this.source?.send({ command: "start" });
    });
  }

  #renderHostControls() {
    const room = /** @type {TableView} */ (this.room);
    const empty = room.seats.filter((player) => !player).length;
    return html`<div class="host cluster">
      <div ?hidden=${Boolean(room.series) && !this.#isOpen}>
        ${this.levels.length ? html`<label for="level">${t("shell.pending.level")}</label>` : nothing}
        <div>
          ${this.levels.length
            ? html`<select class="grow" id="level" @change=${(/** @type {Event} */ event) => (this.level = /** @type {HTMLSelectElement} */ (event.target).value)}>
                ${this.levels.map((level) => html`<option value=${level} ?selected=${level === this.level}>${levelName(level)}</option>`)}
              </select>`
            : nothing}
          <button ?disabled=${this.busy || !empty} @click=${() => this.#send({ command: "add_bot", kind: this.level }, "bot")}>${t(this.levels.length ? "shell.pending.add" : "shell.pending.level")}</button>
        </div>
      </div>
      ${this.#clockedAlone
        ? html`<label class="untimed switch"><span>${t("shell.pending.untimed")}</span><input type="checkbox" .checked=${this.untimed}
            @change=${(/** @type {Event} */ event) => (this.untimed = /** @type {HTMLInputElement} */ (event.target).checked)}></label>`
        : nothing}
      <button class="main large" ?disabled=${this.busy} @click=${this.#start}>
        ${this.#missing ? t("series.start_without", { names: this.#missing }) : empty ? t("shell.pending.start", { count: empty }) : t("shell.pending.start_now")}
      </button>
    </div>`;
  }

  #renderNameForm() {
    const seat = this.#seat;
    if (seat === undefined && !this.#maySit) return html`<section class="panel me stack" role="status"><p>${t("shell.pending.removed")}</p></section>`;
    const seatedName = seat === undefined ? "" : this.room?.seats[seat]?.name;
    const other = normalizeName(this.name) && normalizeName(this.name) !== seatedName;
    const { seats = [], host } = this.room ?? {};
    const inviter = seat === undefined && host !== undefined ? seats[host] : null;
    return html`<section class="panel me stack" aria-labelledby="joining">
      <h2 id="joining" class="aligned">${inviter ? html`${face(inviter, host)}<span>${t("shell.pending.invited", { name: playerName(inviter) })}</span>` : seat === undefined ? t("shell.pending.join") : t("shell.pending.seated")}</h2>
      <form class="cluster" @submit=${this.#saveName}>
        <label for="name">${seat === undefined ? t("shell.name.optional") : t("shell.name.yours")}</label>
        <face-picker @change=${this.#showFace}></face-picker>
        <input id="name" maxlength="40" autocomplete="nickname" spellcheck="false" .value=${this.name}
          placeholder=${t("shell.name.placeholder")}
          @input=${(/** @type {InputEvent} */ event) => (this.name = /** @type {HTMLInputElement} */ (event.target).value)}>
        ${seat === undefined
          ? html`<button class="main large" ?disabled=${this.busy}>${t("shell.pending.sit")}</button>`
          : html`<button ?disabled=${this.busy || !other}>${t("shell.save")}</button>`}
      </form>
      ${this.#renderError()}
    </section>`;
  }

  #renderError() {
    return this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing;
  }

  render() {
    const room = this.room;
    if (!room || ((room.series || this.members.length) && !hasTranslation("series.held"))) return nothing;
    const seated = room.seats.filter((player) => player).length;
    const open = this.#isOpen;
    const fill = this.#describeFill();
    const wait = room.host === undefined ? t("shell.pending.wait_no_host") : t("shell.pending.wait", { name: nameOf(room, room.host) });
    return html`
      <header>
        <h2>${gameTitle(room.config.game)}</h2>
        <p class="soft">${variantTitle(room.config.game, room.config.variant)}</p>
      </header>
      <div class="halves">
        <div class="me stack">
          ${this.#watched || (room.series && (this.#seat !== undefined || !open)) ? this.#renderError() : this.#renderNameForm()}
          <section class="panel" aria-label=${t("table.seats")}>
            <h2>${t("shell.pending.count", { here: seated, seats: room.seats.length })}</h2>
            ${fill ? html`<p class="soft">${fill}</p>` : nothing}
            <ul class="tight">${room.seats.map((player, seat) => this.#renderSeat(player, seat))}</ul>
            ${open && (this.#seat !== undefined || this.#isHost) ? html`<div class="foot cluster"><button @click=${this.#invite}>${icon("people")}${t("shell.pending.invite")}</button></div>` : nothing}
            ${this.#missing ? html`<p class="soft foot cluster" role="status">${t("series.waiting", { names: this.#missing })}</p>` : nothing}
            ${hasDays(room.config) ? html`<p class="soft foot cluster">${t("shell.pending.days")}</p>` : nothing}
            ${this.#isHost ? this.#renderHostControls() : this.#missing || fill ? nothing : html`<p class="soft foot cluster">${wait}</p>`}
          </section>
        </div>
        <div class="me stack">
          ${room.series ? html`<section class="panel"><table-series .room=${room}></table-series></section>` : nothing}
          ${this.place && (open || !room.series)
            ? html`<share-table path="tables/${this.source?.table ?? ""}" .code=${this.place.code} .link=${this.place.link} ?television=${this.television}></share-table>`
            : nothing}
          ${this.#watched ? nothing : html`<section class="panel" aria-label=${t("shell.pending.settings")}>
            <div class="chips cluster">${describeConfig(room.config, room.seats.length, room.rated).map((text) => html`<span class="chip">${text}</span>`)}</div>
            <div class="foot cluster">
              <a class="button" href="${BASE}/learn/${room.config.game}">${t("shell.rules")}</a>
              ${this.#seat === undefined ? nothing : html`<button class="quiet" ?disabled=${this.busy} @click=${this.#leave}>${t("shell.pending.leave")}</button>`}
            </div>
          </section>`}
        </div>
      </div>`;
  }
}
customElements.define("table-lobby", TableLobby);
