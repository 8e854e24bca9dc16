/** @type {import("../translate.js").Catalogue} */
export default {
  "result.best_hand": "Bester Wurf: {hand}",
  "result.best_hand.who": "{name}, Wurf {number}",
  "result.no_heads": "kein einziger Ochsenkopf",
  "result.own": "Du bist auf Platz {place} von {of}",
  "result.share": "Teilen",
  "result.share.copied": "Kopiert: füge es ein, wo du willst.",
  "result.share.failed": "Dieser Browser kann weder teilen noch kopieren.",
  "result.share.player": "{place}. {name} ({score})",
  "result.share.text": "{game}: {players}",
  "result.share.title": "Eine Partie {game}",
};
