"""How long things are kept: as long as the one who runs the server says, and records for ever unless it does."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

import sqlalchemy as sa

from faceup.server.people.erasing import erase
from faceup.server.people.house import decide, decided
from faceup.server.people.revocations import forget_announced
from faceup.server.people.schema import players, sessions, tokens
from faceup.server.people.sessions import tidy_sessions
from faceup.server.store import Store
from faceup.server.store.schema import rooms

DAY: Final = 86_400_000

USUAL: Final[Mapping[str, int | None]] = {"finished": None, "closed": 30 * DAY, "guests": None}
"""In milliseconds: tables that were played to their end, those that were closed before, and guests who did not come
back. None is for ever."""

_AT_ONCE: Final = 200
"""So many are deleted in one transaction: a choice that waits behind it waits for milliseconds."""


def kept(connection: sa.Connection) -> dict[str, int | None]:
    """How long each is kept, in milliseconds."""
    said = decided(connection)
    return {name: _read(said[f"keep_{name}"]) if f"keep_{name}" in said else usual for name, usual in USUAL.items()}


def change(connection: sa.Connection, wanted: Mapping[str, int | None]) -> None:
    """Keep some of them for another time from now on."""
    for name, time in wanted.items():
        decide(connection, f"keep_{name}", "" if time is None else str(time))


def _read(text: str) -> int | None:
    return int(text) if text else None


async def sweep(store: Store) -> dict[str, int]:
    """Delete what is older than it is kept, and what opens nothing any more; says how much of each.

    Two processes may do it at once.
    """
    now = await store.now()
    times = await store.query(kept)
    deleted = {
        name: 0 if time is None else await _sweep(store, _KINDS[name], now, now - time) for name, time in times.items()
    }
    await store.write(lambda connection: forget_announced(connection, now - DAY))  # every server has long read it
    return deleted | {"sessions": await store.write(lambda connection: tidy_sessions(connection, now))}


async def _sweep(store: Store, kind: "_Kind", now: int, before: int) -> int:
    deleted = 0
    while ids := await store.query(lambda connection: kind.find(connection, before)):
        await store.write(partial(kind.forget, now=now, ids=ids))
        deleted += len(ids)
    return deleted


def _tables(connection: sa.Connection, before: int, *, status: str) -> list[str]:
    asked = sa.select(rooms.c.id).where(rooms.c.status == status, rooms.c.ended_at < before)
    return list(connection.execute(asked.limit(_AT_ONCE)).scalars())


def _guests(connection: sa.Connection, before: int) -> list[str]:
    """Those without an account, a token or a session that was used since."""
    alive = sa.union_all(
        sa.select(tokens.c.player), sa.select(sessions.c.player).where(sessions.c.seen_at >= before)
    ).subquery()
    asked = sa.select(players.c.id).where(
        players.c.account_at.is_(None),
        players.c.erased_at.is_(None),
        players.c.merged_into.is_(None),
        players.c.made_at < before,
        players.c.id.not_in(sa.select(alive.c.player)),
    )
    return list(connection.execute(asked.limit(_AT_ONCE)).scalars())


def _forget_tables(connection: sa.Connection, *, now: int, ids: list[str]) -> None:  # noqa: ARG001 -- as the other
    connection.execute(rooms.delete().where(rooms.c.id.in_(ids)))


def _forget_guests(connection: sa.Connection, *, now: int, ids: list[str]) -> None:
    for guest in ids:
        erase(connection, now, guest)


class _Kind(NamedTuple):
    find: Callable[[sa.Connection, int], list[str]]
    """Some of those that are older."""
    forget: Callable[..., None]  # the connection, then `now` and `ids` by name


_KINDS: Final[Mapping[str, _Kind]] = {
    "finished": _Kind(partial(_tables, status="finished"), _forget_tables),
    "closed": _Kind(partial(_tables, status="closed"), _forget_tables),
    "guests": _Kind(_guests, _forget_guests),
}
