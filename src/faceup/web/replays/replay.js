import "../table/faceup-replay.js";
import { BASE, DRAWING_TIME, ApiError, limitWait, request } from "../api/http.js";
import { gameTitle } from "../i18n/games.js";
import { errorMessage } from "../i18n/errors.js";
import { language, t } from "../i18n/translate.js";
import { namesOf } from "../i18n/seat-names.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { setPageTitle } from "../ui/page-title.js";
import { onShortcut } from "../ui/shortcuts.js";
import { screenStyles, narrowStyles, baseStyles } from "../ui/styles.js";
import { LitElement, html, css } from "../vendor/lit/index.js";

/** @import { FaceupReplay } from "../table/faceup-replay.js" */
/** @import { ReviewPanel } from "../table/review-panel.js" */

/** Games that the coach can analyse. */
const COACHED = new Set(["nimmt"]);

/** Maximum size of a record that the server accepts. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** Styles of the replay page: header, file drop. */
const pageStyles = css`
  header nav {
    display: flex;
    gap: var(--space-2);
  }
  header nav button,
  header nav .button {
    font-size: var(--text--1);
    padding: 0 var(--space-3);
  }
  .message {
    padding: 0 var(--space-4);
    overflow-wrap: anywhere;
  }
  faceup-replay {
    flex: 1;
  }
  review-panel {
    min-height: 85dvh;
    scroll-margin-top: var(--space-3);
    width: min(60rem, 100% - 1.5rem);
    margin: 0 auto var(--space-4);
  }
  .drop {
    padding: var(--space-7) var(--space-5);
    width: min(36rem, 100% - 2rem);
    max-width: none;
    border-radius: calc(2 * var(--radius));
    box-shadow: var(--high);
    transition: transform var(--quick) var(--ease), box-shadow var(--quick) var(--ease);
  }
  .drop svg {
    color: var(--accent);
  }
  .drop.over {
    transform: scale(1.02);
    box-shadow: var(--highest), inset 0 0 0 4px var(--accent);
  }
  .drop label:focus-within {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
  }
  .wrong {
    color: var(--danger);
    overflow-wrap: anywhere;
  }
  @media (max-width: 26rem) {
    header .chip {
      display: none;
    }
  }
  @media (max-width: 62.5em) {
    header nav span {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    header nav button,
    header nav .button {
      padding: 0;
      background: none;
      box-shadow: none;
      color: var(--ink-soft);
    }
  }
`;

/** Replay page: a finished table at `/t/ID/replay`, or a record from a file at `/replay`. `#at=17&seat=2` selects a step and a seat. */
export class ReplayPage extends LitElement {
  static properties = {
    address: { attribute: false },
    record: { state: true },
    lines: { state: true },
    problem: { state: true },
    dragging: { state: true },
    reviewed: { state: true },
    message: { state: true },
    at: { state: true },
    seat: { state: true },
    rated: { state: true },
  };
  static styles = [baseStyles, screenStyles, pageStyles, narrowStyles];

  constructor() {
    super();
    /** @type {{table?: string}} */
    this.address = {};
    /** Text of the record loaded from a file. */
    this.record = "";
    this.lines = "";
    this.problem = "";
    /** Whether a file is being dragged over the page. */
    this.dragging = false;
    /** Whether the coach's review is shown. */
    this.reviewed = false;
    /** Status message of the last action. */
    this.message = "";
    const moment = new URLSearchParams(location.hash.slice(1));
    this.at = Number(moment.get("at")) || 0;
    /** @type {number | undefined} */
    this.seat = moment.has("seat") ? Number(moment.get("seat")) : undefined;
    /** @type {boolean | undefined} Whether the table was rated. */
    this.rated = undefined;
    new LanguageController(this);
  }

  #stopKeys = () => {};

