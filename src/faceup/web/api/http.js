import { guestKey, intend, settle } from "./intentions.js";

/** @import { Problem } from "./types.js" */

/**
 * Base path of the server. It is the path of this file up to `/static/`, so that the page works under any base path.
 */
export const BASE = new URL("../../..", import.meta.url).pathname.replace(/\/$/, "");

/** Address of the static files. It is complete, because a replay may be embedded in a page of another site. */
export const STATIC = new URL("..", import.meta.url).href.replace(/\/$/, "");

/** Build id of this page. If the server reports another build id, it has a newer page. */
export const BUILD_ID = new URL("..", import.meta.url).pathname.split("/").at(-2) ?? "";

/** Milliseconds in which the server answers a request. After that, the connection counts as dead. */
const ANSWER_LIMIT = 15_000;

/** Milliseconds in which an answer for which the server was allowed to wait arrives after that. */
const LATE = 5000;

/** Seconds that the server may need to draw a picture, and to search for the best choice after an installation. */
export const DRAWING_TIME = 30;
export const SEARCH_TIME = 180;

/**
 * Return a signal that ends a request without an answer.
 *
 * @param {AbortSignal} [signal] ends the request earlier
 * @param {number} [wait] seconds that the server may wait for news or compute before it answers
 */
export function limitWait(signal, wait = 0) {
  const limit = AbortSignal.timeout(Math.max(ANSWER_LIMIT, 1000 * wait + LATE));
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** An error response of the server. `kind` is machine-readable, and selects the translation `errors.KIND`. */
export class ApiError extends Error {
  /**
   * @param {Problem} problem
   * @param {boolean} [unknown] whether the server may have executed the request
   */
  constructor(problem, unknown = false) {
    super(problem.message);
    this.unknown = unknown;
    this.kind = problem.kind;
    this.where = problem.where ?? "";
    this.legal = problem.legal ?? [];
    this.retryAfter = problem.retry_after ?? 0;
    /** When a ban ends, in milliseconds since 1970; 0 if it has no end. */
    this.until = problem.until ?? 0;
    /** The reason of a ban, in the operator's words. */
    this.reason = problem.reason ?? "";
  }
}

/** Milliseconds before a request without an answer is repeated. */
const RETRY = 1_000;

/** The commands of a table, which carry their key as `id`. */
const COMMANDS = /^\/api\/tables\/[^/]+\/commands$/;

/** Return whether the server may have executed a request with this error. @param {unknown} error */
export function isOutcomeUnknown(error) {
  return error instanceof ApiError && error.unknown;
}

/**
 * Send a request to the API. A request that changes something is executed once: if its answer is lost, it is repeated,
 * and if the person then makes the same choice again, the server answers as the first time.
 *
 * @param {string} method
 * @param {string} path below the base path, from `/api`
 * @param {object} [body] what the person has chosen
 * @param {AbortSignal} [signal] ends the request
 * @param {number} [wait] seconds that the server may wait for news or compute before it answers
 * @param {object} [details] further members of the body, which do not make it another choice
 * @returns {Promise<any>} the parsed JSON, or the text of other responses
 * @throws {ApiError} also if the server cannot be reached, with the kind `unreachable`
 */
export async function request(method, path, body, signal, wait = 0, details = {}) {
  if (method === "GET") return send(path, { signal }, wait);
  const guest = guestKey();
  // Without cookies, each request would create another guest, who is lost.
  if (guest && !navigator.cookieEnabled) throw needsCookies();
  const isCommand = COMMANDS.test(path);
  const intention = intend(`${method} ${path} ${JSON.stringify(body ?? {})}`, (key) =>
    JSON.stringify({ ...(isCommand ? { id: key } : {}), ...body, ...details }),
  );
  const headers = {
    "content-type": "application/json",
    ...(isCommand ? {} : { "idempotency-key": intention.key }),
    ...(guest ? { "guest-key": guest } : {}),
  };
  const options = { method, headers, body: intention.body, signal };
  intention.sending = true;
  try {
    const answer = await send(path, options, wait).catch(async (error) => {
      if (error.kind !== "unreachable" || signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY));
      return send(path, options, wait);
    });
    settle(intention, true);
    return answer;
  } catch (error) {
    if (!isOutcomeUnknown(error)) settle(intention, false);
    throw error;
  } finally {
    intention.sending = false;
  }
}

/**
 * Send a request and return its answer.
 *
 * @param {string} path
 * @param {RequestInit} options
 * @param {number} [wait] as for `request`
 */
async function send(path, options, wait = 0) {
  let answer, text;
  try {
    const headers = { ...options.headers, ...(wait ? { prefer: `wait=${wait}` } : {}) };
    answer = await fetch(BASE + path, { ...options, headers, signal: limitWait(options.signal ?? undefined, wait) });
    text = await answer.text();
  } catch {
    throw new ApiError({ kind: "unreachable", message: "The server does not answer." }, true);
  }
  const isJson = /\/json\b/.test(answer.headers.get("content-type") ?? "");
  const json = isJson ? JSON.parse(text) : text;
  if (!answer.ok) {
    const problem = json?.error ?? { kind: "internal", message: answer.statusText };
    throw new ApiError(problem, answer.status >= 500 || problem.kind === "in_progress");
  }
  if (answer.headers.has("new-session")) {
    const info = await send("/api/server-info", {}).catch(() => null);
    if (info && !info.you) throw needsCookies();
  }
  return json;
}

function needsCookies() {
  return new ApiError({ kind: "cookies", message: "This page needs cookies." }, true);
}

/**
 * Return a unique id for a command, so that the server applies a repeated command only once. Works on plain HTTP, too.
 */
export function randomId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
