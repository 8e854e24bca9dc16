/** @param {string[]} names */
const list = (names) => new Intl.ListFormat("en", { type: "conjunction" }).format(names);
/** @param {number} points */
const hand = (points) => (points === 10 ? "Niu Niu" : points ? `Niu ${points}` : "No Niu");
/** @param {number[]} dice */
const added = (dice) => `${dice.join(" + ")} is ${dice.reduce((total, die) => total + die, 0)}`;

/** @type {import("../say.js").Catalogue} */
export default {
  "niuniu.air": "in the air",
  "niuniu.asks": "Throw your dice.",
  "niuniu.drawn": "A draw: {names} have {hand}.",
  "niuniu.empty": "not thrown yet",
  "niuniu.event.chose": "{name} shakes the dice.",
  "niuniu.event.match_won": ({ seats, won, names }) =>
    seats.length > 1
      ? `The match is shared by ${list(seats.map((/** @type {number} */ seat) => names[seat]))}, with ${won} ${won === 1 ? "throw" : "throws"} each.`
      : `${names[seats[0]]} wins the match with ${won} ${won === 1 ? "throw" : "throws"}.`,
  "niuniu.event.threw": ({ name, dice, hand: { points, triple, rest } }) =>
    `${name} throws ${dice.join(" ")}: ${hand(points)}${triple ? ` (${added(triple)}, ${added(rest)})` : ""}.`,
  "niuniu.event.throw_drawn": ({ seats, fields, names }) =>
    `The throw is a draw: ${list(seats.map((/** @type {number} */ seat) => names[seat]))} have ${fields.name}.`,
  "niuniu.event.throw_won": ({ name, fields }) => `${name} wins the throw with ${fields.name}.`,
  "niuniu.hand": ({ points }) => hand(points),
  "niuniu.keys": "any key",
  "niuniu.keys.throw": "throw",
  "niuniu.none": "no three make ten",
  "niuniu.odds": "The odds",
  "niuniu.odds.battle": ({ count, win, draw }) =>
    `Each of ${count} wins a throw with a chance of ${win}; it is a draw with ${draw}.`,
  "niuniu.odds.came": "came",
  "niuniu.odds.chance": "chance",
  "niuniu.odds.hand": "hand",
  "niuniu.odds.mine": "{hand} is more than {below} of all hands",
  "niuniu.odds.statistics": ({ baozi }) =>
    `The statistics count 5 for a baozi (${baozi} alike or more), 3 for Niu Niu, 2 for Niu 7 to 9, 1 for a lesser Niu. They decide nothing.`,
  "niuniu.statistics": "statistics {count}",
  "niuniu.throw": "Throw",
  "niuniu.thrown": "Thrown",
  "niuniu.which": ({ number, throws }) => (throws > 1 ? `Throw ${number} of ${throws}` : "One throw"),
  "niuniu.wins": "{names} wins with {hand}.",
  "niuniu.wins.me": "You win with {hand}.",
  "niuniu.won": { one: "{count} throw won", other: "{count} throws won" },
};
