/** @type {(count: number) => string} */
const heads = (count) => (count === 1 ? "1 Ochsenkopf" : `${count} Ochsenköpfe`);

/** @type {import("../say.js").Catalogue} */
export default {
  "learn.again": "Noch einmal",
  "learn.all": "Alle Spiele",
  "learn.play": "Ein richtiges Spiel",
  "learn.sixty": "In sechzig Sekunden gelernt",
  "learn.sixty.why": "Vier Züge gegen zwei Bots, die dir zeigen, worauf es ankommt.",
  "learn.skip": "Verlassen",
  "learn.title": "Spielen lernen",
  "learn.title.why": "Jedes Spiel ist in einer Minute gelernt. Such dir eines aus.",
  "learn.try.1": "Alle wählen heimlich eine Karte. Jede kommt in die Reihe, deren letzte Karte am nächsten unter ihr liegt. Wähle eine von deinen und bestätige sie.",
  "learn.try.2": "Eine Reihe fasst fünf Karten: Wer die sechste legt, nimmt die fünf, und ihre Ochsenköpfe zählen gegen dich. Die letzte Reihe füllt sich. Was nun?",
  "learn.try.3": "Deine {card} liegt unter der letzten Karte jeder Reihe. So eine Karte nimmt eine Reihe deiner Wahl: spiel sie, solange eine billig ist. Die 55 allein hat sieben Köpfe.",
  "learn.try.3.safe": "Sieh hin, bevor du wählst: Wie viele Karten liegen in der Reihe, in die deine käme, und was könnten andere vor dir dort anlegen?",
  "learn.try.4": "Deine letzte Karte. Sind die Hände leer, werden die Ochsenköpfe gezählt, und die wenigsten gewinnen.",
  "learn.try.over": ({ count, best }) => `Du hast ${heads(count)} genommen, der Gewinner ${best}. Jetzt kennst du alle Regeln: Versuch es noch einmal, oder spiel ein richtiges Spiel mit zehn Karten.`,
  "learn.try.placed": "Deine {card} kam in Reihe {row}, hinter die {tail}: am nächsten unter ihr.",
  "learn.try.row": "Deine {card} liegt unter jeder Reihe, also suchst du dir eine aus und nimmst sie. Achte auf wenige Köpfe, und tippe auf die Reihe.",
  "learn.try.they.chose": ({ name, row, card, count }) => `Die ${card} von ${name} lag unter jeder Reihe: ${name} nimmt Reihe ${row}, ${heads(count)}.`,
  "learn.try.they.sixth": ({ name, row, card, count }) => `Die ${card} von ${name} war die sechste Karte in Reihe ${row}: ${name} nimmt die fünf davor, ${heads(count)}.`,
  "learn.try.title": "Deine ersten Züge",
  "learn.try.won": ({ count }) => `${count ? `Nur ${heads(count)}` : "Kein einziger Ochsenkopf"}: Du gewinnst! Jetzt kennst du alle Regeln. Ein richtiges Spiel hat zehn Karten.`,
  "learn.try.you.chose": ({ row, count }) => `Du hast Reihe ${row} genommen: ${heads(count)}. Deine Karte beginnt sie neu.`,
  "learn.try.you.sixth": ({ row, card, count }) => `Deine ${card} war die sechste Karte in Reihe ${row}: Du nimmst die fünf davor, ${heads(count)}.`,
  "learn.you": "Du",
};
