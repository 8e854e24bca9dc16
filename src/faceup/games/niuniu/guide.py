"""The rules of Niu Niu for players. Terminal, page and documentation show this text; the page has translations."""

from typing import Final

GUIDE: Final = """\
# Niu Niu

Everyone throws five dice at the same time. **The best hand wins the throw**, and the player who wins the most throws
wins the match.

## What a hand is worth

Look for three dice that add up to 10 (or to 20 or 30, with dice that have more faces). Then add up the other two: the
last digit of that sum is the score of the hand.

```dice
[6] [1] [3] 5 5 # 6 + 1 + 3 = 10, and 5 + 5 = 10: the last digit is 0. That is Niu Niu, 10 points, the best hand.
[2] [6] [2] 3 5 # 2 + 6 + 2 = 10, and 3 + 5 = 8: Niu 8.
1 1 2 2 3 # No three add up to 10: no Niu, 0 points.
```

- If no three dice add up to 10, the hand has **no Niu** and scores 0.
- If three do, it scores the last digit of the sum of the other two, **Niu 1** to **Niu 9**.
- If that digit is 0, it is **Niu Niu** and scores 10.

## Winning

The most points win the throw. If several players have the most, the throw is a draw between them, and everyone else
loses it.

The player who wins the most throws wins the match. If players have won equally many, the one with more draws ranks
higher; if draws are equal, too, they share the place. For example, after a match of one throw with 5, 10 and 10 points,
the players rank 3, 1 and 1.

## Statistics points

Every hand also scores statistics points, which do not affect the result:

| hand | points |
| --- | --- |
| *baozi*: three or more equal dice, Niu or not | 5 |
| Niu Niu | 3 |
| Niu 7, 8 or 9 | 2 |
| a lower Niu | 1 |
| no Niu | 0 |

## Table settings

- **Throws in a match** (`throws`): 1 to 1,000.
- **Highest number on a die** (`faces`): 2 to 100.
- **Equal dice that make a baozi** (`baozi`): 3 by default.
"""
