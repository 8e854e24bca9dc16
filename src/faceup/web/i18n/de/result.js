/** @type {import("../translate.js").Catalogue} */
export default {
  "result.best_hand": "Bester Wurf: {hand}",
  "result.best_hand.who": "{name}, Wurf {number}",
  "result.no_heads": "kein einziger Ochsenkopf",
  "result.own": "Du bist auf Platz {place} von {of}",
};
