/** @param {number} count */
const heads = (count) => (count === 1 ? "1 Ochsenkopf" : `${count} Ochsenköpfe`);

/** @param {number} row 0 if it differs */
const inRow = (row) => (row ? ` in Reihe ${row}` : "");

/** @type {import("../translate.js").Catalogue} */
export default {
  "hint.best.joins": "Am besten {card} in Reihe {row}; {chance}.",
  "hint.best.low": ({ card, row, heads: count, chance }) => `Am besten ${card}: kleiner als alle Reihen, nimmt meist Reihe ${row} (etwa ${heads(count)}); ${chance}.`,
  "hint.best.lower_first": "Am besten {card}: kleiner als alle Reihen, aber andere legen vorher kleinere Karten; {chance}.",
  "hint.best.row": ({ row, heads: count }) => `Am besten Reihe ${row} für ${heads(count)}.`,
  "hint.best.sixth": "Am besten {card}, obwohl sie eine volle Reihe nimmt, meist Reihe {row}; {chance}.",
  "hint.busy": "Der Trainer überlegt …",
  "hint.cause.close": "{name} ist etwa gleich gut wie {best}.",
  "hint.cause.depends": "Ob {name} schlechter ist als {best}, hängt davon ab, wie die anderen spielen.",
  "hint.cause.keep": ({ card, row, better, worse }) => `Behältst du ${card}, kann sie${inRow(row)} eine Karte zu viel werden: Später nimmt sie ${worse} eine Reihe, jetzt ${better}.`,
  "hint.cause.keep_low": "Behältst du {card}, kann sie kleiner als alle Reihen sein: Später nimmt sie {worse} eine Reihe, jetzt {better}.",
  "hint.cause.low": "{card} ist kleiner als alle Reihen: Jetzt nimmt sie {worse} eine Reihe, später {better}.",
  "hint.cause.other": "Nach {name} nimmt deine {card} {worse} eine Reihe, nach {best} {better}.",
  "hint.cause.purpose": "Nimm absichtlich eine Reihe: {card} nimmt jetzt {better} eine; behältst du sie, später {worse}.",
  "hint.cause.rest": "Nach {name} nehmen deine übrigen Karten mehr Ochsenköpfe als nach {best}.",
  "hint.cause.row": ({ name, best, price, best_price }) => `${name} kostet jetzt ${heads(price)}, ${best} kostet ${heads(best_price)}.`,
  "hint.cause.sixth": ({ card, row, better, worse }) => `${card} kann${inRow(row)} eine Karte zu viel sein: Jetzt nimmt sie ${worse} eine Reihe, später ${better}.`,
  "hint.cause.swap": "Besser jetzt {best} und später {name}: So nehmen beide weniger Ochsenköpfe.",
  "hint.only": "Du hast nur eine Möglichkeit.",
  "hint.rank": "Trainer: Rang {rank}, {more} Ochsenköpfe mehr als die beste, Risiko einer Reihe {risk}",
  "hint.rank.row": "Trainer: Rang {rank}, {more} Ochsenköpfe mehr als die beste",
  "hint.ranking": "Rangliste nach erwarteten Ochsenköpfen: {ranking}.",
  "hint.risk": "{percent} Risiko, eine Reihe zu nehmen",
  "hint.risk.none": "kein Risiko",
  "hint.risk.sure": "auf jeden Fall nimmt sie eine Reihe",
  "hint.row_number": "Reihe {row}",
  "hint.selected": "{option}: {more} Ochsenköpfe mehr als die beste, Gewinnchance {win}.",
  "hint.space": " ",
  "hint.takes": ({ percent, heads: count }) => `in ${percent} der Fälle (etwa ${heads(count)})`,
  "hint.takes.never": "nie",
};
