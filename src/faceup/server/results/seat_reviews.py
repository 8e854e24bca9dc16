"""What the coach found in the finished games of players: which seats to review, and the results by player.

A server process reserves a seat before it reviews it, so that several processes share the work. If the process is
killed, another one can reserve the seat again later, a few times. Findings belong to a seat of a result, not to a
player, so that they follow the result if players are merged.
"""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.server.accounts.player_ids import ids_of
from faceup.server.accounts.schema import players
from faceup.server.daily.schema import daily_attempts
from faceup.server.results.history import withheld_rooms
from faceup.server.results.schema import games, results, seat_reviews
from faceup.server.store.queries import insert_new
from faceup.server.store.schema import rooms

MAX_REVIEWS: Final = 100
"""The maximum number of a player's reviewed seats that are summed up, the latest first."""

MAX_TRIES: Final = 3
"""How often a seat is reserved at most."""

RESERVED: Final = 600_000
"""For how long a seat is reserved for one process, in milliseconds."""


class FoundFault(msgspec.Struct, frozen=True):
    """The costly choices of a seat in a game with the same fault.

    Attributes:
        count: the number of these choices.
        cost: the expected heads that they cost, added up.
        worst: the cost of the costliest.
        decision: the number of the costliest choice in the game.
    """

    count: int
    cost: float
    worst: float
    decision: int


class SeatFindings(msgspec.Struct, frozen=True):
    """What the coach found in the choices of a seat in a game.

    Attributes:
        decisions: the number of choices between several options that the player made.
        faults: the costly ones by their faults, see `faceup.coach.causes.CauseKind`.
    """

    decisions: int = 0
    faults: dict[str, FoundFault] = {}


class FaultExample(msgspec.Struct, frozen=True, kw_only=True):
    """The costliest choice with a fault.

    Attributes:
        table: the id of the table, for requesting its replay, unless the table was deleted.
        seat: the seat of the player.
        decision: the number of the choice in the game.
        cost: the expected heads that it cost.
    """

    table: str
    seat: int
    decision: int
    cost: float


class FaultTotals(msgspec.Struct, frozen=True, kw_only=True):
    """The costly choices of a player with the same fault.

    Attributes:
        fault: the cause, one of `faceup.coach.causes.CauseKind`.
        count: the number of these choices.
        cost: the expected heads that they cost, added up.
        example: the costliest.
    """

    fault: str
    count: int
    cost: float
    example: FaultExample


class CoachFindings(msgspec.Struct, frozen=True, kw_only=True):
    """What the coach found in the latest reviewed games of a player.

    Attributes:
        games: the number of reviewed games; a game counts for each seat of the player.
        decisions: the number of choices between several options that the player made.
        faults: the costly choices by their faults, the most frequent fault first.
    """

    games: int
    decisions: int
    faults: tuple[FaultTotals, ...]


class PendingSeat(NamedTuple):
    """A seat of a finished game that the coach can review."""

    number: int
    seat: int
    room: str
    who: str


def pending_seats(
    connection: Connection, now: int, since: int, coached: Collection[str], limit: int
) -> list[PendingSeat]:
    """Return seats of persons, in which no program played, that are neither reviewed nor reserved, the latest first.

    Args:
        connection: database connection.
        now: milliseconds since 1970.
        since: return only games with a record that became available at this time or later, in milliseconds since 1970.
        coached: the names of the games that the coach can review.
        limit: the maximum number of seats.
    """
    ended = daily_attempts.c.ends_at >= since, daily_attempts.c.ends_at <= now
    query = (
        sa.select(results.c.number, results.c.seat, games.c.room, results.c.who)
        .join(games, games.c.number == results.c.number)
        .join(rooms, rooms.c.id == games.c.room)
        .join(players, players.c.id == results.c.who)
        .join(seat_reviews, _SAME_SEAT, isouter=True)
        .where(
            games.c.game.in_(coached),
            ~results.c.program,
            sa.or_(games.c.ended_at >= since, games.c.room.in_(sa.select(daily_attempts.c.room).where(*ended))),
            games.c.room.not_in(withheld_rooms()),
            players.c.erased_at.is_(None),
            sa.or_(seat_reviews.c.number.is_(None), _is_free(now)),
        )
        .order_by(results.c.number.desc(), results.c.seat)
        .limit(limit)
    )
    return [PendingSeat(*row) for row in connection.execute(query)]


