"""Who is online: this process stores its own players in the database, and reads those of all processes."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import partial
from typing import Final

from faceup.server.live.hub import TableHub
from faceup.server.live.recent_value import RecentValue
from faceup.server.process.periodic import PeriodicTask
from faceup.server.store import Store, StoreError
from faceup.server.tables.online import Online, Place, change_places, stored_places, who_is_online

VISIT: Final = 60.0
"""Seconds after a request for which a player without a connection is online."""

_COMPARED: Final = 60.0
"""Seconds after which the players are compared with those in the database, in case that others took this process for
dead."""

_INTERVAL: Final = 5.0
"""Seconds between two updates. An update writes only if something has changed."""

_ROWS_AT_ONCE: Final = 500
"""Maximum number of rows in one transaction, so that choices do not wait for the others."""

_MAX_VISITORS: Final = 10_000
"""Maximum number of players with a remembered time of the last request. If there are more, the latest stay."""


class OnlinePlayers:
    """The players who are online. Several processes may share a database.

    Args:
        store: the database.
        hub: the tables.
        connected: returns the IDs of the players with connections to this process.
    """

    def __init__(self, store: Store, hub: TableHub, connected: Callable[[], Iterable[str]]) -> None:
        self._store = store
        self._hub = hub
        self._connected = connected
        self._visits: dict[str, float] = {}  # the time of each player's last request, the oldest first
        self._stored = frozenset[Place]()
        self._compare_at = 0.0
        self._task = PeriodicTask("players online", self.update, _INTERVAL, store.metrics)
        self._online = RecentValue(self._read, _INTERVAL)

    async def start(self) -> None:
        """Start the periodic update."""
        await self._task.start()

    async def stop(self) -> None:
        """Stop the periodic update, and remove the players of this process."""
        await self._task.stop()
        if self._stored:
            with suppress(StoreError):  # then others see that this process has ended
                await self._write(frozenset())

    def note_request(self, player: str) -> None:
        """Record that a player has sent a request."""
        self._visits.pop(player, None)
        self._visits[player] = asyncio.get_running_loop().time()
        if len(self._visits) > _MAX_VISITORS:
            del self._visits[next(iter(self._visits))]

    async def get(self) -> Online:
        """Return who is online, as of some seconds ago. Raises `StoreError`."""
        return await self._online.get()

    def forget(self) -> None:
        """Read who is online again for the next caller of `get`."""
        self._online.forget()

    async def update(self) -> None:
        """Store the players of this process if they have changed. Raises `StoreError`."""
        now = asyncio.get_running_loop().time()
        while self._visits and (oldest := next(iter(self._visits))) and self._visits[oldest] < now - VISIT:
            del self._visits[oldest]
        places = {Place(player) for player in (*self._visits, *self._connected())}
        places |= {
            Place(player, actor.table, player in actor.room.programs)
            for actor in self._hub.rooms.values()
            for player in actor.shown_players
        }
        dead: tuple[str, ...] = ()
        if places and now >= self._compare_at:
            compare = partial(stored_places, now=self._store.now(), process=self._store.process)
            self._stored, dead = await self._store.query(compare)
            self._compare_at = now + _COMPARED
        await self._write(places, dead)

    async def _write(self, places: AbstractSet[Place], dead: Sequence[str] = ()) -> None:
        """Store these places instead of the stored ones, and remove those of dead processes."""
        change = partial(change_places, process=self._store.process)
        if dead:
            await self._store.write(partial(change, dead=dead))
        removed, added = sorted(self._stored - places), sorted(places - self._stored)
        for start in range(0, max(len(removed), len(added)), _ROWS_AT_ONCE):
            chunk = slice(start, start + _ROWS_AT_ONCE)
            await self._store.write(partial(change, added=added[chunk], removed=removed[chunk]))
        self._stored = frozenset(places)

    async def _read(self) -> Online:
        return await self._store.query(partial(who_is_online, now=self._store.now()))
