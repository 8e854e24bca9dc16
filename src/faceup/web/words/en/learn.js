/** @type {(count: number) => string} */
const heads = (count) => (count === 1 ? "1 head" : `${count} heads`);

/** @type {import("../say.js").Catalogue} */
export default {
  "learn.again": "Try it again",
  "learn.all": "All games",
  "learn.play": "Play a real one",
  "learn.sixty": "Learn it in sixty seconds",
  "learn.sixty.why": "Four turns against two bots that show you what matters.",
  "learn.skip": "Leave",
  "learn.title": "Learn to play",
  "learn.title.why": "Each game takes a minute to learn. Choose one.",
  "learn.try.1": "Everybody chooses a card in secret. Each goes to the row whose last card is the closest below it. Choose one of yours, and confirm it.",
  "learn.try.2": "A row holds five cards: whoever lays the sixth takes those five, and the bull heads on them count against you. The last row is filling up. What now?",
  "learn.try.3": "Your {card} is below the last card of every row. Such a card takes a row of your choice: play it while one is cheap. The 55 alone has seven heads.",
  "learn.try.3.safe": "Look before you choose: how many cards lie in the row that yours would go to, and what may others lay there before you?",
  "learn.try.4": "Your last card. When the hands are empty, the heads are counted, and the fewest win.",
  "learn.try.over": ({ count, best }) => `You took ${heads(count)}; the winner has ${heads(best)}. Now you know all of the rules: try it again, or play a real game with ten cards.`,
  "learn.try.placed": "Your {card} went to row {row}, behind the {tail}: the closest below it.",
  "learn.try.row": "Your {card} is below every row, so you choose a row and take it. Look for few heads, and touch that row.",
  "learn.try.they.chose": ({ name, row, card, count }) => `${name}'s ${card} was below every row: ${name} took row ${row}, ${heads(count)}.`,
  "learn.try.they.sixth": ({ name, row, card, count }) => `${name}'s ${card} was the sixth card of row ${row}: ${name} took the five before it, ${heads(count)}.`,
  "learn.try.title": "Your first turns",
  "learn.try.won": ({ count }) => `${count ? `Only ${heads(count)}` : "Not a single head"}: you win! Now you know all of the rules. A real game has ten cards.`,
  "learn.try.you.chose": ({ row, count }) => `You took row ${row}: ${heads(count)}. Your card begins it anew.`,
  "learn.try.you.sixth": ({ row, card, count }) => `Your ${card} was the sixth card of row ${row}: you took the five before it, ${heads(count)}.`,
  "learn.you": "You",
};
