"""Measure online tables with ten seats, compared with boardgame.io: every choice is sent to all ten.

Our server stores each choice on disk before it answers; boardgame.io keeps everything in memory. The server runs on one
core and the clients on another, so that no figure includes the cost of the clients; CPU time is the kernel's count for
the server alone. Every run has a new server, so that the tables of other runs cost it nothing. A load before it, in
which Node.js still compiles, is not counted.

Broadcasting is most of the work, and most members of an update are the same for all viewers. So the server joins their
bytes instead of encoding an `Update` of `faceup.server.rooms.wire` for each viewer.

The limit of this machine is `peers/fanout.c`, which stores every choice durably and sends what our server sent in a
recorded game. It is measured if libwebsockets is installed.
"""

import asyncio
import os
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from benchmarks import online_boardgameio, online_faceup, online_fanout
from benchmarks.arena import on_core
from benchmarks.interleave import Row
from benchmarks.online_load import (
    SEATS,
    Dialect,
    Figures,
    Table,
    as_fast_as_it_goes,
    as_people_choose,
    at_a_rate,
    seated,
)
from benchmarks.online_processes import Server

SECONDS = 4.0
"""Seconds of each run."""
WARM_UP = 6.0
"""Seconds for which everyone chooses before a run is measured. Our server loads the coach's search after 5."""
SLOW, STEADY = 10.0, 200.0
"""Seconds of a run at a fixed rate, and that rate in choices per second."""
PEOPLE = -1.0
"""Instead of a rate: everyone thinks as people do."""
DEALS = 1000
"""More deals than are played."""
FEW, MANY = 10, 100
"""Tables for 100 and 1,000 sockets."""
ACTIVE = 1000
"""Tables in play when the server is killed."""


class Side(Protocol):
    """A server to measure; the modules `online_faceup` and `online_boardgameio` are sides."""

    READY: str

    @property
    def serve(self) -> Callable[..., Server]:
        """Start the server on a core, with its files in a folder."""

    @property
    def tables(self) -> Callable[[int, int, int], Sequence[Sequence[Dialect]]]:
        """Create tables on a port, with a number of deals."""


class Measured(NamedTuple):
    """The figures of a run.

    Attributes:
        rate: choices per second.
        cost: microseconds of the server's CPU time for each choice.
        half: the median of the time until the player who chose had the answer, in milliseconds.
        late: the 99th percentile of that time.
        seen: the 99th percentile of the time until all ten players had the choice, in milliseconds.
        messages: messages received for each choice, by all ten players together.
        size: bytes of these messages.
        socket: KiB of the server's memory for each idle socket.
    """

    rate: float
    cost: float
    half: float
    late: float
    seen: float
    messages: float
    size: float
    socket: float


