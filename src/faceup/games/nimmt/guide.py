"""The rules of 6 nimmt! for players. Terminal, page and documentation show this text; the page has translations."""

from typing import Final

GUIDE: Final = """\
# 6 nimmt!

Avoid taking cards: **the player with the fewest bull heads wins.**

## The cards

There are 104 cards, numbered 1 to 104. Each shows bull heads, which count against you: most cards have one, a few have
more.

```rows
7 15 20 33 55
```

| cards | heads |
| --- | --- |
| 55 | 7 |
| the other multiples of 11 | 5 |
| multiples of 10 | 3 |
| the other multiples of 5 | 2 |
| all others | 1 |

You get ten cards. Four more cards start the four rows on the table.

## A turn

Everyone chooses a card in secret. When all have chosen, the cards are revealed together and placed **from the lowest to
the highest**. Each goes to the row with the **closest lower last card**.

```rows
5 # 7, 37, 44 and 104 were chosen.
6 [7] # 7: the closest lower card is 6, not 5.
88 [104] # 104 goes behind 88,
29 [37] [44] # 37 behind 29, and 44 follows it there.
```

## When you take cards

**The sixth card.** A row holds five. If yours would be the sixth, you take those five, and your card starts a new row.

```rows
(33) (42) (50) (57) (64) [88] # 88 is the sixth: you take five cards with 11 heads.
```

**Too low.** If your card is lower than the last card of every row, you choose a row and take it, and your card starts a
new row there. You see all cards of the turn before you choose.

```rows
(5) [3] # 3 is lower than 5, 7, 88 and 29: you choose a row to take, here the one with 2 heads.
6 7
88
29
```

Cards you take stay in front of you, and never go to your hand.

## The end

After ten turns the hands are empty. The player with the fewest heads wins; players with equally many share the place.

## The variants

| variant | players | difference |
| --- | --- | --- |
| Cow Head King | 2 to 10 | one deal of ten cards, 30 seconds per choice; you can set fewer cards |
| 104 | 2 to 10 | one deal, no time limit unless the table sets one |
| Classic | 2 to 10 | deals continue until a player has 66 heads |
| Tactical | 2 to 10 | Classic with only the lowest cards, as many as are dealt: each one you do not see is in a hand |
| Arena | 4 | five deals, total heads count: the format of the bot arena |
"""
