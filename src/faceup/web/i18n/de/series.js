/** @type {import("../translate.js").Catalogue} */
export default {
  "series.title": { one: "Zwischenstand nach 1 Spiel", other: "Zwischenstand nach {count} Spielen" },
  "series.player": "Spieler",
  "series.game": "Spiel {number}",
  "series.place": "{score}, Platz {place}",
  "series.absent": "nicht dabei",
  "series.total.nimmt": "Köpfe",
  "series.total": "Punkte",
  "series.wins": "Siege",

  "series.asks": "{name} möchte noch einmal spielen.",
  "series.open": "Eine Revanche ist offen.",
  "series.join": "Mitspielen",
  "series.watch": "Zuschauen",
  "series.follow": { one: "Der neue Tisch öffnet sich in {count} Sekunde.", other: "Der neue Tisch öffnet sich in {count} Sekunden." },
  "series.stay": "Hierbleiben",

  "series.held": "Platz freigehalten",
  "series.take": "Auf deinen Platz",
  "series.waiting": "Es fehlen noch: {names}. Das Spiel startet, wenn alle da sind.",
  "series.start_without": "Ohne {names} starten",
  "series.starts": "Das Spiel startet in 3 Sekunden.",
  "series.ready": "Alle sind da",
};
