"""What simulations count in Niu Niu: throws won, points, and the statistics score."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from faceup.core import Event
from faceup.games.measures import Measure, Measures
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import NiuNiuState, Threw


def _count(state: NiuNiuState, events: Sequence[Event]) -> tuple[tuple[int, ...], ...]:
    points = [0] * len(state.won)
    for event in events:
        if isinstance(event, Threw):
            points[event.seat] += event.hand.points
    return tuple(points), state.statistics


def _single(rules: NiuNiu) -> NiuNiu:
    return replace(rules, throws=1)


MEASURES: Final = Measures(
    score="throws won",
    extra=(Measure("points", "points"), Measure("statistics", "statistics score")),
    count=_count,
    single=_single,
)
