import { pages as about } from "./about/pages.js";
import { pages as account } from "./account/pages.js";
import { pages as daily } from "./daily/pages.js";
import { pages as friends } from "./friends/pages.js";
import { pages as home } from "./home/pages.js";
import { pages as ladder } from "./ladder/pages.js";
import { pages as learn } from "./learn/pages.js";
import { pages as parties } from "./parties/pages.js";
import { pages as puzzles } from "./puzzles/pages.js";
import { pages as replays } from "./replays/pages.js";
import { pages as table } from "./table/pages.js";
import { pages as tournaments } from "./tournaments/pages.js";
import { pages as watch } from "./watch/pages.js";

/**
 * A page of the site.
 *
 * @typedef {object} PageRoute
 * @property {RegExp} address the pattern of its addresses; the element gets the named groups as `address`
 * @property {string} element the name of its element
 * @property {string[]} words the namespaces of translations that it needs besides the common ones
 * @property {() => Promise<unknown>} load loads the module of the element
 */

/** All pages, of which at most one matches an address. @type {PageRoute[]} */
export const PAGES = [
  ...about,
  ...account,
  ...daily,
  ...friends,
  ...home,
  ...ladder,
  ...learn,
  ...parties,
  ...puzzles,
  ...replays,
  ...table,
  ...tournaments,
  ...watch,
];
