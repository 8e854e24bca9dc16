import { die } from "../../art/dice.js";
import { t } from "../../i18n/translate.js";
import { nameOf } from "../../i18n/seat-names.js";
import { html } from "../../vendor/lit/index.js";
import { scoreHand } from "./hand.js";

/**
 * Render the best hand of a finished match.
 *
 * @param {import("../../api/types.js").TableView} room
 */
export function resultFacts(room) {
  /** @type {number[][][]} */
  const log = room.view.log ?? [];
  const hands = log.flatMap((dice, number) => dice.map((own, seat) => ({ own, seat, number, hand: scoreHand(own, room.config.options.baozi) })));
  const best = hands.toSorted((first, second) => second.hand.points - first.hand.points || second.hand.statistics - first.hand.statistics)[0];
  if (!best) return "";
  return html`<div class="fact cluster aligned">
    <span class="dice" role="img" aria-label=${best.own.join(" ")}>${best.own.map((shows) => die(shows))}</span>
    <p><b>${t("result.best_hand", { hand: t(`niuniu.hand.${best.hand.points}`) })}</b>
      <span class="soft">${t("result.best_hand.who", { name: nameOf(room, best.seat), number: best.number + 1 })}</span></p>
  </div>`;
}
