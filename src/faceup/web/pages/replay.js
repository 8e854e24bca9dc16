import { LitElement, html } from "../vendor/lit/index.js";
import { BASE, Refusal, ask } from "../live/api.js";
import { onKey } from "../manners/keys.js";
import { title } from "../manners/title.js";
import { icon } from "../parts/icons.js";
import { screen } from "../parts/screen.js";
import { narrow, sheet } from "../parts/sheet.js";
import "../table/faceup-replay.js";
import { titleOf } from "../words/games.js";
import { known, say } from "../words/say.js";
import { replayed } from "./replayed.js";

/** @import { FaceupReplay } from "../table/faceup-replay.js" */
/** @import { Verdict } from "../live/types.js" */

/** The games in which somebody chooses something that can be judged. */
const COACHED = new Set(["nimmt"]);

/** A server takes no larger records. */
const LARGEST = 4 * 1024 * 1024;

/** A finished table at `/t/ID/replay`, or a record from a file at `/replay`. `#at=17&seat=2` is a moment of it. */
export class ReplayPage extends LitElement {
  static properties = {
    address: { attribute: false },
    record: { state: true },
    lines: { state: true },
    problem: { state: true },
    over: { state: true },
    verdicts: { state: true },
    thinking: { state: true },
    told: { state: true },
    at: { state: true },
    seat: { state: true },
  };
  static styles = [sheet, screen, replayed, narrow];

  constructor() {
    super();
    /** @type {{table?: string}} */
    this.address = {};
    /** The record of a file, as it is. */
    this.record = "";
    this.lines = "";
    this.problem = "";
    /** Whether something is held over the page. */
    this.over = false;
    /** @type {Verdict[]} */
    this.verdicts = [];
    this.thinking = false;
    /** What was done last, in words. */
    this.told = "";
    const moment = new URLSearchParams(location.hash.slice(1));
    this.at = Number(moment.get("at")) || 0;
    /** @type {number | undefined} */
    this.seat = moment.has("seat") ? Number(moment.get("seat")) : undefined;
  }

  #stopKeys = () => {};

  connectedCallback() {
    super.connectedCallback();
    title(say("replay.title"));
    this.#stopKeys = onKey((key) => {
      if (key !== "?") return false;
      void import("../manners/dialogs.js").then(({ openKeys }) => openKeys(this.#replay?.keys ?? []));
      return true;
    });
  }

