"""The rules of Niu Niu for players."""

from typing import Final

GUIDE: Final = """\
# Niu Niu with dice

Everyone throws five dice at the same time. The best hand wins the throw; the most throws won wins the match.

## The value of a hand

Look for three dice that add up to 10 (or 20, or 30, with dice that have more faces).

- Without such dice, the hand has **no Niu** and counts 0.
- With them, add up the other two dice. The last digit of that sum is the hand's value, from **Niu 1** to **Niu 9**.
- If that digit is 0, the hand is **Niu Niu** and counts 10, the highest value.

| dice | three dice | the other two | value |
| --- | --- | --- | --- |
| 6 1 3 5 5 | 6 + 1 + 3 = 10 | 5 + 5 = 10 | Niu Niu, 10 |
| 2 6 2 3 5 | 2 + 6 + 2 = 10 | 3 + 5 = 8 | Niu 8, 8 |
| 1 1 2 2 3 | none | | No Niu, 0 |

## Winning

The most points win the throw. If several players share the most, they draw the throw and everyone else loses it.

The most throws won wins the match. Ties are broken by the most throws drawn; players who are equal in both share the
place. A single throw of 5, 10 and 10 points makes places 3, 1 and 1.

## Statistics

Every hand also adds to a player's statistics: 5 for a *baozi* (three or more equal dice, with or without Niu),
otherwise 3 for Niu Niu, 2 for Niu 7, 8 or 9, 1 for a lower Niu, and 0 without Niu. Statistics do not affect the match.

## Options

- **throws**: the number of throws in a match; default 1.
- **faces**: the number of faces of a die, 2 to 100; default 6.
- **baozi**: the number of equal dice that make a baozi; default 3.
"""
