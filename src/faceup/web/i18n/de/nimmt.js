import { total } from "../../art/heads.js";

/** @param {number} count */
const heads = (count) => (count === 1 ? "1 Ochsenkopf" : `${count} Ochsenköpfe`);

/** @type {import("../translate.js").Catalogue} */
export default {
  "nimmt.rows": "Reihen",
  "nimmt.hand": "Deine Handkarten",
  "nimmt.row": ({ row, cards, left, heads: sum }) =>
    `Reihe ${row}: ${cards}. ${heads(sum)}; ${left ? `Platz für ${left}` : "voll: Wer jetzt anlegt, nimmt sie"}.`,
  "nimmt.card": ({ card, heads: count, chosen }) => `${card}, ${heads(count)}${chosen ? ", gewählt" : ""}`,
  "nimmt.heads": ({ heads: count }) => heads(count),
  "nimmt.deal": ({ deal, of }) => (of ? `Durchgang ${deal}/${of}` : `Durchgang ${deal}`),
  "nimmt.turn": "Zug {turn}/{of}",
  "nimmt.leads": ({ count, names, heads: fewest }) =>
    `${count > 2 ? `${count} Spieler` : names} ${count === 1 ? "führt" : "führen"} (wenigste Ochsenköpfe: ${fewest})`,
  "nimmt.leads.me": "Du führst (wenigste Ochsenköpfe: {heads})",
  "nimmt.leads.us": ({ count, names, heads: fewest }) =>
    `Du und ${count > 2 ? `${count - 1} andere` : names} führt (wenigste Ochsenköpfe: ${fewest})`,
  "nimmt.shuffling": "Karten werden gemischt …",
  "nimmt.choose": "Wähle eine Karte.",
  "nimmt.waiting_for_row": "{name} wählt eine Reihe.",
  "nimmt.choose_row": "Deine {card} passt in keine Reihe. Wähle eine Reihe, die du nimmst.",
  "nimmt.would.fit": "Vorschau: {card} kommt in Reihe {row}, hinter die {after}.",
  "nimmt.would.take": ({ card, row, heads: count }) => `Vorschau: ${card} passt nicht mehr in Reihe ${row}, und du nimmst ${heads(count)}.`,
  "nimmt.would.low": "Vorschau: {card} passt in keine Reihe, und du nimmst eine Reihe deiner Wahl.",
  "nimmt.would.row": ({ row, heads: count }) => `Reihe ${row} kostet dich ${heads(count)}.`,
  "nimmt.tap.play": "Spielen",
  "nimmt.play": "{card} spielen",
  "nimmt.play_instead": "Stattdessen {card} spielen",
  "nimmt.undo": "Rückgängig",
  "nimmt.take": "Reihe {row} nehmen",
  "nimmt.row_taken": ({ name, heads: sum, chosen }) => (chosen ? `${name} wählte diese Reihe: ${heads(sum)}` : `${name} nahm ${heads(sum)}`),
  "nimmt.deal_over": "Durchgang {deal} ist zu Ende",
  "nimmt.hint": "Tipp",
  "nimmt.keys.hint": "Tipp zeigen oder ausblenden",
  "nimmt.keys.move": "durch die Handkarten",
  "nimmt.keys.enter": "Karte auswählen; noch einmal: spielen",
  "nimmt.keys.escape": "rückgängig",
  "nimmt.keys.rows": "die Reihe wählen, die du nimmst",
  "nimmt.event.dealt": ({ name, hand }) => `${name} bekommt ${hand.join(" ")}.`,
  "nimmt.event.opened": ({ deal, cards }) => `${deal > 1 ? `Durchgang ${deal}: ` : ""}Die Reihen beginnen mit ${cards.join(" ")}.`,
  "nimmt.event.revealed": ({ names, plays }) =>
    `Aufgedeckt: ${plays.flatMap((/** @type {number} */ card, /** @type {number} */ seat) => (card ? [`${names[seat]} ${card}`] : [])).join(", ")}.`,
  "nimmt.event.placed": ({ name, card, row }) => `${name}: ${card} kommt in Reihe ${row + 1}.`,
  "nimmt.event.took": ({ name, card, row, chosen, cards }) =>
    `${name}: ${card} ${chosen ? "passt in keine Reihe" : `passt nicht mehr in Reihe ${row + 1}`}. ${name} nimmt ${cards.join(" ")}: ${heads(total(cards))}.`,
  "nimmt.shows.revealed": "Die Karten sind aufgedeckt.",
  "nimmt.shows.placed": ({ card, row }) => `Die ${card} kommt in Reihe ${row + 1}.`,
  "nimmt.shows.took": ({ name, card, row, chosen, cards: taken }) =>
    `Die ${card} passt ${chosen ? "in keine Reihe" : `nicht mehr in Reihe ${row + 1}`}: ${name} nimmt ${heads(total(taken))}.`,
  "nimmt.event.out": ({ who, seats }) => `${who} ${seats.length === 1 ? "ist" : "sind"} ausgeschieden.`,
  "nimmt.event.set_aside": "{name}: {card} wird beiseitegelegt und zählt für niemanden.",
  "nimmt.event.deal_over": ({ names, heads: deal, match }) =>
    `Der Durchgang ist zu Ende. ${names.map((/** @type {string} */ name, /** @type {number} */ seat) => `${name} ${deal[seat] === match[seat] ? "" : `+${deal[seat]}: `}${match[seat]}`).join(", ")}.`,
  "nimmt.event.won": ({ who, seats }) =>
    seats.length === 1
      ? `${who} gewinnt mit den wenigsten Ochsenköpfen.`
      : `${who} teilen sich den Sieg.`,
  "nimmt.event.took.me": ({ card, row, chosen, cards }) =>
    `Deine ${card} ${chosen ? "passt in keine Reihe" : `passt nicht mehr in Reihe ${row + 1}`}. Du nimmst ${cards.join(" ")}: ${heads(total(cards))}.`,
  "nimmt.shows.took.me": ({ card, row, chosen, cards: taken }) =>
    `Die ${card} passt ${chosen ? "in keine Reihe" : `nicht mehr in Reihe ${row + 1}`}: Du nimmst ${heads(total(taken))}.`,
  "nimmt.event.out.me": "Du bist ausgeschieden.",
  "nimmt.event.won.me": "Du gewinnst mit den wenigsten Ochsenköpfen.",
  "nimmt.event.dealt.me": ({ hand }) => `Du bekommst ${hand.join(" ")}.`,
  "nimmt.event.placed.me": ({ card, row }) => `Deine ${card} kommt in Reihe ${row + 1}.`,
  "nimmt.event.set_aside.me": "Deine {card} wird beiseitegelegt und zählt für niemanden.",
  "nimmt.event.out.us": ({ others }) => `Du und ${others} seid ausgeschieden.`,
  "nimmt.event.won.us": ({ others }) => `Du teilst dir den Sieg mit ${others}.`,
};
