import { BUILD_ID, request } from "./http.js";
import { notePlayer } from "./intentions.js";
import { forgetPlayer, readStored, writeStored } from "./storage.js";

/** @import { Me } from "./http-types.js" */
/** @import { Announcement } from "./types.js" */

const NAME = "faceup.name";
/** The key under which a browser remembers that it had a session, so that it notices that the session has ended. */
const HAD_PLAYER = "faceup.had_player";
const POLL_INTERVAL = 5 * 60_000;

/** Announcement, registration mode and build id of the server, and the current player. Event: "change". */
class ServerInfo extends EventTarget {
  /** @type {Me | null} */
  player = null;
  /** Whether anyone can send the player invitations or requests. */
  known = false;
  /** @type {Announcement | null} */
  announcement = null;
  /** @type {"open" | "code" | "closed"} */
  registration = "open";
  /** All handles of the player, also those from before a login, for which seats may still be reserved. @type {string[]} */
  handles = [];
  /** How many games with days per move wait for the player. */
  turns = 0;
  /** The server's build id if it differs from the build id of this page; otherwise "". */
  newerBuild = "";
  /** Whether the server info has been loaded. */
  loaded = false;
  /** @type {Promise<void> | null} */
  #refreshing = null;

  constructor() {
    super();
    const refreshIfVisible = () => document.visibilityState === "visible" && void this.refresh();
    setInterval(refreshIfVisible, POLL_INTERVAL);
    document.addEventListener("visibilitychange", refreshIfVisible);
  }

  /** Load the server info; concurrent calls share one request. Errors are ignored. */
  refresh() {
    this.#refreshing ??= request("GET", "/api/server-info")
      .then((news) => {
        this.#notePlayer(news.you);
        this.known = news.known;
        this.turns = news.turns;
        this.handles = news.handles;
        this.announcement = news.announcement;
        this.registration = news.registration;
        this.loaded = true;
        this.newerBuild = BUILD_ID && news.page !== BUILD_ID ? news.page : "";
        this.#emitChange();
      })
      .catch(() => {})
      .finally(() => {
        this.#refreshing = null;
      });
    return this.#refreshing;
  }

  /** @param {Me | null} you the player this browser is now logged in as */
  setPlayer(you) {
    this.#notePlayer(you);
    if (you) saveName(you.name);
    this.#emitChange();
  }

  /** @param {Me | null} you null after a logout, or if the session was ended elsewhere, as by an erasure */
  #notePlayer(you) {
    if (you) writeStored(HAD_PLAYER, "1");
    else if (this.player || readStored(HAD_PLAYER)) forgetPlayer();
    this.player = you;
    notePlayer(you !== null);
  }

  /** @param {Announcement | null} announcement */
  setAnnouncement(announcement) {
    this.announcement = announcement;
    this.#emitChange();
  }

  #emitChange() {
    this.dispatchEvent(new Event("change"));
  }
}

export const serverInfo = new ServerInfo();

/** Return the name last used on this device, or "" if none is stored. */
export function savedName() {
  return readStored(NAME) ?? "";
}

/** The name that the server gives to guests who chose none, and that pages translate. */
export const UNNAMED = /^Guest(?= \d+$|$)/;

/** Return the name that a player chose; "" for a guest without one. @param {string} name */
export function chosenName(name) {
  return UNNAMED.test(name) ? "" : name;
}

/** @param {string} name */
export function saveName(name) {
  writeStored(NAME, chosenName(name));
}

/** Return a name normalized as the server does it, or "" if nothing visible is left. @param {string} name */
export function normalizeName(name) {
  return name.normalize("NFC").replace(/\s+/gu, " ").trim();
}
