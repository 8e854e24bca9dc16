"""Wake those who wait for the turns of a player at correspondence games to change, in any process."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

import sqlalchemy as sa

from faceup.server.store import Store, UnavailableError
from faceup.server.store.schema import rooms
from faceup.server.tables.schema import player_tables


class TurnFeed:
    """The subscribers of one process to the turns of players.

    A wake-up is only a hint to read `find_turns` again: it can be late or lost when another process made the change.

    Attributes:
        closed: whether the process stops, so that subscriptions must end.
    """

    def __init__(self, store: Store) -> None:
        self.closed = False
        self._store = store
        self._subscribers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._grown: set[str] = set()
        self._on_change: list[Callable[[Collection[str]], None]] = []
        self._on_death: list[Callable[[], None]] = []
        self._reading: asyncio.Task[None] | None = None

    @contextmanager
    def subscribe(self, players: Iterable[str]) -> Iterator[asyncio.Event]:
        """Return an event that is set when the turns of one of these player IDs may have changed."""
        event, ids = asyncio.Event(), tuple(players)
        for player in ids:
            self._subscribers[player].add(event)
        try:
            yield event
        finally:
            for player in ids:
                self._subscribers[player].discard(event)
                if not self._subscribers[player]:
                    del self._subscribers[player]

    def listen(self, on_change: Callable[[Collection[str]], None], on_death: Callable[[], None]) -> None:
        """Add what to call with the players of each table that this process changes, and when another process dies."""
        self._on_change.append(on_change)
        self._on_death.append(on_death)

    def changed(self, players: Iterable[str | None]) -> None:
        """Wake the subscribers of these players, because this process has changed their table."""
        ids = [player for player in players if player is not None]
        self._wake(ids)
        for on_change in self._on_change:
            on_change(ids)

    def process_died(self) -> None:
        """Report that another process has died, which may have left something undone."""
        for on_death in self._on_death:
            on_death()

    def _wake(self, players: Iterable[str]) -> None:
        for player in players:
            if player in self._subscribers:
                for event in self._subscribers[player]:
                    event.set()

    def table_grew(self, table: str) -> None:
        """Wake the subscribers of the players of a table that another process has changed, if it has days per move."""
        if not self._subscribers:
            return
        self._grown.add(table)
        if self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        try:
            while self._grown:
                tables, self._grown = self._grown, set()
                with suppress(UnavailableError):
                    self._wake(await self._store.query(partial(_players_of, tables=tables)))
        finally:
            self._reading = None

    def close(self) -> None:
        """Wake all subscribers, so that they end."""
        self.closed = True
        self._wake(tuple(self._subscribers))


def _players_of(connection: sa.Connection, *, tables: Iterable[str]) -> list[str]:
    """Return the players of those of the tables that have days per move."""
    query = (
        sa.select(player_tables.c.player)
        .join(rooms, rooms.c.id == player_tables.c.room)
        .where(rooms.c.id.in_(sorted(tables)), rooms.c.correspondence)
    )
    return list(connection.execute(query).scalars())
