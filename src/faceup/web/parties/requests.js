import { request } from "../api/http.js";
import { normalizeName, savedName, serverInfo } from "../api/server-info.js";
import { writeStored } from "../api/storage.js";
import { STORED } from "./membership.js";

/** @import { PartyEvening, PartyListed, PartyOfTable, PartyView } from "../api/http-types.js" */

/** Milliseconds between two attempts to reach the server. */
const RETRY = 4000;

/** Seconds for which a request waits for news. */
const WAIT = 8;

/** The name of a new guest, as a part of a request. */
function asGuest() {
  const name = normalizeName(savedName());
  return name && !serverInfo.player ? { player: name } : {};
}

/** Create a party. @returns {Promise<string>} its id */
export async function startParty() {
  const { id } = await request("POST", "/api/parties", {}, undefined, 0, asGuest());
  void serverInfo.refresh();
  return id;
}

/** Join the party with this link. @param {string} key @returns {Promise<string>} its id */
export async function joinParty(key) {
  const { id } = await request("POST", `/api/party-links/${key}`, {}, undefined, 0, asGuest());
  void serverInfo.refresh();
  return id;
}

/** Load the parties of the player, and remember whether there are any. @returns {Promise<PartyListed[]>} */
export async function loadParties() {
  const parties = await request("GET", "/api/parties");
  writeStored(STORED, parties.length ? "1" : "");
  return parties;
}

/**
 * Load the party to which a table belongs; null if the player is not a member.
 *
 * @param {string} table
 * @returns {Promise<PartyOfTable | null>}
 */
export async function loadPartyOfTable(table) {
  return request("GET", `/api/tables/${table}/party`).catch(() => null);
}

/**
 * Start the next game of a party: the countdown for everyone who is there, or a table for a member who is alone. If
 * another member has just started one, the player gets a seat there.
 *
 * @param {PartyView} party
 * @param {object | null} config null for the last settings
 * @returns {Promise<string>} the page to go to
 */
export async function playInParty(party, config) {
  const { id, room, members } = party;
  if (members.filter(({ here }) => here).length > 1) {
    await startCountdown(party, config);
    return `/party/${id}`;
  }
  const body = config ? { config } : {};
  return `/t/${(await request("POST", `/api/parties/${id}/tables`, body, undefined, 0, { instead: room })).id}`;
}

/**
 * Start the countdown to the next game for everyone who is there, or take part in the one that is running.
 *
 * @param {{id: string, room: string | null}} party
 * @param {object | null} config null for the last settings
 */
export function startCountdown({ id, room }, config) {
  return request("POST", `/api/parties/${id}/countdown`, config ? { config } : {}, undefined, 0, { instead: room });
}

/** Take no part in the game of the countdown; who started it stops it. @param {{id: string}} party */
export function sitOut({ id }) {
  return request("DELETE", `/api/parties/${id}/countdown`);
}

/** Start the game of a countdown that has ended. @param {PartyView} party @returns {Promise<string>} the id of the table */
export async function playAfterCountdown({ id, room }) {
  return (await request("POST", `/api/parties/${id}/tables`, { countdown: true }, undefined, 0, { instead: room })).id;
}

/** Load the last evening of a party. @param {string} id @param {boolean} [awards] @returns {Promise<PartyEvening>} */
export function loadEvening(id, awards = false) {
  return request("GET", `/api/parties/${id}/evening?awards=${awards}`);
}

/** A party that is kept up to date while the page is visible. Events: "change", also of `lost`, and "end" if the party is gone. */
export class PartySource extends EventTarget {
  /** @type {PartyView | null} */
  party = null;
  /** The error with which the updates ended. @type {unknown} */
  error = null;
  /** Whether the server does not answer. */
  lost = false;
  /** When the countdown ends, as of `performance.now()`. @type {number | undefined} */
  countdownEnds;
  #id;
  #running = false;
  #stopped = false;
  #onVisible = () => void this.#run();

  /** @param {string} id */
  constructor(id) {
    super();
    this.#id = id;
    document.addEventListener("visibilitychange", this.#onVisible);
    void this.#run();
  }

  stop() {
    this.#stopped = true;
    document.removeEventListener("visibilitychange", this.#onVisible);
  }

  /** Load the party now, after a change of this browser. */
  async reload() {
    this.#show(await request("GET", `/api/parties/${this.#id}`));
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    while (!this.#stopped && document.visibilityState === "visible") {
      try {
        const query = this.party ? `?after=${this.party.version}` : "";
        this.#show(await request("GET", `/api/parties/${this.#id}${query}`, undefined, undefined, query ? WAIT : 0));
      } catch (error) {
        const { kind } = /** @type {import("../api/http.js").ApiError} */ (error);
        if (/not_found|unauthenticated|banned/.test(kind ?? "")) {
          this.error = error;
          this.stop();
          this.dispatchEvent(new Event("end"));
        } else {
          this.#setLost(true);
          await new Promise((resolve) => setTimeout(resolve, RETRY));
        }
      }
    }
    this.#running = false;
  }

  /** @param {boolean} lost */
  #setLost(lost) {
    if (this.lost === lost) return;
    this.lost = lost;
    this.dispatchEvent(new Event("change"));
  }

  /** @param {PartyView} party */
  #show(party) {
    this.#setLost(false);
    if (this.#stopped || party.version === this.party?.version) return;
    this.party = party;
    this.countdownEnds = party.countdown ? performance.now() + party.countdown.ends_at - party.now : undefined;
    writeStored(STORED, "1");
    this.dispatchEvent(new Event("change"));
  }
}
