import { BASE, Refusal, ask, newId } from "./api.js";
import { house } from "./house.js";
import { lines } from "./lines.js";
import { NOTHING, folded } from "./stream.js";

/** @import { Message, SourceParts, Told, Whole } from "./types.js" */

/** Why a stream ended for good; after anything else the connection is made anew. */
const FINAL = new Set(["over", "closed", "private", "revoked", "no_table", "hidden", "unknown", "forbidden"]);

const SOONEST = 250;
const LATEST = 8000;
/** How often the past is asked for. */
const TRIES = 5;
/** A server pings every 15 seconds; a line that long overdue means that nobody is there. */
const SILENCE = 40_000;

/**
 * A live table: its sight, kept up to date, and a way to send commands.
 *
 * Events: "told" (detail: Told) when there is something new to see; "status" when `status` has changed. After a cut it
 * goes on from the last line that it has seen, and sends again what was not acknowledged, under the same id.
 *
 * @implements {SourceParts}
 */
export class Connection extends EventTarget {
  /** @type {Set<Connection>} */
  static #all = new Set();

  /** Whether somebody here has a choice to make, and should not be disturbed. */
  static choosing() {
    return [...Connection.#all].some(({ sight }) => sight?.status === "active" && sight.words.length && !sight.choice);
  }

  #fold = NOTHING;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {AbortController | null} */
  #streaming = null;
  /** @type {Map<string, {command: object, done: () => void, failed: (why: Refusal) => void}>} */
  #waiting = new Map();
  #wait = SOONEST;
  #fresh = true;
  #offset = Number.POSITIVE_INFINITY;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #online = () => this.#retry();
  #offline = () => this.#lost();
  #visible = () => document.visibilityState === "visible" && this.#retry();

  /**
   * @param {string} table its id
   * @param {{line: Whole, at: number}} [first] the line with which the stream begins, if that is here already, and when it
   *   came, in milliseconds since 1970
   */
  constructor(table, first) {
    super();
    this.table = table;
    /** @type {"connecting" | "open" | "lost" | "ended"} */
    this.status = "connecting";
    /** Why it ended, if it did: `over`, or the kind of a refusal. */
    this.why = "";
    if (first) {
      this.#fold = folded(NOTHING, first.line);
      this.#offset = first.at - (first.line.now ?? first.line.at);
    }
    Connection.#all.add(this);
    addEventListener("online", this.#online);
    addEventListener("offline", this.#offline);
    document.addEventListener("visibilitychange", this.#visible);
    this.#connect();
  }

  get sight() {
    return this.#fold.sight;
  }

  get v() {
    return this.#fold.v;
  }

  now() {
    return Date.now() - (Number.isFinite(this.#offset) ? this.#offset : Date.now() - this.#fold.at);
  }

  /**
   * Send a command; it gets an id of its own.
   *
   * @param {object} command
   * @returns {Promise<void>} when it is on the server's disk
   * @throws {Refusal}
   */
  send(command) {
    const id = newId();
    return new Promise((done, failed) => {
      this.#waiting.set(id, { command: { id, ...command }, done, failed });
      if (this.status === "ended") this.#refuse(id, { kind: this.why, message: "The table is over." });
      else if (this.status === "open") this.#deliver(id);
    });
  }

  /**
   * What this viewer was told so far, or would have been: the lines from the first decision on, one JSON each. Where the
   * server has too much to do, because everybody comes back at once, it is asked again.
   *
   * @returns {Promise<string>}
   * @throws {Refusal}
   */
  async past() {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask("GET", `/api/tables/${this.table}/past`);
      } catch (refusal) {
        const { retryAfter } = /** @type {Refusal} */ (refusal);
        if (!retryAfter || tries === TRIES) throw refusal;
        await new Promise((done) => setTimeout(done, retryAfter * 1000 * (1 + Math.random())));
      }
    }
  }

  /** Go on at once with what is sent from now on under the page's new session (after sitting down, or logging in). */
  reconnect() {
    this.#fold = { ...this.#fold, v: 0 };
    this.#drop();
    this.#connect();
  }

  close() {
    Connection.#all.delete(this);
    removeEventListener("online", this.#online);
    removeEventListener("offline", this.#offline);
    document.removeEventListener("visibilitychange", this.#visible);
    this.#drop();
    this.#become("ended");
  }

  /** @param {typeof this.status} status */
  #become(status) {
    if (this.status === status) return;
    this.status = status;
    this.dispatchEvent(new Event("status"));
  }

  #connect() {
    clearTimeout(this.#timer);
    this.#fresh = true;
    const after = this.#fold.v ? `?after=${this.#fold.v}` : "";
    if (typeof WebSocket === "undefined") {
      this.#stream(after);
      return;
    }
    const address = new URL(`${BASE}/api/tables/${this.table}/live${after}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => socket === this.#socket && this.#resumed();
    socket.onmessage = (frame) => socket === this.#socket && this.#heard(frame.data.split("\n"));
    socket.onclose = () => socket === this.#socket && this.#lost();
    this.#watch();
  }

  /**
   * The same without WebSocket: lines over HTTP, and commands by POST.
   *
   * @param {string} after
   */
  async #stream(after) {
    const streaming = new AbortController();
    this.#streaming = streaming;
    try {
      const answer = await fetch(`${BASE}/api/tables/${this.table}/stream${after}`, { signal: streaming.signal });
      if (!answer.ok || !answer.body) {
        this.#end((await answer.json()).error?.kind ?? "internal");
        return;
      }
      this.#resumed();
      for await (const line of lines(answer.body)) this.#heard([line]);
    } catch {
      // as a cut
    }
    if (streaming === this.#streaming) this.#lost();
  }

  /** Give up on a connection that says nothing at all. */
  #watch() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lost(), SILENCE);
  }

  /** @param {string[]} texts */
  #heard(texts) {
    this.#watch();
    const told = texts.filter((text) => text).map((text) => JSON.parse(text));
    const many = told.filter((line) => "patch" in line).length > 3;
    for (const line of told) this.#line(line, many);
  }

  /**
   * @param {any} line
   * @param {boolean} many whether it is one of several that were missed
   */
  #line(line, many) {
    if ("patch" in line || "sight" in line) this.#tell(line, many);
    else if ("ping" in line) this.#socket?.send(JSON.stringify({ do: "pong", ping: line.ping }));
    else if ("ack" in line) this.#acknowledged(line.ack);
    else if ("refused" in line) this.#refuse(line.refused, line.error);
    else if ("announcement" in line) house.announce(line.announcement);
    else if ("error" in line) this.why = line.error.kind;
    else if ("end" in line) this.why = line.end;
    if (FINAL.has(this.why)) this.#end(this.why);
  }

  /** @param {Whole | Message} line */
  #tell(line, /** @type {boolean} */ many) {
    const before = this.#fold.sight;
    this.#fold = folded(this.#fold, line);
    const here = line.at;
    if ("now" in line && line.now !== undefined) this.#offset = Date.now() - line.now;
    else this.#offset = Math.min(this.#offset, Date.now() - here);
    const events = "events" in line ? line.events : [];
    const whole = !("events" in line);
    /** @type {Told} */
    const detail = { before, sight: /** @type {any} */ (this.#fold.sight), events, at: line.at, v: line.v, jump: whole || many, whole };
    this.dispatchEvent(new CustomEvent("told", { detail }));
    if (detail.sight.fair && !this.#fresh) this.#contribute();
    if (this.#fresh) this.#settled();
  }

  /** Our part in a fair deal, which nobody clicks anything for. */
  #contribute() {
    const { fair, seat } = this.sight ?? {};
    if (seat === undefined || fair.secret || this.sight?.status !== "active") return;
    void import("./fair.js").then(({ contribute }) => contribute(this));
  }

  /** There may be nothing that we have missed, and then no line says that the connection stands. */
  #resumed() {
    if (this.#fresh && this.#fold.v) this.#settled();
  }

  /** The connection stands: what was not acknowledged goes out again. */
  #settled() {
    this.#fresh = false;
    this.#wait = SOONEST;
    if (this.status === "lost") void house.ask(); // the server may be another by now, with a newer page
    this.#become("open");
    if (this.sight?.fair) this.#contribute();
    for (const id of [...this.#waiting.keys()]) this.#deliver(id);
  }

  /** @param {string} id */
  #deliver(id) {
    const command = this.#waiting.get(id)?.command;
    if (!command) return;
    if (this.#socket) {
      this.#socket.send(JSON.stringify(command));
      return;
    }
    ask("POST", `/api/tables/${this.table}/commands`, command).then(
      () => this.#acknowledged(id),
      (why) => why.kind !== "unreachable" && this.#refuse(id, why),
    );
  }

  /** @param {string} id */
  #acknowledged(id) {
    this.#waiting.get(id)?.done();
    this.#waiting.delete(id);
  }

  /**
   * @param {string} id
   * @param {{kind: string, message: string}} error
   */
  #refuse(id, error) {
    this.#waiting.get(id)?.failed(error instanceof Refusal ? error : new Refusal(error));
    this.#waiting.delete(id);
  }

  #lost() {
    this.#drop();
    if (this.status === "ended") return;
    this.#become("lost");
    if (this.#fresh && navigator.onLine) void this.#ask();
    this.#timer = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LATEST);
  }

  /** A browser does not tell why a socket was refused; the server does, when it is asked. */
  async #ask() {
    try {
      await ask("GET", `/api/tables/${this.table}`);
    } catch (refusal) {
      const { kind } = /** @type {Refusal} */ (refusal);
      if (FINAL.has(kind) && this.status === "lost") this.#end(kind);
    }
  }

  /** What woke us says that now is a good moment. */
  #retry() {
    if (this.status !== "lost") return;
    this.#wait = SOONEST;
    this.#connect();
  }

  #drop() {
    clearTimeout(this.#timer);
    const [socket, streaming] = [this.#socket, this.#streaming];
    this.#socket = this.#streaming = null;
    socket?.close();
    streaming?.abort();
  }

  /** @param {string} why */
  #end(why) {
    this.why = why;
    this.#drop();
    this.#become("ended");
    for (const id of [...this.#waiting.keys()]) this.#refuse(id, { kind: why, message: "The table is over." });
  }
}
