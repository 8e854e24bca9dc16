"""Niu Niu with five dice: all seats throw at the same time.

This module registers the game, its measures (throws won and drawn, points, statistics points) and its hand scores.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from faceup.core import Event, Game, Variant
from faceup.core.options import option_summaries
from faceup.games.hand_scores import HandScores, HandTotals
from faceup.games.measures import Measure, Measures, Numbers
from faceup.games.niuniu.guide import GUIDE
from faceup.games.niuniu.hand import BAOZI, NAMES, Hand, score
from faceup.games.niuniu.observation import OBSERVATION
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import Dice, DiceShow, DiceThrown, NiuNiuState, NiuNiuView, reveal_time
from faceup.games.niuniu.view_svg import draw
from faceup.games.niuniu.view_text import draw_text

__all__ = ["GAME", "DiceShow", "Hand", "NiuNiu", "NiuNiuState", "NiuNiuView", "score"]


def _count(state: NiuNiuState, events: Sequence[Event]) -> tuple[tuple[Numbers, ...], ...]:
    points: list[list[int]] = [[] for _ in state.won]
    for event in events:
        if isinstance(event, DiceThrown):
            points[event.seat].append(event.hand.points)
    return state.drawn, tuple(map(tuple, points)), state.statistics, (state.played - sum(state.won),)


def _single(rules: NiuNiu) -> NiuNiu:
    return replace(rules, throws=1)


MEASURES: Final = Measures(
    score="throws won",
    extra=(
        Measure("drawn", "throws drawn"),
        Measure("points", "points of a hand", several=True),
        Measure("statistics", "statistics points"),
        Measure("draws", "throws without a winner", by_seat=False),
    ),
    count=_count,
    single=_single,
)


def totals(rules: NiuNiu, state: NiuNiuState) -> tuple[HandTotals, ...]:
    """Sum up the hands of the throws so far, by seat.

    >>> rules = NiuNiu(seats=1)
    >>> state = rules.apply(rules.start(), {0: 0}).state
    >>> totals(rules, rules.apply(state, rules.parse("dice 3 3 3 5 1")).state)
    (HandTotals(hands=1, sum=5, baozi=1, points=(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),)
    """
    return tuple(_sum_hands([throw[seat] for throw in state.log], rules) for seat in range(rules.seats))


def _sum_hands(throws: Sequence[Dice], rules: NiuNiu) -> HandTotals:
    hands = [score(dice, rules.faces, rules.baozi) for dice in throws]
    points = [hand.points for hand in hands]
    scores = [hand.statistics for hand in hands]
    return HandTotals(len(hands), sum(scores), scores.count(BAOZI), tuple(map(points.count, range(len(NAMES)))))


def _comparable(rules: NiuNiu) -> bool:
    default = NiuNiu()
    return (rules.faces, rules.baozi) == (default.faces, default.baozi)


HAND_SCORES: Final = HandScores(totals, _comparable)

GAME = Game(
    name="niuniu",
    title="Niu Niu",
    summary="Five dice each: three must make ten, the other two count.",
    rules=NiuNiu,
    variants=(
        Variant(
            name="battle",
            title="Battle",
            summary="All throw at the same time; the most points win the throw.",
            preset={"seats": 2},
            seats=(1, 10),
        ),
    ),
    options=option_summaries(NiuNiu),
    guide=GUIDE,
    policies={},
    drawings={"text": draw_text, "svg": draw},
    formats={"measures": MEASURES, "observation": OBSERVATION, "hand_scores": HAND_SCORES},
    reveal_time=reveal_time,
)
