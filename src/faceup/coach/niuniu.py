"""Luck in a game of Niu Niu, with exact probabilities over all hands."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import Any, Final

from faceup.charts import Line
from faceup.coach.chance_report import ChanceReport, Chart, Scene
from faceup.coach.search_budget import SearchBudget
from faceup.core import AnyRules, Malformed
from faceup.core.record import Frame
from faceup.formatting import format_signed
from faceup.games.niuniu.hand import DICE, count_hands_by_points, score
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import NiuNiuState
from faceup.translations import Language, join_names, translate
from faceup.translations.figures import localize


def analyze_chance(
    rules: AnyRules, frames: Sequence[Frame], names: Sequence[str], effort: SearchBudget, language: Language = "en"
) -> Iterator[ChanceReport]:
    """Yield one report on the value of each hand, and the fraction of all hands that are no better.

    Raises:
        Malformed: there are no throws yet.
    """
    del effort  # the probabilities are exact
    assert isinstance(rules, NiuNiu)  # noqa: S101 -- the registry ensures it
    state = frames[-1].state
    assert isinstance(state, NiuNiuState)  # noqa: S101 -- for the type checker
    if not state.log:
        raise Malformed("there are no throws yet, so there is nothing to report", where="entries")
    ranks = [sum(pair) for pair in zip(*count_hands_by_points(rules.faces, rules.baozi), strict=True)]
    hands = rules.faces**DICE
    points = [[score(dice, rules.faces, rules.baozi).points for dice in throw] for throw in state.log]
    win = Fraction(
        sum(count * sum(ranks[:worth]) ** (rules.seats - 1) for worth, count in enumerate(ranks)), hands**rules.seats
    )
    seats = [
        _Seat(rules, [throw[seat] for throw in points], (state.won[seat], state.drawn[seat]), ranks, win)
        for seat in range(rules.seats)
    ]
    yield ChanceReport(
        rules=rules,
        names=tuple(names),
        language=language,
        sentences=_sentences(names, seats, language),
        header=("", *(translate(language, f"coach.niuniu.{column}") for column in _COLUMNS)),
        rows=tuple(
            (
                name,
                str(seat.won),
                str(seat.drawn),
                localize(language, f"{float(seat.expected):.2f}"),
                localize(language, f"{float(seat.as_many):.1%}"),
                localize(language, format_signed(float(seat.own))),
                localize(language, format_signed(float(seat.others))),
            )
            for name, seat in zip(names, seats, strict=True)
        ),
        chart=Chart(
            translate(language, "coach.niuniu.chart"),
            tuple(Line(name, [float(part) for part in seat.better]) for name, seat in zip(names, seats, strict=True)),
            tuple(str(number + 1) if _labelled(number, len(points)) else "" for number in range(len(points))),
        ),
        scenes=(Scene(translate(language, "coach.niuniu.scene"), rules.view(state, None)),),
        data={
            "throws": len(points),
            "win": str(win),
            "seats": [seat.json(name) for name, seat in zip(names, seats, strict=True)],
        },
    )


_COLUMNS: Final = ("wins", "drawn", "expected", "at_least", "own", "others")


def _labelled(number: int, of: int) -> bool:
    return number % max(1, -(-of // 10)) == 0


class _Seat:
    """The throws of one seat.

    Args:
        rules: the rules of the game.
        points: the points of all its hands.
        counts: the numbers of throws won and drawn.
        ranks: the number of hands with each number of points.
        win: the probability that a seat wins a throw, before the dice are thrown.
    """

    def __init__(
        self, rules: NiuNiu, points: Sequence[int], counts: tuple[int, int], ranks: Sequence[int], win: Fraction
    ) -> None:
        hands, throws = sum(ranks), len(points)
        self.points = points
        self.won, self.drawn = counts
        self.better = [Fraction(sum(ranks[: worth + 1]), hands) for worth in points]
        self.chances = [Fraction(sum(ranks[:worth]), hands) ** (rules.seats - 1) for worth in points]
        self.expected = throws * win
        self.as_many = sum(
            (comb(throws, many) * win**many * (1 - win) ** (throws - many) for many in range(self.won, throws + 1)),
            Fraction(0),
        )
        self.own = sum(self.chances, Fraction(0)) - self.expected
        self.others = self.won - sum(self.chances, Fraction(0))

    def json(self, name: str) -> dict[str, Any]:  # Any: JSON
        """Return the results for JSON. Probabilities of one throw are exact fractions; all other values are numbers."""
        return {
            "name": name,
            "won": self.won,
            "drawn": self.drawn,
            "expected": float(self.expected),
            "at_least_as_many": float(self.as_many),
            "own_dice": float(self.own),
            "others_dice": float(self.others),
            "hands": [
                {"points": worth, "no_better": str(part), "win": str(chance)}
                for worth, part, chance in zip(self.points, self.better, self.chances, strict=True)
            ],
        }


def _sentences(names: Sequence[str], seats: Sequence[_Seat], language: Language) -> tuple[str, ...]:
    first = max(seats, key=lambda seat: (seat.won, seat.drawn))
    winners = [
        name for name, seat in zip(names, seats, strict=True) if (seat.won, seat.drawn) == (first.won, first.drawn)
    ]
    won = translate(
        language,
        "coach.niuniu.won",
        names=join_names(language, winners),
        won=first.won,
        drawn=first.drawn,
        count=len(first.points),
        expected=localize(language, f"{float(first.expected):.2f}"),
        share=localize(language, f"{float(first.as_many):.1%}"),
        context="drawn" if first.drawn else "",
    )
    return won, translate(language, "coach.niuniu.parts")
