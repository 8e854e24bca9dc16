"""Servers that are killed while players use their tables."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from types import TracebackType
from typing import Any, Self

import httpx
import sqlalchemy as sa
from tests.server.kills.checks import Disruption, Findings, check
from tests.server.kills.players import Player
from tests.server.server_process import free_port

from faceup.server.store import Outage, Store
from faceup.server.store.schema import outages

NIMMT: dict[str, Any] = {"game": "nimmt", "options": {"seats": 2, "deals": 1000}, "terms": {"clock": 5_000}}
WAR: dict[str, Any] = {"game": "war", "terms": {"clock": 1_000}}


def all_outages(connection: sa.Connection) -> list[Outage]:
    """Return all recorded outages, the earliest first."""
    asked = sa.select(outages.c.start, outages.c.end).order_by(outages.c.start)
    return [Outage(start=start, end=end) for start, end in connection.execute(asked)]


class HelperProcess:
    """A helper process that answers each line with a line."""

    def __init__(self, module: str, *arguments: str) -> None:
        self._process = subprocess.Popen(
            (sys.executable, "-m", f"tests.server.kills.{module}", *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    async def ask(self, line: str) -> int:
        """Send a line and return the answer."""
        return await asyncio.to_thread(self._ask, line)

    def _ask(self, line: str) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(line, file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())


class KillTest:
    """Servers of one database with their tables and players.

    Attributes:
        players: all players.
        disruptions: kills, freezes and restarts so far.
    """

    def __init__(self, database: str, forker: HelperProcess, killer: HelperProcess, servers: int, seed: int) -> None:
        self.players: list[Player] = []
        self.disruptions: list[Disruption] = []
        self.ports = [free_port() for _ in range(servers)]
        self._database = database
        self._forker, self._killer = forker, killer
        self._processes: dict[int, int] = {}
        self._since = 0
        self._rng = random.Random(seed)  # noqa: S311 -- not used for secrets
        self._playing: list[asyncio.Task[None]] = []

    async def start(self, port: int) -> None:
        """Start a server and wait until it responds."""
        self._processes[port] = await self._forker.ask(f"{port} {self._database}")
        for _ in range(3_000):
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            await asyncio.sleep(0.01)
        raise AssertionError("the server does not start")

    async def open_tables(self, tables: Sequence[tuple[dict[str, Any], float]]) -> None:
        """Create these tables and start their players, each with its probability of choosing."""
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.ports[0]}", timeout=30) as client:
            for config, choice_probability in tables:
                table = ""
                for seat in range(2):
                    client.cookies.clear()
                    (await client.post("/api/session", json={"name": f"P{seat}"})).raise_for_status()
                    if seat == 0:
                        made = await client.post("/api/tables", json={"config": config})
                        assert made.status_code == 201, made.text
                        table = made.json()["id"]
                    else:
                        sat = await client.post(f"/api/tables/{table}/commands", json={"id": "sit", "command": "sit"})
                        assert sat.status_code == 200, sat.text
                    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
                    rng = random.Random(self._rng.random())  # noqa: S311 -- as above
                    self.players.append(
                        Player(self.ports, table, seat, cookie=cookie, choice_probability=choice_probability, rng=rng)
                    )
        self._since = time.time_ns() // 1_000_000
        count = len(self._playing)
        self._playing += [asyncio.create_task(player.play()) for player in self.players[count:]]

    async def play_for_a_while(self) -> None:
        """Wait until players have received a random number of lines, and up to 0.3 s longer."""
        target = self.lines_received + self._rng.randint(1, 2 * len(self.players))
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                while self.lines_received < target:  # noqa: ASYNC110 -- players provide no event
                    await asyncio.sleep(0.01)
        await asyncio.sleep(self._rng.uniform(0, 0.3))

    @property
    def lines_received(self) -> int:
        """Lines received by players."""
        return sum(len(player.lines) for player in self.players)

    async def kill(self, port: int, *, at_commit: bool) -> None:
        """Kill a server and restart it."""
        at = await self._send_signal(port, signal.SIGKILL, at_commit=at_commit)
        before = await self._progress()
        with suppress(ProcessLookupError):
            while True:  # a killed process may keep its port for a moment
                os.kill(self._processes[port], 0)
                await asyncio.sleep(0.005)
        await self.start(port)
        self._record(at, before, alone=len(self.ports) == 1)

    async def freeze(self, port: int, seconds: float) -> None:
        """Freeze a server and let it continue."""
        at = await self._send_signal(port, signal.SIGSTOP, at_commit=True)
        before = await self._progress()
        await asyncio.sleep(seconds)
        await self._send_signal(port, signal.SIGCONT, at_commit=False)
        self._record(at, before, alone=len(self.ports) == 1)

    async def freeze_all(self, seconds: float) -> None:
        """Freeze all servers and let them continue."""
        async with self.disruption(alone=True):
            for port in self.ports:
                await self._send_signal(port, signal.SIGSTOP, at_commit=False)
            await asyncio.sleep(seconds)
            for port in self.ports:
                await self._send_signal(port, signal.SIGCONT, at_commit=False)

    @asynccontextmanager
    async def disruption(self, *, alone: bool) -> AsyncIterator[None]:
        """Record a disruption. `alone`: no server answers until it is over."""
        before = await self._progress()
        at = time.time_ns() // 1_000_000
        yield
        self._record(at, before, alone=alone)

    async def _send_signal(self, port: int, number: signal.Signals, *, at_commit: bool) -> int:
        if at_commit:
            return await self._killer.ask(f"{self._processes[port]} {int(number)}")
        now = time.time_ns() // 1_000_000
        os.kill(self._processes[port], number)
        return now

    async def _progress(self) -> tuple[dict[tuple[str, int], int], dict[str, int]]:
        """Return what players have received and what is stored."""
        await asyncio.sleep(0.02)  # lines sent before the disruption may not have arrived yet
        seen = {(player.table, player.seat): player.version or 0 for player in self.players}
        async with self.store() as store:
            return seen, await store.last_seqs(sorted({player.table for player in self.players}))

    def _record(self, at: int, before: tuple[dict[tuple[str, int], int], dict[str, int]], *, alone: bool) -> None:
        self.disruptions.append(Disruption(at, time.time_ns() // 1_000_000, alone, *before))

    async def outages(self) -> list[Outage]:
        """Return the outages recorded since the players started."""
        async with self.store() as store:
            return [outage for outage in await store.query(all_outages) if outage.end > self._since]

    async def wait_for_timeouts(self, slowest: int = 5_000) -> None:
        """Stop all choices, and wait for two timeouts at each table with a clock of up to `slowest` milliseconds."""
        for player in self.players:
            player.choice_probability = 0
        watched = [player for player in self.players if player.room_view["config"]["terms"]["clock"] <= slowest]
        decisions = {player.table: player.room_view["decision"] + 2 for player in watched}
        async with asyncio.timeout(60):
            while any(player.room_view["decision"] < decisions[player.table] for player in watched):  # noqa: ASYNC110 -- as above
                await asyncio.sleep(0.05)

    async def stop_playing(self) -> None:
        """Stop the players."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)

    async def findings(self) -> Findings:
        """Check everything that was played."""
        async with self.store() as store:
            return await check(store, self.players, self.disruptions, several=len(self.ports) > 1)

    @asynccontextmanager
    async def store(self) -> AsyncIterator[Store]:
        """Attach to the database."""
        store = await Store.attach(self._database)
        yield store
        await store.close()

    async def end(self) -> None:
        """Kill the remaining processes."""
        await self.stop_playing()
        for process in self._processes.values():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


@asynccontextmanager
async def kill_test(database: str, *, servers: int = 1, seed: int = 1) -> AsyncIterator[KillTest]:
    """Start servers on this database."""
    with HelperProcess("fork_server") as forker:
        await (await Store.attach(database)).close()  # creates the database before the servers open it
        with HelperProcess("commit_killer", database) as killer:
            made = KillTest(database, forker, killer, servers, seed)
            try:
                for port in made.ports:
                    await made.start(port)
                yield made
            finally:
                await made.end()
