import { LitElement, css, html, svg } from "../vendor/lit/index.js";
import { LanguageController } from "../ui/controllers.js";
import { closeButton, closeOnBackdrop } from "../ui/dialog-parts.js";
import { drawIcon, icon } from "../ui/icons.js";
import { settings } from "../ui/settings.js";
import { narrowStyles, baseStyles } from "../ui/styles.js";
import { t } from "../i18n/translate.js";
import { toggleMuted } from "./muting.js";

/** @import { TableView } from "../api/types.js" */

const KEY = svg`<circle cx="8.5" cy="12" r="3.6"/><path d="M12.1 12H20v3M16.5 12v2.4"/>`;
const QUESTION = svg`<path d="M8.8 9.3a3.3 3.3 0 1 1 4.7 3c-1 .5-1.5 1.1-1.5 2.2M12 18h.01" stroke-width="2.4"/>`;

/**
 * Table menu, from which players pause the game, change think time, let a bot play for an idle player, make another player
 * the host, mute or report a player, leave or close the table. It shows only what the viewer may do. Events: "command" (detail: a command), "share", "settings", "keys",
 * "television".
 */
export class TableMenu extends LitElement {
  static properties = { room: { attribute: false }, table: {}, now: { attribute: false }, confirming: { state: true } };
  static styles = [
    baseStyles,
    css`
      dialog {
        padding: 0;
        width: min(26rem, calc(100vw - 2rem));
        max-height: calc(100dvh - 2rem);
      }
      header {
        padding: var(--space-3) var(--space-3) 0 var(--space-5);
      }
      .things {
        display: grid;
        padding: var(--space-2) var(--space-3) var(--space-4);
      }
      .things button {
        justify-content: flex-start;
        font-weight: 500;
        gap: var(--space-3);
        text-align: start;
      }
      .things button:hover {
        background: var(--sunken);
      }
      h3 {
        padding: var(--space-3) var(--space-4) var(--space-1);
        font-weight: 600;
      }
    `,
    narrowStyles,
  ];

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #renderedAt = 0;

  constructor() {
    super();
    /** @type {TableView | null} */
    this.room = null;
    /** Id of the table. */
    this.table = "";
    /** Returns the milliseconds since the table was created. */
    this.now = () => 0;
    /** Action waiting for confirmation: "leave" or "close". */
    this.confirming = "";
    new LanguageController(this);
  }

  async open() {
    this.confirming = "";
    this.requestUpdate(); // the time is not a property
    await this.updateComplete;
    this.#dialog?.showModal();
    this.#schedule();
  }

  updated() {
    this.#schedule();
  }

  /** Update the open menu when the next player counts as idle who did not when it was rendered. A timer may fire early. */
  #schedule() {
    clearTimeout(this.#timer);
    const left = (this.room?.idle_from ?? []).flatMap((at) => (at !== null && at > this.#renderedAt ? [at - this.now()] : []));
    if (left.length && this.#dialog?.open) this.#timer = setTimeout(() => this.requestUpdate(), Math.max(16, Math.min(...left)));
  }

  get #dialog() {
    return /** @type {HTMLDialogElement | null} */ (this.renderRoot.querySelector("dialog"));
  }

  render() {
    this.#renderedAt = this.now();
    return html`<dialog autofocus aria-labelledby="menu" @click=${closeOnBackdrop}>
      <header class="apart"><h2 id="menu">${t("table.menu")}</h2>${closeButton()}</header>
      <div class="things">${this.#renderPlayerItems()}${this.#renderHostItems()}${this.#renderOtherPlayers()}${this.#renderGeneralItems()}</div>
    </dialog>`;
  }

  #renderGeneralItems() {
    return html`
      <h3 class="soft small">${t("table.menu.page")}</h3>
      ${this.#renderItem(icon("share"), t("table.share"), () => this.#emit("share"))}
      ${this.#renderItem(icon("gear"), t("ui.settings"), () => this.#emit("settings"))}
      ${this.#renderItem(drawIcon(QUESTION), t("ui.keys"), () => this.#emit("keys"))}
      ${this.#renderItem(icon("screen"), t("table.tv_view"), () => this.#emit("television"))}
    `;
  }

  #renderPlayerItems() {
    const { room } = this;
    const seat = room?.seat;
    if (!room || seat === undefined || room.status !== "active") return "";
    const away = room.away.includes(seat);
    const times = room.times[seat];
    return html`
      ${room.config.terms.clock && times !== null
        ? this.#renderItem(icon("clock"), t(times === 2 ? "table.think_time.default" : "table.think_time.double"), () => this.#sendCommand({ command: "pace", seat, times: times === 2 ? 1 : 2 }))
        : ""}
      ${away
        ? this.#renderItem(icon("back"), t("table.return"), () => this.#sendCommand({ command: "return", seat }))
        : this.#renderItem(icon("leave"), t(this.confirming === "leave" ? "table.leave.confirm" : "table.leave"), () => this.#confirm("leave", { command: "leave", seat }))}
      ${this.#idle.map(({ seat: idle, name }) => this.#renderItem(icon("robot"), t("table.vote_for_bot", { name }), () => this.#sendCommand({ command: "vote_for_bot", seat: idle })))}
    `;
  }

