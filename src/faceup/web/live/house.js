import { STAMP, ask } from "./api.js";

/** @typedef {{handle: string, name: string, guest: boolean, login?: string | null, since: number}} Me */
/** @typedef {{id: string, text: string, at?: number | null}} Announcement */

const NAME = "faceup.name";
const EVERY = 5 * 60_000;

/** What the server says of itself and of who asks. Event "news": something of it is another. */
class House extends EventTarget {
  /** @type {Me | null} */
  you = null;
  /** @type {Announcement | null} */
  announcement = null;
  /** @type {"open" | "code" | "closed"} */
  registration = "open";
  /** The stamp of the server's page, if that is another than this one. */
  newer = "";
  /** @type {Promise<void> | null} */
  #asking = null;

  constructor() {
    super();
    setInterval(() => document.visibilityState === "visible" && void this.ask(), EVERY);
  }

  /** Ask anew; whoever asks meanwhile shares the answer. A server that does not answer has no news. */
  ask() {
    this.#asking ??= ask("GET", "/api/news")
      .then((news) => {
        this.you = news.you;
        this.announcement = news.announcement;
        this.registration = news.registration;
        this.newer = STAMP && news.page !== STAMP ? news.page : "";
        this.#tell();
      })
      .catch(() => {})
      .finally(() => {
        this.#asking = null;
      });
    return this.#asking;
  }

  /** @param {Me | null} you who this browser is from now on */
  is(you) {
    this.you = you;
    if (you) remember(you.name);
    this.#tell();
  }

  /** @param {Announcement | null} announcement */
  announce(announcement) {
    this.announcement = announcement;
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("news"));
  }
}

export const house = new House();

/** The name that was given last on this device; "" where nothing is kept. */
export function remembered() {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name */
export function remember(name) {
  try {
    localStorage.setItem(NAME, name);
  } catch {
    // without storage, names are typed again
  }
}

/** The name as it would be sent, or "" where there is nothing to be seen in it. @param {string} name */
export function trimmed(name) {
  return name.normalize("NFC").replace(/\s+/gu, " ").trim();
}
