"""Exact odds of Niu Niu with five dice, over all hands."""

from typing import Any, Final

import msgspec

from faceup.games.niuniu import NiuNiu
from faceup.games.niuniu.hand import DICE, NAMES, count_hands_by_points
from faceup.odds import Chance

RANKS: Final = NAMES
"""The names of hands by their points, 0 to 10."""

SCORES: Final = (0, 1, 2, 3, 5)
"""The statistics points that a hand can have."""

SEATS: Final = range(2, 11)


class BattleOdds(msgspec.Struct, frozen=True):
    """The probabilities of the results of one throw for one seat.

    Attributes:
        seats: the number of seats.
        win: the probability that the seat has more points than every other seat.
        draw: the probability that the seat shares the most points.
        lose: the probability that another seat has more points.
        drawn: the probability that any two or more seats share the most points.
    """

    seats: int
    win: Chance
    draw: Chance
    lose: Chance
    drawn: Chance


class Odds(msgspec.Struct, frozen=True):
    """The odds of hands of five dice.

    Attributes:
        faces: the faces of each die.
        baozi: the number of equal dice in a baozi.
        hands: the number of ordered throws of five dice, faces**5.
        ranks: the probability of each number of points, 0 to 10.
        statistics: the probability of each of `SCORES`.
        battles: the odds of a throw for 2 to 10 seats.
    """

    faces: int
    baozi: int
    hands: int
    ranks: tuple[Chance, ...]
    statistics: tuple[Chance, ...]
    battles: tuple[BattleOdds, ...]

    @property
    def mean_statistics(self) -> Chance:
        """The mean statistics points of a hand."""
        return Chance(
            sum(score * chance.count for score, chance in zip(SCORES, self.statistics, strict=True)), self.hands
        )


def odds(faces: int = 6, baozi: int = 3) -> Odds:
    """Count all hands and return their odds.

    Args:
        faces: the faces of each die, 2 to 100.
        baozi: the number of equal dice in a baozi, 3 to 5.

    Raises:
        Malformed: an argument is out of range.

    >>> odds().ranks[10].fraction
    '510/7776'
    """
    NiuNiu(faces=faces, baozi=baozi)  # validates the arguments
    plain, with_baozi = count_hands_by_points(faces, baozi)
    hands = faces**DICE
    ranks = [plain[points] + with_baozi[points] for points in range(11)]
    statistics = [plain[0], sum(plain[1:7]), sum(plain[7:10]), plain[10], sum(with_baozi)]
    return Odds(
        faces,
        baozi,
        hands,
        tuple(Chance(count, hands) for count in ranks),
        tuple(Chance(count, hands) for count in statistics),
        tuple(_battle(ranks, hands, seats) for seats in SEATS),
    )


def _battle(ranks: list[int], hands: int, seats: int) -> BattleOdds:
    win = sum(count * sum(ranks[:points]) ** (seats - 1) for points, count in enumerate(ranks))
    first = sum(count * sum(ranks[: points + 1]) ** (seats - 1) for points, count in enumerate(ranks))
    throws = hands**seats
    counts = (win, first - win, throws - first, throws - seats * win)
    return BattleOdds(seats, *(Chance(count, throws) for count in counts))


def report(odds: Odds) -> dict[str, Any]:  # Any: JSON
    """Return the odds for JSON; each probability is an exact fraction as a string, and the nearest float."""
    return {
        "game": "niuniu",
        "faces": odds.faces,
        "baozi": odds.baozi,
        "hands": odds.hands,
        "ranks": [
            {"name": name, "points": points, "count": chance.count, **chance.json()}
            for points, (name, chance) in enumerate(zip(RANKS, odds.ranks, strict=True))
        ],
        "battles": [
            {"seats": battle.seats} | {name: getattr(battle, name).json() for name in ("win", "draw", "lose", "drawn")}
            for battle in odds.battles
        ],
        "statistics": [
            {"score": score, "count": chance.count, **chance.json()}
            for score, chance in zip(SCORES, odds.statistics, strict=True)
        ],
        "mean_statistics": {"fraction": odds.mean_statistics.fraction, "value": odds.mean_statistics.value},
    }
