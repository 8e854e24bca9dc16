"""Measure a server that starts and stops with many tables: time, memory, and tables that are not in memory.

The database has copies of one game of two people. Times start with the process, after a `kill -9`.
"""

import asyncio
import os
import resource
import signal
import tempfile
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa

from benchmarks import online_faceup
from benchmarks.interleave import Row
from benchmarks.online_processes import Server
from benchmarks.online_sockets import Socket, connect
from faceup.core.record import Terms
from faceup.server.accounts.players import create_guest
from faceup.server.accounts.sessions import create_session
from faceup.server.live import TableHub
from faceup.server.rooms import Sit, TableConfig, commands
from faceup.server.rooms.wire import SESSION_COOKIE
from faceup.server.store import Store, new_code, new_id
from faceup.server.store.schema import log, rooms

READY: Final = "/api/ready"
MANY, IDLE, WATCHED = 50_000, 10_000, 4_000
"""Tables on disk; tables in use when a server stops and when memory is measured; those of them with a WebSocket."""
STORM: Final = 9_000
"""Tables with a WebSocket of their player, among the tables with deadlines at the same time."""
CLOCK: Final = 60_000
"""Milliseconds for a choice at these tables, in which all WebSockets are connected."""
VISITED: Final = 200
"""Tables that are not in memory and are asked for."""


class Prepared(NamedTuple):
    """A database: its file, the IDs of its tables, and the session key of the player in seat 0 of each."""

    file: Path
    tables: list[str]
    key: str


class Start(NamedTuple):
    """The seconds from the start of a process to its readiness, and to the first acknowledged choice."""

    ready: float
    choice: float


class Idle(NamedTuple):
    """The KiB of a table that no one watches, and the longest time in milliseconds to show one of them."""

    memory: float
    back: float


def rows(times: int) -> list[Row]:
    """Measure starts, memory, reconnections to tables, and stops."""
    few = max(1, times // 3)
    with tempfile.TemporaryDirectory(prefix="faceup-") as name:
        folder = Path(name)
        many, idle = (asyncio.run(_prepare(folder / f"{count}.sqlite", count, None)) for count in (MANY, IDLE))
        empty = _memory(folder, None)
        starts = [_start(folder, many, number) for number in range(few + 1)][1:]
        idles = [_idle(folder, idle, empty) for _ in range(few)]
        stops = [asyncio.run(_stop(folder, idle)) for _ in range(few)]
        storms = [_storm(folder, number) for number in range(few)]
    ready, choices = [start.ready for start in starts], [start.choice for start in starts]
    memory, back = [run.memory for run in idles], [run.back for run in idles]
    return [
        Row(f"from a kill to ready, {MANY:,} games in play", "s", ready, None, ("2 s", max(ready) <= 2)),
        Row("  to the first stored choice", "s", choices, None, ("2 s", max(choices) <= 2)),
        Row(f"memory of a table, {IDLE:,} that no one watches", "KiB", memory, None, ("12 KiB", max(memory) <= 12)),
        Row(f"  to show one of them, the slowest of {VISITED}", "ms", back, None, ("50 ms", max(back) <= 50)),
        Row(f"stop with {IDLE:,} tables, {WATCHED:,} of them watched", "s", stops, None, ("10 s", max(stops) <= 10)),
        Row(
            f"  while {IDLE:,} deadlines pass, {STORM:,} of them watched",
            "s",
            storms,
            None,
            ("10 s", max(storms) <= 10),
        ),
    ]


async def _prepare(file: Path, count: int, clock: int | None) -> Prepared:
    """Create a database with many copies of one game in play, of two people, or with a clock of one and a bot.

    Without a clock, nothing happens in it.
    """
    store = await Store.open(f"sqlite:///{file}")
    hub = TableHub(store)
    await hub.start()
    player = (await store.write(partial(create_guest, now=store.now(), name="Ann"))).id
    session = await store.write(partial(create_session, now=store.now(), player=player, device=""))
    bots = () if clock is None else ("random",)
    config = TableConfig(game="nimmt", options={"seats": 2}, terms=Terms(clock=clock), bots=bots)
    first = (await hub.create(config, player, "Ann")).table
    if bots:
        await hub.send(first, commands.Start(), id="start", player=player)
    else:
        await hub.send(first, Sit("Bo"), id="sit", player="bo")
    tables = [first, *(new_id() for _ in range(count - 1))]
    await store.write(partial(copy_table, tables=tables))
    await hub.stop()
    await store.close()
    return Prepared(file, tables, session.key)


def copy_table(connection: sa.Connection, *, tables: list[str]) -> None:
    """Copy the first of these tables to the others."""
    first, *others = tables
    room = connection.execute(sa.select(rooms).where(rooms.c.id == first)).mappings().one()
    entries = connection.execute(sa.select(log).where(log.c.room == first)).mappings().all()
    connection.execute(rooms.insert(), [{**room, "id": table, "code": f"{new_code()}{table}"} for table in others])
    connection.execute(log.insert(), [{**row, "room": table} for table in others for row in entries])


def _serve(folder: Path, prepared: Prepared | None) -> Server:
    """Start a server on the database, or on an empty one. It is killed at the end of its context."""
    return online_faceup.serve(None, folder, str(folder / "empty.sqlite" if prepared is None else prepared.file))


def _start(folder: Path, prepared: Prepared, number: int) -> Start:
    """Start a server, choose at the table of this number, and kill the server."""
    start = perf_counter()
    with _serve(folder, prepared) as server:
        server.ready(READY)
        ready = perf_counter() - start
        _choose(server.port, prepared.tables[number], prepared.key)
        return Start(ready, perf_counter() - start)


def _choose(port: int, table: str, key: str) -> None:
    """Choose a card."""
    path = f"/api/tables/{table}"
    room = _request(port, "GET", path, key)["room"]
    command = {"command": "choose", "seat": 0, "action": room["actions"][0], "decision": room["decision"]}
    _request(port, "POST", f"{path}/commands", key, {"id": "1", **command})


def _request(port: int, method: str, path: str, key: str, body: object = None) -> dict[str, Any]:  # Any: JSON
    wire = HTTPConnection("127.0.0.1", port)
    headers = {"content-type": "application/json", "cookie": f"{SESSION_COOKIE}={key}"}
    wire.request(method, path, None if body is None else msgspec.json.encode(body), headers)
    answer = wire.getresponse()
    content = answer.read()
    wire.close()
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status} {content[:200]!r}")
    return msgspec.json.decode(content, type=dict[str, Any])


