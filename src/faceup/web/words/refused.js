import { Refusal } from "../live/api.js";
import { known, say } from "./say.js";

/**
 * Why something was refused, in one sentence: as it is said of what was asked, else of its kind; what the server said in
 * English where no catalogue has it.
 *
 * @param {unknown} error
 * @param {string} [about] what was asked: "code", "login", "sit" ...
 * @returns {string}
 */
export function refused(error, about = "") {
  if (!(error instanceof Refusal)) return say("refusals.internal");
  const values = { seconds: error.retryAfter || 1, legal: error.legal.join(", ") };
  for (const key of [`refusals.${error.kind}.${about}`, `refusals.${error.kind}.${error.where}`, `refusals.${error.kind}`]) {
    if (known(key)) return say(key, values);
  }
  return error.message;
}
