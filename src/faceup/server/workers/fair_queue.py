"""A queue for a few slots, such as worker processes, that is fair to every address, every player and every table.

A free slot goes to the waiting address with the fewest slots, and among these to the one served longest ago (round
robin). The players of an address take turns in the same way, and so do the tables of a player. The requests of a table
are served in order. If there are several slots, no address gets the last one, so that long work of one address never
blocks all others.

A request enters the queue once and may then wait for a slot several times, so that long work is done in slices, between
which others have their turn.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from functools import partial
from itertools import zip_longest
from typing import Final, NamedTuple, Self, TypeAlias, TypeVar

from faceup.server.accounts.errors import BusyError, OverloadedError
from faceup.server.process.metrics import Metrics

T = TypeVar("T")


class Owner(NamedTuple):
    """Who is responsible for a request.

    Attributes:
        source: the address, as in `ClientAddress.source`, or a hash of it.
        player: the player; "" without a session.
    """

    source: str
    player: str = ""


SERVER: Final = Owner("~server")
"""The owner of the server's own requests."""


class QueueBounds(NamedTuple):
    """Maximum numbers of requests in a queue, waiting or not.

    Attributes:
        per_player: of one player.
        anonymous: of all clients of one address that have no session.
        per_source: of one address.
        total: of all addresses.
    """

    per_player: int = 8
    anonymous: int = 16
    per_source: int = 32
    total: int = 256


class QueueLoad(NamedTuple):
    """How busy a queue is now.

    Attributes:
        name: the name of the queue in metrics.
        slots: the number of slots.
        running: how many requests have a slot.
        waiting: how many requests wait for one.
        longest: seconds that the longest waiting request has waited; 0 if none waits.
    """

    name: str
    slots: int
    running: int
    waiting: int
    longest: float


_Path: TypeAlias = tuple[str, ...]
"""The keys of a request, from its address over its player to its table, or the first of these keys."""

_ROOT: Final[_Path] = ()

_Group: TypeAlias = "dict[str, _Group] | deque[Ticket]"
"""The waiting tickets of a path, by the next key. The key that was served longest ago comes first."""


class FairQueue:
    """A queue for slots. It belongs to one event loop.

    Args:
        name: the name of the queue in metrics.
        slots: the number of slots at the start.
        metrics: counts the waiting requests and measures how long they wait.
        bounds: maximum numbers of requests.
        on_shortage: called if requests wait although every slot that they may have is in use.

    Attributes:
        watchers: events to set when the positions of waiting requests may have changed.
    """

    def __init__(
        self,
        name: str,
        slots: int,
        metrics: Metrics,
        *,
        bounds: QueueBounds = QueueBounds(),  # noqa: B008 -- immutable
        on_shortage: Callable[[], None] | None = None,
    ) -> None:
        self._name = name
        self._slots = self._free = slots
        self._bounds = bounds
        self._on_shortage = on_shortage
        self._entered: Counter[_Path] = Counter()
        self._running: Counter[_Path] = Counter()
        self._waiting: dict[str, _Group] = {}
        self._waiting_count = 0
        self.watchers: set[asyncio.Event] = set()
        self._length = metrics.queue_length.labels(name)
        self._seconds = metrics.queue_seconds.labels(name)

    def enter(self, owner: Owner, table: str = "") -> "Ticket":
        """Return the ticket of a new request. Use it as a context manager, so that the request leaves the queue.

        Args:
            owner: who is responsible for the request.
            table: the table that the request is about.

        Raises:
            BusyError: the owner has too many requests.
            OverloadedError: all owners together have too many requests.
        """
        self.check(owner)
        path = (*owner, table)
        self._entered.update(_entered_paths(path))
        return Ticket(self, path)

    def check(self, owner: Owner) -> None:
        """Raise the error of `enter` if the owner cannot enter another request."""
        bounds = self._bounds
        if self._entered[tuple(owner)] >= (bounds.per_player if owner.player else bounds.anonymous):
            raise BusyError("you have too many requests of this kind at the same time; try again in a few seconds")
        if self._entered[(owner.source,)] >= bounds.per_source:
            raise BusyError("your network has too many requests of this kind; try again in a few seconds")
        if self._entered[()] >= bounds.total:
            raise OverloadedError("the server has too many requests of this kind; try again in a few seconds")

    def leave(self, ticket: "Ticket") -> None:
        """Remove a request from the queue, and take its slot back."""
        for counted in _entered_paths(ticket.path):
            _decrement(self._entered, counted)
        if ticket.waiting:
            ticket.waiting = False
            self._waiting_count -= 1
            _remove(self._waiting, ticket.path, ticket)
            self._update()
        ticket.release()

    def join(self, ticket: "Ticket") -> None:
        """Let a request wait for a slot."""
        _add(self._waiting, ticket.path, ticket)
        ticket.waiting, ticket.since = True, asyncio.get_running_loop().time()
        self._waiting_count += 1
        self._grant()

    def give_back(self, path: _Path) -> None:
        """Take a slot back that the request with these keys had."""
        self._free += 1
        group: _Group = self._waiting
        for depth, key in enumerate(path):
            _decrement(self._running, path[: depth + 1])
            if isinstance(group, dict) and key in group:  # others have their turn first
                group[key] = group.pop(key)
                group = group[key]
            else:
                group = {}
        self._grant()

    def add_slot(self) -> None:
        """Add a slot."""
        self._slots += 1
        self._free += 1
        self._grant()

    def remove_free_slots(self, count: int) -> None:
        """Remove slots that are free."""
        self._slots -= count
        self._free -= count

    def _grant(self) -> None:
        """Give the free slots to waiting requests."""
        most = max(1, self._slots - 1)
        while self._free:
            allowed = [source for source in self._waiting if self._running[(source,)] < most]
            if not allowed:
                break
            ticket = self._take(self._waiting, allowed, _ROOT)
            self._free -= 1
            self._waiting_count -= 1
            self._running.update(ticket.path[: depth + 1] for depth in range(len(ticket.path)))
            ticket.waiting, ticket.granted = False, True
            self._seconds.observe(asyncio.get_running_loop().time() - ticket.since)
            if ticket.on_granted is not None and not ticket.on_granted.done():
                ticket.on_granted.set_result(None)
        if self._waiting_count and self._on_shortage is not None:
            self._on_shortage()
        self._update()

    def _take(self, group: dict[str, _Group], keys: Iterable[str], path: _Path) -> "Ticket":
        """Remove and return the next ticket of a group, considering only these of its keys."""
        key = min(keys, key=lambda key: self._running[*path, key])
        below = group.pop(key)
        ticket = below.popleft() if isinstance(below, deque) else self._take(below, below, (*path, key))
        if below:
            group[key] = below  # now the last
        return ticket

    def _update(self) -> None:
        self._length.set(self._waiting_count)
        for watcher in self.watchers:
            watcher.set()

    def load(self) -> QueueLoad:
        """Return how busy the queue is."""
        since = [ticket.since for ticket in self._order(self._waiting, _ROOT)]
        longest = asyncio.get_running_loop().time() - min(since) if since else 0.0
        return QueueLoad(self._name, self._slots, self._slots - self._free, len(since), longest)

    def requests(self) -> dict[Owner, int]:
        """Return the numbers of requests, waiting or not, by their owners."""
        return {Owner(*path): count for path, count in self._entered.items() if len(path) == len(Owner._fields)}

    def position(self, ticket: "Ticket") -> int:
        """Return the number of requests that get slots before this one, if no other request joins."""
        return self._order(self._waiting, _ROOT).index(ticket)

    def _order(self, group: _Group, path: _Path) -> "list[Ticket]":
        if isinstance(group, deque):
            return list(group)
        keys = sorted(group, key=lambda key: self._running[*path, key])
        return _interleave([self._order(group[key], (*path, key)) for key in keys])


