/** @type {import("../say.js").Catalogue} */
export default {};
