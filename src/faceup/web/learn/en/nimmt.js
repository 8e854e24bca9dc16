export default `
Keep the bulls away: **whoever has the fewest heads at the end wins.**

## The cards

There are 104 cards, 1 to 104. Each carries bull heads, which count against you: most have one, and a few have more.

\`\`\`heads
7 15 20 33 55
\`\`\`

| cards | heads |
| --- | --- |
| 55 | 7 |
| the other multiples of 11 | 5 |
| multiples of 10 | 3 |
| the other multiples of 5 | 2 |
| all the rest | 1 |

You get ten cards. Four more open the four rows on the table.

## A turn

Everybody picks a card in secret. When all have picked, the cards are turned face up together and placed **from the lowest to the highest**. Each goes to the row whose last card is the **closest below it**.

\`\`\`rows
5 # 7, 37, 44 and 104 were picked.
6 [7] # 7: the closest below it is 6, not 5.
88 [104] # 104 goes behind 88,
29 [37] [44] # 37 behind 29, and 44 follows it there.
\`\`\`

## When you take cards

**The sixth card.** A row holds five. If yours would be the sixth, you take those five, and your card begins the row anew.

\`\`\`rows
(33) (42) (50) (57) (64) [88] # 88 is the sixth: you take five cards with 11 heads.
\`\`\`

**Too low.** If your card is below the last card of every row, you choose a row, take it, and your card becomes that row. You see everybody's card before you choose.

\`\`\`rows
(5) [3] # 3 is below 5, 7, 88 and 29: you take the row you like best, here for 2 heads.
6 7
88
29
\`\`\`

What you take lies in front of you, and never comes back to your hand.

## The end

After ten turns the hands are empty. Add up your heads: the fewest win, and equal players share the place.

## The variants

| variant | players | what is different |
| --- | --- | --- |
| Cow Head King | 2 to 10 | one deal of ten cards, 30 seconds for each choice; a deal may be shorter |
| 104 | 2 to 10 | one deal, without a clock unless the table sets one |
| Classic | 2 to 10 | deal after deal, until somebody has 66 heads |
| Tactical | 2 to 10 | as Classic, but only as many of the lowest cards are in play as are dealt: everything that you do not hold, somebody else does |
| Arena | 4 | five deals, the heads added up: the match that programs play |
`;
