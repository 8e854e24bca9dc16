import { total } from "../../art/heads.js";

/** @param {string[]} names */
const list = (names) => new Intl.ListFormat("de").format(names); // made when it is needed: it takes long

/** @param {number} count */
const heads = (count) => (count === 1 ? "1 Hornochse" : `${count} Hornochsen`);

/** @type {import("../say.js").Catalogue} */
export default {
  "nimmt.rows": "Reihen",
  "nimmt.hand": "Deine Hand",
  "nimmt.row": ({ row, cards, left, heads: sum }) =>
    `Reihe ${row}: ${cards}. ${heads(sum)}; ${left ? `Platz für ${left}` : "voll: Wer jetzt anlegt, nimmt sie"}.`,
  "nimmt.card": ({ card, heads: count, chosen }) => `${card}, ${heads(count)}${chosen ? ", gewählt" : ""}`,
  "nimmt.heads": ({ heads: count }) => heads(count),
  "nimmt.deal": ({ deal, of }) => (of ? `Spiel ${deal}/${of}` : `Spiel ${deal}`),
  "nimmt.turn": "Zug {turn}/{of}",
  "nimmt.leads": ({ names, heads: count }) =>
    `${names.length > 2 ? names.length : list(names)} ${names.length === 1 ? "führt" : "führen"} (am wenigsten: ${count})`,
  "nimmt.shuffling": "Die Karten werden gemischt.",
  "nimmt.choose": "Wähle eine Karte.",
  "nimmt.waits": "{name} sucht eine Reihe aus und nimmt sie.",
  "nimmt.below": "Deine {card} ist kleiner als jede Reihe: Nimm eine.",
  "nimmt.would.fit": "So wie es liegt, kommt {card} in Reihe {row} hinter {after}.",
  "nimmt.would.take": ({ card, row, heads: count }) => `So wie es liegt, ist ${card} zu viel für Reihe ${row}: Du nimmst ${heads(count)}.`,
  "nimmt.would.low": "So wie es liegt, ist {card} kleiner als jede Reihe: Du nimmst eine nach Wahl.",
  "nimmt.would.row": ({ row, heads: count }) => `Reihe ${row} kostet dich ${heads(count)}.`,
  "nimmt.tap.play": "Spielen",
  "nimmt.tap.back": "Zurück",
  "nimmt.play": "{card} spielen",
  "nimmt.instead": "Lieber {card} spielen",
  "nimmt.back": "Zurücknehmen",
  "nimmt.take": "Reihe {row} nehmen",
  "nimmt.taking": ({ name, heads: sum, chosen }) => (chosen ? `${name} wählte diese Reihe: ${heads(sum)}` : `${name} nahm ${heads(sum)}`),
  "nimmt.over": "Spiel {deal} ist zu Ende",
  "nimmt.keys.move": "durch die Hand",
  "nimmt.keys.enter": "Karte vormerken, noch einmal: spielen",
  "nimmt.keys.escape": "zurücknehmen",
  "nimmt.keys.rows": "die Reihe wählen, die du nimmst",
  "nimmt.event.dealt": ({ name, hand }) => `${name} bekommt ${hand.join(" ")}.`,
  "nimmt.event.opened": ({ deal, cards }) => `Spiel ${deal}: Die Reihen beginnen mit ${cards.join(" ")}.`,
  "nimmt.event.revealed": ({ names, plays }) =>
    `Aufgedeckt: ${plays.flatMap((/** @type {number} */ card, /** @type {number} */ seat) => (card ? [`${names[seat]} ${card}`] : [])).join(", ")}.`,
  "nimmt.event.placed": ({ name, card, row }) => `${name}: ${card} kommt in Reihe ${row + 1}.`,
  "nimmt.event.took": ({ name, card, row, chosen, cards }) =>
    `${name}: ${card} ist ${chosen ? "kleiner als jede Reihe" : `zu viel für Reihe ${row + 1}`}. ${name} nimmt ${cards.join(" ")}: ${heads(total(cards))}.`,
  "nimmt.event.out": ({ names, seats }) =>
    `${list(seats.map((/** @type {number} */ seat) => names[seat]))} ${seats.length === 1 ? "ist" : "sind"} ausgeschieden.`,
  "nimmt.event.set_aside": "{name}: {card} wird beiseitegelegt und zählt für niemanden.",
  "nimmt.event.deal_over": ({ names, heads: deal, match }) =>
    `Das Spiel ist zu Ende. ${names.map((/** @type {string} */ name, /** @type {number} */ seat) => `${name} ${deal[seat] === match[seat] ? "" : `+${deal[seat]}: `}${match[seat]}`).join(", ")}.`,
  "nimmt.event.won": ({ names, seats }) =>
    seats.length === 1
      ? `${names[seats[0]]} gewinnt mit den wenigsten Hornochsen.`
      : `${list(seats.map((/** @type {number} */ seat) => names[seat]))} teilen sich den Sieg.`,
};
