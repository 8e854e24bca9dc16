"""The heartbeat of this process.

It records which processes are alive, which outages are pending, and whether timers may expire decisions.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from faceup.server.store import Outage, Store, UnavailableError
from faceup.server.store.heartbeat import HEARTBEAT_TIMEOUT

_LOG: Final = logging.getLogger(__name__)

HEARTBEAT_INTERVAL: Final = 1.0
LOOP_CHECK_INTERVAL: Final = 0.25


class Heartbeat:
    """The heartbeat of this process, which also detects when the process could not serve players.

    Args:
        loop: the event loop.
        store: the store.
        stall: milliseconds for which the event loop must be blocked to count as an outage.
        on_gap: called after a time in which players of this process could not choose, although others perhaps could,
            with its milliseconds and the reason.

    Attributes:
        alive: IDs of the live processes, including this one.
        outages: outages with pending deadline extensions, as of the last heartbeat.
        processes_died: whether the set of live processes has changed since this attribute was last set to False.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, store: Store, stall: int, on_gap: Callable[[int, str], None]
    ) -> None:
        self.alive = frozenset({store.process})
        self.outages: tuple[Outage, ...] = ()
        self.processes_died = True  # processes may have died before this one started
        self._loop = loop
        self._store = store
        self._stall = stall
        self._on_gap = on_gap
        self._loop_checked_at = loop.time()
        self._last_sent = 0.0  # when the last successful heartbeat was started, on the loop's clock
        self._unreachable = False  # whether the database has failed to answer since then
        self._heard_of_another = False  # whether another process has sent a notification since then
        self._sending: asyncio.Task[None] | None = None

    @property
    def is_only_process(self) -> bool:
        """Whether no other process serves the database, as far as this process knows.

        This process learns of another one from its first notification, and otherwise with the next heartbeat.
        """
        return len(self.alive) <= 1 and not self._heard_of_another

    @property
    def is_fresh(self) -> bool:
        """Whether this process knows of every outage, so that timers may expire decisions."""
        now = self._loop.time()
        # A process that was asleep itself must not judge others: first it learns what happened meanwhile.
        if self._unreachable or 1000 * (now - self._loop_checked_at) >= self._stall:
            return False
        return 1000 * (now - self._last_sent) < HEARTBEAT_TIMEOUT

    def note_other_process(self) -> None:
        """Record that another process has sent a notification."""
        self._heard_of_another = True

    def mark_unreachable(self) -> None:
        """Record that the database does not answer. After the next heartbeat, this process is fresh again."""
        self._unreachable = True

    async def start(self) -> None:
        """Start watching the event loop and send the first heartbeat. Raises `StoreError`."""
        self._loop_checked_at = self._loop.time()
        await self.send()

    async def send(self) -> None:
        """Send a heartbeat, or wait for the one that is being sent. Raises `StoreError`."""
        self.detect_stall()
        if self._sending is None or self._sending.done():
            self._sending = self._loop.create_task(self._send())
        await asyncio.shield(self._sending)  # other callers may wait for this task, too

    async def ensure_fresh(self) -> None:
        """Send a heartbeat unless the last one is fresh. Raises `StoreError`."""
        if not self.is_fresh:
            await self.send()

    async def stop(self) -> None:
        """Wait for the heartbeat that is being sent, if there is one."""
        if self._sending is not None:
            await asyncio.gather(self._sending, return_exceptions=True)

    def detect_stall(self) -> None:
        """Report a gap if the event loop was blocked since the last check."""
        now = self._loop.time()
        stalled = round(1000 * (now - self._loop_checked_at - LOOP_CHECK_INTERVAL))
        self._loop_checked_at = now
        if stalled >= self._stall:
            _LOG.warning("event loop was blocked for %d ms", stalled)
            self._on_gap(stalled, "stall")

    async def _send(self) -> None:
        # The time before the request: a heartbeat that took long is as old as its start.
        started = self._loop.time()
        try:
            beat = await self._store.beat()
        except UnavailableError:
            self._unreachable = True
            raise
        alive = frozenset((*beat.alive, self._store.process))
        self.processes_died = self.processes_died or alive != self.alive
        self.alive = alive
        self.outages = beat.outages
        if self._unreachable:
            self._on_gap(round(1000 * (started - self._last_sent)), "database_unreachable")
        # Only now: the gap is known to the rooms before any timer may expire a decision.
        self._unreachable = self._heard_of_another = False
        self._last_sent = started
