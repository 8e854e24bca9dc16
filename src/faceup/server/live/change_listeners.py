"""Requests that wait until something changes (long polling), in this process or in another one.

Changes of parties and inboxes are published in the database as revocations are, and every process reads these once a
second. Those of tournaments have versions, which are read once a second while requests wait for them. So waiting
requests use no processor.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class ChangeListeners:
    """The requests of this process that wait for changes, by subject, as in `revocations.subject_of`.

    Attributes:
        stopped: whether the server stops, so that requests must not wait.

    >>> async def example() -> bool:
    ...     listeners = ChangeListeners()
    ...     with listeners.listen("party:1") as changed:
    ...         listeners.notify("party:1", "party:2")
    ...         return await wait_for_change(changed, 5.0)
    >>> asyncio.run(example())
    True
    """

    def __init__(self) -> None:
        self._waiting: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self.stopped = False

    @contextmanager
    def listen(self, subject: str) -> Iterator[asyncio.Event]:
        """Return an event that is set when the subject changes, or the server stops."""
        event = asyncio.Event()
        self._waiting[subject].add(event)
        try:
            yield event
        finally:
            self._waiting[subject].discard(event)
            if not self._waiting[subject]:
                del self._waiting[subject]

    def waits(self, subject: str) -> bool:
        """Return whether a request waits for this subject."""
        return subject in self._waiting

    def notify(self, *subjects: str) -> None:
        """Let the requests continue that wait for one of these subjects."""
        for subject in subjects:
            for event in tuple(self._waiting.get(subject, ())):
                event.set()

    def stop(self) -> None:
        """Let all requests continue, because the server stops."""
        self.stopped = True
        self.notify(*self._waiting)


async def wait_for_change(changed: asyncio.Event, seconds: float) -> bool:
    """Wait for an event of `listen`, at most for this time in seconds. Return whether it was set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await changed.wait()
    return changed.is_set()
