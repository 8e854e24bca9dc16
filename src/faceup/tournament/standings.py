"""Points, tie-breaks and places.

A table counts as a game against each opponent: the points are the share of opponents that a player beats, and a tie
counts one half. So the winner of a table gets 1 point and the last gets 0, whatever its size.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby
from typing import Final, NamedTuple

from faceup.core import Malformed, places
from faceup.tournament.tournament import BOT, RoundTable, Tournament

HALF: Final = Fraction(1, 2)


class Standing(NamedTuple):
    """A row of the standings.

    Attributes:
        number: the number of the entrant.
        place: 1 is the best, and tied entrants share a place.
        points: the points of all rounds.
        buchholz: the first tie-break: for each round, the mean of the opponents' points at the entrant's table, added
            up. A round without a table counts as one against an opponent with the entrant's own points, like the dummy
            opponent of the FIDE tie-break regulations (Handbook, C.07).
        direct: the second tie-break, direct encounter: how often the entrant was better than others with the same
            points and the same Buchholz, where a tie counts one half. It is 0 unless all of them have met.
        score: the third tie-break: the mean score in the game; None without a game.
        wins: the number of tables that the entrant won, alone or shared. It breaks no tie.
        rounds: for each round that has started, the points; None while the table is playing.
    """

    number: int
    place: int
    points: Fraction
    buchholz: Fraction
    direct: Fraction
    score: Fraction | None
    wins: int
    rounds: tuple[Fraction | None, ...]


def points_at_table(places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the points of each seat of a table, given the places.

    >>> [str(points) for points in points_at_table((1, 2, 2, 4))]
    ['1', '1/2', '1/2', '0']
    """
    opponents = len(places) - 1
    if opponents < 1:
        raise Malformed("a table must have at least 2 places", what=places, where="places")
    better = [sum(other > place for other in places) for place in places]
    tied = [sum(other == place for other in places) - 1 for place in places]
    return tuple(Fraction(2 * won + drawn, 2 * opponents) for won, drawn in zip(better, tied, strict=True))


def bye_points(tournament: Tournament) -> Fraction:
    """Return the points of a bye: 1 at tables for two, as in chess, else one half, which is the mean of a table."""
    return Fraction(1) if tournament.rules.seats == 2 else HALF


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Return the standings after all results that are known, the best entrant first.

    Ties are broken by Buchholz, direct encounter and the mean score in the game, in this order. Entrants who are still
    tied share a place, and are listed in the order of their numbers. Those who are `hidden` have no place.
    """
    hidden = tournament.hidden
    numbers = [number for number in range(1, len(tournament.entrants) + 1) if number not in hidden]
    rounds = _points_by_round(tournament)
    points = {
        number: sum((points for points in earned if points is not None), Fraction())
        for number, earned in rounds.items()
    }
    buchholz = {number: Fraction() for number in numbers}
    scores: dict[int, list[int]] = {number: [] for number in numbers}
    wins = dict.fromkeys(numbers, 0)
    for number, table in _tables(tournament):
        others = [points[other] for other in table.seats if other not in {BOT, number}]
        buchholz[number] += (sum(others, Fraction()) / len(others) if others else points[number]) - points[number]
        if table.result is not None and table.result.scores:
            seat = table.seats.index(number)
            scores[number].append(table.result.scores[seat])
            wins[number] += table.result.places[seat] == 1
    for number in numbers:
        buchholz[number] += len(tournament.rounds) * points[number]
    mean = {
        number: Fraction(sum(scores_of), len(scores_of)) if scores_of else None for number, scores_of in scores.items()
    }
    ranked = sorted(numbers, key=lambda number: (-points[number], -buchholz[number], number))
    direct: dict[int, Fraction] = {}
    for _, group in groupby(ranked, key=lambda number: (points[number], buchholz[number])):
        direct |= _direct_encounters(tournament, tuple(group))
    better = tournament.rules.better
    keys = [
        (
            -points[number],
            -buchholz[number],
            -direct[number],
            better and mean[number] is None,
            -better * (mean[number] or 0),
        )
        for number in numbers
    ]
    rows = [
        Standing(
            number, place, points[number], buchholz[number], direct[number], mean[number], wins[number], rounds[number]
        )
        for number, place in zip(numbers, places(keys), strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: (row.place, row.number)))


def _points_by_round(tournament: Tournament) -> dict[int, tuple[Fraction | None, ...]]:
    """Return the points of each entrant in each round."""
    earned: dict[int, list[Fraction | None]] = {number: [] for number in range(1, len(tournament.entrants) + 1)}
    for count, round_ in enumerate(tournament.rounds, 1):
        points: dict[int, Fraction | None] = dict.fromkeys(round_.byes, bye_points(tournament))
        for table in round_.tables:
            unknown: tuple[None, ...] = (None,) * len(table.seats)
            result = table.result
            points |= zip(table.seats, unknown if result is None else points_at_table(result.places), strict=True)
        for number, entrant in enumerate(tournament.entrants, 1):
            late = tournament.rules.late_half and count < entrant.joined
            earned[number].append(points.get(number, HALF if late else Fraction()))
    return {number: tuple(points) for number, points in earned.items()}


def _tables(tournament: Tournament) -> Iterable[tuple[int, RoundTable]]:
    """Yield each entrant of each table, with the table."""
    for round_ in tournament.rounds:
        for table in round_.tables:
            for number in table.seats:
                if number != BOT:
                    yield number, table


def _direct_encounters(tournament: Tournament, group: Sequence[int]) -> Mapping[int, Fraction]:
    """Return how often each of a group of entrants was better than another one; 0 unless all of them have met."""
    won = dict.fromkeys(group, Fraction())
    met = set[tuple[int, int]]()
    for table in (table for round_ in tournament.rounds for table in round_.tables) if len(group) > 1 else ():
        if table.result is None:
            continue
        place = {number: table.result.places[seat] for seat, number in enumerate(table.seats) if number in won}
        for first, second in combinations(sorted(place), 2):
            met.add((first, second))
            won[first] += _beats(place[first], place[second])
            won[second] += _beats(place[second], place[first])
    return won if len(met) == len(group) * (len(group) - 1) // 2 else dict.fromkeys(group, Fraction())


def _beats(place: int, other: int) -> Fraction:
    return Fraction(1) if place < other else HALF if place == other else Fraction()
