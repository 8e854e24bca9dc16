"""Tables of ten under load: everyone chooses, all is revealed, and every choice is answered to all ten sockets.

What is here knows no server. A `Dialect` says how one is talked to; the tables, the clock and the figures are the same
for all, and so is what the client itself costs.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple, Protocol

from benchmarks.online_sockets import Socket, Take, connect

SEATS = 10


class Dialect(Protocol):
    """How one seat's client talks to its server. One object for each seat, since some have to remember."""

    port: int
    path: str
    headers: dict[str, str]

    def heard(self, message: bytes) -> int:
        """Take a message in; gives back how many choices it answers. What comes before the first choice is 0."""
        ...

    def ready(self) -> bool:
        """Whether it knows its seat's position."""
        ...

    def move(self) -> bytes | None:
        """What it sends to choose something legal; None if nothing is asked of its seat."""
        ...

    def reply(self, message: bytes) -> bytes | None:
        """What it answers at once to a message that greets or asks whether it is there, whatever else is in it."""
        ...


class Figures(NamedTuple):
    """Of a run.

    Attributes:
        choices: how many were answered to all ten.
        seconds: how long that took.
        waits: of each choice, the seconds until the last of the ten had its answer.
    """

    choices: int
    seconds: float
    waits: list[float]


class Table:
    """Ten clients of one table, and the choices that wait for their answers.

    The n-th message on each of the ten sockets answers the n-th choice that was sent: servers answer in the order in
    which they take, which at one table is the order of sending but for an instant here and there.
    """

    def __init__(self, dialects: Sequence[Dialect], decided: Callable[["Table"], None]) -> None:
        self.dialects = dialects
        self._decided = decided
        self._sockets: list[Socket] = []
        self._sent: deque[tuple[float, int]] = deque()
        self._heard = [0] * len(dialects)
        self._answered = 0
        self._expected = 0
        self._left: deque[int] = deque()
        self.waits: list[float] = []
        self.over = False

    async def connect(self) -> None:
        """Open all ten, and wait until each knows its position."""
        for number, dialect in enumerate(self.dialects):
            take = self._taker(number, dialect)
            self._sockets.append(await connect(dialect.port, dialect.path, dialect.headers, take))
        waited = perf_counter()
        while not all(dialect.ready() for dialect in self.dialects):
            await asyncio.sleep(0.005)
            if perf_counter() - waited > 30:
                raise TimeoutError(f"{type(self.dialects[0]).__name__}: a seat was told nothing")

    def close(self) -> None:
        """Hang up, all ten."""
        for socket in self._sockets:
            socket.close()

    def deciders(self) -> list[int]:
        """The seats of which something is asked; none when the game is over."""
        return [number for number, dialect in enumerate(self.dialects) if dialect.move() is not None]

    def expect(self, choices: int) -> None:
        """That many choices make the open decision."""
        self._expected = choices

    def choose(self, number: int) -> None:
        """Send the choice of that seat."""
        message = self.dialects[number].move()
        if message is None or self._sockets[number].closed:
            raise RuntimeError(f"seat {number} cannot choose")
        self._left.append(len(self.dialects))
        self._sent.append((perf_counter(), number))
        self._sockets[number].send(message)

    def _taker(self, number: int, dialect: Dialect) -> Take:
        heard, reply, counts, left = dialect.heard, dialect.reply, self._heard, self._left

        def take(message: bytes) -> bytes | None:
            answer = reply(message)
            for _ in range(heard(message)):
                place = counts[number] - self._answered
                counts[number] += 1
                left[place] -= 1
                if not left[place] and not place:
                    self._answer()
            return answer

        return take

    def _answer(self) -> None:
        left, sent = self._left, self._sent
        while left and not left[0]:
            left.popleft()
            self.waits.append(perf_counter() - sent.popleft()[0])
            self._answered += 1
            self._expected -= 1
        if not self._expected and not left:
            self._decided(self)


async def seated(tables: Sequence[Sequence[Dialect]], decided: Callable[[Table], None]) -> list[Table]:
    """Tables with all of their sockets open."""
    made = [Table(dialects, decided) for dialects in tables]
    for some in range(0, len(made), 10):
        await asyncio.gather(*(table.connect() for table in made[some : some + 10]))
    return made


async def as_fast_as_it_goes(tables: Sequence[Table], seconds: float, turn: list[Callable[[Table], None]]) -> Figures:
    """At every table all choose at once, and again as soon as all is revealed.

    Args:
        tables: connected, with a decision open.
        seconds: how long.
        turn: its one element is called at the end of each decision; it is replaced here.
    """
    running, done = True, asyncio.Event()
    open_tables = len(tables)

    def go(table: Table) -> None:
        nonlocal open_tables
        deciders = table.deciders() if running else []
        if not deciders:
            open_tables -= 1
            if not open_tables:
                done.set()
            return
        table.expect(len(deciders))
        for number in deciders:
            table.choose(number)

    turn[0] = go
    _forget(tables)
    start = perf_counter()
    for table in tables:
        go(table)
    await asyncio.sleep(seconds)
    measured, took = sum(len(table.waits) for table in tables), perf_counter() - start
    running = False
    await asyncio.wait_for(done.wait(), 60)
    return Figures(measured, took, [wait for table in tables for wait in table.waits])


async def at_a_rate(
    tables: Sequence[Table], rate: float, seconds: float, turn: list[Callable[[Table], None]]
) -> Figures:
    """Everybody chooses at a moment of its own within a turn, which is so long that `rate` choices are sent a second.

    Args:
        tables: connected, with a decision open.
        rate: choices a second, at all tables together.
        seconds: how long.
        turn: as for `as_fast_as_it_goes`.
    """
    loop, rng, running = asyncio.get_running_loop(), random.Random(7), True  # noqa: S311 -- moments, not cards
    each = (SEATS + 1) * len(tables) / rate  # of ten moments within a turn, the last is at 10/11 of it on average
    left = len(tables)
    done = asyncio.Event()

    def begin(table: Table) -> None:
        nonlocal left
        deciders = table.deciders() if running else []
        if not deciders:
            left -= 1
            if not left:
                done.set()
            return
        table.expect(len(deciders))
        length = each * len(deciders) / SEATS
        for number in deciders:
            loop.call_later(rng.random() * length, table.choose, number)

    turn[0] = begin
    _forget(tables)
    start = perf_counter()
    for table in tables:
        begin(table)
    await asyncio.sleep(seconds)
    measured, took = sum(len(table.waits) for table in tables), perf_counter() - start
    running = False
    await asyncio.wait_for(done.wait(), each + 60)
    return Figures(measured, took, [wait for table in tables for wait in table.waits])


def _forget(tables: Sequence[Table]) -> None:
    for table in tables:
        table.waits.clear()
