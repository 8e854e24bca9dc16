"""The state of a tournament, and how entrants and results change it."""

from collections.abc import Collection
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec

from faceup.core import Malformed, places

MAX_PLAYERS: Final = 200
"""The maximum number of players of a tournament, without those who left, were removed, or wait to be admitted."""

MAX_ENTRANTS: Final = 2 * MAX_PLAYERS
"""The maximum number of entrants, including all others."""

MAX_ROUNDS: Final = 20
"""The maximum number of rounds."""

BOT: Final = 0
"""The number of a bot in `RoundTable.seats`. The numbers of entrants start at 1."""

Format: TypeAlias = Literal["swiss", "mixed"]
"""How rounds are drawn: among players of similar points, or so that everyone meets as many others as possible."""

EntrantStatus: TypeAlias = Literal["active", "left", "absent", "removed", "waiting"]
"""Whether an entrant is drawn for the next round, or why not: left, missed a whole round, was removed, or waits to be
admitted."""


class TournamentRules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a tournament.

    Attributes:
        format: how rounds are drawn.
        rounds: the number of rounds.
        seats: the number of seats at a table, where the number of players allows it.
        fewest: the least number of seats that the game allows.
        most: the greatest number of seats that the game allows.
        bots: whether bots fill the seats that are left, so that all tables have the same size and there are no byes.
        join_until: the last round in which players can still join. Before the start, everyone can.
        late_half: whether a player gets half a point, instead of none, for each round before the player joined.
        better: 1 if higher scores in the game are better, -1 if lower ones are, 0 if scores do not break ties.

    Raises:
        Malformed: a number is out of range.
    """

    format: Format = "swiss"
    rounds: int
    seats: int
    fewest: int
    most: int
    bots: bool = False
    join_until: int = 1
    late_half: bool = False
    better: Literal[-1, 0, 1] = 0

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not 1 <= self.rounds <= MAX_ROUNDS:
            raise Malformed(f"a tournament must have 1 to {MAX_ROUNDS} rounds; got {self.rounds}", where="rounds")
        if not 2 <= self.fewest <= self.seats <= self.most:
            raise Malformed(
                f"the tables of a tournament must have at least 2 seats, and {self.fewest} to {self.most} in this game;"
                f" got {self.seats}",
                what=self.seats,
                where="seats",
            )
        if not 1 <= self.join_until <= self.rounds:
            raise Malformed(
                f"join_until must be a round from 1 to {self.rounds}; got {self.join_until}", where="join_until"
            )


class Entrant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player of the tournament.

    Attributes:
        joined: the first round for which the entrant could be drawn.
        status: whether the entrant is drawn for the next round.
    """

    joined: int = 1
    status: EntrantStatus = "active"


class TableResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a table, by seat.

    Attributes:
        places: 1 is the best place, and tied seats share a place.
        scores: the scores in the game; empty if the table has no game to count, and then everyone has place 1.
        missed: the seats whose players were absent for the whole game.
    """

    places: tuple[int, ...]
    scores: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()


class RoundTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table of a round: the numbers of the entrants by seat, `BOT` for bots, and the result when it is known."""

    seats: tuple[int, ...]
    result: TableResult | None = None


