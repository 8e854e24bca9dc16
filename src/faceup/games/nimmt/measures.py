"""What simulations count in 6 nimmt!: heads, and how rows come to be taken."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from faceup.core import Event
from faceup.games.measures import Measure, Measures
from faceup.games.nimmt.events import Took
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State


def _count(state: State, events: Sequence[Event]) -> tuple[tuple[int, ...], ...]:
    full, chosen = [0] * len(state.heads), [0] * len(state.heads)
    for event in events:
        if isinstance(event, Took):
            (chosen if event.chosen else full)[event.seat] += 1
    return tuple(full), tuple(chosen), (len(state.earlier),)


def _single(rules: Rules) -> Rules:
    return replace(rules, deals=1, target=0)


MEASURES: Final = Measures(
    score="heads",
    fewer=True,
    extra=(
        Measure("full", "full rows taken"),
        Measure("chosen", "rows chosen"),
        Measure("deals", "deals", by_seat=False),
    ),
    count=_count,
    single=_single,
)
