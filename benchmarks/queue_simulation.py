"""Simulate servers under load: processes that decide and broadcast, and a disk or a database that stores.

Each process has one core, which does one task at a time, first in, first out: decide a choice, prepare a group of
appends for the store, broadcast stored entries. All appends that wait when the store is free become one group and one
commit; the core is free during the commit. With PostgreSQL a group also costs time of the database: all processes share
its cores and its disk.
"""

import heapq
import random
from collections import deque
from collections.abc import Callable
from math import exp
from typing import Any, Final, NamedTuple

DECIDE: Final = 0
STORE: Final = 1
BROADCAST: Final = 2


class Costs(NamedTuple):
    """Costs of a server's work in microseconds, from `benchmarks online` unless noted.

    Attributes:
        decide: time of the process's core to read and decide a choice.
        group: time of the process's core for a group of appends that are stored together.
        append: time of the process's core for each append of a group.
        broadcast: time of the process's core to write one frame to each of the ten seats of a table.
        line: time of the process's core for each further append in the frames.
        reveal: time of the process's core for a reveal, after the last choice.
        sync: latency of a write to the disk, or of a commit of the database.
        row: time of the database's cores for each append; 0 if the database runs in the process.
        trip: time of the database's cores for each group.
    """

    decide: float
    group: float
    append: float
    broadcast: float
    line: float
    reveal: float
    sync: float
    row: float = 0.0
    trip: float = 0.0


class Crowd(NamedTuple):
    """The load: people at tables of ten.

    Attributes:
        tables: the number of tables.
        pause: seconds from a reveal until the first choice, while the page shows the reveal.
        think: the median thinking time after that, in seconds; the 95th percentile is three times as long.
        clock: the time limit in seconds, after which the timer chooses.
        together: whether all tables reveal at the same moment, as after an outage.
    """

    tables: int
    pause: float = 2.0
    think: float = 6.0
    clock: float = 30.0
    together: bool = False


class Found(NamedTuple):
    """The results of a simulation.

    Attributes:
        rate: choices per second.
        half: median milliseconds from the arrival of a choice until its table has received it.
        late: the 99th percentile of that time.
        most: the maximum of that time.
        busy: the utilization of a process's core, 0 to 1.
        store: the utilization of the database's cores, 0 to 1.
        group: mean number of appends in a commit.
    """

    rate: float
    half: float
    late: float
    most: float
    busy: float
    store: float
    group: float


_SPREAD: Final = 0.668
"""Sigma of a person's log-normal thinking time: the 95th percentile is three times the median."""
_SEATS: Final = 10


class _Process:
    """One process: the work queue of its core, and the appends that wait for the store."""

    __slots__ = ("busy", "done", "running", "storing", "waiting", "work")

    def __init__(self) -> None:
        self.work: deque[tuple[int, Any]] = deque()  # Any: the arguments of the kind of work
        self.waiting: list[tuple[int, float, bool]] = []
        self.running = False
        self.storing = False
        self.busy = 0.0
        self.done: list[tuple[int, float, bool]] = []


