import { commitment, drawn, key, pledge, promised } from "./fair.js";
import { unhex } from "./sha256.js";

/**
 * @typedef {object} Verdict what came of checking the fair deals of a record
 * @property {number[]} faults the numbers of entries that are not as they should be
 * @property {number} outcomes how many outcomes of chance follow from what was promised
 * @property {number} others how many only the rules can tell: `faceup verify` checks those
 * @property {string[]} contributors by name
 * @property {string[]} leftOut by name
 * @property {boolean | null} seen whether the commitment is the one that this page was shown; null if it was not there
 */

/**
 * Check that everything that chance did follows from the server's secret and the players' bytes.
 *
 * @param {any} record a finished table's, as `/api/tables/ID/record` has it
 * @param {string} [table] its id, for what this page was promised
 * @returns {Verdict}
 */
export function verified(record, table = "") {
  /** @type {number[]} */
  const faults = [];
  /** @type {string[]} */
  const names = [];
  let round = -1;
  /** @type {Uint8Array} */
  let secret = new Uint8Array(32);
  /** @type {Map<number, string>} */
  let pledges = new Map();
  /** @type {Map<number, Uint8Array>} */
  let opened = new Map();
  /** @type {number[] | null} */
  let listed = null;
  const leftOut = new Set();
  let [outcomes, others] = [0, 0];
  let last = "";
  record.entries.forEach((/** @type {any} */ entry, /** @type {number} */ at) => {
    const { entry: kind, seat } = entry;
    let right = true;
    if (kind === "joined") names[seat] = entry.name;
    else if (kind === "sealed") {
      const owed = (listed ?? []).filter((each) => !opened.has(each));
      right = round < 0 || (owed.length > 0 && owed.every((each) => leftOut.has(each)));
      round += 1;
      [secret, pledges, opened, listed, last] = [unhex(entry.secret), new Map(), new Map(), null, entry.commitment];
      right &&= commitment(round, secret) === entry.commitment;
    } else if (kind === "pledged") {
      right = round >= 0 && !listed && !pledges.has(seat) && !leftOut.has(seat);
      pledges.set(seat, entry.pledge);
    } else if (kind === "listed") {
      right = !listed && String(entry.seats) === String([...pledges.keys()].sort((a, b) => a - b));
      listed = entry.seats;
    } else if (kind === "pledge_opened") {
      opened.set(seat, unhex(entry.contribution));
      right = Boolean(listed?.includes(seat)) && pledge(round, seat, unhex(entry.contribution)) === pledges.get(seat);
    } else if (kind === "left_out") {
      right = Boolean(listed?.includes(seat)) && !opened.has(seat);
      leftOut.add(seat);
    } else if (kind === "applied" && entry.outcome) {
      const ready = listed && String([...opened.keys()].sort((a, b) => a - b)) === String(listed);
      const true_ = ready ? outcome(record, key(round, secret, opened), outcomes + others, entry.outcome) : "";
      if (true_ === null) others += 1;
      else outcomes += 1;
      right = true_ === null || true_ === entry.outcome;
    }
    if (!right) faults.push(at);
  });
  const shown = promised(table, round);
  return {
    faults,
    outcomes,
    others,
    contributors: [...opened.keys()].map((seat) => names[seat]),
    leftOut: [...leftOut].map((seat) => names[seat]),
    seen: shown ? shown === last : null,
  };
}

/**
 * The words of an outcome; null for one that only the rules can tell.
 *
 * @param {any} record
 * @param {Uint8Array} key
 * @param {number} number
 * @param {string} said
 */
function outcome(record, key, number, said) {
  const { game, variant, options } = record;
  const seats = options.seats || record.entries.filter((/** @type {any} */ each) => each.entry === "joined").length;
  if (game === "nimmt") {
    const size = seats * (options.hand ?? 10) + (options.rows ?? 4);
    const many = options.cards || (variant === "tactical" ? size : 104);
    const cards = Array.from({ length: many }, (_, at) => at + 1);
    return `deal ${shuffled(cards, key, number, size).slice(0, size).join(" ")}`;
  }
  if (game === "niuniu") {
    const dice = drawn(key, number, Array(5 * seats).fill(options.faces ?? 6)).map((each) => `${each + 1n}`);
    const hands = Array.from({ length: seats }, (_, seat) => dice.slice(5 * seat, 5 * seat + 5).join(" "));
    return `dice ${hands.join(" / ")}`;
  }
  if (game === "war" && said.startsWith("deal")) {
    const ranks = [..."23456789TJQKA"].slice(0, options.per_suit ?? 13);
    const suits = [..."CDHS"].slice(0, options.suits ?? 4);
    const cards = ranks.flatMap((rank) => suits.map((suit) => rank + suit));
    shuffled(cards, key, number, cards.length - 1);
    return `deal ${cards.slice(0, cards.length >> 1).join(" ")} / ${cards.slice(cards.length >> 1).join(" ")}`;
  }
  return null;
}

/**
 * The cards, shuffled as far as `size`: choice i is how far behind place i the card lies that comes there.
 *
 * @template T
 * @param {T[]} cards
 * @param {Uint8Array} key
 * @param {number} number
 * @param {number} size
 */
function shuffled(cards, key, number, size) {
  const choices = drawn(key, number, Array.from({ length: size }, (_, place) => cards.length - place));
  choices.forEach((choice, place) => {
    const other = place + Number(choice);
    [cards[place], cards[other]] = [cards[other], cards[place]];
  });
  return cards;
}
