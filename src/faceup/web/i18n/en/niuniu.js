/** @param {number} points */
const hand = (points) => (points === 10 ? "Niu Niu" : points ? `Niu ${points}` : "No Niu");
/** @param {number[]} dice */
const added = (dice) => `${dice.join(" + ")} is ${dice.reduce((total, die) => total + die, 0)}`;

/**
 * Describe throws won, and throws drawn if there are any.
 *
 * @param {number} won
 * @param {number} drawn
 */
const decided = (won, drawn) => `${won} ${won === 1 ? "throw" : "throws"}${drawn ? ` won and ${drawn} drawn` : ""}`;

/** @type {import("../translate.js").Catalogue} */
export default {
  "niuniu.rolling": "rolling",
  "niuniu.prompt": "Throw the dice.",
  "niuniu.drawn": "Draw: {names} have {hand}.",
  "niuniu.drawn.me": "Draw: you and {names} have {hand}.",
  "niuniu.empty": "not thrown yet",
  "niuniu.event.chose": "{name} is ready to throw.",
  "niuniu.event.match_won": ({ seats, won, drawn, who }) =>
    seats.length > 1
      ? `${who} share the match with ${decided(won, drawn)} each.`
      : `${who} wins the match with ${decided(won, drawn)}.`,
  "niuniu.event.threw": ({ name, dice, hand: { points, triple, rest } }) =>
    `${name} throws ${dice.join(" ")}: ${hand(points)}${triple ? ` (${added(triple)}, ${added(rest)})` : ""}.`,
  "niuniu.event.throw_drawn": ({ fields, who }) =>
    `The throw is a draw between ${who}, with ${fields.name}.`,
  "niuniu.event.throw_won": ({ name, fields }) => `${name} wins the throw with ${fields.name}.`,
  "niuniu.hand": ({ points }) => hand(points),
  "niuniu.hands": ({ count, sum, mean, baozi }) =>
    `${count} ${count === 1 ? "hand" : "hands"} · sum ${sum} · mean ${mean} · ${baozi} baozi`,
  "niuniu.keys": "any key",
  "niuniu.keys.throw": "throw",
  "niuniu.no_triple": "no triple adds up to ten",
  "niuniu.odds": "Odds",
  "niuniu.odds.battle": ({ count, win, draw, lose }) =>
    `With ${count} players, each has these odds in a throw: win ${win}, draw ${draw}, lose ${lose}.`,
  "niuniu.odds.observed": "observed",
  "niuniu.odds.probability": "probability",
  "niuniu.odds.hand": "hand",
  "niuniu.odds.percentile": "{hand} beats {below} of all hands",
  "niuniu.odds.statistics": ({ baozi }) =>
    `Statistics points: 5 for a baozi (${baozi} or more equal dice), 3 for Niu Niu, 2 for Niu 7 to 9, 1 for a lower Niu. They do not affect the result.`,
  "niuniu.score": ({ won, drawn }) => `${won} ${won === 1 ? "throw" : "throws"} won${drawn ? `, ${drawn} drawn` : ""}`,
  "niuniu.statistics": "statistics: {count}",
  "niuniu.throw": "Throw",
  "niuniu.throw_done": "Thrown",
  "niuniu.throw_number": ({ number, throws }) => (throws > 1 ? `Throw ${number} of ${throws}` : "One throw"),
  "niuniu.wins": "{names} wins with {hand}.",
  "niuniu.wins.me": "You win with {hand}.",
  "niuniu.event.chose.me": "You are ready to throw.",
  "niuniu.event.match_won.me": ({ won, drawn }) => `You win the match with ${decided(won, drawn)}.`,
  "niuniu.event.match_won.us": ({ won, drawn, others }) => `You share the match with ${others}, with ${decided(won, drawn)} each.`,
  "niuniu.event.threw.me": ({ dice, hand: { points, triple, rest } }) =>
    `You throw ${dice.join(" ")}: ${hand(points)}${triple ? ` (${added(triple)}, ${added(rest)})` : ""}.`,
  "niuniu.event.throw_drawn.us": ({ fields, others }) => `The throw is a draw between you and ${others}, with ${fields.name}.`,
  "niuniu.event.throw_won.me": ({ fields }) => `You win the throw with ${fields.name}.`,
};
