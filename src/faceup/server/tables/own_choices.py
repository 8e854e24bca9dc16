"""The choices of a player at all tables, for the export of the player's data: nothing of other players."""

import logging
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, TypeAlias

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.core import Malformed, Seat
from faceup.core.record import PERSON, Chosen, Joined, Marked, Unchosen
from faceup.server.results.schema import games, results
from faceup.server.rooms import loads
from faceup.server.rooms.entries import RoomCreated, Seated
from faceup.server.store.schema import log, rooms
from faceup.server.tables.schema import player_tables

OwnEntry: TypeAlias = Chosen | Marked | Unchosen
"""What a player chose, marked in advance, or withdrew. Each has a seat, so that it has one author."""

_ROWS_AT_ONCE: Final = 200
"""The maximum number of rows of a log in memory."""

_LOG: Final = logging.getLogger(__name__)


class OwnChoices(msgspec.Struct, frozen=True, kw_only=True):
    """What a player chose at a table, also in a game that is not over. Times are in milliseconds since 1970.

    Attributes:
        table: ID of the table.
        game: name of the game.
        variant: name of the variant.
        choices: what the player chose, marked and withdrew, as in a record: `action` is in the notation of the game.
    """

    table: str
    game: str
    variant: str
    choices: Sequence[OwnEntry]


def own_choices(connection: Connection, players: Sequence[str]) -> Iterator[OwnChoices]:
    """Yield the choices at each table with a log in which a player chose something, the oldest table first.

    Args:
        connection: a connection.
        players: all ids of the player.
    """
    seated = sa.select(player_tables.c.room).where(player_tables.c.player.in_(players))
    finished = sa.select(games.c.room).join(results).where(results.c.who.in_(players))
    tables = sa.select(rooms.c.id, rooms.c.opened_at).where(rooms.c.id.in_(sa.union(seated, finished)))
    for row in connection.execute(tables.order_by(rooms.c.opened_at, rooms.c.id)).all():
        try:
            created, choices = _read(connection, row.id, frozenset(players))
        except Malformed as error:  # the error's message is not logged, because it may contain hands
            _LOG.warning("the table %s cannot be read, so an export leaves it out: %s", row.id, error.kind)
            continue
        if choices:
            own = [msgspec.structs.replace(choice, at=row.opened_at + choice.at) for choice in choices]
            yield OwnChoices(table=row.id, game=created.config.game, variant=created.config.variant, choices=own)


def _read(connection: Connection, table: str, players: frozenset[str]) -> tuple[RoomCreated, list[OwnEntry]]:
    """Return the first entry of a log, and what the players chose. Raises `Malformed`."""
    created, own_seats, choices = None, set[Seat](), list[OwnEntry]()
    query = sa.select(log.c.entries).where(log.c.room == table).order_by(log.c.seq)
    with connection.execute(query.execution_options(yield_per=_ROWS_AT_ONCE)) as rows:
        for entry in chain.from_iterable(map(loads, rows.scalars())):
            match entry:
                case RoomCreated():
                    created = entry
                case Seated():
                    # A seat can change its owner before the game starts, so its author is the owner at that moment.
                    (own_seats.add if entry.player in players else own_seats.discard)(entry.seat)
                case Joined() if entry.kind != PERSON:
                    own_seats.discard(entry.seat)
                case Chosen() | Marked() | Unchosen() if entry.seat in own_seats:
                    choices.append(entry)
                case _:
                    pass
    if created is None:
        raise Malformed("the log of a room must start with the entry room_created", where="entry 0")
    return created, choices
