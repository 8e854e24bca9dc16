import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE, ask, newId } from "../live/api.js";
import { GAMES, games } from "../live/games.js";
import { house, remember, remembered, trimmed } from "../live/house.js";
import { icon } from "../parts/icons.js";
import "../parts/share.js";
import { narrow, sheet } from "../parts/sheet.js";
import { levelName, settings, titleOf, variantOf } from "../words/games.js";
import { refused } from "../words/refused.js";
import { say } from "../words/say.js";
import { go } from "./go.js";

/** @import { RoomSeat, Sight } from "../live/types.js" */
/** @import { Connection } from "../live/connection.js" */

/**
 * A table before its game: who is here, the empty chairs, and how others come. Whoever opens the link sits down with one
 * tap; nobody has to say a name.
 */
export class PendingRoom extends LitElement {
  static properties = {
    source: { attribute: false },
    sight: { attribute: false },
    place: { state: true },
    levels: { state: true },
    level: { state: true },
    name: { state: true },
    said: { state: true },
    busy: { state: true },
  };
  static styles = [
    sheet,
    css`
      :host {
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
      .me {
        display: grid;
        gap: var(--space-3);
      }
      .me form {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
      }
      .me input {
        flex: 1 1 9rem;
        min-width: 0;
      }
      .me .main {
        flex: 1 1 9rem;
        font-size: var(--text-1);
        min-height: 52px;
      }
      .me label {
        display: block;
        width: 100%;
      }
      ul {
        list-style: none;
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr));
        gap: var(--space-2);
        margin: var(--space-3) 0 0;
      }
      li {
        display: flex;
        align-items: center;
        gap: var(--space-3);
        min-height: 60px;
        padding: var(--space-2) var(--space-3);
        border-radius: var(--radius-small);
        background: var(--raised);
        box-shadow: var(--low);
        animation: come var(--move) var(--ease);
      }
      li.empty {
        background: var(--sunken);
        box-shadow: none;
        color: var(--ink-soft);
        animation: none;
      }
      @keyframes come {
        from {
          transform: translateY(6px) scale(0.97);
          opacity: 0;
        }
      }
      .disc {
        flex: none;
        width: 36px;
        height: 36px;
        border-radius: 50%;
        display: grid;
        place-items: center;
        font: 700 1rem / 1 var(--figures);
        color: var(--surface);
        background: var(--seat, var(--ink-soft));
      }
      .empty .disc {
        color: var(--ink-soft);
        background: rgb(var(--shade) / 0.12);
      }
      .bot .disc {
        border-radius: 10px;
      }
      .who {
        flex: 1;
        min-width: 0;
      }
      .who b {
        display: block;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        unicode-bidi: isolate;
      }
      .who span {
        font-size: var(--text--1);
        color: var(--ink-soft);
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
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
        align-items: end;
        margin-top: var(--space-4);
      }
      .host .main {
        flex: 1 1 12rem;
        min-height: 52px;
        font-size: var(--text-1);
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
      .host select {
        flex: 1;
        min-width: 0;
      }
      .said {
        color: var(--danger);
        font-weight: 600;
      }
      .chips {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-1) var(--space-2);
      }
      .chips span {
        background: var(--sunken);
        border-radius: 99px;
        padding: 2px 12px;
        font-size: var(--text--1);
      }
      .foot {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
        margin-top: var(--space-4);
      }
    `,
    narrow,
  ];

  constructor() {
    super();
    /** @type {Connection | null} */
    this.source = null;
    /** @type {Sight | null} */
    this.sight = null;
    /** @type {{code: string, link: string} | null} */
    this.place = null;
    /** @type {string[]} */
    this.levels = [];
    this.level = "";
    this.name = remembered();
    this.said = "";
    this.busy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    void this.#arrive();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!changed.has("sight") || !this.sight) return;
    this.toggleAttribute("mine", this.#seat !== undefined);
    if (changed.get("sight") === null || changed.get("sight") === undefined) void this.#look();
  }

  get #seat() {
    return this.sight?.seat;
  }

