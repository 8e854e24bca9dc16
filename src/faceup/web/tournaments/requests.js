import { steadyNow } from "../api/clock.js";
import { request } from "../api/http.js";
import { normalizeName, saveName, serverInfo } from "../api/server-info.js";

/** @import { TournamentEntry, TournamentResponse } from "../api/http-types.js" */

/** Milliseconds between two attempts to reach the server. */
const RETRY = 2_000;

/** Seconds for which a request waits for news. A player must hear of a new round before a bot plays. */
const WAIT = 8;

/** Return the tournaments of the player, the newest first. @returns {Promise<TournamentEntry[]>} */
export function loadMyTournaments() {
  return request("GET", "/api/me/tournaments");
}

/**
 * Create a tournament.
 *
 * @param {object} settings
 * @param {string} name of the guest that is created for a visitor
 * @returns {Promise<TournamentResponse>}
 */
export async function createTournament(settings, name) {
  const made = await request("POST", "/api/tournaments", { settings }, undefined, 0, name ? { name } : {});
  if (name) saveName(name);
  void serverInfo.refresh();
  return made;
}

/**
 * A tournament that is kept up to date until it is over: each request waits on the server for the next change. Event:
 * "change", after which `seen` or `error` is new.
 */
export class TournamentFeed extends EventTarget {
  /** @type {TournamentResponse | null} */
  seen = null;
  /** The error of the last request; null if it was answered. @type {unknown} */
  error = null;
  #id;
  #ended = false;
  /** Ends the request that waits for a change. */
  #waiting = new AbortController();
  /** How much the server's clock is ahead of this device's. */
  #ahead = 0;

  /** @param {string} id */
  constructor(id) {
    super();
    this.#id = id;
    void this.#run();
  }

  /** Return the server's time in milliseconds since 1970. */
  now() {
    return steadyNow() + this.#ahead;
  }

  /** End the feed. */
  close() {
    this.#ended = true;
    this.#waiting.abort();
  }

  /**
   * Send a command, and show its result. The request that waits is sent again, because the player may be another one now:
   * a visitor who joins becomes a guest.
   *
   * @param {{command: string, name?: string, number?: number, round?: number}} command
   */
  async send(command) {
    const answer = await request("POST", `/api/tournaments/${this.#id}/commands`, command);
    this.#waiting.abort();
    this.#show(answer);
  }

  /** Join under a name; "" is the name of the player. @param {string} name */
  async join(name) {
    const shown = normalizeName(name);
    await this.send({ command: "join", ...(shown ? { name: shown } : {}) });
    if (shown) saveName(shown);
    void serverInfo.refresh();
  }

  async #run() {
    while (!this.#ended && !this.#over) {
      const { signal } = (this.#waiting = new AbortController());
      const after = this.seen ? `?after=${this.seen.tournament.version}` : "";
      try {
        const seen = await request("GET", `/api/tournaments/${this.#id}${after}`, undefined, signal, after ? WAIT : 0);
        if (!signal.aborted) this.#show(seen);
      } catch (error) {
        if (signal.aborted) continue;
        this.error = error;
        this.dispatchEvent(new Event("change"));
        if (/** @type {Partial<import("../api/http.js").ApiError>} */ (error).kind === "not_found") return;
        await new Promise((done) => setTimeout(done, RETRY));
      }
    }
  }

  get #over() {
    return this.seen !== null && ["finished", "cancelled"].includes(this.seen.tournament.status);
  }

  /** @param {TournamentResponse} seen */
  #show(seen) {
    if (this.#ended || (this.seen && seen.tournament.version < this.seen.tournament.version)) return;
    this.#ahead = seen.now - steadyNow();
    this.seen = seen;
    this.error = null;
    this.dispatchEvent(new Event("change"));
  }
}
