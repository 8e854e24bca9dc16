"""Which seat each player of a table gets, so that everyone has every seat about equally often."""

from collections.abc import Mapping, Sequence

Seats = Mapping[int, Mapping[int, int]]
"""How often each entrant has had each seat."""


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
