"""Give seats that show "Guest" the name that their player has chosen since, as by a login."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import msgspec
from sqlalchemy import Connection

from faceup.core import RulesError
from faceup.server.accounts.player_ids import ids_of
from faceup.server.accounts.players import find_player
from faceup.server.live import TableHub
from faceup.server.live.command_queue import Ack, ignore_result
from faceup.server.results.history import find_open_tables
from faceup.server.rooms import Room
from faceup.server.rooms.commands import Rename
from faceup.server.rooms.names import is_guest_name
from faceup.server.rooms.seat_names import unnamed_seats
from faceup.server.rooms.summary import TableSummary
from faceup.server.store import StoreError, new_id
from faceup.server.turns.queries import find_turns


def show_name(
    hub: TableHub, table: str, room: Room, ids: Sequence[str], *, name: str, face: str
) -> list[asyncio.Future[Ack]]:
    """Rename the seats of a player, given all ids, that show no chosen name. The caller may ignore the results.

    Call this whenever a player connects to a table. So a name that a killed process has not shown is shown later.
    """
    if is_guest_name(name):
        return []
    renamed = [hub.send(table, Rename(seat, name, face), id=new_id(), player=ids) for seat in unnamed_seats(room, ids)]
    for answer in renamed:
        answer.add_done_callback(ignore_result)
    return renamed


async def show_name_everywhere(hub: TableHub, player: str) -> None:
    """Do what `show_name` does at all unfinished tables of a player, and wait for it. Errors are ignored."""

    def read(connection: Connection) -> tuple[str, str, tuple[str, ...], list[str]]:
        account, ids = find_player(connection, player), ids_of(connection, player)
        tables = [(row.id, row.summary) for row in find_open_tables(connection, *ids)]
        tables += [(turn.table, turn.summary) for turn in find_turns(connection, *ids)]
        return account.name, account.face, ids, [table for table, summary in tables if _has_guest(summary)]

    with suppress(RulesError, StoreError):
        name, face, ids, tables = await hub.store.query(read)
        for table in () if is_guest_name(name) else tables:
            with suppress(RulesError, StoreError):
                if renamed := show_name(hub, table, await hub.room(table), ids, name=name, face=face):
                    await asyncio.wait(renamed)


def _has_guest(summary: bytes) -> bool:
    """Return whether a seat shows no chosen name, given the table's summary, so that others need not be loaded."""
    seats = msgspec.json.decode(summary, type=TableSummary).seats
    return any(seat is not None and is_guest_name(seat.name) for seat in seats)
