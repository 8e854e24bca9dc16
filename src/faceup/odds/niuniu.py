"""The odds of Niu Niu with five dice, counted over all hands that there are."""

from typing import Any, Final

import msgspec

from faceup.games.niuniu import NiuNiu
from faceup.games.niuniu.counting import count_hands
from faceup.games.niuniu.hand import DICE, NAMES
from faceup.odds.fractions import Chance

RANKS: Final = NAMES
"""The names of hands by their points, 0 to 10."""

SCORES: Final = (0, 1, 2, 3, 5)
"""The statistics scores that a hand can have."""

SEATS: Final = range(2, 11)


class Battle(msgspec.Struct, frozen=True):
    """One throw of so many seats.

    Attributes:
        seats: how many throw.
        win: a given seat has more points than every other.
        draw: several share the most, and nobody wins.
    """

    seats: int
    win: Chance
    draw: Chance


class Odds(msgspec.Struct, frozen=True):
    """What five dice with so many faces come to.

    Attributes:
        faces: on each die.
        baozi: how many dice alike make one.
        hands: all throws of five dice, in order: faces to the fifth.
        ranks: the chance of each number of points, 0 to 10.
        statistics: the chance of each of `SCORES`.
        battles: for 2 to 10 seats.
    """

    faces: int
    baozi: int
    hands: int
    ranks: tuple[Chance, ...]
    statistics: tuple[Chance, ...]
    battles: tuple[Battle, ...]

    @property
    def mean_statistics(self) -> Chance:
        """The mean statistics score of a hand."""
        return Chance(
            sum(score * chance.count for score, chance in zip(SCORES, self.statistics, strict=True)), self.hands
        )


def odds(faces: int = 6, baozi: int = 3) -> Odds:
    """Count all hands.

    Args:
        faces: 2 to 100.
        baozi: how many dice alike make a baozi, 3 to 5.

    Raises:
        Malformed: one of them is out of range.

    >>> odds().ranks[10].fraction
    '510/7776'
    """
    NiuNiu(faces=faces, baozi=baozi)  # refuses what the game refuses
    plain, with_baozi = count_hands(faces, baozi)
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


def _battle(ranks: list[int], hands: int, seats: int) -> Battle:
    win = sum(count * sum(ranks[:points]) ** (seats - 1) for points, count in enumerate(ranks))
    throws = hands**seats
    return Battle(seats, Chance(win, throws), Chance(throws - seats * win, throws))


def report(found: Odds) -> dict[str, Any]:  # Any: JSON
    """The odds for JSON; every chance is an exact fraction as a string, and the nearest float."""
    return {
        "game": "niuniu",
        "faces": found.faces,
        "baozi": found.baozi,
        "hands": found.hands,
        "ranks": [
            {"name": name, "points": points, "count": chance.count, **chance.json()}
            for points, (name, chance) in enumerate(zip(RANKS, found.ranks, strict=True))
        ],
        "battles": [
            {"seats": battle.seats, "win": battle.win.json(), "draw": battle.draw.json()} for battle in found.battles
        ],
        "statistics": [
            {"score": score, "count": chance.count, **chance.json()}
            for score, chance in zip(SCORES, found.statistics, strict=True)
        ],
        "mean_statistics": {"fraction": found.mean_statistics.fraction, "value": found.mean_statistics.value},
    }