  /** The other people at the table. */
  get #others() {
    const { seats = [], seat: ownSeat } = this.room ?? {};
    return seats.flatMap((who, seat) => (who?.kind === "person" && seat !== ownSeat ? [{ seat, name: who.name, handle: who.handle ?? "" }] : []));
  }

  /** The people that the game has waited for without a deadline, so that a bot could play. The viewer must have chosen. */
  get #idle() {
    const { room } = this;
    if (!room || room.seat === undefined || room.status !== "active" || room.paused !== undefined || room.daily || room.away.includes(room.seat)) return [];
    const missing = /** @type {number[]} */ (room.view.to_act ?? []).filter((seat) => !room.chosen.includes(seat));
    if (missing.includes(room.seat)) return [];
    const isIdle = (/** @type {number} */ seat) => (room.idle_from?.[seat] ?? Number.POSITIVE_INFINITY) <= this.#renderedAt;
    return this.#others.filter(({ seat }) => missing.includes(seat) && !room.away.includes(seat) && isIdle(seat));
  }

  /** Players can be reported by players, and muted by spectators, too. */
  #renderOtherPlayers() {
    if (!this.#others.length) return "";
    return html`<h3 class="soft small">${t("table.menu.others")}</h3>
      ${this.#others.map(({ seat, name, handle }) => {
        const muted = settings.mutedPlayers.includes(handle);
        return html`${this.#renderItem(icon(muted ? "sound" : "silent"), t(muted ? "table.unmute" : "table.mute", { name }), () => this.#mute(handle))}
          ${this.room?.seat === undefined ? "" : this.#renderItem(icon("flag"), t("table.report", { name }), () => this.#report(seat, name))}`;
      })}`;
  }

  /** @param {string} handle */
  #mute(handle) {
    this.#dialog?.close();
    toggleMuted(handle);
  }

  #renderHostItems() {
    const { room } = this;
    if (!room?.is_host || room.status !== "active") return "";
    const others = this.#others;
    const me = room.seat === undefined ? [] : [{ seat: room.seat, name: "", handle: "" }];
    const clocked = room.config.terms.clock !== undefined;
    return html`
      <h3 class="soft small">${t("table.menu.host")}</h3>
      ${room.paused === undefined
        ? this.#renderItem(icon("pause"), t("table.pause"), () => this.#sendCommand({ command: "pause" }))
        : this.#renderItem(icon("play"), t("table.resume"), () => this.#sendCommand({ command: "resume" }))}
      ${(clocked ? [...me, ...others] : []).map(({ seat, name }) =>
        this.#renderItem(icon("clock"), t(`table.think_time.${room.times[seat] === null ? "restore" : "unlimited"}${seat === room.seat ? "_mine" : ""}`, { name }), () =>
          this.#sendCommand({ command: "pace", seat, times: room.times[seat] === null ? 1 : null })))}
      ${others.map(({ seat, name }) => this.#renderItem(drawIcon(KEY), t("table.make_host", { name }), () => this.#sendCommand({ command: "transfer_host", seat })))}
      ${room.config.rated
        ? ""
        : this.#renderItem(icon("close"), t(this.confirming === "close" ? "table.close.confirm" : "table.close"), () => this.#confirm("close", { command: "close" }), "danger")}
    `;
  }

  /**
   * @param {unknown} sign the icon
   * @param {string} words
   * @param {() => void} act
   * @param {string} [kind]
   */
  #renderItem(sign, words, act, kind = "") {
    return html`<button class="flat ${kind}" @click=${act}>${sign}<bdi>${words}</bdi></button>`;
  }

  /**
   * @param {string} what
   * @param {object} command
   */
  #confirm(what, command) {
    if (this.confirming === what) this.#sendCommand(command);
    else this.confirming = what;
  }

  /**
   * @param {number} seat
   * @param {string} name
   */
  async #report(seat, name) {
    this.#dialog?.close();
    await (await import("./report-dialog.js")).openReport(this.table, seat, name);
  }

  /** @param {object} command */
  #sendCommand(command) {
    this.#dialog?.close();
    this.dispatchEvent(new CustomEvent("command", { detail: command }));
  }

  /** @param {string} name */
  #emit(name) {
    this.#dialog?.close();
    this.dispatchEvent(new Event(name));
  }
}
customElements.define("table-menu", TableMenu);