def _memory(folder: Path, prepared: Prepared | None) -> int:
    """Return the bytes of a server that has nothing left to do."""
    with _serve(folder, prepared) as server:
        server.ready(READY)
        return _settled(server)


def _settled(server: Server) -> int:
    """Wait until the server is idle, after it has extended the deadlines, and return its bytes."""
    before = -1.0
    while (now := server.cpu()) - before > 0.1:
        before = now
        sleep(2)
    return server.memory()


def _idle(folder: Path, prepared: Prepared, empty: int) -> Idle:
    with _serve(folder, prepared) as server:
        server.ready(READY)
        memory = (_settled(server) - empty) / len(prepared.tables) / 1024
        slowest = 0.0
        _request(server.port, "GET", f"/api/tables/{prepared.tables[0]}", prepared.key)  # the first one is slower
        for table in prepared.tables[1 :: len(prepared.tables) // VISITED]:
            start = perf_counter()
            _request(server.port, "GET", f"/api/tables/{table}", prepared.key)
            slowest = max(slowest, perf_counter() - start)
        return Idle(memory, 1000 * slowest)


async def _stop(folder: Path, prepared: Prepared, storm: int = 0) -> float:
    """Return the seconds from SIGTERM to the exit of a server that is being watched.

    With a `storm`, the players of this number of tables are connected, and the first deadline has passed.
    """
    passed = asyncio.Event()

    def take(message: bytes) -> bytes | None:
        if b'"time_up"' in message:
            passed.set()
        if (at := message.find(b'{"ping":')) >= 0:
            return b'{"command":"pong","ping":%d}' % msgspec.json.decode(message[at:].partition(b"\n")[0])["ping"]
        return None

    headers = {"cookie": f"{SESSION_COOKIE}={prepared.key}"} if storm else {}
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with _serve(folder, prepared) as server:
        server.ready(READY)
        sockets: list[Socket] = []
        for first in range(0, storm or WATCHED, 50):
            paths = [f"/api/tables/{table}/live" for table in prepared.tables[first : first + 50]]
            sockets += await asyncio.gather(*(connect(server.port, path, headers, take) for path in paths))
        if storm:
            await asyncio.wait_for(passed.wait(), 3 * CLOCK / 1000)
        start = perf_counter()
        os.kill(server.pid, signal.SIGTERM)
        while server.running:  # noqa: ASYNC110 -- there is no event to wait for
            await asyncio.sleep(0.01)  # lets the sockets answer
        return perf_counter() - start


def _storm(folder: Path, number: int) -> float:
    """Return the seconds from SIGTERM to the exit of a server at which many deadlines have just passed."""
    return asyncio.run(_stop(folder, asyncio.run(_prepare(folder / f"storm-{number}.sqlite", IDLE, CLOCK)), STORM))
