/** @param {number} points */
const hand = (points) => (points === 10 ? "Niu Niu" : points ? `Niu ${points}` : "kein Niu");
/** @param {string} name as the server has it */
const named = (name) => (name === "No Niu" ? "keinem Niu" : name);
/** @param {number[]} dice */
const added = (dice) => `${dice.join(" + ")} ist ${dice.reduce((total, die) => total + die, 0)}`;
/**
 * Describe throws won, and throws drawn if there are any.
 *
 * @param {number} won
 * @param {number} drawn
 */
const decided = (won, drawn) =>
  drawn
    ? `${won} ${won === 1 ? "gewonnenen Wurf" : "gewonnenen Würfen"} und ${drawn} unentschiedenen`
    : `${won} ${won === 1 ? "Wurf" : "Würfen"}`;

/** @type {import("../translate.js").Catalogue} */
export default {
  "niuniu.rolling": "rollt",
  "niuniu.prompt": "Wirf die Würfel.",
  "niuniu.drawn": "Unentschieden zwischen {names}: {hand}.",
  "niuniu.drawn.me": "Unentschieden zwischen dir und {names}: {hand}.",
  "niuniu.empty": "noch nicht geworfen",
  "niuniu.event.chose": "{name} ist bereit zu werfen.",
  "niuniu.event.match_won": ({ seats, won, drawn, who }) =>
    seats.length > 1
      ? `${who} teilen sich den Sieg, mit je ${decided(won, drawn)}.`
      : `${who} gewinnt die Partie mit ${decided(won, drawn)}.`,
  "niuniu.event.threw": ({ name, dice, hand: { points, triple, rest } }) =>
    `${name} wirft ${dice.join(" ")}: ${hand(points)}${triple ? ` (${added(triple)}, ${added(rest)})` : ""}.`,
  "niuniu.event.throw_drawn": ({ fields, who }) =>
    `Der Wurf ist unentschieden zwischen ${who}, mit ${named(fields.name)}.`,
  "niuniu.event.throw_won": ({ name, fields }) => `${name} gewinnt den Wurf mit ${named(fields.name)}.`,
  "niuniu.hand": ({ points }) => (points ? hand(points) : "Kein Niu"),
  "niuniu.hands": ({ count, sum, mean, baozi }) =>
    `${count} ${count === 1 ? "Wurf" : "Würfe"} · Summe ${sum} · Mittel ${mean} · ${baozi} Baozi`,
  "niuniu.keys": "jede Taste",
  "niuniu.keys.throw": "würfeln",
  "niuniu.no_triple": "keine drei Würfel ergeben zehn",
  "niuniu.odds": "Chancen",
  "niuniu.odds.battle": ({ count, win, draw, lose }) =>
    `Bei ${count} Spielern gilt für jeden pro Wurf: Sieg ${win}, Unentschieden ${draw}, Niederlage ${lose}.`,
  "niuniu.odds.observed": "beobachtet",
  "niuniu.odds.probability": "Wahrscheinlichkeit",
  "niuniu.odds.hand": "Wurf",
  "niuniu.odds.percentile": "{hand} schlägt {below} aller Würfe",
  "niuniu.odds.statistics": ({ baozi }) =>
    `Die Statistik zählt 5 für ein Baozi (${baozi} gleiche oder mehr), 3 für Niu Niu, 2 für Niu 7 bis 9, 1 für ein kleineres Niu. Sie hat keinen Einfluss auf das Ergebnis.`,
  "niuniu.score": ({ won, drawn }) => `${won} ${won === 1 ? "Wurf" : "Würfe"} gewonnen${drawn ? `, ${drawn} unentschieden` : ""}`,
  "niuniu.statistics": "Statistik: {count}",
  "niuniu.throw": "Werfen",
  "niuniu.throw_done": "Geworfen",
  "niuniu.throw_number": ({ number, throws: all }) => (all > 1 ? `Wurf ${number} von ${all}` : "Ein Wurf"),
  "niuniu.wins": "{names} gewinnt mit {hand}.",
  "niuniu.wins.me": "Du gewinnst mit {hand}.",
  "niuniu.event.chose.me": "Du bist bereit zu werfen.",
  "niuniu.event.match_won.me": ({ won, drawn }) => `Du gewinnst die Partie mit ${decided(won, drawn)}.`,
  "niuniu.event.match_won.us": ({ won, drawn, others }) => `Du teilst dir den Sieg mit ${others}, mit je ${decided(won, drawn)}.`,
  "niuniu.event.threw.me": ({ dice, hand: { points, triple, rest } }) =>
    `Du wirfst ${dice.join(" ")}: ${hand(points)}${triple ? ` (${added(triple)}, ${added(rest)})` : ""}.`,
  "niuniu.event.throw_drawn.us": ({ fields, others }) => `Der Wurf ist unentschieden zwischen dir und ${others}, mit ${named(fields.name)}.`,
  "niuniu.event.throw_won.me": ({ fields }) => `Du gewinnst den Wurf mit ${named(fields.name)}.`,
};
