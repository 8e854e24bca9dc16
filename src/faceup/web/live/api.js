/** Where the server is: the page's own address up to `/static/`, so that any base path works. */
export const BASE = new URL("../../..", import.meta.url).pathname.replace(/\/$/, "");

/** What the files of this page are called together; a server that names another has a newer page. */
export const STAMP = new URL("..", import.meta.url).pathname.split("/").at(-2) ?? "";

/** What the server would not do, and why. `kind` is for programs, and the key of its words: `refusals.KIND`. */
export class Refusal extends Error {
  /** @param {{kind: string, message: string, where?: string, legal?: string[], retry_after?: number}} problem */
  constructor(problem) {
    super(problem.message);
    this.kind = problem.kind;
    this.where = problem.where ?? "";
    this.legal = problem.legal ?? [];
    this.retryAfter = problem.retry_after ?? 0;
  }
}

/**
 * Ask the server.
 *
 * @param {string} method
 * @param {string} path behind the base, from `/api`
 * @param {object} [body]
 * @returns {Promise<any>} the answer's JSON, or its text where it is none
 * @throws {Refusal} also where the server cannot be reached: its kind is `unreachable` then
 */
export async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(BASE + path, {
      method,
      headers: body || method !== "GET" ? { "content-type": "application/json" } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
  } catch {
    throw new Refusal({ kind: "unreachable", message: "The server does not answer." });
  }
  const text = await answer.text();
  const json = /\/json\b/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
  if (answer.ok) return json;
  throw new Refusal(json?.error ?? { kind: "internal", message: answer.statusText });
}

/** An id that nobody else uses: a command sent again by it counts once. It works on plain http, too. */
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
