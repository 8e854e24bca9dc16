import { commitment, deriveKey } from "../api/fair-deal.js";
import { unhex } from "../api/sha256.js";
import { expectedOutcome } from "../api/verify-deal.js";

/** @import { DailyView } from "../api/http-types.js" */

/**
 * Return whether the secret of a day matches its commitment, and the cards follow from it.
 *
 * @param {DailyView} day a day that has ended
 */
export function verifyDay({ date, secret, commitment: promised, deal, bots }) {
  if (!secret || !deal) return false;
  const round = Number(date.replaceAll("-", ""));
  const game = { game: "nimmt", variant: "cowheadking", options: { seats: bots.length + 1 }, entries: [] };
  const key = deriveKey(round, unhex(secret), new Map());
  return commitment(round, unhex(secret)) === promised && expectedOutcome(game, key, 0, deal) === deal;
}
