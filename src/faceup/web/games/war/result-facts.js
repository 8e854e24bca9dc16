import { describeEvent } from "../../i18n/events.js";
import { t } from "../../i18n/translate.js";
import { namesOf } from "../../i18n/seat-names.js";
import { html } from "../../vendor/lit/index.js";

/**
 * Render how a finished game of War ended, its rounds and its wars.
 *
 * @param {import("../../api/types.js").TableView} room
 */
export function resultFacts(room) {
  const { rounds, wars, by } = room.view;
  const winner = room.result?.ranks.indexOf(1) ?? 0;
  const decided = new Set(room.result?.ranks).size > 1;
  const ending = decided ? { event: "won", seat: winner, by, rounds, text: "" } : { event: "drawn", rounds, text: "" };
  const words = describeEvent("war", ending, namesOf(room), room.seat);
  return html`<div class="fact cluster aligned"><strong>${t("war.chart.rounds", { count: rounds })}</strong></div>
    <div class="fact cluster aligned"><strong>${t("war.wars", { count: wars })}</strong></div>
    <div class="fact wide cluster aligned"><p>${words}</p></div>`;
}
