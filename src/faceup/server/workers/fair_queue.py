"""A queue for a few slots, such as worker processes, that is fair to every owner and every table.

A free slot goes to the waiting owner with the fewest slots, and among these to the one served longest ago (round
robin). The tables of an owner take turns in the same way, and the requests of a table are served in order.

A request enters the queue once and may then wait for a slot several times, so that long work is done in slices, between
which others have their turn.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from functools import partial
from itertools import zip_longest
from typing import Final, Self, TypeVar

from faceup.server.accounts.errors import BusyError
from faceup.server.metrics import Metrics

T = TypeVar("T")

PER_OWNER: Final = 8
"""Maximum number of requests of one owner."""

TOTAL: Final = 256
"""Maximum number of requests of all owners."""


class FairQueue:
    """A queue for slots. It belongs to one event loop.

    Args:
        name: the name of the queue in metrics.
        slots: the number of slots.
        metrics: counts the waiting requests and measures how long they wait.
        per_owner: maximum number of requests of one owner, waiting or not.
        total: maximum number of requests of all owners.

    Attributes:
        watchers: events to set when the positions of waiting requests may have changed.
    """

    def __init__(
        self, name: str, slots: int, metrics: Metrics, *, per_owner: int = PER_OWNER, total: int = TOTAL
    ) -> None:
        self._free = slots
        self._per_owner = per_owner
        self._total = total
        self._entered: Counter[str] = Counter()
        self._running: Counter[str] = Counter()
        # The waiting tickets by owner and table. The owner and the table served longest ago come first.
        self._waiting: dict[str, dict[str, deque[Ticket]]] = {}
        self.watchers: set[asyncio.Event] = set()
        self._length = metrics.queue_length.labels(name)
        self._seconds = metrics.queue_seconds.labels(name)

    def enter(self, owner: str, table: str = "") -> "Ticket":
        """Return the ticket of a new request. Use it as a context manager, so that the request leaves the queue.

        Args:
            owner: who is responsible for the request: a player, or the address of a client without a session.
            table: the table that the request is about.

        Raises:
            BusyError: the owner, or all owners together, have too many requests.
        """
        self.check(owner)
        self._entered[owner] += 1
        return Ticket(self, owner, table)

    def check(self, owner: str) -> None:
        """Raise `BusyError` if the owner cannot enter another request."""
        if self._entered[owner] >= self._per_owner:
            raise BusyError("you have too many requests of this kind at the same time; try again in a few seconds")
        if self._entered.total() >= self._total:
            raise BusyError("the server has too many requests of this kind; try again in a few seconds")

    def leave(self, ticket: "Ticket") -> None:
        """Remove a request from the queue, and take its slot back."""
        _decrement(self._entered, ticket.owner)
        if ticket.waiting:
            ticket.waiting = False
            tables = self._waiting[ticket.owner]
            tables[ticket.table].remove(ticket)
            if not tables[ticket.table]:
                del tables[ticket.table]
            if not tables:
                del self._waiting[ticket.owner]
            self._update()
        ticket.release()

    def join(self, ticket: "Ticket") -> None:
        """Let a request wait for a slot."""
        self._waiting.setdefault(ticket.owner, {}).setdefault(ticket.table, deque()).append(ticket)
        ticket.waiting, ticket.since = True, asyncio.get_running_loop().time()
        self._grant()

    def give_back(self, owner: str) -> None:
        """Take a slot back that the owner had."""
        self._free += 1
        _decrement(self._running, owner)
        if owner in self._waiting:  # others have their turn first
            self._waiting[owner] = self._waiting.pop(owner)
        self._grant()

    def _grant(self) -> None:
        """Give the free slots to waiting requests."""
        while self._free and self._waiting:
            owner = min(self._waiting, key=self._running.__getitem__)
            tables = self._waiting.pop(owner)
            table, tickets = next(iter(tables.items()))
            ticket = tickets.popleft()
            del tables[table]
            if tickets:
                tables[table] = tickets
            if tables:
                self._waiting[owner] = tables
            self._free -= 1
            self._running[owner] += 1
            ticket.waiting, ticket.granted = False, True
            self._seconds.observe(asyncio.get_running_loop().time() - ticket.since)
        self._update()

    def _update(self) -> None:
        self._length.set(sum(len(tickets) for tables in self._waiting.values() for tickets in tables.values()))
        for watcher in self.watchers:
            watcher.set()

    def position(self, ticket: "Ticket") -> int:
        """Return the number of requests that get slots before this one, if no other request joins."""
        owners = sorted(self._waiting, key=self._running.__getitem__)
        order = _interleave([_interleave(self._waiting[owner].values()) for owner in owners])
        return order.index(ticket)


class Ticket:
    """A request in a queue. As a context manager, it leaves the queue at the end.

    Attributes:
        owner: the owner of the request.
        table: the table of the request.
        waiting: whether the request waits for a slot.
        granted: whether the request has a slot.
        since: when it began to wait, in seconds of the event loop's clock.
    """

    __slots__ = ("_queue", "granted", "owner", "since", "table", "waiting")

    def __init__(self, queue: FairQueue, owner: str, table: str) -> None:
        self._queue = queue
        self.owner = owner
        self.table = table
        self.waiting = False
        self.granted = False
        self.since = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._queue.leave(self)

    async def wait(self) -> None:
        """Wait for a slot. If the request has a slot, give it back first, so that others have their turn."""
        async for _ in self.positions():
            pass

    async def positions(self) -> AsyncIterator[int]:
        """Wait for a slot as `wait`, and yield the number of requests ahead, at first and whenever it changes."""
        queue, moved = self._queue, asyncio.Event()
        self.release()
        queue.watchers.add(moved)
        try:
            queue.join(self)
            last = -1
            while self.waiting:
                moved.clear()
                if (position := queue.position(self)) != last:
                    last = position
                    yield position
                else:
                    await moved.wait()
        finally:
            queue.watchers.discard(moved)

    def release(self) -> None:
        """Give the slot back, if the request has one."""
        if self.granted:
            self.granted = False
            self._queue.give_back(self.owner)

    def detach(self) -> Callable[[], None]:
        """Return a function that gives the request's slot back; the caller must call it once.

        The slot is kept until then, even if the request leaves the queue, because its work may end later.
        """
        assert self.granted  # noqa: S101 -- the caller has waited
        self.granted = False
        return partial(self._queue.give_back, self.owner)


def _interleave(queues: Iterable[Iterable[T]]) -> list[T]:
    """Return the first elements of all queues, then the second ones, and so on.

    >>> _interleave(["ad", "b", "ce"])
    ['a', 'b', 'c', 'd', 'e']
    """
    absent = object()
    rounds: Iterator[tuple[T | object, ...]] = zip_longest(*queues, fillvalue=absent)
    return [each for one in rounds for each in one if each is not absent]  # type: ignore[misc]  # `absent` is left out


def _decrement(counter: Counter[str], key: str) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
