"""Append to the log of a table without a running server, or besides one. Running servers read it within a second."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Final

import sqlalchemy as sa

from faceup.core import Malformed, SystemRandom
from faceup.server.accounts.revocations import publish, subject_of
from faceup.server.live import Timeouts
from faceup.server.live.turns import turns_of
from faceup.server.live.wake_times import wake_time
from faceup.server.rooms import Room, dumps, evolve, fold_log, loads
from faceup.server.rooms.decide import departure
from faceup.server.rooms.entries import EntryBatch
from faceup.server.rooms.summary import list_summary
from faceup.server.store import ConflictError, LogRow, Store, new_id
from faceup.server.store.schema import rooms

_TRIES: Final = 20
"""The maximum number of attempts to append to a log. An attempt fails if another process appends first."""


async def read_room(store: Store, table: str) -> Room:
    """Return the current room of a table. Raises the errors of `fold_log`."""
    return fold_log([(loads(row.entries), row.command) for row in await store.read(table)])


async def append_to_log(
    store: Store,
    table: str,
    entries_for: Callable[[Room, int], EntryBatch],
    at: int | None = None,
    *,
    record_act: Callable[[sa.Connection, int], None] | None = None,
) -> bool:
    """Append the entries that a function returns. Return False if it returns none, or if there is no such table.

    Args:
        store: the database.
        table: the ID of the table.
        entries_for: called with the current room and the time in milliseconds since it was created.
        at: this time, in milliseconds since 1970; None for now.
        record_act: records the act in the audit log, given the current time in milliseconds since 1970. It is called in
            the transaction that appends, so that no act is without its record.

    Raises:
        Malformed: other processes were faster in every attempt, or the log cannot be read.
        RulesError: an error of the function.
    """
    for _ in range(_TRIES):
        row = await store.room(table)
        if row is None:
            return False
        room = await read_room(store, table)
        entries = entries_for(room, (store.now() if at is None else at) - row.opened_at)
        if not entries:
            return False
        name = f"operator-{new_id()}"
        after = evolve(room, entries, name)
        append = LogRow(
            table=table,
            seq=room.version,
            at=entries[-1].at,
            entries=dumps(entries),
            command=name,
            status=after.status,
            wake=wake_time(after, row.opened_at, Timeouts()),
            turns=turns_of(after, row.opened_at),
        )
        changed_at = None if at is None else row.opened_at + append.at
        finish = partial(_finish, now=store.now(), append=append, changed_at=changed_at, record_act=record_act)
        try:
            await store.append(append, summary=list_summary(after), also=finish)
        except ConflictError:
            continue
        return True
    raise Malformed(
        f"table {table} could not be changed, because other changes came first in every attempt: try again",
        what=table,
        where="table",
    )


def _finish(
    connection: sa.Connection,
    *,
    now: int,
    append: LogRow,
    changed_at: int | None,
    record_act: Callable[[sa.Connection, int], None] | None,
) -> None:
    """Record the act, and let servers read the new row: one that is alone does not look for rows of other processes.

    If the row is about an earlier time, also correct the times of the table, which the append has set to now.
    """
    if changed_at is not None:
        row = rooms.update().where(rooms.c.id == append.table, rooms.c.seq == append.seq)
        ended_at = sa.case((rooms.c.ended_at.is_not(None), changed_at))
        connection.execute(row.values(changed_at=changed_at, ended_at=ended_at))
    if record_act is not None:
        record_act(connection, now)
    publish(connection, now, subject_of("log", append.table))


async def remove_people(
    store: Store,
    table: str,
    people: Collection[str],
    at: int | None = None,
    *,
    record_act: Callable[[sa.Connection, int], None] | None = None,
) -> bool:
    """Remove players, given their ids, from a table; see `departure`. Return False if they have no role there.

    They leave at `at`, in milliseconds since 1970; by default now. See `append_to_log` for `record_act`.
    """
    return await append_to_log(
        store, table, lambda room, now: departure(room, people, now, SystemRandom()), at, record_act=record_act
    )
