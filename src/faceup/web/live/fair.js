import { hex, hmac, joined, sha256, unhex } from "./sha256.js";

/** @import { Connection } from "./connection.js" */

/**
 * @typedef {object} Fair the round of a fair deal, as a sight has it; docs/fair.md explains it
 * @property {number} number
 * @property {string} commitment
 * @property {(string | null)[]} pledges
 * @property {number[]} [listed]
 * @property {(string | null)[]} contributions
 * @property {number[]} left_out
 * @property {string} [secret]
 */

const LABEL = "faceup fair deal 1";

/** @param {string} text of ASCII */
const ascii = (text) => Uint8Array.from(text, (char) => char.charCodeAt(0));

/** @param {number} number @param {number} [size] bytes, the highest first */
function whole(number, size = 4) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(number));
  return new Uint8Array(view.buffer, 8 - size);
}

/** By what the server fixes its secret. @param {number} round @param {Uint8Array} secret */
export function commitment(round, secret) {
  return hex(sha256(joined(ascii(`${LABEL} secret`), whole(round), secret)));
}

/** By what a seat fixes its contribution. @param {number} round @param {number} seat @param {Uint8Array} contribution */
export function pledge(round, seat, contribution) {
  return hex(sha256(joined(ascii(`${LABEL} pledge`), whole(round), whole(seat), contribution)));
}

/** What all chance follows from. @param {number} round @param {Uint8Array} secret @param {Map<number, Uint8Array>} opened */
export function key(round, secret, opened) {
  const seats = [...opened.keys()].sort((a, b) => a - b);
  const parts = seats.flatMap((seat) => [whole(seat), /** @type {Uint8Array} */ (opened.get(seat))]);
  return hmac(secret, joined(ascii(`${LABEL} key`), whole(round), whole(opened.size), ...parts));
}

/**
 * One number below each of `below`, for an outcome of the match.
 *
 * @param {Uint8Array} key
 * @param {number} outcome
 * @param {(number | bigint)[]} below
 * @returns {bigint[]}
 */
export function drawn(key, outcome, below) {
  /** @type {bigint[]} */
  let words = [];
  let block = 0;
  return below.map((size) => {
    const n = BigInt(size);
    const limit = 2n ** 64n - (2n ** 64n % n);
    for (;;) {
      if (!words.length) {
        const bytes = hmac(key, joined(ascii(`${LABEL} draw`), whole(outcome, 8), whole(block++, 8)));
        const view = new DataView(bytes.buffer);
        words = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
      }
      const word = /** @type {bigint} */ (words.shift());
      if (word < limit) return word % n;
    }
  });
}

/**
 * What the page sends now; null if nothing is asked of it. It never opens what another tab has pledged.
 *
 * @param {Fair} fair
 * @param {number} seat
 * @param {Uint8Array} seed 32 bytes, the same for the whole match
 */
export function answer(fair, seat, seed) {
  if (fair.left_out.includes(seat) || fair.secret) return null;
  const mine = hmac(seed, joined(ascii("faceup contribution"), whole(fair.number), whole(seat)));
  const own = pledge(fair.number, seat, mine);
  if (!fair.listed) return fair.pledges[seat] ? null : { do: "pledge", seat, round: fair.number, pledge: own };
  const owed = fair.listed.includes(seat) && !fair.contributions[seat] && fair.pledges[seat] === own;
  return owed ? { do: "open_pledge", seat, round: fair.number, contribution: hex(mine) } : null;
}

/** @type {Map<string, {seed: Uint8Array, promised: Map<number, string>, sent: Set<string>}>} */
const parts = new Map();

/** Our part at a table: the seed stays through a reload, where there is storage. @param {string} table */
function part(table) {
  const known = parts.get(table);
  if (known) return known;
  let seed = crypto.getRandomValues(new Uint8Array(32));
  try {
    const kept = sessionStorage.getItem(`faceup.fair.${table}`);
    if (kept) seed = unhex(kept);
    else sessionStorage.setItem(`faceup.fair.${table}`, hex(seed));
  } catch {
    // kept in memory alone: who reloads between pledging and opening is left out, and told so
  }
  const made = { seed, promised: new Map(), sent: new Set() };
  parts.set(table, made);
  return made;
}

/** Do our part, if it is our turn; and remember what the server has promised. @param {Connection} connection */
export function contribute(connection) {
  const sight = connection.sight;
  if (!sight?.fair || sight.seat === undefined) return;
  const mine = part(connection.table);
  if (!mine.promised.has(sight.fair.number)) mine.promised.set(sight.fair.number, sight.fair.commitment);
  const command = answer(sight.fair, sight.seat, mine.seed);
  const once = command && `${command.do} ${command.round}`;
  if (!command || !once || mine.sent.has(once)) return;
  mine.sent.add(once);
  connection.send(command).catch(() => {}); // another tab was first, or the time was over: the round says which
}

/**
 * What this page was promised for a round before the deal; "" if it was not there.
 *
 * @param {string} table
 * @param {number} round
 */
export function promised(table, round) {
  return parts.get(table)?.promised.get(round) ?? "";
}
