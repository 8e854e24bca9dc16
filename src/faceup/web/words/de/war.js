const RANKS = ["Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben", "Acht", "Neun", "Zehn", "Bube", "Dame", "König", "Ass"];
const SUITS = ["Kreuz", "Karo", "Herz", "Pik"];
/** @param {number} card */
const named = (card) => `${SUITS[card & 3]}-${RANKS[card >> 2]}`;
/** @param {number} count */
const cards = (count) => `${count} ${count === 1 ? "Karte" : "Karten"}`;
/** @type {(name: string, card: number, added: number) => string} */
const turned = (name, card, added) =>
  added === 0
    ? `${name} hat keine Karte mehr, ${named(card)} gilt noch einmal`
    : `${name} ${added > 1 ? `legt ${added - 1} verdeckt und ` : ""}deckt ${named(card)} auf`;
/** @type {Record<string, (rounds: number) => string>} */
const WON = {
  "all cards": (rounds) => `mit allen Karten nach ${rounds} Runden`,
  cap: (rounds) => `mit dem größeren Stapel nach ${rounds} Runden`,
  "sudden death": (rounds) => `in der Entscheidungsrunde, der ${rounds}.`,
};

/** @type {import("../say.js").Catalogue} */
export default {
  "war.asks": "Deck deine Karte auf.",
  "war.asks.auto": "Die Karten decken sich von selbst auf.",
  "war.auto": "Von selbst",
  "war.auto.fast": "Karten von selbst aufdecken, schnell",
  "war.auto.slow": "Karten von selbst aufdecken",
  "war.auto.whole": "Das ganze Spiel, so schnell es geht",
  "war.card": ({ card }) => named(card),
  "war.cards": ({ count }) => cards(count),
  "war.chance": "Deine Gewinnchance",
  "war.chance.of": "Gewinnchance von {name}",
  "war.chance.told": "{title}: {chance} nach {rounds} Runden.",
  "war.down": "verdeckt",
  "war.event.chose": "",
  "war.event.collected": ({ name, count }) => `${name} nimmt ${cards(count)}.`,
  "war.event.dealt": ({ each, redeal, names }) =>
    `Das Blatt wird ${redeal ? `neu (zum ${redeal}. Mal) ` : ""}verteilt: je ${cards(each)} an ${names[0]} und ${names[1]}.`,
  "war.event.drawn": "Das Spiel endet unentschieden nach {rounds} Runden.",
  "war.event.reshuffled": "{rounds} Runden sind gespielt: Beide Stapel werden neu gemischt.",
  "war.event.sudden_death": "Entscheidung nach {rounds} Runden: Wer die nächste Runde gewinnt, gewinnt das Spiel.",
  "war.event.turned": ({ fields, names }) =>
    `${[0, 1].map((seat) => turned(names[seat], fields.cards[seat], fields.added[seat])).join("; ")}.`,
  "war.event.undecided": "Niemand hat mehr eine Karte, und gleiche liegen offen: Die Runde ist unentschieden.",
  "war.event.war": "Gleiche Karten: Krieg Nummer {number}!",
  "war.event.won": ({ name, by, rounds }) => `${name} gewinnt das Spiel ${WON[by](rounds)}${by === "sudden death" ? "" : "."}`,
  "war.flip": "Aufdecken",
  "war.flipped": "Bereit",
  "war.keys": "jede Taste",
  "war.keys.auto": "von selbst oder von Hand",
  "war.keys.flip": "eine Karte aufdecken",
  "war.line.how":
    "Die Seite spielt von hier bis zu tausendmal weiter, mit den Karten, wie jemand sie kennen kann, der gesehen hat, welche in welchem Stapel liegen, aber nicht, in welcher Reihenfolge; ein Unentschieden zählt halb. Im Band liegt die Chance in 95 von 100 Fällen.",
  "war.line.rounds": { one: "{count} Runde", other: "{count} Runden" },
  "war.line.words": "Linie: die Chance · Fläche: die Karten · Striche: Kriege",
  "war.nothing": "nichts aufgedeckt",
  "war.pile": { one: "ein Stapel von {count} Karte", other: "ein Stapel von {count} Karten" },
  "war.rank": ({ rank }) => RANKS[rank],
  "war.round": "Runde {round} von höchstens {cap}",
  "war.says.collected": ({ name, count, rank }) => `${name}: ${rank} nimmt ${cards(count)}.`,
  "war.says.dealt": "Die Karten werden verteilt.",
  "war.says.drawn": "Das Spiel ist unentschieden.",
  "war.says.reshuffled": "Beide Stapel werden neu gemischt.",
  "war.says.sudden_death": "Die nächste Runde entscheidet!",
  "war.says.war": "Krieg!",
  "war.says.won": "{name} gewinnt das Spiel.",
  "war.wars": { one: "{count} Krieg", other: "{count} Kriege" },
};
