import { LitElement, css, html } from "../vendor/lit/index.js";
import { elementFor } from "../games/index.js";
import { ask, BASE, newId } from "../live/api.js";
import { Connection } from "../live/connection.js";
import { settings, set } from "../manners/settings.js";
import { myTurn, title } from "../manners/title.js";
import { wake } from "../manners/wake.js";
import { icon } from "../parts/icons.js";
import { screen } from "../parts/screen.js";
import { sheet } from "../parts/sheet.js";
import { mayChoose } from "../table/next.js";
import "../table/faceup-table.js";
import { titleOf } from "../words/games.js";
import { known, need, say } from "../words/say.js";
import { go } from "./go.js";

/** @import { Whole } from "../live/types.js" */
/** @import { FaceupTable } from "../table/faceup-table.js" */

/** The line that the page has brought with it, of which table, and when it came: it serves once. */
let brought = (() => {
  const data = document.getElementById("first");
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (!data) return null;
  data.remove();
  /** @type {Whole} */
  const line = JSON.parse(data.textContent ?? "");
  return { line, table: data.dataset.table, at: performance.timeOrigin + (visit?.responseStart ?? 0) };
})();
// What is there already is drawn in one go: its game is here before its frame is.
if (brought && brought.line.sight.status !== "pending") await elementFor(brought.line.sight.opening.game).catch(() => undefined);

/** The page of one table, from its first empty chair to the rematch. */
export class TablePage extends LitElement {
  static properties = { address: { attribute: false }, live: { state: true }, problem: { state: true }, busy: { state: true }, television: { state: true } };
  static styles = [
    sheet,
    screen,
    css`
      header .quiet {
        padding: 0;
        color: var(--ink-soft);
      }
      faceup-table {
        flex: 1;
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
      .sorry {
        margin: auto;
        padding: var(--space-6) var(--space-5);
        display: grid;
        gap: var(--space-5);
        justify-items: center;
        text-align: center;
        max-width: 34rem;
      }
    `,
  ];

  #told = () => this.#changed();

  constructor() {
    super();
    /** @type {{table?: string}} */
    this.address = {};
    /** @type {Connection | null} */
    this.live = null;
    this.problem = "";
    this.busy = false;
    this.television = new URLSearchParams(location.search).has("television");
  }

  disconnectedCallback() {
    this.#leave();
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("address")) return;
    this.#leave();
    if (!this.address.table) return;
    this.live = new Connection(this.address.table, brought?.table === this.address.table ? brought : undefined);
    brought = null;
    this.live.addEventListener("told", this.#told);
    this.live.addEventListener("status", this.#told);
    this.#changed();
  }

  #leave() {
    this.live?.removeEventListener("told", this.#told);
    this.live?.removeEventListener("status", this.#told);
    this.live?.close();
    this.live = null;
    myTurn("");
    wake(false);
  }

  #changed() {
    const sight = this.live?.sight;
    if (sight) {
      const mine = mayChoose(sight) && sight.choice === undefined;
      title(titleOf(sight.opening.game));
      myTurn(mine ? say("table.turn") : "");
      wake(mine);
      if (sight.status === "pending") void need("shell").then(() => import("./pending.js"));
    }
    this.requestUpdate();
  }

  render() {
    const { live } = this;
    const sight = live?.sight;
    const status = sight?.status;
    const frame = /** @type {FaceupTable | null} */ (this.renderRoot.querySelector("faceup-table"));
    return html`
      ${this.television && status === "active" ? "" : html`<header>
        <a class="button quiet" href="${BASE}/" aria-label=${say("table.home")}>${icon("home")}</a>
        <h1>${sight ? titleOf(sight.opening.game) : "faceup"}</h1>
        <button class="quiet" aria-label=${say(settings.sounds ? "manners.sounds.off" : "manners.sounds.on")}
          aria-pressed=${settings.sounds} @click=${this.#sounds}>${icon(settings.sounds ? "sound" : "silent")}</button>
        <button class="quiet" aria-label=${say("table.menu")} aria-haspopup="dialog"
          @click=${() => (status === "active" || status === "finished" ? frame?.openMenu() : this.#settings())}>${icon("more")}</button>
      </header>`}
      ${this.television && status === "active"
        ? html`<button class="quiet corner" aria-label=${say("table.television")} @click=${() => (this.television = false)}>${icon("screen")}</button>`
        : ""}
      ${this.#sorry()}
      ${status === "pending" ? html`<pending-room .source=${live} .sight=${sight} table=${this.address.table ?? ""}></pending-room>` : ""}
      <faceup-table .source=${live} table=${this.address.table ?? ""} ?television=${this.television} .busy=${this.busy}
        ?hidden=${status !== "active" && status !== "finished"} @settings=${this.#settings} @keys=${this.#keys}
        @television=${() => (this.television = !this.television)} @rematch=${this.#rematch} @verify=${this.#verify}></faceup-table>
    `;
  }

  #sorry() {
    const { live } = this;
    const closed = live?.sight?.status === "closed";
    const words = closed
      ? say(`table.closed.${live.sight?.closed ?? "operator"}`)
      : live?.status === "ended" && !live.sight
        ? say(known(`table.ended.${live.why}`) ? `table.ended.${live.why}` : "table.ended.no_table")
        : "";
    if (!words) return "";
    return html`<div class="sorry" role="alert"><h2>${words}</h2><a class="button main" href="${BASE}/">${icon("home")}${say("table.home")}</a></div>`;
  }

  #sounds() {
    set({ sounds: !settings.sounds });
    this.requestUpdate();
  }

  #settings = async () => (await import("../manners/dialogs.js")).openSettings();
  #keys = async () => {
    const frame = /** @type {FaceupTable | null} */ (this.renderRoot.querySelector("faceup-table"));
    (await import("../manners/dialogs.js")).openKeys(frame?.keys ?? []);
  };

  /** Ask for a rematch and sit down there, or at the one that somebody else has asked for. */
  async #rematch() {
    if (this.busy || !this.live) return;
    this.busy = true;
    try {
      const id = newId();
      const next = this.live.sight?.rematch ?? (await ask("POST", `/api/tables/${this.live.table}/commands`, { id, do: "rematch" })).table;
      await ask("POST", `/api/tables/${next}/commands`, { id: newId(), do: "sit" }).catch(() => undefined);
      go(`/t/${next}`);
    } catch (refusal) {
      this.problem = /** @type {Error} */ (refusal).message;
    } finally {
      this.busy = false;
    }
  }

  async #verify() {
    await need("shell");
    (await import("../parts/verify.js")).showVerdict(this.address.table ?? "");
  }
}
customElements.define("table-page", TablePage);
