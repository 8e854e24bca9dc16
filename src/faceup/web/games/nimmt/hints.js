import { SEARCH_TIME, request } from "../../api/http.js";
import { announce } from "../../ui/live-region.js";
import { html, nothing } from "../../vendor/lit/index.js";

/** @import { LitElement } from "../../vendor/lit/index.js" */
/** @import { TableView } from "../../api/types.js" */
/** @import { HintAnswer, Rank } from "./hint-text.js" */

/**
 * The coach's hint for an open decision.
 *
 * @typedef {object} Hinting
 * @property {boolean} open whether the hint is shown
 * @property {boolean} busy whether it is being computed
 * @property {ReadonlyMap<string, Rank>} ranks by action; empty if no hint is shown
 * @property {() => void} toggle ask for the hint, or hide it
 */

/** @type {ReadonlyMap<string, Rank>} */
const NONE = new Map();

/**
 * Asks the coach for hints. A hint belongs to one decision; it is hidden after the choice, and loaded only once.
 */
export class HintController {
  #host;
  /** @type {typeof import("./hint-text.js") | null} */
  #text = null;
  /** @type {HintAnswer | null} */
  #answer = null;
  /** The decision that `#answer` or the running request belongs to. */
  #decision = -1;
  #open = false;
  #busy = false;
  #problem = "";
  /** @type {ReadonlyMap<string, Rank>} */
  #ranks = NONE;

  /** @param {LitElement & {room: TableView | null, table: string}} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdate() {
    const { room } = this.#host;
    if (!this.#open || (room?.decision === this.#decision && room.choice === undefined)) return;
    this.#open = false;
    this.#problem = "";
  }

  /**
   * Return the hint for a decision; null if the table allows none.
   *
   * @param {TableView} room
   * @returns {Hinting | null}
   */
  of(room) {
    if (!this.#host.table || !room.hints) return null;
    const shown = this.#open && !this.#busy && !this.#problem;
    return { open: this.#open, busy: this.#busy, ranks: shown ? this.#ranks : NONE, toggle: () => void this.toggle() };
  }

  /**
   * Return the sentence about the best action, or about the selected one; undefined if no hint is shown.
   *
   * @param {string} marked
   */
  sentence(marked) {
    if (!this.#open || !this.#text) return undefined;
    return this.#busy ? this.#text.busySentence() : this.#problem || (this.#answer ? this.#text.hintSentence(this.#answer, marked) : undefined);
  }

  /** Show the hint, or hide it. */
  async toggle() {
    const { room } = this.#host;
    if (!room || this.#busy) return;
    this.#open = !this.#open;
    if (this.#open && (this.#decision !== room.decision || !this.#answer)) await this.#load(room);
    if (this.#open && this.#answer && this.#text) announce(this.#text.announcement(this.#answer));
    this.#emitChange();
  }

  /** @param {TableView} room */
  async #load({ decision, seat }) {
    this.#decision = decision;
    this.#answer = null;
    this.#busy = true;
    this.#problem = "";
    this.#emitChange();
    try {
      this.#text = await import("./hint-text.js");
      this.#emitChange();
      this.#answer = /** @type {HintAnswer} */ (await request("GET", `/api/tables/${this.#host.table}/hint?seat=${seat}`, undefined, undefined, SEARCH_TIME));
      this.#ranks = this.#text.rank(this.#answer);
    } catch (error) {
      const stale = /** @type {{kind?: string}} */ (error).kind === "stale"; // the choices have just been revealed
      this.#open = !stale;
      const { errorMessage } = await import("../../i18n/errors.js");
      this.#problem = errorMessage(error);
      if (!stale) announce(this.#problem);
    } finally {
      this.#busy = false;
    }
  }

  #emitChange() {
    this.#host.requestUpdate();
    this.#host.dispatchEvent(new Event("standing")); // the table shows the sentence
  }
}

/**
 * Render the rank of a card or a row as a badge.
 *
 * @param {Rank | undefined} rank
 */
export function renderBadge(rank) {
  return rank ? html`<span class="rank ${rank.grade}" aria-hidden="true">${rank.badge}</span>` : nothing;
}

/**
 * Render the rank of a card or a row for screen readers.
 *
 * @param {Rank | undefined} rank
 */
export function renderRankText(rank) {
  return rank ? html`<span class="visually-hidden">, ${rank.words}</span>` : nothing;
}
