"""Reads of tournaments that many requests share.

After each result of a tournament, the requests of all its players are answered together. They share one read, and a
tournament that has not changed is not decoded again.
"""

import asyncio
from collections import OrderedDict
from functools import partial
from typing import Final

from faceup.server.store import Store
from faceup.server.tournaments.queries import StoredTournament, find_newer

_KEPT: Final = 32
"""The maximum number of tournaments in memory."""


class TournamentReads:
    """The reads of tournaments in one process.

    Args:
        store: the database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._next: dict[str, asyncio.Task[StoredTournament]] = {}
        self._last: OrderedDict[str, StoredTournament] = OrderedDict()

    async def get(self, identifier: str) -> StoredTournament:
        """Return a tournament with all changes before this call. Raises `NotFoundError`."""
        task = self._next.get(identifier)
        if task is None:
            task = self._next[identifier] = asyncio.get_running_loop().create_task(self._read(identifier))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # all callers may have left
        return await asyncio.shield(task)

    async def _read(self, identifier: str) -> StoredTournament:
        del self._next[identifier]  # later callers need another read, which has the changes before their calls
        last = self._last.pop(identifier, None)
        newest = await self._store.query(partial(find_newer, identifier=identifier, last=last))
        self._last[identifier] = newest
        while len(self._last) > _KEPT:
            self._last.popitem(last=False)
        return newest
