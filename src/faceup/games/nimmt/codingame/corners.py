"""Positions in which programs for the arena go wrong, if they do: what a bot is tried on before it plays."""

from typing import Final, NamedTuple

from faceup.core.values import Seat


class Corner(NamedTuple):
    """A position to play on from.

    Attributes:
        name: what is special about it.
        seat: whose program is tried there.
        position: the state, in the notation of the rules.
    """

    name: str
    seat: Seat
    position: str


_FULL: Final = "rows=3,13,23,33,43/4,14,24,34,44/5,15,25,35,45/6,16,26,36,46"
_HIGH: Final = "rows=20/30/40/49"

CORNERS: Final = (
    Corner("a row to take while others wait", 0, f"hands=1,2,3/50,51,52/60,61,62/70,71,72 {_HIGH}"),
    Corner("a row to take with an empty hand, then a new deal", 1, f"hands=50/1/60/70 {_HIGH} heads=3,4,5,6"),
    Corner("one card left, then a new deal", 2, f"hands=1/50/104/70 {_HIGH} heads=3,0,5,6"),
    Corner("rows of five cards", 3, f"hands=51,61,71/52,62,72/53,63,73/50,60,104 {_FULL}"),
    Corner("a row of five cards to take", 1, f"hands=51,61/1,2/52,62/53,63 {_FULL}"),
    Corner("a seat that is out, and a row to take", 0, f"hands=1,2,3/50,51,52/60,61,62/70,71,72 {_HIGH} out=2"),
    Corner("two seats that are out", 2, f"hands=90,91,92/50,51/7,8,99/70 {_HIGH} heads=12,40,9,33 out=1/3"),
    Corner(
        "heads in their hundreds, in the last deal",
        3,
        "hands=11,21,31/12,22,32/13,23,33/10,20,30 rows=55/66/77/88 heads=312,205,128,99 "
        "earlier=100,50,32,24/100,50,32,25/100,50,32,25/12,55,32,25",
    ),
)
"""Together they have what whole matches have seldom: every kind of line that a decision is made of, at its extremes."""
