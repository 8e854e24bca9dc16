"""How many tables a round has, and how many players sit at each."""

from typing import NamedTuple

from faceup.core import Malformed
from faceup.tournament.tournament import MAX_ENTRANTS, TournamentRules


class TableSizes(NamedTuple):
    """The number of people at each table, the largest first, the bots at each table, and the number of byes."""

    people: tuple[int, ...]
    bots: tuple[int, ...]
    byes: int


def table_sizes(players: int, rules: TournamentRules) -> TableSizes:
    """Return the tables for this number of players.

    With bots, all tables have `rules.seats` seats. Otherwise the sizes differ by at most one, and are those that the
    game allows with the fewest byes. Among these, they are as near to `rules.seats` as possible; if two numbers of
    tables are as good, there are more and smaller tables. Tables for two stay tables for two, with at most one bye.

    Raises:
        Malformed: the number of players is negative, or too large.

    >>> rules = TournamentRules(rounds=3, seats=4, fewest=2, most=10)
    >>> [table_sizes(players, rules).people for players in (5, 7, 13, 22)]
    [(5,), (4, 3), (5, 4, 4), (4, 4, 4, 4, 3, 3)]
    >>> table_sizes(9, TournamentRules(rounds=3, seats=2, fewest=2, most=10))
    TableSizes(people=(2, 2, 2, 2), bots=(0, 0, 0, 0), byes=1)
    >>> table_sizes(6, TournamentRules(rounds=3, seats=4, fewest=2, most=10, bots=True))
    TableSizes(people=(3, 3), bots=(1, 1), byes=0)
    """
    if not 0 <= players <= MAX_ENTRANTS:
        raise Malformed(f"a round can have 0 to {MAX_ENTRANTS} players; got {players}", what=players, where="players")
    if rules.bots:
        people = _shared_out(players, -(-players // rules.seats)) if players else ()
        return TableSizes(people, tuple(rules.seats - size for size in people), 0)
    least, most = (2, 2) if rules.seats == 2 else (rules.fewest, rules.most)
    for byes in range(players + 1):
        seated = players - byes
        counts = range(1, seated // least + 1)
        fitting = [sizes for count in counts if (sizes := _shared_out(seated, count))[0] <= most]
        if fitting:
            people = min(fitting, key=lambda sizes: (sum(abs(size - rules.seats) for size in sizes), -len(sizes)))
            return TableSizes(people, (0,) * len(people), byes)
    return TableSizes((), (), players)


def _shared_out(players: int, tables: int) -> tuple[int, ...]:
    """Return the sizes of this number of tables, which differ by at most one."""
    size, larger = divmod(players, tables)
    return (size + 1,) * larger + (size,) * (tables - larger)