_SAME_SEAT: Final = (seat_reviews.c.number == results.c.number) & (seat_reviews.c.seat == results.c.seat)


def _is_free(now: int) -> sa.ColumnElement[bool]:
    """Return the condition that a seat was reserved by a process that did not finish, and may be tried again."""
    row = seat_reviews.c
    return row.findings.is_(None) & (row.tries < MAX_TRIES) & (row.reserved_at < now - RESERVED)


def reserve(connection: Connection, now: int, seat: PendingSeat) -> bool:
    """Reserve a seat for a review. False if another process has it, or if the game was deleted."""
    same_seat = _at(seat)
    again = seat_reviews.update().where(same_seat, _is_free(now))
    if connection.execute(again.values(reserved_at=now, tries=seat_reviews.c.tries + 1)).rowcount:
        return True
    return insert_new(connection, seat_reviews, number=seat.number, seat=seat.seat, reserved_at=now, tries=1)


def store_findings(connection: Connection, seat: PendingSeat, findings: SeatFindings) -> None:
    """Store what the coach found at a reserved seat. If the player has been erased since, nothing is stored."""
    text = msgspec.json.encode(findings).decode()
    connection.execute(seat_reviews.update().where(_at(seat)).values(findings=text))


def _at(seat: PendingSeat) -> sa.ColumnElement[bool]:
    return (seat_reviews.c.number == seat.number) & (seat_reviews.c.seat == seat.seat)


def coach_findings(connection: Connection, player: str) -> CoachFindings:
    """Return what the coach found in the latest reviewed games of a player, without those that programs played."""
    query = (
        sa.select(games.c.room, results.c.seat, seat_reviews.c.findings)
        .select_from(results)
        .join(games, games.c.number == results.c.number)
        .join(seat_reviews, _SAME_SEAT)
        .where(results.c.who.in_(ids_of(connection, player)), ~results.c.program)
        .where(seat_reviews.c.findings.is_not(None))
        .order_by(results.c.number.desc(), results.c.seat)
        .limit(MAX_REVIEWS)
    )
    decoder = msgspec.json.Decoder(SeatFindings)
    reviewed_seats = [(row.room, row.seat, decoder.decode(row.findings)) for row in connection.execute(query)]
    reviewed = [item for item in reviewed_seats if item[2].decisions]
    by_fault: dict[str, list[tuple[str, int, FoundFault]]] = {}
    for room, seat, findings in reviewed:
        for fault, fault_found in findings.faults.items():
            by_fault.setdefault(fault, []).append((room, seat, fault_found))
    totals = [_fault_totals(fault, occurrences) for fault, occurrences in by_fault.items()]
    return CoachFindings(
        games=len(reviewed),
        decisions=sum(findings.decisions for _, _, findings in reviewed),
        faults=tuple(sorted(totals, key=lambda total: (-total.count, -total.cost))),
    )


def _fault_totals(fault: str, occurrences: Sequence[tuple[str, int, FoundFault]]) -> FaultTotals:
    room, seat, worst = max(occurrences, key=lambda item: item[2].worst)
    return FaultTotals(
        fault=fault,
        count=sum(fault_found.count for _, _, fault_found in occurrences),
        cost=round(sum(fault_found.cost for _, _, fault_found in occurrences), 2),
        example=FaultExample(table=room, seat=seat, decision=worst.decision, cost=worst.worst),
    )


def delete_findings(connection: Connection, people: Collection[str]) -> None:
    """Delete what the coach found in the games of these players, given all their ids."""
    own = sa.select(results.c.number).where(_SAME_SEAT, results.c.who.in_(people)).exists()
    connection.execute(seat_reviews.delete().where(own))
