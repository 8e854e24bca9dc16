const RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const SUITS = ["clubs", "diamonds", "hearts", "spades"];
/** @param {number} card */
const named = (card) => `the ${RANKS[card >> 2]} of ${SUITS[card & 3]}`;
/** @param {number} count */
const cards = (count) => `${count} ${count === 1 ? "card" : "cards"}`;
/** @type {(name: string, card: number, added: number) => string} */
const turned = (name, card, added) =>
  added === 0
    ? `${name} has no card left, and ${named(card)} stands again`
    : `${name} ${added > 1 ? `adds ${added - 1} face down and ` : ""}turns up ${named(card)}`;
/** @type {Record<string, (rounds: number) => string>} */
const WON = {
  "all cards": (rounds) => `with all the cards after ${rounds} rounds`,
  cap: (rounds) => `with the larger pile after ${rounds} rounds`,
  "sudden death": (rounds) => `in sudden death, in round ${rounds}`,
};

/** @type {import("../say.js").Catalogue} */
export default {
  "war.asks": "Turn up your card.",
  "war.asks.auto": "The cards turn up by themselves.",
  "war.auto": "By themselves",
  "war.auto.fast": "Turn the cards up by themselves, fast",
  "war.auto.slow": "Turn the cards up by themselves",
  "war.auto.whole": "The whole game, as fast as it goes",
  "war.card": ({ card }) => named(card),
  "war.cards": ({ count }) => cards(count),
  "war.chance": "Your chance of winning",
  "war.chance.of": "{name}’s chance of winning",
  "war.chance.told": "{title}: {chance} after {rounds} rounds.",
  "war.down": "face down",
  "war.event.chose": "",
  "war.event.collected": ({ name, count }) => `${name} collects ${cards(count)}.`,
  "war.event.dealt": ({ each, redeal, names }) =>
    `The deck is dealt${redeal ? ` anew (redeal ${redeal})` : ""}: ${cards(each)} to ${names[0]}, ${each} to ${names[1]}.`,
  "war.event.drawn": "The game is a draw after {rounds} rounds.",
  "war.event.reshuffled": "{rounds} rounds are played: both piles are reshuffled.",
  "war.event.sudden_death": "Sudden death after {rounds} rounds: whoever wins the next round wins the game.",
  "war.event.turned": ({ fields, names }) =>
    `${[0, 1].map((seat) => turned(names[seat], fields.cards[seat], fields.added[seat])).join("; ")}.`,
  "war.event.undecided": "Neither has a card left, and equal cards are up: the round is undecided.",
  "war.event.war": "The cards are equal: war number {number}!",
  "war.event.won": ({ name, by, rounds }) => `${name} wins the game ${WON[by](rounds)}.`,
  "war.flip": "Turn up",
  "war.flipped": "Ready",
  "war.keys": "any key",
  "war.keys.auto": "by themselves, or by hand",
  "war.keys.flip": "turn up a card",
  "war.line.how":
    "The page plays on from here, up to a thousand times, with the cards as somebody may know them who has watched which lie in which pile, and not in what order; a draw counts half. The band is where the chance lies 95 times in 100.",
  "war.line.rounds": { one: "{count} round", other: "{count} rounds" },
  "war.line.words": "line: the chance · shade: the cards · ticks: wars",
  "war.nothing": "nothing turned up",
  "war.pile": { one: "a pile of {count} card", other: "a pile of {count} cards" },
  "war.rank": ({ rank }) => RANKS[rank],
  "war.round": "Round {round} of at most {cap}",
  "war.says.collected": ({ name, count, rank }) => `${name}’s ${rank} takes ${cards(count)}.`,
  "war.says.dealt": "The deck is dealt.",
  "war.says.drawn": "The game is a draw.",
  "war.says.reshuffled": "Both piles are reshuffled.",
  "war.says.sudden_death": "Sudden death: the next round decides!",
  "war.says.war": "War!",
  "war.says.won": "{name} wins the game.",
  "war.wars": { one: "{count} war", other: "{count} wars" },
};
