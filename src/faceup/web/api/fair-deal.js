import { readStored, writeStored } from "./storage.js";
import { hex, hmac, concatBytes, sha256, unhex } from "./sha256.js";

/** @import { Connection } from "./connection.js" */

/**
 * @typedef {object} FairRound a round of a fair deal, as in a table view; see docs/explanation/fair-deals.md
 * @property {number} number
 * @property {string} commitment
 * @property {(string | null)[]} pledges
 * @property {number[]} [listed]
 * @property {(string | null)[]} contributions
 * @property {number[]} left_out
 * @property {string} [secret]
 */

const LABEL = "faceup fair deal 1";

/** Encode ASCII text as bytes. @param {string} text */
const ascii = (text) => Uint8Array.from(text, (char) => char.charCodeAt(0));

/** Encode a number as big-endian bytes. @param {number} number @param {number} [size] in bytes */
function bigEndian(number, size = 4) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(number));
  return new Uint8Array(view.buffer, 8 - size);
}

/** Return the server's commitment to its secret. @param {number} round @param {Uint8Array} secret */
export function commitment(round, secret) {
  return hex(sha256(concatBytes(ascii(`${LABEL} secret`), bigEndian(round), secret)));
}

/** Return a seat's commitment to its contribution. @param {number} round @param {number} seat @param {Uint8Array} contribution */
export function pledge(round, seat, contribution) {
  return hex(sha256(concatBytes(ascii(`${LABEL} pledge`), bigEndian(round), bigEndian(seat), contribution)));
}

/** Return the key from which all outcomes are drawn. @param {number} round @param {Uint8Array} secret @param {Map<number, Uint8Array>} opened */
export function deriveKey(round, secret, opened) {
  const seats = [...opened.keys()].sort((a, b) => a - b);
  const parts = seats.flatMap((seat) => [bigEndian(seat), /** @type {Uint8Array} */ (opened.get(seat))]);
  return hmac(secret, concatBytes(ascii(`${LABEL} key`), bigEndian(round), bigEndian(opened.size), ...parts));
}

/**
 * Draw the numbers for one outcome of the match: for each limit in `below`, one number that is smaller than the limit.
 *
 * @param {Uint8Array} key
 * @param {number} outcome
 * @param {(number | bigint)[]} below
 * @returns {bigint[]}
 */
export function drawNumbers(key, outcome, below) {
  /** @type {bigint[]} */
  let words = [];
  let block = 0;
  return below.map((size) => {
    const n = BigInt(size);
    const limit = 2n ** 64n - (2n ** 64n % n);
    for (;;) {
      if (!words.length) {
        const bytes = hmac(key, concatBytes(ascii(`${LABEL} draw`), bigEndian(outcome, 8), bigEndian(block++, 8)));
        const view = new DataView(bytes.buffer);
        words = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
      }
      const word = /** @type {bigint} */ (words.shift());
      if (word < limit) return word % n;
    }
  });
}

/**
 * Return the command to send now, or null. The command never reveals a contribution that another tab has pledged.
 *
 * @param {FairRound} fair
 * @param {number} seat
 * @param {Uint8Array} seed 32 bytes, the same for the whole match
 */
export function nextFairCommand(fair, seat, seed) {
  if (fair.left_out.includes(seat) || fair.secret) return null;
  const own = hmac(seed, concatBytes(ascii("faceup contribution"), bigEndian(fair.number), bigEndian(seat)));
  const ownPledge = pledge(fair.number, seat, own);
  if (!fair.listed) return fair.pledges[seat] ? null : { command: "pledge", seat, round: fair.number, pledge: ownPledge };
  const mustOpen = fair.listed.includes(seat) && !fair.contributions[seat] && fair.pledges[seat] === ownPledge;
  return mustOpen ? { command: "open_pledge", seat, round: fair.number, contribution: hex(own) } : null;
}

/** @type {Map<string, {seed: Uint8Array, promised: Map<number, string>, sent: Set<string>}>} */
const contributions = new Map();

/** Return this page's contribution to a table's deals. The seed survives a reload if storage is available. @param {string} table */
function contributionOf(table) {
  const contribution = contributions.get(table);
  if (contribution) return contribution;
  const key = `faceup.fair.${table}`;
  const stored = readStored(key, "sessionStorage");
  const seed = stored ? unhex(stored) : crypto.getRandomValues(new Uint8Array(32));
  // Without storage, a player who reloads between pledging and opening is excluded and notified.
  if (!stored) writeStored(key, hex(seed), "sessionStorage");
  const made = { seed, promised: new Map(), sent: new Set() };
  contributions.set(table, made);
  return made;
}

/** Send the pending command of a fair deal, if any, and remember the server's commitment. @param {Connection} connection */
export function contribute(connection) {
  const room = connection.room;
  if (!room?.fair || room.seat === undefined) return;
  const own = contributionOf(connection.table);
  if (!own.promised.has(room.fair.number)) own.promised.set(room.fair.number, room.fair.commitment);
  const command = nextFairCommand(room.fair, room.seat, own.seed);
  const key = command && `${command.command} ${command.round}`;
  if (!command || !key || own.sent.has(key)) return;
  own.sent.add(key);
  // The command fails if another tab was first or the deadline has passed; the round then shows which happened.
  connection.send(command).catch(() => {});
}

/**
 * Return the commitment that this page received for a round before the deal, or "" if the page was not connected then.
 *
 * @param {string} table
 * @param {number} round
 */
export function knownCommitment(table, round) {
  return contributions.get(table)?.promised.get(round) ?? "";
}
