import manners from "./manners.js";
import refusals from "./refusals.js";
import table from "./table.js";

/** What every page says, or a table at once. @type {import("../say.js").Catalogue} */
export default { ...manners, ...refusals, ...table };
