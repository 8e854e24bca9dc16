/** @type {import("../translate.js").Catalogue} */
export default {
  "report.hint": "Nur der Betreiber dieses Servers sieht deine Meldung. Warum meldest du diesen Spieler?",
  "report.name": "Anstößiger Name",
  "report.stalling": "Verzögert das Spiel",
  "report.leaving": "Verlässt Spiele",
  "report.reactions": "Lästige Reaktionen",
  "report.cheating": "Betrügt",
};
