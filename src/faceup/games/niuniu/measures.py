"""What simulations count in Niu Niu: throws won, points, and the statistics score."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from faceup.core import Event
from faceup.games.measures import Measure, Measures, Numbers
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import NiuNiuState, Threw


def _count(state: NiuNiuState, events: Sequence[Event]) -> tuple[tuple[Numbers, ...], ...]:
    points: list[list[int]] = [[] for _ in state.won]
    for event in events:
        if isinstance(event, Threw):
            points[event.seat].append(event.hand.points)
    return tuple(map(tuple, points)), state.statistics, (state.played - sum(state.won),)


def _single(rules: NiuNiu) -> NiuNiu:
    return replace(rules, throws=1)


MEASURES: Final = Measures(
    score="throws won",
    extra=(
        Measure("points", "points of a hand", several=True),
        Measure("statistics", "statistics score"),
        Measure("draws", "throws that nobody won", by_seat=False),
    ),
    count=_count,
    single=_single,
)