  connectedCallback() {
    super.connectedCallback();
    setPageTitle(() => t("replay.title"));
    this.#stopKeys = onShortcut((key) => {
      if (key !== "?") return false;
      void import("../ui/dialogs.js").then(({ openShortcuts }) => openShortcuts(this.#replay?.keys ?? []));
      return true;
    });
  }

  disconnectedCallback() {
    this.#stopKeys();
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("address") && this.address.table) void this.#mine(this.address.table);
  }

  /**
   * Load whether the table was rated, and select the seat that this player had unless the address has one.
   *
   * @param {string} table
   */
  async #mine(table) {
    try {
      const { seat, rated } = (await request("GET", `/api/tables/${table}`)).room;
      this.rated = rated;
      if (!location.hash.includes("seat=")) this.seat = seat;
    } catch {
      // the player had no seat there, so the point of view stays a spectator's
    }
  }

  get #replay() {
    return /** @type {FaceupReplay | null} */ (this.renderRoot.querySelector("faceup-replay"));
  }

  render() {
    const { table } = this.address;
    const game = this.#replay?.replay?.room.config.game;
    return html`
      <header>
        <a class="button quiet" href=${table ? `${BASE}/t/${table}` : `${BASE}/`} aria-label=${t("table.home")}>${icon(table ? "back" : "home")}</a>
        <h1>${game ? `${gameTitle(game)} · ` : ""}${t("replay.title")}</h1>
        ${this.rated === undefined ? "" : html`<span class="chip">${t(this.rated ? "table.rated" : "table.unrated")}</span>`}
        ${table || this.lines ? this.#renderTools(table, game) : ""}
      </header>
      ${this.message ? html`<p class="message soft" role="status">${this.message}</p>` : ""}
      ${table || this.lines
        ? html`<faceup-replay alone src=${table ? `${BASE}/api/tables/${table}/replay` : ""} .lines=${this.lines} .at=${this.at}
            .seat=${this.seat} @step=${this.#stepped}>${this.reviewed ? this.#renderReview(table ?? "") : ""}</faceup-replay>`
        : this.#renderDrop()}
    `;
  }

  /**
   * @param {string | undefined} table
   * @param {string | undefined} game
   */
  #renderTools(table, game) {
    return html`<nav aria-label=${t("replay.controls")}>
      <button ?hidden=${!COACHED.has(game ?? "")} title=${t("replay.coach.analyse")} aria-pressed=${this.reviewed} @click=${this.#toggleReview}>${icon("coach")}<span>${t("replay.coach.analyse")}</span></button>
      <button aria-haspopup="dialog" ?disabled=${!game} @click=${this.#share}>${icon("share")}<span>${t("replay.share")}</span></button>
      ${table ? "" : html`<button @click=${() => Object.assign(this, { lines: "", reviewed: false })}>${icon("film")}<span>${t("replay.open_another")}</span></button>`}
    </nav>`;
  }

  #renderDrop() {
    /** @param {DragEvent} event */
    const over = (event) => {
      event.preventDefault();
      this.dragging = true;
    };
    return html`<section class="drop notice surface ${this.dragging ? "over" : ""}" @dragover=${over} @dragleave=${() => (this.dragging = false)} @drop=${this.#dropped}>
      ${icon("film", 56)}
      <h2>${t("replay.drop")}</h2>
      <p class="soft">${t("replay.drop.hint")}</p>
      ${this.problem ? html`<p class="wrong" role="alert">${this.problem}</p>` : ""}
      <label class="button main">${t("replay.file")}<input class="visually-hidden" type="file" accept=".json,application/json" @change=${this.#picked}></label>
    </section>`;
  }

  /** @param {DragEvent} event */
  #dropped(event) {
    event.preventDefault();
    this.dragging = false;
    void this.#openFile(event.dataTransfer?.files[0]);
  }

  /** @param {Event} event */
  #picked(event) {
    void this.#openFile(/** @type {HTMLInputElement} */ (event.target).files?.[0]);
  }

  /** @param {File | undefined} file */
  async #openFile(file) {
    if (!file) return;
    if (file.size > MAX_RECORD_BYTES) {
      this.problem = t("replay.too_large");
      return;
    }
    try {
      this.record = await file.text();
      this.lines = await (await postRecord("/api/replay", this.record)).text();
      this.problem = "";
      this.at = 0;
      this.seat = undefined;
    } catch (error) {
      this.problem = errorText(error, t("replay.no_record", { message: /** @type {Error} */ (error).message }));
    }
  }

  #stepped() {
    const replay = this.#replay;
    if (!replay?.replay) return;
    this.at = replay.replay.step;
    this.seat = replay.replay.seat;
    this.message = "";
    if (this.address.table) history.replaceState(history.state, "", `#${this.#stepLink}`);
    this.requestUpdate();
  }

  /** Return the current step as an address fragment. */
  get #stepLink() {
    const player = this.#replay?.replay;
    return new URLSearchParams({ at: `${player?.step ?? 0}`, seat: `${player?.seat ?? ""}` });
  }

  /** Share the current step. */
  async #share() {
    const { table } = this.address;
    const player = this.#replay?.replay;
    if (!player) return;
    const { shareMoment, sharePicture } = await import("../ui/share-dialog.js");
    const { step: at, seat } = player;
    const { game } = player.room.config;
    if (table) return shareMoment({ table, game, at, seat });
    const where = new URLSearchParams({ at: `${at}`, lang: language(), ...(seat !== undefined && { seat: `${seat}` }) });
    return sharePicture(game, async () => (await postRecord(`/api/picture?${where}`, this.record)).blob());
  }

  async #toggleReview() {
    if (!this.reviewed) await import("../table/review-panel.js");
    this.reviewed = !this.reviewed;
    await this.updateComplete;
    this.#review?.scrollIntoView();
  }

  get #review() {
    return /** @type {ReviewPanel | null} */ (this.renderRoot.querySelector("review-panel"));
  }

  /**
   * Render the review below the table, and the reviewed choices of the current step above the controls.
   *
   * @param {string} table
   */
  #renderReview(table) {
    const replay = this.#replay?.replay;
    if (!replay) return "";
    const { room, step } = replay;
    const decision = step ? replay.at(step - 1).decision : -1;
    const choices = this.#review?.steps.filter((step) => step.decision === decision) ?? [];
    /** @param {CustomEvent<{decision: number, seat: number}>} event */
    const seek = (event) => {
      event.preventDefault();
      this.#replay?.showDecision(event.detail);
      this.#replay?.scrollIntoView();
    };
    return html`<review-panel .room=${room} table=${table} unasked @seek=${seek} @change=${() => this.requestUpdate()}
        .record=${this.record}></review-panel>
      ${choices.length ? html`<review-decisions slot="step" named .steps=${choices} .names=${namesOf(room)} game=${room.config.game} table=${table}
        aria-label=${t("replay.coach.choices")} role="region"></review-decisions>` : ""}`;
  }
}
customElements.define("replay-page", ReplayPage);

/**
 * Upload a record, and return the response.
 *
 * @param {string} path
 * @param {string} record
 */
async function postRecord(path, record) {
  let answer;
  try {
    answer = await fetch(BASE + path, { method: "POST", headers: { "content-type": "application/json" }, body: record, signal: limitWait(undefined, DRAWING_TIME) });
  } catch {
    throw new ApiError({ kind: "unreachable", message: "The server does not answer." });
  }
  if (!answer.ok) throw new ApiError((await answer.json()).error);
  return answer;
}

/**
 * Return the message of an error, or the text `invalid` if the server rejected the record.
 *
 * @param {unknown} error
 * @param {string} [invalid]
 */
function errorText(error, invalid = /** @type {Error} */ (error).message) {
  return error instanceof ApiError && error.kind !== "malformed" ? errorMessage(error) : invalid;
}
