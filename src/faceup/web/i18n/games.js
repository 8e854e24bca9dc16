import { GAMES } from "../api/games.js";
import { SITE } from "../api/site.js";
import { DAY, labelled } from "./format.js";
import { hasTranslation, t } from "./translate.js";

/** @import { TableConfig } from "../api/types.js" */

/** Return a translation, or the server's text if there is none. @param {string} key @param {string} [otherwise] */
function translateOr(key, otherwise = "") {
  return hasTranslation(key) ? t(key) : otherwise;
}

/** @param {string} game */
export function gameTitle(game) {
  return SITE.titles[game] ?? translateOr(`table.game.${game}`, GAMES.get(game)?.title ?? game);
}

/** @param {string} game */
export function gameSummary(game) {
  return translateOr(`shell.game.${game}.summary`, GAMES.get(game)?.summary ?? "");
}

/** @param {string} game @param {string} variant */
export function variantTitle(game, variant) {
  const gameVariant = GAMES.get(game)?.variants.find((candidate) => candidate.name === variant);
  return translateOr(`shell.variant.${game}.${variant}`, gameVariant?.title ?? variant);
}

/** @param {string} game @param {string} variant */
export function variantSummary(game, variant) {
  const gameVariant = GAMES.get(game)?.variants.find((candidate) => candidate.name === variant);
  return translateOr(`shell.variant.${game}.${variant}.summary`, gameVariant?.summary ?? "");
}

/** Return the label of an option. A game of another package may use the same name for another option. @param {string} game @param {string} option */
export function optionName(game, option) {
  const summary = GAMES.get(game)?.options.find(({ name }) => name === option)?.summary ?? option;
  return hasTranslation(`table.game.${game}`) ? translateOr(`shell.option.${option}`, summary) : summary;
}

/** Return the name of a bot level. @param {string} level */
export function levelName(level) {
  return translateOr(`shell.level.${level}`, level);
}

/** What an option's label says about its range, in parentheses. */
const RANGE = /\s*[(（].*[)）]$/;

/** Return a short text for the time limit of a table. @param {number | null} [clock] milliseconds for each choice */
export function describeClock(clock) {
  if (!clock) return t("shell.setting.no_timer");
  return clock < DAY ? t("shell.setting.clock", { seconds: clock / 1000 }) : t("shell.setting.days", { count: clock / DAY });
}

/**
 * Return a short text for each setting of a table.
 *
 * @param {TableConfig} config
 * @param {number} seats
 * @param {boolean} rated whether the game changes ratings with its players
 * @returns {string[]}
 */
export function describeConfig(config, seats, rated) {
  const set = Object.entries(config.options).filter(([name]) => name !== "seats");
  return [
    t("shell.setting.seats", { count: seats }),
    describeClock(config.terms.clock),
    ...set.map(([name, value]) => labelled(optionName(config.game, name).replace(RANGE, ""), typeof value === "boolean" ? t(value ? "shell.yes" : "shell.no") : value)),
    t(rated ? "table.rated" : "table.unrated"),
    ...(config.terms.fair ? [t("shell.setting.fair")] : []),
    ...(config.spectators === "nobody" ? [t("shell.setting.no_spectators")] : []),
    ...(config.spectator_delay ? [t("shell.setting.delay", { seconds: config.spectator_delay / 1000 })] : []),
    t(config.listed ? "shell.setting.listed" : "shell.setting.unlisted"),
  ];
}

/** Return whether players have days for each choice, so that they need not be online. @param {TableConfig} config */
export function hasDays(config) {
  return (config.terms.clock ?? 0) >= DAY;
}
