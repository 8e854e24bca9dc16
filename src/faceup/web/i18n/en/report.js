/** @type {import("../translate.js").Catalogue} */
export default {
  "report.hint": "Only the people who run this server see your report. Why do you report this player?",
  "report.name": "Offensive name",
  "report.stalling": "Stalls the game",
  "report.leaving": "Leaves games",
  "report.reactions": "Annoying reactions",
  "report.cheating": "Cheats",
};