  get #isHost() {
    return this.sight?.hosting ?? false;
  }

  async #arrive() {
    await house.ask();
    if (!this.name && house.you) this.name = house.you.name;
  }

  /** Where it is, and who may be seated. */
  async #look() {
    try {
      const [place] = await Promise.all([ask("GET", `/api/tables/${this.source?.table}`), games()]);
      this.place = { code: place.code, link: place.link };
      this.levels = GAMES.get(this.sight?.opening.game ?? "")?.levels ?? [];
      this.level = this.levels[1] ?? this.levels[0] ?? "random";
    } catch {
      // the letters and the levels are missing, and all else is there
    }
  }

  /**
   * Do it, once at a time: a double click is one.
   *
   * @param {() => Promise<unknown>} work
   * @param {string} [about] what it is, for the words of a refusal
   */
  async #do(work, about = "") {
    if (this.busy) return;
    this.busy = true;
    this.said = "";
    try {
      await work();
    } catch (error) {
      this.said = refused(error, about);
    } finally {
      this.busy = false;
    }
  }

  /** @param {object} command @param {string} [about] */
  #send(command, about) {
    return this.#do(async () => this.source?.send(command), about);
  }

  /** @param {number} [seat] */
  #sit(seat) {
    return this.#do(async () => {
      const typed = this.name;
      const name = trimmed(typed);
      const stranger = !house.you;
      const command = { id: newId(), do: "sit", ...(name ? { name } : {}), ...(seat === undefined ? {} : { seat }) };
      await ask("POST", `/api/tables/${this.source?.table}/commands`, command);
      if (stranger) this.source?.reconnect();
      if (name) remember(name);
      if (name && house.you && house.you.name !== name) await ask("PATCH", "/api/me", { name });
      await house.ask();
      if (this.name === typed) this.name = house.you?.name ?? name; // else somebody types on already
    }, "sit");
  }

  /** @param {Event} event */
  #named(event) {
    event.preventDefault();
    const name = trimmed(this.name);
    if (this.#seat === undefined) return this.#sit();
    if (!name || name === this.sight?.seats[this.#seat]?.name) return;
    return this.#do(async () => {
      await this.source?.send({ do: "rename", seat: this.#seat, name });
      remember(name);
      house.is(await ask("PATCH", "/api/me", { name }));
    }, "name");
  }

  #leave() {
    return this.#do(async () => {
      await this.source?.send({ do: "leave", seat: this.#seat });
      go("/");
    });
  }

  /** @param {RoomSeat | null} player @param {number} seat */
  #chair(player, seat) {
    const sight = /** @type {Sight} */ (this.sight);
    const kept = sight.kept[seat];
    if (!player) {
      const free = this.#seat === undefined && (!kept || kept === house.you?.handle);
      return html`<li class="empty">
        <span class="disc" aria-hidden="true">${seat + 1}</span>
        <span class="who"><b>${kept ? say("shell.pending.kept") : say("shell.pending.empty")}</b></span>
        ${free ? html`<button ?disabled=${this.busy} @click=${() => this.#sit(seat)}>${say("shell.pending.here")}</button>` : nothing}
        ${this.#isHost && kept ? this.#removal(seat, say("shell.pending.release")) : nothing}
      </li>`;
    }
    const bot = player.kind !== "person";
    const what = [
      seat === this.#seat ? say("shell.pending.you") : "",
      bot ? (player.name.toLowerCase().startsWith(player.kind) ? say("shell.bot") : say("shell.pending.bot", { level: levelName(player.kind) })) : "",
      seat === sight.host ? say("shell.pending.host") : "",
      sight.away.includes(seat) ? say("shell.pending.away") : "",
    ].filter(Boolean);
    return html`<li class=${bot ? "bot" : ""} .style=${`--seat: var(--seat-${seat % 10})`}>
      <span class="disc" aria-hidden="true">${[...player.name][0]}</span>
      <span class="who"><b>${player.name}</b><span>${what.join(" · ") || say("shell.pending.there")}</span></span>
      ${this.#isHost && !bot && seat !== this.#seat
        ? html`<button class="quiet icon" aria-label=${say("shell.pending.hand", { name: player.name })} title=${say("shell.pending.hand", { name: player.name })}
            ?disabled=${this.busy} @click=${() => this.#send({ do: "hand_over", seat })}>${icon("star")}</button>`
        : nothing}
      ${this.#isHost && seat !== this.#seat ? this.#removal(seat, say("shell.pending.remove", { name: player.name })) : nothing}
    </li>`;
  }

  /** @param {number} seat @param {string} words */
  #removal(seat, words) {
    return html`<button class="quiet icon" aria-label=${words} title=${words} ?disabled=${this.busy}
      @click=${() => this.#send({ do: "remove", seat })}>${icon("close")}</button>`;
  }

  #hosting() {
    const sight = /** @type {Sight} */ (this.sight);
    const empty = sight.seats.filter((each) => !each).length;
    return html`<div class="host">
      <div>
        ${this.levels.length ? html`<label for="level">${say("shell.pending.level")}</label>` : nothing}
        <div>
          ${this.levels.length
            ? html`<select id="level" @change=${(/** @type {Event} */ event) => (this.level = /** @type {HTMLSelectElement} */ (event.target).value)}>
                ${this.levels.map((each) => html`<option value=${each} ?selected=${each === this.level}>${levelName(each)}</option>`)}
              </select>`
            : nothing}
          <button ?disabled=${this.busy || !empty} @click=${() => this.#send({ do: "add_bot", kind: this.level }, "bot")}>${say(this.levels.length ? "shell.pending.add" : "shell.pending.level")}</button>
        </div>
      </div>
      <button class="main" ?disabled=${this.busy} @click=${() => this.#send({ do: "start" })}>
        ${empty ? say("shell.pending.start", { count: empty }) : say("shell.pending.go")}
      </button>
    </div>`;
  }

  #myself() {
    const seat = this.#seat;
    const named = seat === undefined ? "" : this.sight?.seats[seat]?.name;
    const other = trimmed(this.name) && trimmed(this.name) !== named;
    return html`<section class="panel me" aria-label=${say("shell.pending.me")}>
      <h2>${seat === undefined ? say("shell.pending.join") : say("shell.pending.seated")}</h2>
      <form @submit=${this.#named}>
        <label for="name">${seat === undefined ? say("shell.name.optional") : say("shell.name.yours")}</label>
        <input id="name" maxlength="40" autocomplete="nickname" spellcheck="false" .value=${this.name}
          placeholder=${say("shell.name.any")}
          @input=${(/** @type {InputEvent} */ event) => (this.name = /** @type {HTMLInputElement} */ (event.target).value)}>
        ${seat === undefined
          ? html`<button class="main" ?disabled=${this.busy}>${say("shell.pending.sit")}</button>`
          : html`<button ?disabled=${this.busy || !other}>${say("shell.name.keep")}</button>`}
      </form>
      ${this.said ? html`<p class="said" role="alert">${this.said}</p>` : nothing}
    </section>`;
  }

  render() {
    const sight = this.sight;
    if (!sight) return nothing;
    const here = sight.seats.filter((each) => each).length;
    return html`
      <header>
        <h2>${titleOf(sight.opening.game)}</h2>
        <p class="soft">${variantOf(sight.opening.game, sight.opening.variant)}</p>
      </header>
      <div class="halves">
        <div class="me">
          ${this.#myself()}
          <section class="panel" aria-label=${say("shell.pending.who")}>
            <h2>${say("shell.pending.count", { here, seats: sight.seats.length })}</h2>
            <ul>${sight.seats.map((player, seat) => this.#chair(player, seat))}</ul>
            ${this.#isHost
              ? this.#hosting()
              : html`<p class="soft foot">${sight.host === undefined ? say("shell.pending.nohost") : say("shell.pending.wait", { name: sight.seats[sight.host]?.name ?? "" })}</p>`}
          </section>
        </div>
        <div class="me">
          ${this.place
            ? html`<share-table .table=${this.source?.table ?? ""} .code=${this.place.code} .link=${this.place.link}></share-table>`
            : nothing}
          <section class="panel" aria-label=${say("shell.pending.terms")}>
            <div class="chips">${settings(sight.opening, sight.seats.length).map((each) => html`<span>${each}</span>`)}</div>
            <div class="foot">
              <a class="button" href="${BASE}/learn/${sight.opening.game}">${say("shell.rules")}</a>
              ${this.#seat === undefined ? nothing : html`<button class="quiet" ?disabled=${this.busy} @click=${this.#leave}>${say("shell.pending.leave")}</button>`}
            </div>
          </section>
        </div>
      </div>`;
  }
}
customElements.define("pending-room", PendingRoom);
