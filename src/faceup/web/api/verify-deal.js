import { commitment, drawNumbers, deriveKey, pledge, knownCommitment } from "./fair-deal.js";
import { unhex } from "./sha256.js";

/**
 * @typedef {object} DealCheck result of verifying the fair deals of a record
 * @property {number[]} badEntries numbers of the invalid entries
 * @property {number} outcomes number of verified outcomes
 * @property {number} unchecked number of outcomes that only `faceup verify` checks
 * @property {string[]} contributors names
 * @property {string[]} leftOut names
 * @property {boolean | null} sawCommitment whether the commitment matches the one this page received; null if it received none
 */

/**
 * Verify that every outcome of chance follows from the server's secret and the players' contributions.
 *
 * @param {any} record record of a finished table, from `/api/tables/ID/record`
 * @param {string} [table] table id, to look up the commitment this page received
 * @returns {DealCheck}
 */
export function verifyDeal(record, table = "") {
  return new DealVerifier(record).result(table);
}

/**
 * A verifier that checks the entries of a record in order. The method for a kind of entry returns whether it is valid.
 */
class DealVerifier {
  round = -1;
  secret = new Uint8Array(32);
  commitment = "";
  /** @type {Map<number, string>} by seat */
  pledges = new Map();
  /** @type {Map<number, Uint8Array>} contributions by seat */
  opened = new Map();
  /** @type {number[] | null} the seats that have to reveal their contribution; null until they are listed */
  listed = null;
  /** @type {Set<number>} */
  leftOut = new Set();
  outcomes = 0;
  unchecked = 0;
  /** @type {string[]} by seat */
  names = [];

  /** @param {any} record */
  constructor(record) {
    this.record = record;
    /** @type {Record<string, (entry: any) => boolean>} */
    const checks = {
      secret_committed: (entry) => this.secretCommitted(entry),
      pledged: (entry) => this.pledged(entry),
      listed: (entry) => this.pledgesListed(entry),
      pledge_opened: (entry) => this.pledgeOpened(entry),
      left_out: (entry) => this.seatLeftOut(entry),
      applied: (entry) => !entry.outcome || this.applied(entry),
    };
    /** @type {number[]} */
    this.badEntries = record.entries.flatMap((/** @type {any} */ entry, /** @type {number} */ at) => {
      if (entry.entry === "joined") this.names[entry.seat] = entry.name;
      return (checks[entry.entry]?.(entry) ?? true) ? [] : [at];
    });
  }

  /** A round may only start after another one if a seat did not reveal its contribution. @param {any} entry */
  secretCommitted(entry) {
    const missing = (this.listed ?? []).filter((seat) => !this.opened.has(seat));
    const allowed = this.round < 0 || (missing.length > 0 && missing.every((seat) => this.leftOut.has(seat)));
    this.round += 1;
    [this.secret, this.commitment] = [unhex(entry.secret), entry.commitment];
    [this.pledges, this.opened, this.listed] = [new Map(), new Map(), null];
    return allowed && commitment(this.round, this.secret) === entry.commitment;
  }

  /** @param {any} entry */
  pledged({ seat, pledge }) {
    const valid = this.round >= 0 && !this.listed && !this.pledges.has(seat) && !this.leftOut.has(seat);
    this.pledges.set(seat, pledge);
    return valid;
  }

  /** @param {any} entry */
  pledgesListed({ seats }) {
    const valid = !this.listed && String(seats) === sorted(this.pledges);
    this.listed = seats;
    return valid;
  }

  /** @param {any} entry */
  pledgeOpened({ seat, contribution }) {
    const bytes = unhex(contribution);
    this.opened.set(seat, bytes);
    return Boolean(this.listed?.includes(seat)) && pledge(this.round, seat, bytes) === this.pledges.get(seat);
  }

  /** @param {any} entry */
  seatLeftOut({ seat }) {
    this.leftOut.add(seat);
    return Boolean(this.listed?.includes(seat)) && !this.opened.has(seat);
  }

  /** @param {any} entry */
  applied({ outcome }) {
    const ready = this.listed && sorted(this.opened) === String(this.listed);
    const key = () => deriveKey(this.round, this.secret, this.opened);
    const expected = ready ? expectedOutcome(this.record, key(), this.outcomes + this.unchecked, outcome) : "";
    if (expected === null) this.unchecked += 1;
    else this.outcomes += 1;
    return expected === null || expected === outcome;
  }

  /** @param {string} table @returns {DealCheck} */
  result(table) {
    const { badEntries, outcomes, unchecked, names } = this;
    const shown = knownCommitment(table, this.round);
    return {
      badEntries,
      outcomes,
      unchecked,
      contributors: [...this.opened.keys()].map((seat) => names[seat]),
      leftOut: [...this.leftOut].map((seat) => names[seat]),
      sawCommitment: shown ? shown === this.commitment : null,
    };
  }
}

/** Return the seats of a map in order, as text. @param {Map<number, unknown>} bySeat */
function sorted(bySeat) {
  return String([...bySeat.keys()].sort((a, b) => a - b));
}

/**
 * Return the notation of the outcome that follows from the key, or null for an outcome that depends on the rules.
 *
 * @param {any} record
 * @param {Uint8Array} key
 * @param {number} number
 * @param {string} outcome
 */
export function expectedOutcome(record, key, number, outcome) {
  const { game, variant, options } = record;
  const seats = options.seats || record.entries.filter((/** @type {any} */ entry) => entry.entry === "joined").length;
  if (game === "nimmt") {
    const size = seats * (options.hand ?? 10) + (options.rows ?? 4);
    const many = options.cards || (variant === "tactical" ? size : 104);
    const cards = Array.from({ length: many }, (_, at) => at + 1);
    return `deal ${shuffleCards(cards, key, number, size).slice(0, size).join(" ")}`;
  }
  if (game === "niuniu") {
    const dice = drawNumbers(key, number, Array(5 * seats).fill(options.faces ?? 6)).map((face) => `${face + 1n}`);
    const hands = Array.from({ length: seats }, (_, seat) => dice.slice(5 * seat, 5 * seat + 5).join(" "));
    return `dice ${hands.join(" / ")}`;
  }
  if (game === "war" && outcome.startsWith("deal")) {
    const ranks = [..."23456789TJQKA"].slice(0, options.per_suit ?? 13);
    const suits = [..."CDHS"].slice(0, options.suits ?? 4);
    const cards = ranks.flatMap((rank) => suits.map((suit) => rank + suit));
    shuffleCards(cards, key, number, cards.length - 1);
    return `deal ${cards.slice(0, cards.length >> 1).join(" ")} / ${cards.slice(cards.length >> 1).join(" ")}`;
  }
  return null;
}

/**
 * Shuffle the first `size` cards in place. The number drawn for place i is the distance from place i to the card that
 * is moved there.
 *
 * @template T
 * @param {T[]} cards
 * @param {Uint8Array} key
 * @param {number} number
 * @param {number} size
 */
function shuffleCards(cards, key, number, size) {
  const choices = drawNumbers(key, number, Array.from({ length: size }, (_, place) => cards.length - place));
  choices.forEach((choice, place) => {
    const other = place + Number(choice);
    [cards[place], cards[other]] = [cards[other], cards[place]];
  });
  return cards;
}
