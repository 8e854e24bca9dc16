import { request } from "../api/http.js";
import { serverInfo } from "../api/server-info.js";

/** @import { Inbox, Invitation, People, Person } from "../api/http-types.js" */

/** Milliseconds between two attempts to reach the server. */
const RETRY = 8000;

/** Seconds for which a request waits for news. */
const WAIT = 25;

/** @returns {Promise<People>} */
export function loadPeople() {
  return request("GET", "/api/friends");
}

/** Accept an invitation. @param {Invitation} invitation @returns {Promise<string>} the path of the table or the party */
export async function acceptInvitation({ id }) {
  const { table, party } = await request("POST", `/api/invitations/${id}/accept`);
  return table ? `/t/${table}` : `/party/${party}`;
}

/**
 * The open invitations and requests of this browser's player. It waits for news while the page is visible, if there is
 * anyone who could send something. Event: "change".
 */
class InboxSource extends EventTarget {
  /** @type {Invitation[]} */
  invitations = [];
  /** People who want to be friends. @type {Person[]} */
  requests = [];
  #version = "";
  #running = false;

  constructor() {
    super();
    const check = () => void this.#run();
    document.addEventListener("visibilitychange", check);
    serverInfo.addEventListener("change", check);
    check();
  }

  /** Load the inbox now, after a change of this browser. */
  async reload() {
    this.#show(await request("GET", "/api/inbox"));
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    while (serverInfo.known && document.visibilityState === "visible") {
      try {
        const after = this.#version ? `?after=${this.#version}` : "";
        this.#show(await request("GET", `/api/inbox${after}`, undefined, undefined, after ? WAIT : 0));
      } catch (error) {
        const { kind } = /** @type {import("../api/http.js").ApiError} */ (error);
        if (/unauthenticated|banned/.test(kind ?? "")) break;
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
    this.#running = false;
  }

  /** @param {Inbox} inbox */
  #show({ invitations, requests, version }) {
    if (version === this.#version) return;
    this.#version = version;
    this.invitations = invitations;
    this.requests = requests;
    this.dispatchEvent(new Event("change"));
  }
}

export const inbox = new InboxSource();