  disconnectedCallback() {
    this.#stopKeys();
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("address") && this.address.table && !location.hash.includes("seat=")) void this.#mine(this.address.table);
  }

  /**
   * Who has sat at the table sees it again from there.
   *
   * @param {string} table
   */
  async #mine(table) {
    try {
      this.seat = (await ask("GET", `/api/tables/${table}`)).sight.seat;
    } catch {
      // as a spectator, then
    }
  }

  get #replay() {
    return /** @type {FaceupReplay | null} */ (this.renderRoot.querySelector("faceup-replay"));
  }

  render() {
    const { table } = this.address;
    const game = this.#replay?.player?.sight.opening.game;
    return html`
      <header>
        <a class="button quiet" href=${table ? `${BASE}/t/${table}` : `${BASE}/`} aria-label=${say("table.home")}>${icon(table ? "back" : "home")}</a>
        <h1>${game ? `${titleOf(game)} · ` : ""}${say("replay.title")}</h1>
        ${table || this.lines ? this.#tools(table, COACHED.has(game ?? "")) : ""}
      </header>
      ${this.told ? html`<p class="told" role="status">${this.told}</p>` : ""}
      ${table || this.lines
        ? html`<faceup-replay alone src=${table ? `${BASE}/api/tables/${table}/replay` : ""} .lines=${this.lines} .at=${this.at}
            .seat=${this.seat} .verdicts=${this.verdicts} @step=${this.#stepped}></faceup-replay>`
        : this.#drop()}
    `;
  }

  /**
   * @param {string | undefined} table
   * @param {boolean} coached
   */
  #tools(table, coached) {
    return html`<nav aria-label=${say("replay.controls")}>
      <button ?hidden=${!coached} ?disabled=${this.thinking} @click=${this.#review}>${icon("coach")}<span>${say(this.thinking ? "replay.coach.thinks" : "replay.coach.ask")}</span></button>
      <button aria-haspopup="dialog" @click=${() => this.#dialog?.showModal()}>${icon("download")}<span>${say("replay.keep")}</span></button>
      ${table ? "" : html`<button @click=${() => ((this.lines = ""), (this.verdicts = []))}>${icon("film")}<span>${say("replay.again")}</span></button>`}
    </nav>
    <dialog autofocus aria-labelledby="keep" @click=${closeOutside}>
      <h2 id="keep">${say("replay.keep")}</h2>
      ${table ? html`<button @click=${this.#link}>${icon("link")}${say("replay.link")}</button>` : ""}
      <button @click=${() => this.#picture("png")}>${icon("picture")}${say("replay.picture", { kind: "PNG" })}</button>
      <button @click=${() => this.#picture("svg")}>${icon("picture")}${say("replay.picture", { kind: "SVG" })}</button>
      ${table ? html`<a class="button" href="${BASE}/api/tables/${table}/record" download>${icon("download")}${say("replay.record")}</a>` : ""}
      <p class="told" role="status">${this.told}</p>
      <button class="quiet" @click=${() => this.#dialog?.close()}>${say("table.shut")}</button>
    </dialog>`;
  }

  get #dialog() {
    return this.renderRoot.querySelector("dialog");
  }

  #drop() {
    /** @param {DragEvent} event */
    const over = (event) => (event.preventDefault(), (this.over = true));
    return html`<section class="drop ${this.over ? "over" : ""}" @dragover=${over} @dragleave=${() => (this.over = false)} @drop=${this.#dropped}>
      ${icon("film", 56)}
      <h2>${say("replay.drop")}</h2>
      <p class="soft">${say("replay.drop.why")}</p>
      ${this.problem ? html`<p class="wrong" role="alert">${this.problem}</p>` : ""}
      <label class="button main">${say("replay.file")}<input class="seen-by-readers-alone" type="file" accept=".json,application/json" @change=${this.#picked}></label>
    </section>`;
  }

  /** @param {DragEvent} event */
  #dropped(event) {
    event.preventDefault();
    this.over = false;
    void this.#read(event.dataTransfer?.files[0]);
  }

  /** @param {Event} event */
  #picked(event) {
    void this.#read(/** @type {HTMLInputElement} */ (event.target).files?.[0]);
  }

  /** @param {File | undefined} file */
  async #read(file) {
    if (!file) return;
    if (file.size > LARGEST) {
      this.problem = say("replay.too_large");
      return;
    }
    try {
      this.record = await file.text();
      this.lines = await sent("/api/replay", this.record);
      this.problem = "";
      this.at = 0;
      this.seat = undefined;
    } catch (refusal) {
      this.problem = sorry(refusal, say("replay.no_record", { message: /** @type {Error} */ (refusal).message }));
    }
  }

  #stepped() {
    const replay = this.#replay;
    if (!replay?.player) return;
    this.at = replay.player.step;
    this.seat = replay.player.seat;
    this.told = "";
    if (this.address.table) history.replaceState(history.state, "", `#${this.#moment}`);
    this.requestUpdate();
  }

  /** The moment that is shown, as an address has it. */
  get #moment() {
    const player = this.#replay?.player;
    return new URLSearchParams({ at: `${player?.step ?? 0}`, seat: `${player?.seat ?? ""}` });
  }

  async #link() {
    const link = new URL(`#${this.#moment}`, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      this.told = say("replay.copied");
    } catch {
      this.told = link; // no clipboard on plain http: it can be read, and stands in the address bar
    }
  }

  async #review() {
    this.thinking = true;
    try {
      const { table } = this.address;
      const review = table ? await ask("GET", `/api/tables/${table}/review`) : JSON.parse(await sent("/api/review", this.record));
      this.verdicts = review.decisions;
      const replay = this.#replay;
      if (replay?.player?.step === 0) replay.player.forward();
    } catch (refusal) {
      const none = refusal instanceof Refusal && refusal.kind === "malformed" && refusal.where === "game";
      this.told = none ? say("replay.coach.none") : sorry(refusal, /** @type {Error} */ (refusal).message);
    } finally {
      this.thinking = false;
    }
  }

  /**
   * Save the drawing of this moment.
   *
   * @param {"svg" | "png"} kind
   */
  async #picture(kind) {
    const { table } = this.address;
    const player = this.#replay?.player;
    if (!player) return;
    const where = `at=${player.step}${player.seat === undefined ? "" : `&seat=${player.seat}`}`;
    const name = `${player.sight.opening.game}-${player.step}`;
    try {
      const text = table ? await ask("GET", `/api/tables/${table}/moment.svg?${where}`) : await sent(`/api/moment?${where}`, this.record);
      const { save, asPng } = await import("./saving.js");
      const picture = new Blob([text], { type: "image/svg+xml" });
      save(`${name}.${kind}`, kind === "svg" ? picture : await asPng(picture));
    } catch (refusal) {
      this.told = sorry(refusal, /** @type {Error} */ (refusal).message);
    }
  }
}
customElements.define("replay-page", ReplayPage);

/**
 * Send a record, and get what is made of it, as text.
 *
 * @param {string} path
 * @param {string} record
 */
async function sent(path, record) {
  let answer;
  try {
    answer = await fetch(BASE + path, { method: "POST", headers: { "content-type": "application/json" }, body: record });
  } catch {
    throw new Refusal({ kind: "unreachable", message: "The server does not answer." });
  }
  if (!answer.ok) throw new Refusal((await answer.json()).error);
  return answer.text();
}

/**
 * @param {unknown} refusal
 * @param {string} words where no catalogue has any
 */
function sorry(refusal, words) {
  const key = refusal instanceof Refusal ? `refusals.${refusal.kind}` : "";
  return known(key) && key !== "refusals.malformed" ? say(key) : words;
}

/** @param {MouseEvent} event */
function closeOutside(event) {
  if (event.target === event.currentTarget) /** @type {HTMLDialogElement} */ (event.currentTarget).close();
}
