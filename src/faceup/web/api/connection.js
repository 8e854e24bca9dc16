import { steadyNow } from "./clock.js";
import { BASE, ApiError, request, randomId } from "./http.js";
import { serverInfo } from "./server-info.js";
import { EMPTY_STATE, applyUpdate } from "./updates.js";

/** @import { Problem, Update, TableEvent, TableSource, UpdateDetail, Snapshot } from "./types.js" */

/** Reasons after which a stream has ended for good. If a stream ends for any other reason, the client reconnects. */
const TERMINAL_REASONS = new Set(["finished", "closed", "spectators_off", "revoked", "deleted", "table_not_found", "no_spectators", "unauthenticated", "forbidden", "banned"]);

/** Events that hide no reveal if many come in one message. */
const MINOR = new Set(["chose", "choice_withdrawn", "reaction"]);
const MIN_RETRY_DELAY = 250;
const MAX_RETRY_DELAY = 8000;
/** The factor between two delays. */
const RETRY_GROWTH = 1.5;
/** Milliseconds in which most restarts end. Until then, delays stay short, so that everyone is back a second later. */
const RESTART_TIME = 10_000;
const RESTART_RETRY_DELAY = 800;
/** Maximum attempts to load the backlog. */
const MAX_ATTEMPTS = 5;
/** Milliseconds in which the response with the new session arrives at the page that has logged in. */
const LOGIN_TIME = 1000;
/** Milliseconds in which the server opens a connection, or answers a command. After that, the connection counts as lost. */
const ANSWER_LIMIT = 10_000;
/** Milliseconds without a message after which the connection counts as lost, unless a ping of the server has set another limit. */
const DEFAULT_SILENCE = 20_000;

/**
 * A live table: its current view, and a way to send commands.
 *
 * Events: "update" (detail: UpdateDetail) after a snapshot or an update; "status" when `status` or `disconnected` changes. When the
 * client has reconnected, the stream resumes after the last line received, and unacknowledged commands are sent again
 * under the same id, so that the server applies each command only once.
 *
 * @implements {TableSource}
 */
export class Connection extends EventTarget {
  /** @type {Set<Connection>} */
  static #all = new Set();

