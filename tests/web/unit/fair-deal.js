import { commitment, nextFairCommand, pledge } from "../api/fair-deal.js";
import { unhex } from "../api/sha256.js";
import { verifyDeal } from "../api/verify-deal.js";
import { equal } from "./assert.js";

const seed = new Uint8Array(32).fill(7);
const start = { number: 0, commitment: "", pledges: [null, null], contributions: [null, null], left_out: [] };
const first = /** @type {any} */ (nextFairCommand(start, 1, seed));
const pledged = { ...start, pledges: [null, first.pledge] };
const listed = { ...pledged, listed: [1] };

/** A record with one round, in which seat 0 has contributed. */
function roundRecord() {
  const [secret, contribution] = ["11".repeat(32), "22".repeat(32)];
  return {
    game: "war",
    entries: /** @type {any[]} */ ([
      { entry: "joined", seat: 0, name: "Ann" },
      { entry: "secret_committed", secret, commitment: commitment(0, unhex(secret)) },
      { entry: "pledged", seat: 0, pledge: pledge(0, 0, unhex(contribution)) },
      { entry: "listed", seats: [0] },
      { entry: "pledge_opened", seat: 0, contribution },
    ]),
  };
}

export const tests = {
  "a seat pledges first, and once": () => {
    equal([first.command, first.seat, first.round], ["pledge", 1, 0]);
    equal(nextFairCommand(pledged, 1, seed), null);
  },
  "a listed seat opens the contribution of its pledge": () => {
    const opening = /** @type {any} */ (nextFairCommand(listed, 1, seed));
    equal(opening.command, "open_pledge");
    equal(pledge(0, 1, unhex(opening.contribution)), first.pledge);
  },
  "a contribution is opened once": () => {
    equal(nextFairCommand({ ...listed, contributions: [null, "00"] }, 1, seed), null);
  },
  "a pledge of another tab is not opened": () => {
    equal(nextFairCommand({ ...listed, pledges: [null, "00"] }, 1, seed), null);
  },
  "an unlisted seat, an excluded one and a finished round send nothing": () => {
    equal(nextFairCommand({ ...listed, listed: [0] }, 1, seed), null);
    equal(nextFairCommand({ ...start, left_out: [1] }, 1, seed), null);
    equal(nextFairCommand({ ...start, secret: "00" }, 1, seed), null);
  },
  "an unchanged round verifies": () => {
    const { badEntries, contributors, leftOut } = verifyDeal(roundRecord());
    equal([badEntries, contributors, leftOut], [[], ["Ann"], []]);
  },
  "a changed secret, list or contribution is found at its entry": () => {
    /** @type {[number, string, any][]} */
    const changes = [[1, "secret", "33".repeat(32)], [3, "seats", [0, 1]], [4, "contribution", "44".repeat(32)]];
    for (const [entry, member, value] of changes) {
      const record = roundRecord();
      record.entries[entry][member] = value;
      equal(verifyDeal(record).badEntries, [entry], member);
    }
  },
};
