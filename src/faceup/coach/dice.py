"""How lucky the throws of Niu Niu were: exact chances, counted over all hands."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from faceup.charts import Line
from faceup.coach.chance import Chart, Fortune, Scene
from faceup.coach.decisions import Effort
from faceup.core import AnyRules, Malformed
from faceup.core.record import Frame
from faceup.games.niuniu.counting import count_hands
from faceup.games.niuniu.hand import DICE, score
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import NiuNiuState
from faceup.games.panels import listed


def look(rules: AnyRules, frames: Sequence[Frame], names: Sequence[str], effort: Effort) -> Iterator[Fortune]:
    """What each throw was worth, and how many of such throws are no better.

    Raises:
        Malformed: nothing has been thrown yet.
    """
    del effort  # all is counted
    assert isinstance(rules, NiuNiu)  # noqa: S101 -- for the type checker: the registry pairs it with its game
    state = frames[-1].state
    assert isinstance(state, NiuNiuState)  # noqa: S101 -- as above
    if not state.log:
        raise Malformed("nothing has been thrown yet: there is no luck to tell of", where="entries")
    ranks = [sum(pair) for pair in zip(*count_hands(rules.faces, rules.baozi), strict=True)]
    hands = rules.faces**DICE
    points = [[score(dice, rules.faces, rules.baozi).points for dice in throw] for throw in state.log]
    win = Fraction(
        sum(count * sum(ranks[:worth]) ** (rules.seats - 1) for worth, count in enumerate(ranks)), hands**rules.seats
    )
    seats = [
        _Seat(rules, [throw[seat] for throw in points], state.won[seat], ranks, win) for seat in range(rules.seats)
    ]
    yield Fortune(
        rules=rules,
        names=tuple(names),
        said=_said(names, seats),
        header=("", "won", "expected", "at least so many", "own dice", "others' dice"),
        rows=tuple(
            (
                name,
                str(seat.won),
                f"{float(seat.expected):.2f}",
                f"{float(seat.as_many):.1%}",
                f"{float(seat.own):+.2f}",
                f"{float(seat.others):+.2f}",
            )
            for name, seat in zip(names, seats, strict=True)
        ),
        chart=Chart(
            "how good each hand was: the part of all hands that are no better",
            tuple(Line(name, [float(part) for part in seat.better]) for name, seat in zip(names, seats, strict=True)),
            tuple(str(number + 1) if _labelled(number, len(points)) else "" for number in range(len(points))),
        ),
        scenes=(Scene("The last throw", rules.view(state, None)),),
        data={
            "throws": len(points),
            "win": str(win),
            "seats": [seat.json(name) for name, seat in zip(names, seats, strict=True)],
        },
    )


def _labelled(number: int, of: int) -> bool:
    return number % max(1, -(-of // 10)) == 0


class _Seat:
    """One seat's throws.

    Args:
        rules: of the game.
        points: of each of its hands.
        won: throws.
        ranks: how many of all hands have each number of points.
        win: the chance of a seat to win a throw, before the dice are thrown.
    """

    def __init__(self, rules: NiuNiu, points: Sequence[int], won: int, ranks: Sequence[int], win: Fraction) -> None:
        hands, throws = sum(ranks), len(points)
        self.points = points
        self.won = won
        self.better = [Fraction(sum(ranks[: worth + 1]), hands) for worth in points]
        self.chances = [Fraction(sum(ranks[:worth]), hands) ** (rules.seats - 1) for worth in points]
        self.expected = throws * win
        self.as_many = sum(
            (comb(throws, many) * win**many * (1 - win) ** (throws - many) for many in range(won, throws + 1)),
            Fraction(0),
        )
        self.own = sum(self.chances, Fraction(0)) - self.expected
        self.others = won - sum(self.chances, Fraction(0))

    def json(self, name: str) -> dict[str, Any]:  # Any: JSON
        """For JSON: chances as exact fractions where they are of one throw, else as numbers."""
        return {
            "name": name,
            "won": self.won,
            "expected": float(self.expected),
            "at_least_so_many": float(self.as_many),
            "own_dice": float(self.own),
            "others_dice": float(self.others),
            "hands": [
                {"points": worth, "no_better": str(part), "win": str(chance)}
                for worth, part, chance in zip(self.points, self.better, self.chances, strict=True)
            ],
        }


def _said(names: Sequence[str], seats: Sequence[_Seat]) -> tuple[str, ...]:
    most = max(seat.won for seat in seats)
    winners = [name for name, seat in zip(names, seats, strict=True) if seat.won == most]
    first = next(seat for seat in seats if seat.won == most)
    throws = len(first.points)
    won = f"{listed(winners)} won {most} of {throws} {'throw' if throws == 1 else 'throws'}"
    share = f"{float(first.as_many):.1%} of such matches bring a seat at least as many"
    why = "A throw is won for two reasons, which add up: own dice better than usual, and others' dice that are worse."
    return f"{won}; {float(first.expected):.2f} are to be expected, and {share}.", why
