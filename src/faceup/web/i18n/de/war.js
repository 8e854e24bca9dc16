const RANKS = ["Zwei", "Drei", "Vier", "Fünf", "Sechs", "Sieben", "Acht", "Neun", "Zehn", "Bube", "Dame", "König", "Ass"];
const SUITS = ["Kreuz", "Karo", "Herz", "Pik"];
/** @param {number} card */
const named = (card) => `${SUITS[card & 3]}-${RANKS[card >> 2]}`;
/** @param {number} count */
const cards = (count) => `${count} ${count === 1 ? "Karte" : "Karten"}`;
/** @param {number} count */
const rounds = (count) => `${count} ${count === 1 ? "Runde" : "Runden"}`;
/** @type {(name: string, card: number, added: number) => string} */
const turned = (name, card, added) =>
  added === 0
    ? `${name} hat keine Karte mehr, ${named(card)} gilt noch einmal`
    : `${name} ${added > 1 ? `legt ${added - 1} verdeckt und ` : ""}deckt ${named(card)} auf`;
/** @type {(du: string, card: number, added: number) => string} */
const turnedOwn = (du, card, added) =>
  added === 0
    ? `${du} hast keine Karte mehr, ${named(card)} gilt noch einmal`
    : `${du} ${added > 1 ? `legst ${added - 1} verdeckt und ` : ""}deckst ${named(card)} auf`;
/** @type {Record<string, (count: number) => string>} */
const WON = {
  "all cards": (count) => `mit allen Karten nach ${rounds(count)}`,
  cap: (count) => `mit dem größeren Stapel nach ${rounds(count)}`,
  "sudden death": (count) => `in der Entscheidungsrunde, der ${count}.`,
};

/** @type {import("../translate.js").Catalogue} */
export default {
  "war.prompt": "Deck deine Karte auf.",
  "war.prompt.auto": "Karten werden automatisch aufgedeckt.",
  "war.auto": "Automatisch",
  "war.auto.fast": "Automatisch aufdecken, schnell",
  "war.auto.slow": "Automatisch aufdecken",
  "war.auto.fastest": "Das ganze Spiel so schnell wie möglich spielen",
  "war.card": ({ card }) => named(card),
  "war.cards": ({ count }) => cards(count),
  "war.chance": "Deine Gewinnchance",
  "war.chance.of": "Gewinnchance von {name}",
  "war.chance.label": ({ title, chance, rounds: count }) => `${title}: ${chance} nach ${rounds(count)}.`,
  "war.down": "verdeckt",
  "war.event.chose": "",
  "war.event.collected": ({ name, count }) => `${name} nimmt ${cards(count)}.`,
  "war.event.dealt": ({ each, redeal, names, viewer }) =>
    `Das Blatt wird ${redeal ? `neu (zum ${redeal}. Mal) ` : ""}verteilt: je ${cards(each)} an ${viewer === 0 ? "dich" : names[0]} und ${viewer === 1 ? "dich" : names[1]}.`,
  "war.event.drawn": ({ rounds: count }) => `Das Spiel endet unentschieden nach ${rounds(count)}.`,
  "war.event.reshuffled": ({ rounds: count }) => `${rounds(count)} ${count === 1 ? "ist" : "sind"} gespielt: Beide Stapel werden neu gemischt.`,
  "war.event.sudden_death": ({ rounds: count }) => `Entscheidungsrunde nach ${rounds(count)}: Wer sie gewinnt, gewinnt das Spiel.`,
  "war.event.turned": ({ fields, names, viewer }) =>
    `${[0, 1].map((seat) => (seat === viewer ? turnedOwn(seat ? "du" : "Du", fields.cards[seat], fields.added[seat]) : turned(names[seat], fields.cards[seat], fields.added[seat]))).join("; ")}.`,
  "war.event.undecided": "Beide haben keine Karten mehr, und die aufgedeckten sind gleich: Die Runde ist unentschieden.",
  "war.event.war": "Gleiche Karten: Krieg Nummer {number}!",
  "war.event.won": ({ name, by, rounds: count }) => `${name} gewinnt das Spiel ${WON[by](count)}${by === "sudden death" ? "" : "."}`,
  "war.shows.turned": ({ cards: [one, other] }) => `${RANKS[one >> 2]} gegen ${RANKS[other >> 2]}.`,
  "war.flip": "Aufdecken",
  "war.flip_done": "Bereit",
  "war.keys": "jede Taste",
  "war.keys.auto": "automatisch oder manuell",
  "war.keys.flip": "eine Karte aufdecken",
  "war.chart.help":
    "Geschätzt aus bis zu 1.000 simulierten Spielen, die zu den gesehenen Karten passen, ohne ihre Reihenfolge; ein Unentschieden zählt halb. Das Band ist ein 95-%-Konfidenzintervall.",
  "war.chart.rounds": { one: "{count} Runde", other: "{count} Runden" },
  "war.chart.legend": "Linie: Gewinnchance · Fläche: Karten · Striche: Kriege",
  "war.no_card": "keine Karte aufgedeckt",
  "war.pile": { one: "ein Stapel von {count} Karte", other: "ein Stapel von {count} Karten" },
  "war.rank": ({ rank }) => RANKS[rank],
  "war.round": "Runde {round} von maximal {cap}",
  "war.caption.collected": ({ name, count, rank }) => `${name}: ${rank} nimmt ${cards(count)}.`,
  "war.caption.dealt": "Die Karten werden verteilt.",
  "war.caption.drawn": "Das Spiel ist unentschieden.",
  "war.caption.reshuffled": "Beide Stapel werden neu gemischt.",
  "war.caption.sudden_death": "Die nächste Runde entscheidet!",
  "war.caption.war": "Krieg!",
  "war.caption.won": "{name} gewinnt das Spiel.",
  "war.wars": { one: "{count} Krieg", other: "{count} Kriege" },
  "war.event.collected.me": ({ count }) => `Du nimmst ${cards(count)}.`,
  "war.event.won.me": ({ by, rounds: count }) => `Du gewinnst das Spiel ${WON[by](count)}${by === "sudden death" ? "" : "."}`,
  "war.caption.collected.me": ({ count, rank }) => `${rank} nimmt ${cards(count)} für dich.`,
  "war.caption.won.me": "Du gewinnst das Spiel.",
};
