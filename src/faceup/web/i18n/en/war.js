const RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const SUITS = ["clubs", "diamonds", "hearts", "spades"];
/** @param {number} card */
const named = (card) => `the ${RANKS[card >> 2]} of ${SUITS[card & 3]}`;
/** @param {number} count */
const cards = (count) => `${count} ${count === 1 ? "card" : "cards"}`;
/** @param {number} count */
const rounds = (count) => `${count} ${count === 1 ? "round" : "rounds"}`;
/** @type {(name: string, card: number, added: number) => string} */
const turned = (name, card, added) =>
  added === 0
    ? `${name} has no card left, and ${named(card)} counts again`
    : `${name} ${added > 1 ? `adds ${added - 1} face down and ` : ""}reveals ${named(card)}`;
/** @type {(you: string, card: number, added: number) => string} */
const turnedOwn = (you, card, added) =>
  added === 0
    ? `${you} have no card left, and your ${named(card).slice(4)} counts again`
    : `${you} ${added > 1 ? `add ${added - 1} face down and ` : ""}reveal ${named(card)}`;
/** @type {Record<string, (count: number) => string>} */
const WON = {
  "all cards": (count) => `with all the cards after ${rounds(count)}`,
  cap: (count) => `with the larger pile after ${rounds(count)}`,
  "sudden death": (count) => `in sudden death, in round ${count}`,
};

/** @type {import("../translate.js").Catalogue} */
export default {
  "war.prompt": "Reveal your card.",
  "war.prompt.auto": "Cards are revealed automatically.",
  "war.auto": "Auto",
  "war.auto.fast": "Reveal automatically, fast",
  "war.auto.slow": "Reveal automatically",
  "war.auto.fastest": "Play the whole game at full speed",
  "war.card": ({ card }) => named(card),
  "war.cards": ({ count }) => cards(count),
  "war.chance": "Your win chance",
  "war.chance.of": "{name}’s win chance",
  "war.chance.label": ({ title, chance, rounds: count }) => `${title}: ${chance} after ${rounds(count)}.`,
  "war.down": "face down",
  "war.event.chose": "",
  "war.event.collected": ({ name, count }) => `${name} collects ${cards(count)}.`,
  "war.event.dealt": ({ each, redeal, names, viewer }) =>
    `The deck is dealt${redeal ? ` again (redeal ${redeal})` : ""}: ${cards(each)} to ${viewer === 0 ? "you" : names[0]}, ${each} to ${viewer === 1 ? "you" : names[1]}.`,
  "war.event.drawn": ({ rounds: count }) => `The game is a draw after ${rounds(count)}.`,
  "war.event.reshuffled": ({ rounds: count }) => `${rounds(count)} played: both piles are reshuffled.`,
  "war.event.sudden_death": ({ rounds: count }) => `Sudden death after ${rounds(count)}: the winner of the next round wins the game.`,
  "war.event.turned": ({ fields, names, viewer }) =>
    `${[0, 1].map((seat) => (seat === viewer ? turnedOwn(seat ? "you" : "You", fields.cards[seat], fields.added[seat]) : turned(names[seat], fields.cards[seat], fields.added[seat]))).join("; ")}.`,
  "war.event.undecided": "Both players are out of cards and the revealed cards are equal: the round is a draw.",
  "war.event.war": "The cards are equal: war number {number}!",
  "war.event.won": ({ name, by, rounds: count }) => `${name} wins the game ${WON[by](count)}.`,
  "war.shows.turned": ({ cards: [one, other] }) => `${RANKS[one >> 2].replace(/^./, (first) => first.toUpperCase())} against ${RANKS[other >> 2]}.`,
  "war.flip": "Reveal",
  "war.flip_done": "Ready",
  "war.keys": "any key",
  "war.keys.auto": "automatic or manual",
  "war.keys.flip": "reveal a card",
  "war.chart.help":
    "Estimated from up to 1,000 simulated games that fit the cards you have seen, ignoring their order; a draw counts half. The band is a 95% confidence interval.",
  "war.chart.rounds": { one: "{count} round", other: "{count} rounds" },
  "war.chart.legend": "line: win chance · shade: cards · ticks: wars",
  "war.no_card": "no card revealed",
  "war.pile": { one: "a pile of {count} card", other: "a pile of {count} cards" },
  "war.rank": ({ rank }) => RANKS[rank],
  "war.round": "Round {round} of at most {cap}",
  "war.caption.collected": ({ name, count, rank }) => `${name}’s ${rank} takes ${cards(count)}.`,
  "war.caption.dealt": "The deck is dealt.",
  "war.caption.drawn": "The game is a draw.",
  "war.caption.reshuffled": "Both piles are reshuffled.",
  "war.caption.sudden_death": "Sudden death: the next round decides!",
  "war.caption.war": "War!",
  "war.caption.won": "{name} wins the game.",
  "war.wars": { one: "{count} war", other: "{count} wars" },
  "war.event.collected.me": ({ count }) => `You collect ${cards(count)}.`,
  "war.event.won.me": ({ by, rounds: count }) => `You win the game ${WON[by](count)}.`,
  "war.caption.collected.me": ({ count, rank }) => `Your ${rank} takes ${cards(count)}.`,
  "war.caption.won.me": "You win the game.",
};
