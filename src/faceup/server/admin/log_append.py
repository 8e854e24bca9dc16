"""Append to the log of a table without a running server, or besides one. Running servers read it within a second."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Final

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

_TRIES: Final = 20
"""The maximum number of attempts to append to a log. An attempt fails if another process appends first."""


async def read_room(store: Store, table: str) -> Room:
    """Return the current room of a table. Raises the errors of `fold_log`."""
    return fold_log([(loads(row.entries), row.command) for row in await store.read(table)])


async def append_to_log(store: Store, table: str, entries_for: Callable[[Room, int], EntryBatch]) -> bool:
    """Append the entries that a function returns. Return False if it returns none, or if there is no such table.

    Args:
        store: the database.
        table: the ID of the table.
        entries_for: called with the current room and the time in milliseconds since it was created.

    Raises:
        Malformed: other processes were faster in every attempt, or the log cannot be read.
        RulesError: an error of the function.
    """
    for _ in range(_TRIES):
        row = await store.room(table)
        if row is None:
            return False
        room = await read_room(store, table)
        entries = entries_for(room, store.now() - row.opened_at)
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
        try:
            await store.append(append, summary=list_summary(after))
        except ConflictError:
            continue
        # A server that is alone does not look for the rows of other processes.
        await store.write(partial(publish, now=store.now(), revoked=subject_of("log", table)))
        return True
    raise Malformed(
        f"table {table} could not be changed, because other changes came first in every attempt: try again",
        what=table,
        where="table",
    )


async def remove_people(store: Store, table: str, people: Collection[str]) -> bool:
    """Remove players, given their ids, from a table; see `departure`. Return False if they have no role there."""
    return await append_to_log(store, table, lambda room, now: departure(room, people, now, SystemRandom()))
