/** @param {string[]} names */
const list = (names) => new Intl.ListFormat("de", { type: "conjunction" }).format(names);
/** @param {number} points */
const hand = (points) => (points === 10 ? "Niu Niu" : points ? `Niu ${points}` : "kein Niu");
/** @param {string} name as the server has it */
const named = (name) => (name === "No Niu" ? "keinem Niu" : name);
/** @param {number[]} dice */
const added = (dice) => `${dice.join(" + ")} ist ${dice.reduce((total, die) => total + die, 0)}`;
/** @param {number} won */
const throws = (won) => `${won} ${won === 1 ? "Wurf" : "Würfen"}`;

/** @type {import("../say.js").Catalogue} */
export default {
  "niuniu.air": "in der Luft",
  "niuniu.asks": "Wirf deine Würfel.",
  "niuniu.drawn": "Unentschieden: {names} haben {hand}.",
  "niuniu.empty": "noch nicht geworfen",
  "niuniu.event.chose": "{name} schüttelt die Würfel.",
  "niuniu.event.match_won": ({ seats, won, names }) =>
    seats.length > 1
      ? `${list(seats.map((/** @type {number} */ seat) => names[seat]))} teilen sich das Spiel, mit je ${throws(won)}.`
      : `${names[seats[0]]} gewinnt das Spiel mit ${throws(won)}.`,
  "niuniu.event.threw": ({ name, dice, hand: { points, triple, rest } }) =>
    `${name} wirft ${dice.join(" ")}: ${hand(points)}${triple ? ` (${added(triple)}, ${added(rest)})` : ""}.`,
  "niuniu.event.throw_drawn": ({ seats, fields, names }) =>
    `Der Wurf ist unentschieden: ${list(seats.map((/** @type {number} */ seat) => names[seat]))}, alle mit ${named(fields.name)}.`,
  "niuniu.event.throw_won": ({ name, fields }) => `${name} gewinnt den Wurf mit ${named(fields.name)}.`,
  "niuniu.hand": ({ points }) => (points ? hand(points) : "Kein Niu"),
  "niuniu.keys": "jede Taste",
  "niuniu.keys.throw": "werfen",
  "niuniu.none": "keine drei ergeben zehn",
  "niuniu.odds": "Die Chancen",
  "niuniu.odds.battle": ({ count, win, draw }) =>
    `Von ${count} gewinnt jeder einen Wurf mit einer Chance von ${win}; unentschieden ist er mit ${draw}.`,
  "niuniu.odds.came": "kam",
  "niuniu.odds.chance": "Chance",
  "niuniu.odds.hand": "Blatt",
  "niuniu.odds.mine": "{hand} ist mehr als {below} aller Würfe",
  "niuniu.odds.statistics": ({ baozi }) =>
    `Die Statistik zählt 5 für ein Baozi (${baozi} gleiche oder mehr), 3 für Niu Niu, 2 für Niu 7 bis 9, 1 für ein kleineres Niu. Sie entscheidet nichts.`,
  "niuniu.statistics": "Statistik {count}",
  "niuniu.throw": "Werfen",
  "niuniu.thrown": "Geworfen",
  "niuniu.which": ({ number, throws: all }) => (all > 1 ? `Wurf ${number} von ${all}` : "Ein Wurf"),
  "niuniu.wins": "{names} gewinnt mit {hand}.",
  "niuniu.wins.me": "Du gewinnst mit {hand}.",
  "niuniu.won": { one: "{count} Wurf gewonnen", other: "{count} Würfe gewonnen" },
};
