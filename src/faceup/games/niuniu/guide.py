"""The rules of Niu Niu for people."""

from typing import Final

GUIDE: Final = """\
# Niu Niu with dice

Everyone throws five dice at the same moment. The best hand wins the throw; whoever wins the most throws wins the match.

## What a hand is worth

Look for three dice that add up to 10 (or 20, or 30, with dice that have more faces).

- There are none: the hand has **no Niu** and counts 0.
- There are: add up the other two dice. The last digit of that sum is what the hand counts, from **Niu 1** to **Niu 9**.
- If that digit is 0, the hand is **Niu Niu** and counts 10, the best there is.

| dice | three that make it | the other two | worth |
| --- | --- | --- | --- |
| 6 1 3 5 5 | 6 + 1 + 3 = 10 | 5 + 5 = 10 | Niu Niu, 10 |
| 2 6 2 3 5 | 2 + 6 + 2 = 10 | 3 + 5 = 8 | Niu 8, 8 |
| 1 1 2 2 3 | none | | No Niu, 0 |

## Winning

The most points win the throw. When several players share the most, the throw is a draw and nobody wins it. Players who
have won equally many throws at the end share the match.

## Statistics

Beside the match, every hand adds to a player's statistics: 5 for a *baozi* (three dice alike or more, Niu or not),
otherwise 3 for Niu Niu, 2 for Niu 7, 8 or 9, 1 for a lesser Niu, and 0 without Niu. The statistics decide nothing.

## Options

- **throws**: how many throws make a match, 1 unless set.
- **faces**: dice with 2 to 100 faces, 6 unless set.
- **baozi**: how many dice alike make a baozi, 3 unless set.
"""
