import { GAMES } from "../live/games.js";
import { known, say } from "./say.js";

/** @import { Opening } from "../live/types.js" */

/** A phrase, or what the server says where no catalogue has it. @param {string} key @param {string} [otherwise] */
function either(key, otherwise = "") {
  return known(key) ? say(key) : otherwise;
}

/** @param {string} game */
export function titleOf(game) {
  return either(`table.game.${game}`, GAMES.get(game)?.title ?? game);
}

/** @param {string} game */
export function summaryOf(game) {
  return either(`shell.game.${game}.says`, GAMES.get(game)?.summary ?? "");
}

/** @param {string} game @param {string} variant */
export function variantOf(game, variant) {
  const found = GAMES.get(game)?.variants.find((each) => each.name === variant);
  return either(`shell.variant.${game}.${variant}`, found?.title ?? variant);
}

/** @param {string} game @param {string} variant */
export function variantSays(game, variant) {
  const found = GAMES.get(game)?.variants.find((each) => each.name === variant);
  return either(`shell.variant.${game}.${variant}.says`, found?.summary ?? "");
}

/** What an option sets, in words. @param {string} game @param {string} option */
export function optionName(game, option) {
  const found = GAMES.get(game)?.options.find((each) => each.name === option);
  return either(`shell.option.${option}`, found?.summary ?? option);
}

/** @param {string} level a kind of bot */
export function levelName(level) {
  return either(`shell.level.${level}`, level);
}

/** What a table is set to, each in a few words. @param {Opening} opening @param {number} seats @returns {string[]} */
export function settings(opening, seats) {
  const clock = opening.terms.clock;
  const set = Object.entries(opening.options).filter(([name]) => name !== "seats");
  return [
    say("shell.setting.seats", { count: seats }),
    clock ? say("shell.setting.clock", { seconds: clock / 1000 }) : say("shell.setting.noclock"),
    ...set.map(([name, value]) => `${optionName(opening.game, name)}: ${typeof value === "boolean" ? say(value ? "shell.yes" : "shell.no") : value}`),
    ...(opening.terms.fair ? [say("shell.setting.fair")] : []),
    ...(opening.watch === "nobody" ? [say("shell.setting.unwatched")] : []),
    ...(opening.watch_delay ? [say("shell.setting.delay", { seconds: opening.watch_delay / 1000 })] : []),
    say(opening.listed ? "shell.setting.listed" : "shell.setting.unlisted"),
  ];
}