class Round(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round: its tables, the best players first, and the entrants with a bye."""

    tables: tuple[RoundTable, ...]
    byes: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        """Whether all tables have results."""
        return all(table.result is not None for table in self.tables)


class Tournament(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tournament. `entrants[n - 1]` is the entrant with the number `n`.

    Attributes:
        rules: the rules.
        seed: the seed of all draws, so that the same history gives the same pairings.
        entrants: all entrants, in the order in which they joined.
        rounds: the rounds that have started.
        ended: whether the host ended the tournament early.

    >>> rules = TournamentRules(rounds=3, seats=4, fewest=2, most=10)
    >>> cup = add_entrant(add_entrant(Tournament(rules=rules, seed=1)))
    >>> cup.active, cup.over
    ((1, 2), False)
    """

    rules: TournamentRules
    seed: Annotated[int, msgspec.Meta(ge=0)]
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    ended: bool = False

    @property
    def active(self) -> tuple[int, ...]:
        """The numbers of the entrants who are drawn for the next round."""
        return tuple(number for number, entrant in enumerate(self.entrants, 1) if entrant.status == "active")

    @property
    def drawn(self) -> frozenset[int]:
        """The numbers of the entrants who have been at a table or had a bye."""
        return frozenset(
            number
            for past_round in self.rounds
            for number in (*past_round.byes, *(seat for table in past_round.tables for seat in table.seats))
        )

    @property
    def hidden(self) -> frozenset[int]:
        """The numbers of the entrants who take no part: those who wait, or were removed before they were drawn."""
        status = {number: entrant.status for number, entrant in enumerate(self.entrants, 1)}
        drawn = self.drawn if "removed" in status.values() else frozenset()
        return frozenset(
            number
            for number, entrant_status in status.items()
            if entrant_status == "waiting" or (entrant_status == "removed" and number not in drawn)
        )

    @property
    def full(self) -> bool:
        """Whether the tournament has the maximum number of players."""
        return sum(entrant.status in {"active", "absent"} for entrant in self.entrants) >= MAX_PLAYERS

    @property
    def running(self) -> bool:
        """Whether a round is being played."""
        return bool(self.rounds) and not self.rounds[-1].over

    @property
    def over(self) -> bool:
        """Whether no more round will be played, and the standings are final."""
        return not self.running and (self.ended or len(self.rounds) >= self.rules.rounds)


def next_number(tournament: Tournament, erased: Collection[int] = ()) -> int:
    """Return the number of the next new entrant.

    The first `MAX_PLAYERS` numbers are given out in order. Then those are used again whose entrants left, were removed
    or were erased before they were drawn, so that nothing depends on them.
    """
    if len(tournament.entrants) >= MAX_PLAYERS:
        drawn = tournament.drawn
        for number, entrant in enumerate(tournament.entrants, 1):
            if number not in drawn and (entrant.status in {"left", "removed"} or number in erased):
                return number
    return len(tournament.entrants) + 1


def add_entrant(tournament: Tournament, *, number: int | None = None, waiting: bool = False) -> Tournament:
    """Return the tournament with a new entrant.

    Args:
        tournament: the tournament.
        number: the result of `next_number`; by default, the number after the last one.
        waiting: whether the entrant waits to be admitted.

    Raises:
        Malformed: the tournament is full, no one can join any more, or the number is neither that of an entrant nor the
            next one.
    """
    joined = _next_round(tournament)
    following = len(tournament.entrants) + 1
    number = following if number is None else number
    if not 1 <= number <= following:
        raise Malformed(f"the number of an entrant must be 1 to {following}; got {number}", what=number, where="number")
    if number > MAX_ENTRANTS:
        raise Malformed(f"a tournament can have at most {MAX_ENTRANTS} entrants, with those who left", where="entrants")
    if not waiting:
        _require_place(tournament)
    entrants = list(tournament.entrants)
    entrants[number - 1 : number] = [Entrant(joined, "waiting" if waiting else "active")]
    return msgspec.structs.replace(tournament, entrants=tuple(entrants))


def admit_entrant(tournament: Tournament, number: int) -> Tournament:
    """Return the tournament in which an entrant who waits is admitted. Other entrants do not change.

    Raises:
        Malformed: there is no such entrant, the tournament is full, or no one can join any more.
    """
    admitted = set_status(tournament, number, "active")
    if tournament.entrants[number - 1].status != "waiting":
        return tournament
    _require_place(tournament)
    entrants = list(admitted.entrants)
    entrants[number - 1] = Entrant(_next_round(tournament))
    return msgspec.structs.replace(tournament, entrants=tuple(entrants))


def _next_round(tournament: Tournament) -> int:
    """Return the first round of a new entrant. Raises `Malformed` if no one can join any more."""
    after = len(tournament.rounds) + 1  # a round that has started is drawn without the new entrant
    if tournament.ended or after > tournament.rules.join_until:
        raise Malformed("players could join this tournament only until an earlier round", where="round")
    return after


def _require_place(tournament: Tournament) -> None:
    if tournament.full:
        raise Malformed(f"a tournament can have at most {MAX_PLAYERS} players", where="entrants")


def set_status(tournament: Tournament, number: int, status: EntrantStatus) -> Tournament:
    """Return the tournament in which an entrant leaves, returns or is removed. An unchanged tournament is the same one.

    Raises:
        Malformed: there is no such entrant or status, or an entrant who has left returns to a tournament that is full.
    """
    if status not in get_args(EntrantStatus):
        raise Malformed(
            f"an entrant is {', '.join(get_args(EntrantStatus))}; got {status!r}", what=status, where="status"
        )
    if not 1 <= number <= len(tournament.entrants):
        raise Malformed(
            f"there is no entrant {number}: the entrants are 1 to {len(tournament.entrants)}",
            what=number,
            where="number",
        )
    entrants = list(tournament.entrants)
    before = entrants[number - 1].status
    if before == status:
        return tournament
    if before == "left" and status == "active":
        _require_place(tournament)
    entrants[number - 1] = msgspec.structs.replace(entrants[number - 1], status=status)
    return msgspec.structs.replace(tournament, entrants=tuple(entrants))


def record_result(tournament: Tournament, table: int, result: TableResult) -> Tournament:
    """Return the tournament with the result of a table of the current round. A second result changes nothing.

    Entrants who were absent for the whole game are not drawn for the next round.

    Raises:
        Malformed: there is no such table, or the result does not fit it.
    """
    tables = tournament.rounds[-1].tables if tournament.rounds else ()
    if not 0 <= table < len(tables):
        raise Malformed(f"the current round has no table {table}", what=table, where="table")
    before = tables[table]
    if before.result is not None:
        return tournament
    if len(result.places) != len(before.seats) or len(result.scores) not in {0, len(before.seats)}:
        raise Malformed("the result must have a place and a score for each seat", what=result.places, where="places")
    if places([*result.places]) != result.places:
        raise Malformed(
            f"places must be ranks from 1, and tied seats share the better one; got {result.places}",
            what=result.places,
            where="places",
        )
    unknown = sorted({*result.missed}.difference(range(len(before.seats))))
    if unknown:
        raise Malformed(f"there is no seat {unknown[0]} at this table", what=result.missed, where="missed")
    played = (*tables[:table], RoundTable(before.seats, result), *tables[table + 1 :])
    current = msgspec.structs.replace(tournament.rounds[-1], tables=played)
    after = msgspec.structs.replace(tournament, rounds=(*tournament.rounds[:-1], current))
    for seat in result.missed:
        number = before.seats[seat]
        if number != BOT and after.entrants[number - 1].status == "active":
            after = set_status(after, number, "absent")
    return after
