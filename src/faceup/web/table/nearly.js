import { total } from "../art/heads.js";
import { t } from "../i18n/translate.js";

/** @import { TableEvent, TableView } from "../api/types.js" */

/** The greatest difference in heads that is called close. */
const CLOSE = 3;

/** By game, what nearly made the viewer the winner: a sentence from the scores and the events, or "". */
const NEARLY = /** @type {Record<string, (mine: number, best: number, room: TableView, events: TableEvent[]) => string>} */ ({
  nimmt: nearlyNimmt,
  niuniu: (own, best) => (best - own === 1 ? t("result.nearly.throw") : ""),
  war: (_mine, _best, { view }) => (view.by === "sudden death" ? t("result.nearly.sudden_death") : ""),
});

/**
 * Return what was missing to win, for a viewer who has lost; "" if there is nothing to say for sure.
 *
 * @param {TableView} room a finished game
 * @param {TableEvent[]} events all events of the game; without some of them, nothing is said that needs them
 */
export function nearlyWon(room, events) {
  const { seat, result, config } = room;
  if (seat === undefined || !result || result.ranks[seat] === 1) return "";
  return NEARLY[config.game]?.(result.scores[seat], result.scores[result.ranks.indexOf(1)], room, events) ?? "";
}

/**
 * A row cost the win if its heads are more than the difference to the winner: all other heads stay the same.
 *
 * @param {number} own
 * @param {number} best
 * @param {TableView} room
 * @param {TableEvent[]} events
 */
function nearlyNimmt(own, best, { seat }, events) {
  const rows = events.filter((event) => event.event === "took" && event.seat === seat).map(({ cards }) => total(cards));
  const isComplete = rows.reduce((sum, heads) => sum + heads, 0) === own;
  const dearest = Math.max(0, ...rows);
  if (isComplete && dearest > own - best) return t("result.nearly.row", { heads: t("nimmt.heads", { count: dearest }) });
  return own - best <= CLOSE && own > best ? t("result.nearly.close", { count: own - best, heads: t("nimmt.heads", { count: own - best }) }) : "";
}
