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
  /** @param {{kind: string, message: string, where?: string, legal?: string[], retry_after?: number, until?: number, reason?: string}} problem */
  constructor(problem) {
    super(problem.message);
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

/**
 * Send a request to the API.
 *
 * @param {string} method
 * @param {string} path below the base path, from `/api`
 * @param {object} [body]
 * @param {AbortSignal} [signal] ends the request
 * @param {number} [wait] seconds that the server may wait for news or compute before it answers
 * @returns {Promise<any>} the parsed JSON, or the text of other responses
 * @throws {ApiError} also if the server cannot be reached, with the kind `unreachable`
 */
export async function request(method, path, body, signal, wait = 0) {
  let answer;
  let text;
  try {
    answer = await fetch(BASE + path, {
      method,
      headers: { ...(body || method !== "GET" ? { "content-type": "application/json" } : {}), ...(wait ? { prefer: `wait=${wait}` } : {}) },
      body: body ? JSON.stringify(body) : undefined,
      signal: limitWait(signal, wait),
    });
    text = await answer.text();
  } catch {
    throw new ApiError({ kind: "unreachable", message: "The server does not answer." });
  }
  const json = /\/json\b/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
  if (answer.ok) return json;
  throw new ApiError(json?.error ?? { kind: "internal", message: answer.statusText });
}

/**
 * Return a unique id for a command, so that the server applies a repeated command only once. Works on plain HTTP, too.
 */
export function randomId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
