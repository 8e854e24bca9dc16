"""The rules of 6 nimmt! for players."""

from typing import Final

GUIDE: Final = """\
# 6 nimmt!

Keep the bulls away: **the player with the fewest heads at the end wins.**

## The cards

There are 104 cards, 1 to 104. Each carries heads, which count against you:

| cards | heads |
| --- | --- |
| 55 | 7 |
| the other multiples of 11 | 5 |
| multiples of 10 | 3 |
| the other multiples of 5 | 2 |
| all the rest | 1 |

You get ten cards. Four more open the four rows on the table.

## A turn

Everyone picks a card in secret. When all have picked, the cards are turned face up and placed **from the lowest to the
highest**. Each card goes to the row with the highest last card that is lower than the card.

```
row 1:   5   .   .   .   .        7 goes to row 2, after 6 (5 is lower).
row 2:   6   .   .   .   .       37 goes to row 4, after 29,
row 3:  88   .   .   .   .       44 follows it there,
row 4:  29   .   .   .   .      104 goes to row 3, after 88.
```

## When you take cards

**The sixth card.** A row holds five. If yours would be the sixth, you take the five, and your card starts the row.

```
row 3:  33  42  50  57  64       88 is the sixth: you take five cards with 11 heads,
row 3:  88   .   .   .   .       and the row starts again with your 88.
```

**Too low.** If your card is below the last card of every row, you choose a row, take all of it, and your card becomes
that row. You see all cards before you choose.

```
row 1:   5   .   .   .   .        3 is below 5, 7, 88 and 29:
row 2:   6   7   .   .   .        you take the row you like best, say row 1,
row 1:   3   .   .   .   .        for one head.
```

What you take lies face up in front of you. You never play these cards again.

## The end

After ten turns the hands are empty and the deal is over. Add up your heads. Equal players share the place. `classic`
and `tactical` continue with more deals until a player has 66 heads; `arena` is five deals. In `tactical` only the
lowest cards are in play, as many as are dealt, so every card is in someone's hand or on the table.
"""
