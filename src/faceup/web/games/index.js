/**
 * The elements that draw games, by the game's name; any other game plays with its drawing and buttons from its words.
 *
 * @type {Record<string, () => Promise<unknown>>}
 */
const ELEMENTS = {
  nimmt: () => import("./nimmt/nimmt-table.js"),
  niuniu: () => import("./niuniu/niuniu-table.js"),
  war: () => import("./war/war-table.js"),
};

/**
 * The name of the element that shows a game, defined by the time it is told.
 *
 * @param {string} game
 * @returns {Promise<string>}
 */
export async function elementFor(game) {
  const known = Object.hasOwn(ELEMENTS, game);
  await (known ? ELEMENTS[game]() : import("./any/any-table.js"));
  return known ? `${game}-table` : "any-table";
}
