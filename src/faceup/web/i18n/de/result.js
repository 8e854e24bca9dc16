/** @type {import("../translate.js").Catalogue} */
export default {
  "result.best_hand": "Bester Wurf: {hand}",
  "result.best_hand.who": "{name}, Wurf {number}",
  "result.no_heads": "kein einziger Ochsenkopf",
  "result.own": "Du bist auf Platz {place} von {of}",
  "result.nearly.row": "Eine Reihe hat dich den Sieg gekostet: {heads}.",
  "result.nearly.close": "{heads} mehr als der Sieger: Das war knapp.",
  "result.nearly.throw": "Dir fehlte ein Wurf.",
  "result.nearly.sudden_death": "Die letzte Runde hat entschieden.",
};