class Simulation:
    """A simulation run; times are in seconds.

    Args:
        costs: the cost of each kind of work.
        crowd: the load.
        processes: number of processes, each with one core; tables are distributed over them.
        cores: number of cores of the database; 0 if it runs in the process.
        seed: the seed of the thinking times.
    """

    def __init__(self, costs: Costs, crowd: Crowd, *, processes: int = 1, cores: int = 0, seed: int = 1) -> None:
        self._costs, self._crowd, self._cores = costs, crowd, cores
        self._rng = random.Random(seed)  # noqa: S311 -- moments, not cards
        self._processes = [_Process() for _ in range(processes)]
        self._left = [0] * crowd.tables
        self._turn = [0] * crowd.tables
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._number = 0
        self._now = 0.0
        self._waits: list[float] = []
        self._groups: list[int] = []
        self._database: deque[tuple[float, Callable[[], None]]] = deque()
        self._database_running = 0
        self._database_busy = 0.0
        self._flushing = False
        self._flush_waits: list[Callable[[], None]] = []

    def run(self, seconds: float, warm: float = 10.0) -> Found:
        """Run for some time after the first `warm` seconds, which are not counted unless all start together."""
        crowd = self._crowd
        for table in range(crowd.tables):
            start = 0.0 if crowd.together else -self._rng.random() * crowd.clock / 2
            self._open(table, start)
        skipped = 0.0 if crowd.together else warm
        counting = False
        while self._events and self._events[0][0] < skipped + seconds:
            self._now, _, act = heapq.heappop(self._events)
            if not counting and self._now >= skipped:
                counting = True
                self._waits.clear()
                self._groups.clear()
                self._database_busy = 0.0
                for process in self._processes:
                    process.busy = 0.0
            act()
        waits = sorted(self._waits) or [0.0]
        return Found(
            rate=len(self._waits) / seconds,
            half=1000 * waits[len(waits) // 2],
            late=1000 * waits[min(len(waits) - 1, int(len(waits) * 0.99))],
            most=1000 * waits[-1],
            busy=sum(process.busy for process in self._processes) / seconds / len(self._processes),
            store=self._database_busy / seconds / self._cores if self._cores else 0.0,
            group=sum(self._groups) / max(1, len(self._groups)),
        )

    def _at(self, moment: float, act: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._events, (moment, self._number, act))

    def _open(self, table: int, moment: float) -> None:
        """Run a decision: ten people choose when they are ready, and the timer chooses for the others."""
        crowd, rng = self._crowd, self._rng
        self._turn[table] += 1
        first = moment + crowd.pause
        times = [crowd.think * exp(rng.gauss(0, _SPREAD)) for _ in range(_SEATS)]
        ready = sorted(time for time in times if time < crowd.clock - crowd.pause)
        moments = [first + time for time in ready]
        if len(moments) < _SEATS:
            moments.append(moment + crowd.clock)  # one append chooses for all late seats
        self._left[table] = len(moments)
        for arrival in moments:
            if arrival >= self._now:
                self._at(arrival, lambda table=table: self._arrive(table))  # type: ignore[misc]  # mypy infers no lambda with a default
            else:
                self._left[table] -= 1  # it arrived before the simulation started
        if not self._left[table]:
            self._open(table, self._now)

    def _arrive(self, table: int) -> None:
        process = self._processes[table % len(self._processes)]
        self._left[table] -= 1
        self._do(process, DECIDE, (table, self._now, not self._left[table]))

    def _do(self, process: _Process, kind: int, what: Any) -> None:  # noqa: ANN401 -- as `_Process.work`
        process.work.append((kind, what))
        if not process.running:
            self._next(process)

    def _next(self, process: _Process) -> None:
        """Start the oldest work of the core's queue."""
        process.running = bool(process.work)
        if not process.work:
            return
        kind, what = process.work.popleft()
        cost = self._cost(kind, what) / 1e6
        process.busy += cost
        self._at(self._now + cost, lambda: self._finish(process, kind, what))

    def _cost(self, kind: int, what: Any) -> float:  # noqa: ANN401 -- as `_Process.work`
        costs = self._costs
        if kind == DECIDE:
            return costs.decide + (costs.reveal if what[2] else 0.0)
        if kind == STORE:
            return costs.group + costs.append * len(what)
        return costs.broadcast + costs.line * (len(what) - 1)

    def _finish(self, process: _Process, kind: int, what: Any) -> None:  # noqa: ANN401 -- as `_Process.work`
        if kind == DECIDE:
            process.waiting.append(what)
            self._store(process)
        elif kind == STORE:
            self._send(process, what)
        else:
            for table, arrived, last in what:
                self._waits.append(self._now - arrived)
                if last:
                    self._open(table, self._now)
        self._next(process)

    def _store(self, process: _Process) -> None:
        """Let the writer take all waiting appends, if it is free."""
        if process.storing or not process.waiting:
            return
        process.storing = True
        group, process.waiting = process.waiting, []
        self._groups.append(len(group))
        self._do(process, STORE, group)

    def _send(self, process: _Process, group: list[tuple[int, float, bool]]) -> None:
        def stored() -> None:
            process.storing = False
            tables: dict[int, list[tuple[int, float, bool]]] = {}
            for ticket in group:
                tables.setdefault(ticket[0], []).append(ticket)
            for lines in tables.values():
                self._do(process, BROADCAST, lines)
            self._store(process)

        if not self._cores:
            self._at(self._now + self._costs.sync / 1e6, stored)
            return
        self._database.append(((self._costs.trip + self._costs.row * len(group)) / 1e6, stored))
        self._query()

    def _query(self) -> None:
        """Start waiting work on the database's free cores."""
        while self._database and self._database_running < self._cores:
            cost, stored = self._database.popleft()
            self._database_running += 1
            self._database_busy += cost
            self._at(self._now + cost, lambda stored=stored: self._queried(stored))  # type: ignore[misc]  # as above

    def _queried(self, stored: Callable[[], None]) -> None:
        self._database_running -= 1
        self._flush_waits.append(stored)
        self._flush()
        self._query()

    def _flush(self) -> None:
        """Write the database's log: one write at a time, for all commits that waited at its start."""
        if self._flushing or not self._flush_waits:
            return
        self._flushing = True
        waited, self._flush_waits = self._flush_waits, []

        def flushed() -> None:
            self._flushing = False
            for stored in waited:
                stored()
            self._flush()

        self._at(self._now + self._costs.sync / 1e6, flushed)


def simulate(
    costs: Costs, crowd: Crowd, seconds: float = 60.0, *, processes: int = 1, cores: int = 0, seed: int = 1
) -> Found:
    """Simulate servers with these costs under this load.

    >>> quick = Costs(decide=50, group=30, append=10, broadcast=80, line=10, reveal=100, sync=500)
    >>> found = simulate(quick, Crowd(tables=100), 20)
    >>> 30 < found.rate < 90, found.half < 2, found.busy < 0.05
    (True, True, True)
    """
    return Simulation(costs, crowd, processes=processes, cores=cores, seed=seed).run(seconds)
