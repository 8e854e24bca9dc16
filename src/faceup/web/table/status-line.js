import { formatList } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { nameOf } from "../i18n/seat-names.js";

/** @import { TableView } from "../api/types.js" */

/**
 * The current task or state as a sentence, and a mood that decides its style. `mine` means that the viewer has to
 * choose.
 *
 * @typedef {"mine" | "chosen" | "waiting" | "paused" | "away" | "over" | "spectating"} Mood
 * @typedef {{mood: Mood, words: string}} StatusLine
 */

/** @param {TableView} room */
export function mayChoose(room) {
  return room.status === "active" && room.actions.length > 0 && room.paused === undefined;
}

/**
 * Return the status line for the viewer.
 *
 * @param {TableView} room
 * @param {string} [prompt] the game's prompt for the open decision; replaces the generic prompt
 * @param {boolean} [sending] whether the viewer's choice is on its way to the server
 * @returns {StatusLine}
 */
export function statusLine(room, prompt, sending = false) {
  const { seat, status, view } = room;
  if (status === "closed") return { mood: "over", words: t(`table.closed.${room.closed ?? "operator"}`) };
  if (status === "finished") return { mood: "over", words: winnerSentence(room) };
  if (seat !== undefined && room.away.includes(seat)) return { mood: "away", words: t("table.next.away") };
  if (room.paused !== undefined) return { mood: "paused", words: t("table.next.paused") };
  if (room.fair && !view.legal?.length && status === "active" && room.actions.length === 0 && awaitsContributions(room.fair)) {
    return { mood: "waiting", words: t("table.next.fair") };
  }
  const asked = /** @type {number[]} */ (view.to_act ?? []).filter((seat) => seat >= 0);
  const missing = asked.filter((seat) => !room.chosen.includes(seat));
  if (seat !== undefined && mayChoose(room)) {
    if (room.choice === undefined && sending) return { mood: "waiting", words: t("table.next.sending") };
    if (room.choice === undefined) return { mood: "mine", words: prompt ?? t("table.next.mine") };
    const others = missing.filter((other) => other !== seat);
    if (!others.length) return { mood: "chosen", words: t("table.next.reveal") };
    return { mood: "chosen", words: t("table.next.chosen", { names: formatList(others.map((other) => nameOf(room, other))) }) };
  }
  const mood = seat === undefined ? "spectating" : "waiting";
  if (!missing.length) return { mood, words: t("table.next.moment") };
  return { mood, words: t("table.next.waiting", { names: formatList(missing.map((seat) => nameOf(room, seat))) }) };
}

/**
 * Return a sentence that names the winners; several players may share the first place.
 *
 * @param {TableView} room
 */
export function winnerSentence(room) {
  const ranks = room.result?.ranks ?? [];
  const first = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  if (!first.length) return t("table.next.over");
  if (first.length === ranks.length && ranks.length > 1) return t("table.result.all");
  if (first.length === 1 && first[0] === room.seat) return t("table.result.me");
  const names = formatList(first.map((seat) => nameOf(room, seat)));
  return t(first.length === 1 ? "table.result.one" : "table.result.shared", { names });
}

/** @param {import("../api/types.js").FairView} fair */
function awaitsContributions(fair) {
  return fair.listed === undefined || fair.contributions.some((contribution) => contribution === null);
}
