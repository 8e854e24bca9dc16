"""Deliver the notices of turns in the background, through one channel such as Web Push.

The database is the queue (`turns.notices`), so it survives a kill and is shared by all processes. A process
looks at it only when a turn has changed, when it starts, when another process has died, and when a lease ends.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Final

from faceup.server.live.turn_feed import TurnFeed
from faceup.server.process.periodic import BackgroundTask, FailureIsolation
from faceup.server.store import Store, StoreError
from faceup.server.store.heartbeat import downtime
from faceup.server.turns.notices import (
    Channel,
    TurnNotice,
    claim,
    finish,
    next_lease,
    pending_notices,
    postpone,
)

LEASE: Final = 60_000
"""Milliseconds for which a process reserves a notice. If it is killed, another process delivers the notice then."""

RETRY: Final = 300_000
"""Milliseconds after which a delivery that failed is tried again."""

GIVE_UP: Final = 86_400_000
"""Milliseconds after the start of a turn from which on a failed delivery is not tried again. Outages do not count."""

_MANY: Final = 1_000
"""The number of changed players from which on all players are looked at."""

_AFTER_ERROR: Final = 10.0
"""Seconds to wait if the database cannot be used."""


class TurnDelivery:
    """The delivery of notices by one process.

    Args:
        store: the database.
        feed: the turns that change.
        channel: how players are notified.
        send: delivers a notice, and returns False if this failed for now.
    """

    def __init__(
        self, store: Store, feed: TurnFeed, channel: Channel, send: Callable[[TurnNotice], Awaitable[bool]]
    ) -> None:
        self._store = store
        self._feed = feed
        self._channel: Channel = channel
        self._send = send
        self._failures = FailureIsolation(f"notices of turns by {channel}", store.metrics)
        self._changed: set[str] | None = None  # None: look at all players
        self._wake = asyncio.Event()
        self._task = BackgroundTask(self._run)

    def changed(self, players: Collection[str]) -> None:
        """Look at the turns of these players soon."""
        if self._changed is not None:
            self._changed.update(players)
            if len(self._changed) > _MANY:
                self._changed = None
        self._wake.set()

    def check_all(self) -> None:
        """Look at the turns of all players soon."""
        self._changed = None
        self._wake.set()

    async def start(self) -> None:
        """Start to deliver."""
        self._feed.listen(self.changed, self.check_all)
        self.check_all()
        await self._task.start()

    async def stop(self) -> None:
        """Stop. A delivery that is cut off is repeated by another process, or after the next start."""
        await self._task.stop()

    async def _run(self) -> None:
        wait: float | None = None
        while True:
            try:
                async with asyncio.timeout(wait):
                    await self._wake.wait()
            except TimeoutError:
                self._changed = None
            with self._failures.isolate("") as attempt:
                wait = await self._deliver()
            if attempt.error is not None:
                self._changed, wait = None, _AFTER_ERROR

    async def _deliver(self) -> float | None:
        """Deliver everything that is pending. Return the seconds until a lease ends; None if there is no lease."""
        self._wake.clear()
        only, self._changed = self._changed, set()
        while batch := await self._store.query(
            partial(pending_notices, now=self._store.now(), channel=self._channel, only=only)
        ):
            await asyncio.gather(*map(self._handle, batch))
        now = self._store.now()
        ends = await self._store.query(partial(next_lease, now=now, channel=self._channel))
        return None if ends is None else max(1.0, (ends - now) / 1000)

    async def _handle(self, notice: TurnNotice) -> None:
        now = self._store.now()
        if not await self._store.write(partial(claim, now=now, channel=self._channel, notice=notice, lease=LEASE)):
            return
        delivered = False
        with self._failures.isolate(f"the table {notice.room}") as attempt:
            delivered = await self._send(notice)
        if isinstance(attempt.error, StoreError):
            raise attempt.error
        if not delivered:
            outages = await self._store.query(partial(downtime, since=notice.since))
            delivered = self._store.now() - notice.since - outages > GIVE_UP
        if delivered:
            await self._store.write(partial(finish, channel=self._channel, notice=notice))
        else:
            await self._store.write(
                partial(postpone, now=self._store.now(), channel=self._channel, notice=notice, by=RETRY)
            )
