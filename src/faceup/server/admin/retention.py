"""Retention periods, and deletion of expired data. By default, finished tables and guests are kept forever."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import sqlalchemy as sa

from faceup.server.accounts.data_export import erase
from faceup.server.accounts.revocations import delete_revocations
from faceup.server.accounts.schema import players, sessions, tokens
from faceup.server.accounts.server_state import get_all, set_value
from faceup.server.accounts.sessions import delete_expired_sessions
from faceup.server.store import Store
from faceup.server.store.schema import rooms

DAY: Final = 86_400_000

DEFAULTS: Final[Mapping[str, int | None]] = {"finished": None, "closed": 30 * DAY, "guests": None}
"""Default retention periods in milliseconds; None means forever.

They apply to finished tables, to tables that were closed before their game ended, and to guests who did not return.
"""

_AT_ONCE: Final = 200
"""The maximum number of rows deleted in one transaction, so that players' choices wait only a few milliseconds."""


def retention_periods(connection: sa.Connection) -> dict[str, int | None]:
    """Return the current retention periods in milliseconds; None means forever."""
    stored = get_all(connection)
    return {
        name: _read(stored[f"keep_{name}"]) if f"keep_{name}" in stored else default
        for name, default in DEFAULTS.items()
    }


def change(connection: sa.Connection, wanted: Mapping[str, int | None]) -> None:
    """Change the given retention periods, in milliseconds; None means forever."""
    for name, time in wanted.items():
        set_value(connection, f"keep_{name}", "" if time is None else str(time))


def _read(text: str) -> int | None:
    return int(text) if text else None


async def sweep(store: Store) -> dict[str, int]:
    """Delete expired tables, guests, sessions and revocations. Return how many were deleted, except revocations.

    Several processes may sweep at the same time.
    """
    now = store.now()
    times = await store.query(retention_periods)
    deleted = {name: 0 if time is None else await _sweep(store, name, now, now - time) for name, time in times.items()}
    # All servers have read revocations that are a day old.
    await store.write(lambda connection: delete_revocations(connection, now - DAY))
    return deleted | {"sessions": await store.write(lambda connection: delete_expired_sessions(connection, now))}


async def _sweep(store: Store, name: str, now: int, before: int) -> int:
    deleted = 0
    while ids := await store.query(lambda connection: _FIND[name](connection, before)):
        await store.write(partial(_erase_guests if name == "guests" else _delete_tables, now=now, ids=ids))
        deleted += len(ids)
    return deleted


def _tables(connection: sa.Connection, before: int, *, status: str) -> list[str]:
    query = sa.select(rooms.c.id).where(rooms.c.status == status, rooms.c.ended_at < before)
    return list(connection.execute(query.limit(_AT_ONCE)).scalars())


def _guests(connection: sa.Connection, before: int) -> list[str]:
    """Return guests created before `before` who have no token, and no session that was used since `before`."""
    alive = sa.union_all(
        sa.select(tokens.c.player), sa.select(sessions.c.player).where(sessions.c.seen_at >= before)
    ).subquery()
    query = sa.select(players.c.id).where(
        players.c.account_at.is_(None),
        players.c.erased_at.is_(None),
        players.c.merged_into.is_(None),
        players.c.created_at < before,
        players.c.id.not_in(sa.select(alive.c.player)),
    )
    return list(connection.execute(query.limit(_AT_ONCE)).scalars())


def _delete_tables(connection: sa.Connection, *, now: int, ids: list[str]) -> None:  # noqa: ARG001 -- the same signature as `_erase_guests`
    connection.execute(rooms.delete().where(rooms.c.id.in_(ids)))


def _erase_guests(connection: sa.Connection, *, now: int, ids: list[str]) -> None:
    for guest in ids:
        erase(connection, now, guest)


_FIND: Final[Mapping[str, Callable[[sa.Connection, int], list[str]]]] = {
    "finished": partial(_tables, status="finished"),
    "closed": partial(_tables, status="closed"),
    "guests": _guests,
}
"""For each retention period, a function that returns some of the expired IDs, given a connection and a time limit."""
