import { readStored, writeStored } from "./storage.js";

/**
 * What a person wants to change with one request. While its outcome is unknown, the same choice is sent again with the
 * same key and the same body, so that the server executes it once.
 *
 * @typedef {{choice: string, key: string, body: string, at: number, sending?: boolean}} Intention
 */

const STORED = "faceup.intentions";
const GUEST = "faceup.guest_key";

/** Milliseconds after which a person who repeats a choice wants it a second time. */
const LIFETIME = 10 * 60_000;

/** Requests with passwords and codes, which are not stored on the device. */
const SECRET = /^\S+ \/api\/(account|login|device|mail|session)/;

/** @type {Intention[]} */
let unsettled = JSON.parse(readStored(STORED, "sessionStorage") || "[]");

let hasPlayer = false;

/** The secret of `guestKey`, for browsers that deny storage. */
let visitorKey = "";

/** Return 128 random bits. */
function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function store() {
  const shown = unsettled.filter(({ choice }) => !SECRET.test(choice)).map(({ sending, ...intention }) => intention);
  writeStored(STORED, JSON.stringify(shown), "sessionStorage");
}

/**
 * Return the unsettled intention of a choice, or a new one.
 *
 * @param {string} choice
 * @param {(key: string) => string} bodyOf returns the body for a new key
 * @returns {Intention}
 */
export function intend(choice, bodyOf) {
  unsettled = unsettled.filter(({ at }) => at > Date.now() - LIFETIME);
  const earlier = unsettled.find((intention) => intention.choice === choice);
  if (earlier) return earlier;
  const key = randomKey();
  /** @type {Intention} */
  const intention = { choice, key, body: bodyOf(key), at: Date.now() };
  unsettled.push(intention);
  store();
  return intention;
}

/**
 * Forget an intention, because its outcome is known. After a success, also forget the earlier ones: the person has done
 * something else instead, which may have changed what they would do.
 *
 * @param {Intention} settled
 * @param {boolean} succeeded
 */
export function settle(settled, succeeded) {
  unsettled = unsettled.filter((intention) => intention !== settled && !(succeeded && intention.at < settled.at && !intention.sending));
  store();
}

/** Note whether this browser has a session. @param {boolean} isKnown */
export function notePlayer(isKnown) {
  hasPlayer = isKnown;
  if (!isKnown) return;
  visitorKey = "";
  writeStored(GUEST, "", "sessionStorage");
}

/** Return the secret with which all requests of a visitor create one guest; "" if this browser has a session. */
export function guestKey() {
  if (hasPlayer) return "";
  visitorKey ||= readStored(GUEST, "sessionStorage") || randomKey();
  writeStored(GUEST, visitorKey, "sessionStorage");
  return visitorKey;
}
