"""Tables as whoever runs the server sees them, and what it may do to one: never a look at a hand."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from faceup.core import Malformed, Secret
from faceup.server.desk import Patience
from faceup.server.desk.waking import summary_of, wake_of
from faceup.server.rooms import Close, Leave, Pause, Resume, Room, RoomCommand, decide, dumps, evolve, loads, room_from
from faceup.server.rooms.sight import seats_of
from faceup.server.store import Append, Collision, Row, Store, new_id
from faceup.server.store.schema import rooms

COMMANDS: Final[Mapping[str, RoomCommand]] = {"pause": Pause(), "resume": Resume(), "close": Close("operator")}
"""What whoever runs the server may do."""

_AGAIN: Final = 20
"""So many times another may be quicker: at the busiest table commands come a few a second."""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the list; times are milliseconds since 1970, and `summary` is what the desk says of it in lists."""

    id: str
    code: str
    status: str
    opened_at: int
    changed_at: int
    summary: dict[str, Any]  # Any: JSON


async def list_tables(store: Store, status: str | None = None, limit: int = 1_000) -> list[Listed]:
    """The tables, or those of one status, the last changed first."""
    asked = sa.select(rooms).order_by(rooms.c.changed_at.desc(), rooms.c.id).limit(limit)
    if status is not None:
        asked = asked.where(rooms.c.status == status)
    rows = await store.query(lambda connection: connection.execute(asked).mappings().all())
    return [
        Listed(
            **{name: row[name] for name in ("id", "code", "status", "opened_at", "changed_at")},
            summary=msgspec.json.decode(row["summary"]),
        )
        for row in rows
    ]


async def show_table(store: Store, name: str) -> dict[str, Any]:  # Any: JSON
    """What everybody at the table knows of it, by its id or its code. Raises `Malformed` if there is none."""
    row = await _row(store, name)
    room = await _fold(store, row)
    seats = [seat and seat.name for seat in seats_of(room)]
    return {
        "id": row.id,
        "code": row.code,
        "status": room.status,
        "game": f"{room.opening.game}:{room.opening.variant}",
        "seats": seats,
        "owners": room.owners,
        "host": room.host,
        "opened_at": row.opened_at,
        "changed_at": row.changed_at,
        "appends": room.version,
        "paused": room.table.paused is not None,
        "closed": room.closed,
    }


async def act(store: Store, name: str, what: str) -> str:
    """Pause, resume or close a table, as its servers would; they read on within a second. Gives back its id.

    Raises:
        Malformed: there is no such table.
        NotYours, NotLegal: it cannot be done to this table now, such as closing one that is over.
    """
    row = await _row(store, name)
    await _append(store, row, lambda _: COMMANDS[what])
    return row.id


async def leave(store: Store, table: str, player: str) -> bool:
    """Let the player leave the seat that it has at the table; False if it has none."""
    row = await _row(store, table)
    return await _append(store, row, lambda room: Leave(room.owners.index(player)) if player in room.owners else None)


async def _append(store: Store, row: Row, wanted: Callable[[Room], RoomCommand | None]) -> bool:
    """Append what follows from the command that is wanted of the room as it stands; False if nothing is, or does."""
    for _ in range(_AGAIN):
        room = await _fold(store, row)
        now = await store.now()
        command = wanted(room)
        entries = decide(room, command, None, now - row.opened_at, Secret()) if command else ()
        if not entries:
            return False
        name = f"operator-{new_id()}"
        after = evolve(room, entries, name)
        append = Append(
            table=row.id,
            seq=room.version,
            at=entries[-1].at,
            entries=dumps(entries),
            command=name,
            status=after.status,
            wake=wake_of(after, row.opened_at, Patience()),
        )
        try:
            await store.append(append, summary_of(after))
        except Collision:
            continue
        return True
    raise Malformed(f"table {row.id} changes too fast: try again", what=row.id, where="table")


async def _fold(store: Store, row: Row) -> Room:
    appends = await store.read(row.id)
    return room_from([(loads(append.entries), append.command) for append in appends])


async def _row(store: Store, name: str) -> Row:
    found = await store.room(name) or await store.find(name)
    if found is None:
        raise Malformed(
            f"there is no table {name!r}: `faceup admin tables list` has all of them", what=name, where="table"
        )
    return found
