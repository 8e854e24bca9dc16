"""What simulations count in War: how long a game is, how many wars are in it, and how it ends."""

from collections.abc import Sequence
from typing import Final

from faceup.core import Event
from faceup.games.measures import Measure, Measures
from faceup.games.war.state import WarState

ENDS: Final = ("all cards", "cap", "sudden death", "draw")
"""How a game can end, in the order in which measures number it."""


def _count(state: WarState, _events: Sequence[Event]) -> tuple[tuple[int, ...], ...]:
    return (state.rounds,), (state.wars,), (state.redeals,), (ENDS.index(state.by),)


MEASURES: Final = Measures(
    score="cards at the end",
    extra=(
        Measure("rounds", "rounds", by_seat=False),
        Measure("wars", "wars", by_seat=False),
        Measure("redeals", "redeals", by_seat=False),
        Measure("by", "how it ends", by_seat=False, kinds=ENDS),
    ),
    count=_count,
)