class Ticket:
    """A request in a queue. As a context manager, it leaves the queue at the end.

    Attributes:
        path: the address, the player and the table of the request.
        waiting: whether the request waits for a slot.
        granted: whether the request has a slot.
        since: when it began to wait, in seconds of the event loop's clock.
        on_granted: a future that is done when the request gets a slot.
    """

    __slots__ = ("_queue", "granted", "on_granted", "path", "since", "waiting")

    def __init__(self, queue: FairQueue, path: _Path) -> None:
        self._queue = queue
        self.path = path
        self.waiting = False
        self.granted = False
        self.since = 0.0
        self.on_granted: asyncio.Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._queue.leave(self)

    async def wait(self, seconds: float | None = None) -> None:
        """Wait for a slot. If the request has a slot, give it back first, so that others have their turn.

        Raises:
            OverloadedError: there was no slot within this time.
        """
        self.release()
        self.on_granted = asyncio.get_running_loop().create_future()
        self._queue.join(self)
        try:
            async with asyncio.timeout(seconds):
                await self.on_granted
        except TimeoutError:
            raise OverloadedError("the server has too much to do; try again in a few seconds") from None

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
            self._queue.give_back(self.path)

    def detach(self) -> Callable[[], None]:
        """Return a function that gives the request's slot back; the caller must call it once.

        The slot is kept until then, even if the request leaves the queue, because its work may end later.
        """
        assert self.granted  # noqa: S101 -- the caller has waited
        self.granted = False
        return partial(self._queue.give_back, self.path)


def _entered_paths(path: _Path) -> tuple[_Path, ...]:
    """Return the paths for which requests are counted: all, the address and the player."""
    return path[:0], path[:1], path[:2]


def _add(group: dict[str, _Group], path: _Path, ticket: Ticket) -> None:
    """Add a ticket to a group, and the groups that are missing."""
    if len(path) > 1:
        below = group.setdefault(path[0], {})
        assert isinstance(below, dict)  # noqa: S101 -- the last key of a path has the tickets
        _add(below, path[1:], ticket)
    else:
        tickets = group.setdefault(path[0], deque())
        assert isinstance(tickets, deque)  # noqa: S101 -- as above
        tickets.append(ticket)


def _remove(group: dict[str, _Group], path: _Path, ticket: Ticket) -> None:
    """Remove a ticket from a group, and the groups that are empty then."""
    below = group[path[0]]
    if isinstance(below, deque):
        below.remove(ticket)
    else:
        _remove(below, path[1:], ticket)
    if not below:
        del group[path[0]]


def _interleave(queues: Iterable[Iterable[T]]) -> list[T]:
    """Return the first elements of all queues, then the second ones, and so on.

    >>> _interleave(["ad", "b", "ce"])
    ['a', 'b', 'c', 'd', 'e']
    """
    absent = object()
    rounds: Iterator[tuple[T | object, ...]] = zip_longest(*queues, fillvalue=absent)
    return [item for round_ in rounds for item in round_ if item is not absent]  # type: ignore[misc]  # `absent` is left out


def _decrement(counter: Counter[_Path], key: _Path) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
