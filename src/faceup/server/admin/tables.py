"""Administration of tables: list, show, pause, resume, close and delete tables, without access to hidden cards."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from faceup.core import Malformed, SystemRandom
from faceup.server.admin.deletion import delete_tables
from faceup.server.admin.log_append import append_to_log, read_room
from faceup.server.audit.log import Act, record
from faceup.server.rooms import decide
from faceup.server.rooms.commands import Close, RoomCommand
from faceup.server.rooms.view import seats_of
from faceup.server.store import Store, TableRow
from faceup.server.store.schema import rooms
from faceup.table.commands import Pause, Resume

COMMANDS: Final[Mapping[str, RoomCommand]] = {"pause": Pause(), "resume": Resume(), "close": Close("operator")}
"""The commands that an administrator may send."""

_ACTS: Final[Mapping[str, Act]] = {"pause": "pause_table", "resume": "resume_table", "close": "close_table"}


class AdminTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list. Times are in milliseconds since 1970; `summary` describes the table in the server's lists."""

    id: str
    code: str
    status: str
    opened_at: int
    changed_at: int
    summary: dict[str, Any]  # Any: JSON


async def list_tables(
    store: Store, status: str | None = None, limit: int = 1_000, *, offset: int = 0
) -> list[AdminTable]:
    """Return all tables, or only those with the given status, without the first `offset`. The last changed is first."""
    query = sa.select(rooms).order_by(rooms.c.changed_at.desc(), rooms.c.id).limit(limit).offset(offset)
    if status is not None:
        query = query.where(rooms.c.status == status)
    rows = await store.query(lambda connection: connection.execute(query).mappings().all())
    return [
        AdminTable(
            **{name: row[name] for name in ("id", "code", "status", "opened_at", "changed_at")},
            summary=msgspec.json.decode(row["summary"]),
        )
        for row in rows
    ]


async def show_table(store: Store, name: str) -> dict[str, Any]:  # Any: JSON
    """Return the public view of the table with this ID or join code. Raises `Malformed` if there is no such table."""
    row = await _row(store, name)
    room = await read_room(store, row.id)
    seats = [seat and seat.name for seat in seats_of(room)]
    return {
        "id": row.id,
        "code": row.code,
        "status": room.status,
        "game": f"{room.config.game}:{room.config.variant}",
        "seats": seats,
        "owners": room.owners,
        "programs": [owner in room.programs for owner in room.owners],
        "host": room.host,
        "opened_at": row.opened_at,
        "changed_at": row.changed_at,
        "appends": room.version,
        "paused": room.table.paused is not None,
        "closed": room.closed,
    }


async def act(store: Store, name: str, what: str) -> str:
    """Pause, resume or close a table, and return its ID. Running servers read the change within a second.

    Raises:
        Malformed: there is no such table.
        WrongSeatError, IllegalActionError: the table does not allow the command now; for example, it is already over.
    """
    row = await _row(store, name)
    await append_to_log(
        store,
        row.id,
        lambda room, now: decide(room, COMMANDS[what], None, now, SystemRandom()),
        record_act=partial(record, act=_ACTS[what], place=f"table:{row.id}"),
    )
    return row.id


async def delete(store: Store, names: Sequence[str]) -> list[str]:
    """Delete the tables with these IDs or join codes, and return their IDs. Running servers drop them within seconds.

    Raises:
        Malformed: there is no table with one of the names. Then no table is deleted.
    """
    identifiers = [(await _row(store, name)).id for name in names]
    await delete_tables(store, identifiers)
    await store.reclaim()
    return identifiers


async def _row(store: Store, name: str) -> TableRow:
    row = await store.room(name) or await store.find(name)
    if row is None:
        raise Malformed(
            f"there is no table {name!r}: `faceup admin tables list` lists all tables", what=name, where="table"
        )
    return row