  /** Return whether the player must not be interrupted, because a decision is open at any table of this page. */
  static hasOpenDecision() {
    return [...Connection.#all].some(({ room }) => room?.status === "active" && room.actions.length && !room.choice);
  }

  #state = EMPTY_STATE;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {AbortController | null} */
  #streamAbort = null;
  /** @type {Map<string, {command: object, done: () => void, failed: (why: ApiError) => void}>} */
  #pending = new Map();
  #retryDelay = MIN_RETRY_DELAY;
  /** When the connection was lost. */
  #lostSince = 0;
  #connecting = true;
  #clockOffset = Number.POSITIVE_INFINITY;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Milliseconds without a message after which the connection counts as lost. */
  #silence = DEFAULT_SILENCE;
  /** When the connection counts as lost if no message arrives. */
  #lostAt = Number.POSITIVE_INFINITY;
  #online = () => this.#retryNow();
  #offline = () => this.#onLost();
  #visible = () => document.visibilityState === "visible" && this.#retryNow();

  /**
   * @param {string} table table id
   * @param {{line: Snapshot, at: number}} [first] the snapshot embedded in the page, if any, and when it was received, in
   *   milliseconds since 1970
   */
  constructor(table, first) {
    super();
    this.table = table;
    /** @type {"connecting" | "open" | "lost" | "ended"} */
    this.status = "connecting";
    /** @type {number[]} seats of the other players who have lost their connection, and are not marked away yet */
    this.disconnected = [];
    /** Why the stream ended: `finished`, or the kind of an error. */
    this.why = "";
    /** @type {ApiError | null} the error because of which the server refused the stream */
    this.error = null;
    if (first) {
      this.#state = applyUpdate(EMPTY_STATE, first.line);
      this.#clockOffset = first.at - (first.line.now ?? first.line.at);
    }
    Connection.#all.add(this);
    addEventListener("online", this.#online);
    addEventListener("offline", this.#offline);
    document.addEventListener("visibilitychange", this.#visible);
    this.#connect();
  }

  get room() {
    return this.#state.room;
  }

  get v() {
    return this.#state.v;
  }

  now() {
    return Number.isFinite(this.#clockOffset) ? steadyNow() - this.#clockOffset : this.#state.at;
  }

  /**
   * Send a command under a new id.
   *
   * @param {object} command
   * @returns {Promise<void>} resolved when the server has stored the command
   * @throws {ApiError}
   */
  send(command) {
    const id = randomId();
    return new Promise((done, failed) => {
      this.#pending.set(id, { command: { id, ...command }, done, failed });
      if (this.status === "ended") this.#reject(id, { kind: this.why, message: "The table is over." });
      else if (this.status === "open") this.#transmit(id);
    });
  }

  /**
   * Load the updates from the first decision to now, as this viewer receives them, with one JSON object per line. Retry
   * while the server is overloaded, for example because many clients reconnect at the same time.
   *
   * @returns {Promise<string>}
   * @throws {ApiError}
   */
  async fetchBacklog() {
    for (let tries = 1; ; tries += 1) {
      try {
        return await request("GET", `/api/tables/${this.table}/backlog`);
      } catch (error) {
        const { retryAfter } = /** @type {ApiError} */ (error);
        if (!retryAfter || tries === MAX_ATTEMPTS) throw error;
        await new Promise((done) => setTimeout(done, retryAfter * 1000 * (1 + Math.random())));
      }
    }
  }

  /** Reconnect with the page's current session, after taking a seat or logging in. */
  reconnect() {
    this.#state = { ...this.#state, v: 0 };
    this.#setStatus("connecting"); // commands wait until the connection is open
    this.#connect();
  }

  close() {
    Connection.#all.delete(this);
    removeEventListener("online", this.#online);
    removeEventListener("offline", this.#offline);
    document.removeEventListener("visibilitychange", this.#visible);
    this.#closeTransport();
    this.#setStatus("ended");
  }

  /** @param {typeof this.status} status */
  #setStatus(status) {
    if (this.status === status) return;
    this.status = status;
    this.dispatchEvent(new Event("status"));
  }

  #connect() {
    this.#closeTransport();
    this.#connecting = true;
    const after = this.#state.v ? `?after=${this.#state.v}` : "";
    if (typeof WebSocket === "undefined") {
      this.#openHttpStream(after);
      return;
    }
    const address = new URL(`${BASE}/api/tables/${this.table}/live${after}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#setDisconnected([]); // the server sends the list again unless it is empty
    socket.onopen = () => socket === this.#socket && this.#onOpen();
    socket.onmessage = (frame) => socket === this.#socket && this.#receive(frame.data.split("\n"));
    socket.onclose = () => socket === this.#socket && this.#onLost();
    this.#expectMessage(ANSWER_LIMIT);
  }

  /**
   * Open the fallback for browsers without WebSocket. Updates come as a streamed HTTP response, and commands go by
   * POST.
   *
   * @param {string} after
   */
  async #openHttpStream(after) {
    const streaming = new AbortController();
    this.#streamAbort = streaming;
    try {
      this.#expectMessage(ANSWER_LIMIT);
      const answer = await fetch(`${BASE}/api/tables/${this.table}/stream${after}`, { signal: streaming.signal });
      if (!answer.ok || !answer.body) {
        this.#refuse(new ApiError((await answer.json()).error ?? { kind: "internal", message: answer.statusText }));
        return;
      }
      this.#onOpen();
      for await (const line of readLines(answer.body)) this.#receive([line]);
    } catch {
      // handled like a disconnect
    }
    if (streaming === this.#streamAbort) this.#onLost();
  }

  /** Treat the connection as lost when no message arrives in time. An earlier limit stays. @param {number} limit */
  #expectMessage(limit) {
    const lostAt = performance.now() + limit;
    if (lostAt >= this.#lostAt) return;
    this.#lostAt = lostAt;
    clearTimeout(this.#timer);
    // If the page itself was busy, messages that have arrived since are handled first.
    this.#timer = setTimeout(() => (this.#timer = setTimeout(() => this.#onLost(), 50)), limit);
  }

  /** @param {string[]} texts */
  #receive(texts) {
    this.#lostAt = Number.POSITIVE_INFINITY;
    this.#expectMessage(this.#silence);
    const lines = texts.filter((text) => text).map((text) => JSON.parse(text));
    // Choices and reactions of many players may come in one message.
    const many = lines.filter((line) => "patch" in line && line.events.some((/** @type {TableEvent} */ { event }) => !MINOR.has(event))).length > 3;
    for (const line of lines) this.#handleLine(line, many);
  }

  /**
   * @param {any} line
   * @param {boolean} many whether the line is one of several missed updates
   */
  #handleLine(line, many) {
    if ("patch" in line || "room" in line) this.#applyLine(line, many);
    else if ("ping" in line) this.#answerPing(line);
    else if ("disconnected" in line) this.#setDisconnected(line.disconnected);
    else if ("ack" in line) this.#resolve(line.ack);
    else if ("rejected" in line) this.#reject(line.rejected, line.error);
    else if ("announcement" in line) serverInfo.setAnnouncement(line.announcement);
    else if ("error" in line) this.why = line.error.kind;
    else if ("end" in line) this.why = line.end;
    if (this.why === "revoked") void this.#checkSession();
    else if (TERMINAL_REASONS.has(this.why)) this.#terminate(this.why);
  }

  /** @param {import("./types.js").Ping} line */
  #answerPing({ ping, now, silence }) {
    this.#socket?.send(JSON.stringify({ command: "pong", ping }));
    this.#clockOffset = Math.min(this.#clockOffset, steadyNow() - now);
    this.#silence = silence;
    this.#lostAt = Number.POSITIVE_INFINITY;
    this.#expectMessage(silence);
  }

  /** Reconnect if the session was replaced, because another page of this browser has logged in; otherwise end. */
  async #checkSession() {
    this.#closeTransport();
    this.#setStatus("lost");
    this.why = "";
    await new Promise((done) => setTimeout(done, LOGIN_TIME));
    await serverInfo.refresh();
    if (this.status === "ended") return;
    if (serverInfo.player) this.reconnect();
    else this.#terminate("revoked");
  }

  /** @param {number[]} seats */
  #setDisconnected(seats) {
    if (`${seats}` === `${this.disconnected}`) return;
    this.disconnected = seats;
    this.dispatchEvent(new Event("status"));
  }

  /** @param {Snapshot | Update} line */
  #applyLine(line, /** @type {boolean} */ many) {
    const before = this.#state.room;
    this.#state = applyUpdate(this.#state, line);
    if ("now" in line && line.now !== undefined) this.#clockOffset = steadyNow() - line.now;
    else this.#clockOffset = Math.min(this.#clockOffset, steadyNow() - line.at);
    const events = "events" in line ? line.events : [];
    const snapshot = !("events" in line);
    /** @type {UpdateDetail} */
    const detail = { before, room: /** @type {any} */ (this.#state.room), events, at: line.at, v: line.v, jump: snapshot || many, snapshot };
    this.dispatchEvent(new CustomEvent("update", { detail }));
    if (detail.room.fair && !this.#connecting) this.#contribute();
    if (this.#connecting) this.#markOpen();
  }

  /** Send this player's contribution to a fair deal. */
  #contribute() {
    const { fair, seat } = this.room ?? {};
    if (seat === undefined || fair?.secret || this.room?.status !== "active") return;
    void import("./fair-deal.js").then(({ contribute }) => contribute(this));
  }

  /** Report a resumed connection as open now, because no line follows if no update was missed. */
  #onOpen() {
    if (this.#connecting && this.#state.v) this.#markOpen();
  }

  /** Report the connection as open, and resend unacknowledged commands. */
  #markOpen() {
    this.#connecting = false;
    this.#retryDelay = MIN_RETRY_DELAY;
    if (this.status === "lost") void serverInfo.refresh(); // the server may have been restarted with a newer page
    this.#setStatus("open");
    if (this.room?.fair) this.#contribute();
    for (const id of [...this.#pending.keys()]) this.#transmit(id);
  }

  /** @param {string} id */
  #transmit(id) {
    const command = this.#pending.get(id)?.command;
    if (!command) return;
    if (this.#socket) {
      this.#socket.send(JSON.stringify(command));
      this.#expectMessage(ANSWER_LIMIT);
      return;
    }
    request("POST", `/api/tables/${this.table}/commands`, command).then(
      () => this.#resolve(id),
      (why) => why.kind !== "unreachable" && this.#reject(id, why),
    );
  }

  /** @param {string} id */
  #resolve(id) {
    this.#pending.get(id)?.done();
    this.#pending.delete(id);
  }

  /**
   * @param {string} id
   * @param {Problem} error
   */
  #reject(id, error) {
    this.#pending.get(id)?.failed(error instanceof ApiError ? error : new ApiError(error));
    this.#pending.delete(id);
  }

  #onLost() {
    this.#closeTransport();
    if (this.status === "ended") return;
    if (this.status !== "lost") this.#lostSince = performance.now();
    this.#setStatus("lost");
    if (this.#connecting && navigator.onLine) void this.#fetchReason();
    this.#timer = setTimeout(() => this.#connect(), this.#nextDelay());
  }

  /**
   * Return the milliseconds until the next attempt. All pages of a server lose it at the same time, so they are spread
   * evenly, and those of spectators come after those of players.
   */
  #nextDelay() {
    const restarts = performance.now() - this.#lostSince < RESTART_TIME;
    const delay = restarts ? Math.min(this.#retryDelay, RESTART_RETRY_DELAY) : this.#retryDelay;
    this.#retryDelay = Math.min(delay * RETRY_GROWTH, MAX_RETRY_DELAY);
    return delay * (0.5 + Math.random() + (this.room?.seat === undefined ? 1 : 0));
  }

  /** Ask the server why it refused the WebSocket, because browsers do not report the reason. */
  async #fetchReason() {
    try {
      await request("GET", `/api/tables/${this.table}`);
    } catch (error) {
      const refused = /** @type {ApiError} */ (error);
      if (TERMINAL_REASONS.has(refused.kind) && this.status === "lost") this.#refuse(refused);
    }
  }

  /** End, because the server refused the stream. @param {ApiError} error */
  #refuse(error) {
    this.error = error;
    this.#terminate(error.kind);
  }

  /** Reconnect immediately, because the device is online again, or the page is visible again. */
  #retryNow() {
    if (this.status !== "lost") return;
    this.#retryDelay = MIN_RETRY_DELAY;
    this.#connect();
  }

  #closeTransport() {
    clearTimeout(this.#timer);
    this.#lostAt = Number.POSITIVE_INFINITY;
    const [socket, streaming] = [this.#socket, this.#streamAbort];
    this.#socket = this.#streamAbort = null;
    socket?.close();
    streaming?.abort();
  }

  /** @param {string} why */
  #terminate(why) {
    this.why = why;
    this.#closeTransport();
    this.#setStatus("ended");
    for (const id of [...this.#pending.keys()]) this.#reject(id, { kind: why, message: "The table is over." });
  }
}

/**
 * Split a response body into lines as they arrive.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<string>}
 */
export async function* readLines(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest) yield rest;
}
