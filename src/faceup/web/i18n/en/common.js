import bots from "./bots.js";
import ui from "./ui.js";
import errors from "./errors.js";
import table from "./table.js";

/** Messages of every page and of tables. @type {import("../translate.js").Catalogue} */
export default { ...bots, ...ui, ...errors, ...table };
