"""The database's clock, read without asking it: from the last heartbeat on, by this machine's monotonic clock."""

import asyncio

from faceup.server.store.beating import Felt, monotonic


async def nap() -> None:
    """A moment, until others are looked at again."""
    await asyncio.sleep(0.05)


class Clock:
    """Milliseconds since 1970. It is set by each heartbeat, and never goes back."""

    def __init__(self) -> None:
        self._offset = 0
        self._latest = 0

    def set(self, felt: Felt) -> None:
        """The database said what time it is."""
        self._offset = felt.beat.now - felt.monotonic

    def now(self) -> int:
        """For the event loop."""
        self._latest = max(self._latest, self.rough())
        return self._latest

    def rough(self) -> int:
        """For other threads: it may go back by a few milliseconds."""
        return monotonic() + self._offset