def rows(times: int) -> list[Row]:
    """Measure rates, costs, waits and memory compared with the peer; then two processes, and a kill."""
    few = max(3, times // 3)
    peer, ours = f"boardgame.io {online_boardgameio.VERSION}", "faceup"
    sides: dict[str, Side] = {peer: online_boardgameio, ours: online_faceup}
    limit = f"C with libwebsockets {version}" if (version := online_fanout.version()) else None
    if limit:
        sides[limit] = online_fanout
    runs = [(FEW, 0.0), (MANY, 0.0), (MANY, STEADY), (MANY, PEOPLE)]
    measurements: dict[tuple[str, int, float], list[Measured]] = {}
    with on_core(1):
        for tables, rate in runs * few:
            for name, side in sides.items():
                if name == limit and rate:  # the recorded game was played as fast as it goes
                    continue
                with serving(side) as server:
                    measured = run_in_loop(measure(side, server, tables, rate, warm_up=WARM_UP))
                measurements.setdefault((name, tables, rate), []).append(measured)
    rows = [row for tables in (FEW, MANY) for row in _rates(measurements, tables, peer, ours)]
    rows += _costs(measurements, peer, ours)
    if limit:
        rows += _limits(measurements, limit, ours)
    rows += _waits(measurements, peer, ours)
    rows += _people(measurements, peer, ours)
    rows += _sockets(measurements, peer, ours)
    return [*rows, *two_processes(few), after_a_kill(few)]


def _rates(
    measurements: dict[tuple[str, int, float], list[Measured]], tables: int, peer: str, ours: str
) -> Iterator[Row]:
    own_rates, peer_rates = (_figures(measurements[side, tables, 0.0], "rate") for side in (ours, peer))
    bar = ("at least 4.5 x", median(own_rates) >= 4.5 * median(peer_rates))
    yield Row(f"choices at {tables * SEATS:,} sockets, durable", "/s", own_rates, (peer, median(peer_rates)), bar)
    yield Row(f"  {peer}, in memory", "/s", peer_rates)


def _costs(measurements: dict[tuple[str, int, float], list[Measured]], peer: str, ours: str) -> Iterator[Row]:
    for tables, rate, label in ((FEW, 0.0, ""), (MANY, 0.0, ", 1,000 sockets"), (MANY, STEADY, ", at 200 choices/s")):
        runs = measurements[ours, tables, rate], measurements[peer, tables, rate]
        most = 450 if rate else 160
        yield from _compared(f"server's processor for a choice, ten views{label}", "us", "cost", runs, peer, most=most)


def _limits(measurements: dict[tuple[str, int, float], list[Measured]], limit: str, ours: str) -> Iterator[Row]:
    for tables in (FEW, MANY):
        for name, what, unit in (("rate", "choices", "/s"), ("cost", "processor for a choice", "us")):
            limit_values, own_values = (_figures(measurements[side, tables, 0.0], name) for side in (limit, ours))
            yield Row(f"{what} at {tables * SEATS:,} sockets, {limit}", unit, limit_values, (ours, median(own_values)))


def _waits(measurements: dict[tuple[str, int, float], list[Measured]], peer: str, ours: str) -> Iterator[Row]:
    runs = measurements[ours, MANY, STEADY], measurements[peer, MANY, STEADY]
    label = "at 200/s and 1,000 sockets"
    yield from _compared(f"half of the choices answered within, {label}", "ms", "half", runs, peer)
    yield from _compared(f"99 of 100 answered within, {label}", "ms", "late", runs, peer, most_of_peer=1.0)
    yield from _compared(f"99 of 100 seen by all ten within, {label}", "ms", "seen", runs, peer)


def _people(measurements: dict[tuple[str, int, float], list[Measured]], peer: str, ours: str) -> Iterator[Row]:
    runs = measurements[ours, MANY, PEOPLE], measurements[peer, MANY, PEOPLE]
    for name, what, unit in (
        ("cost", "server's processor for a choice", "us"),
        ("messages", "messages for a choice, to ten players", ""),
        ("size", "bytes for a choice, to ten players", "B"),
        ("late", "99 of 100 answered within", "ms"),
    ):
        yield from _compared(f"{what}, as people choose", unit, name, runs, peer)


def _compared(
    what: str,
    unit: str,
    name: str,
    runs: tuple[Sequence[Measured], Sequence[Measured]],
    peer: str,
    *,
    most: float | None = None,
    most_of_peer: float | None = None,
) -> Iterator[Row]:
    """Return the rows of a figure of our runs and of the peer's.

    Ours may be promised to be at most `most`, or at most `most_of_peer` times the peer's.
    """
    own_values, peer_values = (_figures(measured, name) for measured in runs)
    bar = None if most is None else (f"{most} {unit}", median(own_values) <= most)
    if most_of_peer is not None:
        bar = (f"at most {most_of_peer:g} x", median(own_values) <= most_of_peer * median(peer_values))
    yield Row(what, unit, own_values, (peer, median(peer_values)), bar)
    yield Row(f"  {peer}", unit, peer_values)


def _figures(runs: Sequence[Measured], name: str) -> list[float]:
    return [getattr(run, name) for run in runs]


def _sockets(measurements: dict[tuple[str, int, float], list[Measured]], peer: str, ours: str) -> Iterator[Row]:
    for name in (ours, peer):
        figures = _figures(measurements[name, MANY, 0.0], "socket")
        bar = ("35 KiB", median(figures) <= 35) if name == ours else None
        yield Row("memory of an idle socket" if name == ours else f"  {name}", "KiB", figures, None, bar)


@contextmanager
def serving(side: Side, url: str = "", core: int | None = 0) -> Iterator[Server]:
    """Start the server of a side, wait until it answers, and kill it at the end."""
    with tempfile.TemporaryDirectory(prefix="faceup-") as folder:
        server: Server = side.serve(core, Path(folder), url) if url else side.serve(core, Path(folder))
        with server:
            server.ready(side.READY)
            yield server


async def measure(side: Side, server: Server, count: int, rate: float, *, warm_up: float = 0.0) -> Measured:
    """Create tables, connect everyone, and choose for some seconds, after a warm-up in which everyone chooses."""
    turn: list[Callable[[Table], None]] = [lambda _: None]
    clients = side.tables(server.port, count, DEALS)
    await asyncio.sleep(0.5)
    before = server.memory()
    tables = await seated(clients, lambda table: turn[0](table))  # noqa: PLW0108 -- it is another one later
    await asyncio.sleep(0.5)
    socket = (server.memory() - before) / 1024 / (SEATS * count)
    if warm_up:
        await as_fast_as_it_goes(tables, warm_up, turn)
        await asyncio.to_thread(server.settle)
    used = server.cpu()
    played = await _played(tables, rate, turn)
    cost = (server.cpu() - used) / len(played.waits)
    for table in tables:
        table.close()
    answers, waits = sorted(played.answers), sorted(played.waits)
    half, late = answers[len(answers) // 2], answers[int(len(answers) * 0.99)]
    return Measured(
        rate=played.choices / played.seconds,
        cost=cost * 1e6,
        half=half * 1e3,
        late=late * 1e3,
        seen=waits[int(len(waits) * 0.99)] * 1e3,
        messages=played.messages,
        size=played.size,
        socket=socket,
    )


async def _played(tables: Sequence[Table], rate: float, turn: list[Callable[[Table], None]]) -> Figures:
    if rate == PEOPLE:
        return await as_people_choose(tables, SLOW, turn)
    if rate:
        return await at_a_rate(tables, rate, SLOW, turn)
    return await as_fast_as_it_goes(tables, SECONDS, turn)


def two_processes(times: int) -> list[Row]:
    """Measure one process and two on one PostgreSQL, on all cores, with the clients and the database."""
    from tests.server.postgresql import PostgreSQL  # noqa: PLC0415 -- which the other rows do without

    figures: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    database = PostgreSQL().start()
    try:
        for _ in range(times):
            for processes, measurements in figures.items():
                with database.database() as url, ExitStack() as stack:
                    servers = [stack.enter_context(serving(online_faceup, url, None)) for _ in range(processes)]
                    measurements.append(run_in_loop(_shared(servers)))
    finally:
        database.remove()
    cores = os.cpu_count() or 1
    (rates_of_one, costs_of_one), (rates_of_two, costs_of_two) = (
        zip(*figures[number], strict=True) for number in (1, 2)
    )
    rate, cost = median(rates_of_one), median(costs_of_one)
    faster = ("1.7 x", median(rates_of_two) >= 1.7 * rate) if cores >= 4 else None
    dearer = ("at most 1.15 x", median(costs_of_two) <= 1.15 * cost)
    label = f"{cores} cores for all of it"
    return [
        Row(f"choices of one process on PostgreSQL, {label}", "/s", list(rates_of_one)),
        Row(f"choices of two processes on PostgreSQL, {label}", "/s", list(rates_of_two), ("one", rate), faster),
        Row("server's processor for a choice, one process on PostgreSQL", "us", list(costs_of_one)),
        Row("servers' processor for a choice, two processes", "us", list(costs_of_two), ("one", cost), dearer),
    ]


async def _shared(servers: Sequence[Server]) -> tuple[float, float]:
    """Measure choices per second of all servers, each with its part of a hundred tables, and their cost in us."""
    turn: list[Callable[[Table], None]] = [lambda _: None]
    clients = [seats for server in servers for seats in online_faceup.tables(server.port, MANY // len(servers), DEALS)]
    tables = await seated(clients, lambda table: turn[0](table))  # noqa: PLW0108 -- it is another one later
    used = sum(server.cpu() for server in servers)
    played = await as_fast_as_it_goes(tables, SECONDS, turn)
    cost = (sum(server.cpu() for server in servers) - used) / len(played.waits)
    for table in tables:
        table.close()
    return played.choices / played.seconds, cost * 1e6


def after_a_kill(times: int) -> Row:
    """Measure the seconds from killing a server with a thousand games until it serves a table again."""
    figures = []
    with tempfile.TemporaryDirectory(prefix="faceup-") as name:
        folder = Path(name)
        url = str(folder / "tables.sqlite")
        with online_faceup.serve(None, folder, url) as server:
            server.ready(online_faceup.READY)
            tables = online_faceup.tables(server.port, ACTIVE, 1, seats=2)
        for _ in range(times):
            start = perf_counter()
            with online_faceup.serve(None, folder, url) as server:
                server.ready(online_faceup.READY)
                assert online_faceup.seen(server.port, tables[-1][0])["status"] == "active"
                figures.append(perf_counter() - start)
    return Row(f"from a kill to serving, {ACTIVE:,} games in play", "s", figures, None, ("2 s", median(figures) <= 2))


def run_in_loop(work: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 -- what the work comes to
    """Run a coroutine; an unhandled error anywhere ends it immediately."""
    wrong: list[dict[str, Any]] = []  # Any: the event loop's error context

    async def watched() -> Any:  # noqa: ANN401 -- as above
        task = asyncio.current_task()
        assert task is not None

        def fail(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            wrong.append(context)
            task.cancel()

        asyncio.get_running_loop().set_exception_handler(fail)
        return await work

    try:
        import uvloop  # noqa: PLC0415 -- which is not everywhere

        return uvloop.run(watched())
    except asyncio.CancelledError:
        raise RuntimeError(str(wrong)) from wrong[0].get("exception")
