"""The draw of a round: byes, tables and seats."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from faceup.core import Malformed, SeededGenerator
from faceup.tournament.pairing import meetings, pair, shuffled
from faceup.tournament.standings import standings
from faceup.tournament.table_sizes import table_sizes
from faceup.tournament.tournament import BOT, Round, RoundTable, Tournament

Seats = Mapping[int, Mapping[int, int]]
"""How often each entrant has had each seat."""

MIN_PLAYERS: Final = 2
"""The least number of players in a round."""


def start_round(tournament: Tournament) -> Tournament:
    """Return the tournament with its next round, drawn among the active entrants.

    Byes go to those with the fewest byes so far, and among them to those with the lowest places. So no one gets a
    second bye before everyone has had one.

    Raises:
        Malformed: a round is running, no round is left, or there are too few active entrants for a table.
    """
    if tournament.running or tournament.over:
        raise Malformed("a round starts only after the round before it, and not after the last one", where="round")
    sizes = table_sizes(len(tournament.active), tournament.rules)
    if not sizes.people or len(tournament.active) < MIN_PLAYERS:
        raise Malformed(
            f"there are too few players for a table; at least {MIN_PLAYERS} are needed, and more if the game does",
            what=len(tournament.active),
            where="entrants",
        )
    rng = SeededGenerator(tournament.seed, len(tournament.rounds))
    drawn = shuffled(tournament.active, rng)
    rows = standings(tournament)
    rank = {row.number: row.place for row in rows}
    earned = {row.number: float(row.points) for row in rows}
    byes = _byes(tournament, sorted(drawn, key=lambda number: -rank[number]), sizes.byes)
    swiss = tournament.rules.format == "swiss"
    points = {number: earned[number] if swiss else 0.0 for number in drawn}
    order = sorted((number for number in drawn if number not in byes), key=lambda number: -points[number])
    met = meetings([_people(table) for round_ in tournament.rounds for table in round_.tables])
    had = _seats_had(tournament)
    tables = [
        RoundTable((*seat_players(people, had), *(BOT,) * bots))
        for people, bots in zip(pair(order, sizes.people, met, points, rng), sizes.bots, strict=True)
    ]
    return msgspec.structs.replace(tournament, rounds=(*tournament.rounds, Round(tuple(tables), byes)))


def _byes(tournament: Tournament, worst_first: Sequence[int], number: int) -> tuple[int, ...]:
    """Return the entrants with a bye, given the active ones."""
    before = Counter(number for played in tournament.rounds for number in played.byes)
    return tuple(sorted(worst_first, key=lambda number: before[number])[:number])


def _people(table: RoundTable) -> tuple[int, ...]:
    return tuple(number for number in table.seats if number != BOT)


def _seats_had(tournament: Tournament) -> dict[int, Counter[int]]:
    """Return how often each entrant has had each seat."""
    had: dict[int, Counter[int]] = {}
    for round_ in tournament.rounds:
        for table in round_.tables:
            for seat, number in enumerate(table.seats):
                had.setdefault(number, Counter())[seat] += 1
    return had


def seat_players(players: Sequence[int], had: Seats) -> tuple[int, ...]:
    """Return the players of a table in the order of their seats.

    Players are exchanged until no exchange makes the seats of the two more equal.

    >>> seat_players((1, 2, 3), {1: {0: 1}, 2: {1: 1}})
    (2, 1, 3)
    """
    seats = list(players)

    def count(number: int, seat: int) -> int:
        return had.get(number, {}).get(seat, 0)

    improved = True
    while improved:
        improved = False
        for first in range(len(seats)):
            for second in range(first + 1, len(seats)):
                first_player, other = seats[first], seats[second]
                now = count(first_player, first) + count(other, second)
                if count(first_player, second) + count(other, first) < now:
                    seats[first], seats[second] = other, first_player
                    improved = True
    return tuple(seats)
