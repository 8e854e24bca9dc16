"""War: both seats turn up their top card, and the higher card takes both.

This module registers the game and its measures: the length of a game, its wars, and how it ends.
"""

from collections.abc import Sequence
from typing import Final

from faceup.core import Event, Game, Variant
from faceup.core.options import option_summaries
from faceup.games.measures import Measure, Measures
from faceup.games.war.events import reveal_time
from faceup.games.war.guide import GUIDE
from faceup.games.war.observation import OBSERVATION
from faceup.games.war.rules import War
from faceup.games.war.state import Collect, Reshuffle, WarDeal, WarState, WarView
from faceup.games.war.view_svg import draw
from faceup.games.war.view_text import draw_text

__all__ = ["GAME", "Collect", "Reshuffle", "War", "WarDeal", "WarState", "WarView"]

ENDS: Final = ("all cards", "cap", "sudden death", "draw, equal piles", "draw, undecided round")
"""The ways in which a game can end, with draws split by their cause. The measure `by` is an index of this tuple."""


def _count(state: WarState, _events: Sequence[Event]) -> tuple[tuple[int, ...], ...]:
    return (state.rounds,), (state.wars,), (state.redeals,), (ENDS.index(_end(state)),)


def _end(state: WarState) -> str:
    """Return how a finished game ended. A draw with cards on the table is due to an undecided round."""
    if state.by != "draw":
        return state.by
    return "draw, undecided round" if state.played[0] else "draw, equal piles"


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

GAME = Game(
    name="war",
    title="War",
    summary="The higher card takes both, and equal cards go to war.",
    rules=War,
    variants=(
        Variant(
            name="standard",
            title="Standard",
            summary="52 cards, reshuffled every 100 rounds, at most 5,000 rounds and sudden death.",
            preset={"seats": 2},
            seats=(2, 2),
        ),
    ),
    options=option_summaries(War),
    guide=GUIDE,
    policies={},
    drawings={"text": draw_text, "svg": draw},
    formats={"measures": MEASURES, "observation": OBSERVATION},
    reveal_time=reveal_time,
)
