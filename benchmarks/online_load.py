"""Tables of ten under load: everyone chooses, all is revealed, and every choice is sent to all ten sockets.

This module is independent of the server: a `Dialect` implements its protocol. Tables, clock and figures are the same
for all servers, and so is the cost of the client.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Sequence
from math import log
from time import perf_counter
from typing import NamedTuple, Protocol

from benchmarks.online_sockets import Socket, Take, connect

SEATS = 10


class Dialect(Protocol):
    """The protocol of one seat's client. One object for each seat, because some have state."""

    port: int
    path: str
    headers: dict[str, str]

    def count_updates(self, message: bytes) -> int:
        """Handle a message; return how many choices it acknowledges, 0 before the first choice."""
        ...

    def ready(self) -> bool:
        """Return whether it knows its seat's position."""
        ...

    def move(self) -> bytes | None:
        """Return the message with a legal choice; None if its seat has nothing to choose."""
        ...

    def reply(self, message: bytes) -> bytes | None:
        """Return the immediate reply to a greeting or ping in a message, if any."""
        ...


class Figures(NamedTuple):
    """The figures of a run.

    Attributes:
        choices: the number of choices sent to all ten seats.
        seconds: the time that took.
        waits: for each choice, the seconds until the last of the ten seats received it.
        answers: for each choice, the seconds until the seat that chose received it.
        messages: the number of messages received for each choice, by all ten seats together.
        size: the bytes of these messages for each choice.
    """

    choices: int
    seconds: float
    waits: list[float]
    answers: list[float]
    messages: float
    size: float


class Table:
    """Ten clients of one table, and the choices that are not acknowledged yet.

    The n-th message on each of the ten sockets counts as the answer to the n-th choice that was sent: servers answer in
    the order of receipt, which at one table is nearly always the order of sending.
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
        self.answers: list[float] = []
        self.messages = 0
        self.received = 0
        self.over = False

    async def connect(self) -> None:
        """Open all ten sockets, and wait until each client knows its position."""
        for number, dialect in enumerate(self.dialects):
            take = self._taker(number, dialect)
            self._sockets.append(await connect(dialect.port, dialect.path, dialect.headers, take))
        waited = perf_counter()
        while not all(dialect.ready() for dialect in self.dialects):
            await asyncio.sleep(0.005)
            if perf_counter() - waited > 30:
                raise TimeoutError(f"{type(self.dialects[0]).__name__}: a seat received nothing")

    def close(self) -> None:
        """Close all ten sockets."""
        for socket in self._sockets:
            socket.close()

    def deciders(self) -> list[int]:
        """Return the seats that have to choose; none when the game is over."""
        return [number for number, dialect in enumerate(self.dialects) if dialect.move() is not None]

    def expect(self, choices: int) -> None:
        """Set the number of choices of the open decision."""
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
        count_updates, reply, counts, left = dialect.count_updates, dialect.reply, self._heard, self._left
        sent, answers = self._sent, self.answers

        def take(message: bytes) -> bytes | None:
            self.messages += 1
            self.received += len(message)
            answer = reply(message)
            for _ in range(count_updates(message)):
                place = counts[number] - self._answered
                counts[number] += 1
                left[place] -= 1
                if sent[place][1] == number:
                    answers.append(perf_counter() - sent[place][0])
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
    """Open tables with all of their sockets."""
    made = [Table(dialects, decided) for dialects in tables]
    for start in range(0, len(made), 10):
        await asyncio.gather(*(table.connect() for table in made[start : start + 10]))
    return made


async def as_fast_as_it_goes(tables: Sequence[Table], seconds: float, turn: list[Callable[[Table], None]]) -> Figures:
    """Let all seats of every table choose at the same time, again after each reveal.

    Args:
        tables: connected tables with an open decision.
        seconds: the duration.
        turn: a list of one function, called at the end of each decision; this function replaces it.
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
    return _figures(tables, measured, took)


async def at_a_rate(
    tables: Sequence[Table], rate: float, seconds: float, turn: list[Callable[[Table], None]]
) -> Figures:
    """Let every seat choose at a random moment of a turn; turns are long enough for `rate` choices per second.

    Args:
        tables: connected tables with an open decision.
        rate: choices per second, over all tables.
        seconds: the duration.
        turn: as for `as_fast_as_it_goes`.
    """
    rng = random.Random(7)  # noqa: S311 -- moments, not cards
    longest = (SEATS + 1) * len(tables) / rate  # the last of ten random moments in a turn is at 10/11 of it on average

    def moments(deciders: int) -> list[float]:
        length = longest * deciders / SEATS
        return [rng.random() * length for _ in range(deciders)]

    return await _paced(tables, seconds, turn, moments)


async def as_people_choose(
    tables: Sequence[Table], seconds: float, turn: list[Callable[[Table], None]], *, thinking: float = 3.0
) -> Figures:
    """Let every seat think as people do: by default half of them for less than three seconds, few for more than ten.

    Args:
        tables: connected tables with an open decision.
        seconds: the duration.
        turn: as for `as_fast_as_it_goes`.
        thinking: the median of the seconds that a person thinks.
    """
    rng = random.Random(8)  # noqa: S311 -- moments, not cards

    def moments(deciders: int) -> list[float]:
        return [min(rng.lognormvariate(log(thinking), _SPREAD), _LONGEST) for _ in range(deciders)]

    return await _paced(tables, seconds, turn, moments)


_SPREAD, _LONGEST = 0.6, 30.0
"""The standard deviation of the logarithm of the seconds that a person thinks, and the limit of these seconds."""


async def _paced(
    tables: Sequence[Table],
    seconds: float,
    turn: list[Callable[[Table], None]],
    moments: Callable[[int], Sequence[float]],
) -> Figures:
    """Let every seat choose at its moment of a turn, in seconds since the turn started."""
    loop, running, left, done = asyncio.get_running_loop(), True, len(tables), asyncio.Event()

    def start_turn(table: Table) -> None:
        nonlocal left
        deciders = table.deciders() if running else []
        if not deciders:
            left -= 1
            if not left:
                done.set()
            return
        table.expect(len(deciders))
        for number, moment in zip(deciders, moments(len(deciders)), strict=True):
            loop.call_later(moment, table.choose, number)

    turn[0] = start_turn
    _forget(tables)
    start = perf_counter()
    for table in tables:
        start_turn(table)
    await asyncio.sleep(seconds)
    measured, took = sum(len(table.waits) for table in tables), perf_counter() - start
    running = False
    await asyncio.wait_for(done.wait(), 120)
    return _figures(tables, measured, took)


def _figures(tables: Sequence[Table], measured: int, took: float) -> Figures:
    waits = [wait for table in tables for wait in table.waits]
    answers = [answer for table in tables for answer in table.answers]
    messages, received = (sum(getattr(table, name) for table in tables) for name in ("messages", "received"))
    return Figures(measured, took, waits, answers, messages / len(waits), received / len(waits))


def _forget(tables: Sequence[Table]) -> None:
    for table in tables:
        table.waits.clear()
        table.answers.clear()
        table.messages = table.received = 0
