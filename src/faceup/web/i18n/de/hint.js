/** @param {number} count */
const heads = (count) => (count === 1 ? "1 Ochsenkopf" : `${count} Ochsenköpfe`);

/** @type {import("../translate.js").Catalogue} */
export default {
  "hint.busy": "Der Trainer überlegt …",
  "hint.full": ({ card, row, heads: count, chance }) => `Am besten ${card}, obwohl Reihe ${row} voll ist und ${heads(count)} kostet; ${chance}.`,
  "hint.low": ({ card, row, heads: count, chance }) => `Am besten ${card}, kleiner als alle Reihen; Reihe ${row} kostet nur ${heads(count)}; ${chance}.`,
  "hint.only": "Du hast nur eine Möglichkeit.",
  "hint.rank": "Trainer: Rang {rank}, {more} Ochsenköpfe mehr als die beste, Risiko einer Reihe {risk}",
  "hint.rank.row": "Trainer: Rang {rank}, {more} Ochsenköpfe mehr als die beste",
  "hint.ranking": "Rangliste nach erwarteten Ochsenköpfen: {ranking}.",
  "hint.risk": "{percent} Risiko, eine Reihe zu nehmen",
  "hint.risk.none": "kein Risiko",
  "hint.risk.sure": "auf jeden Fall nimmt sie eine Reihe",
  "hint.room": "Am besten {card}: hinter {after} in Reihe {row}, Platz für {room}; {chance}.",
  "hint.row": ({ row, card, heads: count, followers }) =>
    `Am besten Reihe ${row} für ${heads(count)}; ${["keine Karte folgt", "eine Karte folgt"][followers] ?? `${followers} Karten folgen`} dort in diesem Zug deiner ${card}.`,
  "hint.row_number": "Reihe {row}",
  "hint.safe": "Am besten {card}: hinter {after} in Reihe {row}, und zu wenige Karten passen dazwischen; {chance}.",
  "hint.selected": "{option}: {more} Ochsenköpfe mehr als die beste; Risiko einer Reihe {risk}, Gewinnchance {win}.",
  "hint.selected.row": "{option}: {more} Ochsenköpfe mehr als die beste; Gewinnchance {win}.",
};
