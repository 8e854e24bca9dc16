"""Tables that are played at while their servers are killed."""

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
from tests.server.kills.checking import Blow, Findings, check
from tests.server.kills.players import Player
from tests.server.serving import free_port

from faceup.server.store import Outage, Store
from faceup.server.store.schema import outages

NIMMT: dict[str, Any] = {"game": "nimmt", "options": {"seats": 2, "deals": 1000}, "terms": {"clock": 5_000}}
WAR: dict[str, Any] = {"game": "war", "terms": {"clock": 1_000}}


def all_outages(connection: sa.Connection) -> list[Outage]:
    """Every outage that was ever entered, the earliest first."""
    asked = sa.select(outages.c.start, outages.c.end).order_by(outages.c.start)
    return [Outage(start=start, end=end) for start, end in connection.execute(asked)]


class Program:
    """One of our programs, which answers each line with a line."""

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
        """What it answers."""
        return await asyncio.to_thread(self._ask, line)

    def _ask(self, line: str) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(line, file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())


class Siege:
    """Servers of one database, their tables and players.

    Attributes:
        players: all of them.
        blows: what was done to the servers so far.
    """

    def __init__(self, database: str, forker: Program, killer: Program, servers: int, seed: int) -> None:
        self.players: list[Player] = []
        self.blows: list[Blow] = []
        self.ports = [free_port() for _ in range(servers)]
        self._database = database
        self._forker, self._killer = forker, killer
        self._processes: dict[int, int] = {}
        self._since = 0
        self._rng = random.Random(seed)  # noqa: S311 -- it plays, and keeps no secret
        self._playing: list[asyncio.Task[None]] = []

    async def start(self, port: int) -> None:
        """Start a server; come back when it answers."""
        self._processes[port] = await self._forker.ask(f"{port} {self._database}")
        for _ in range(3_000):
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            await asyncio.sleep(0.01)
        raise AssertionError("the server does not start")

    async def open_tables(self, openings: Sequence[tuple[dict[str, Any], float]]) -> None:
        """Open these tables and let their players play, each so eager to choose."""
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.ports[0]}", timeout=30) as client:
            for opening, eager in openings:
                table = ""
                for seat in range(2):
                    client.cookies.clear()
                    (await client.post("/api/session", json={"name": f"P{seat}"})).raise_for_status()
                    if seat == 0:
                        made = await client.post("/api/tables", json={"opening": opening})
                        assert made.status_code == 201, made.text
                        table = made.json()["id"]
                    else:
                        sat = await client.post(f"/api/tables/{table}/commands", json={"id": "sit", "do": "sit"})
                        assert sat.status_code == 200, sat.text
                    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
                    rng = random.Random(self._rng.random())  # noqa: S311 -- as above
                    self.players.append(Player(self.ports, table, seat, cookie=cookie, eager=eager, rng=rng))
        self._since = time.time_ns() // 1_000_000
        known = len(self._playing)
        self._playing += [asyncio.create_task(player.play()) for player in self.players[known:]]

    async def let_play(self) -> None:
        """For a while: until players were told so many lines, and then some, so that busy machines get as far."""
        wanted = self.told + self._rng.randint(1, 2 * len(self.players))
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                while self.told < wanted:  # noqa: ASYNC110 -- players have no event for it
                    await asyncio.sleep(0.01)
        await asyncio.sleep(self._rng.uniform(0, 0.3))

    @property
    def told(self) -> int:
        """Lines that players were told."""
        return sum(len(player.lines) for player in self.players)

    async def kill(self, port: int, *, at_commit: bool) -> None:
        """Kill a server, and start it again."""
        at = await self._strike(port, signal.SIGKILL, at_commit=at_commit)
        before = await self._known()
        with suppress(ProcessLookupError):
            while True:  # on a busy machine it takes a while to die, and has its port until then
                os.kill(self._processes[port], 0)
                await asyncio.sleep(0.005)
        await self.start(port)
        self._note(at, before, alone=len(self.ports) == 1)

    async def freeze(self, port: int, seconds: float) -> None:
        """Stop a server as it stands, and let it go on."""
        at = await self._strike(port, signal.SIGSTOP, at_commit=True)
        before = await self._known()
        await asyncio.sleep(seconds)
        await self._strike(port, signal.SIGCONT, at_commit=False)
        self._note(at, before, alone=len(self.ports) == 1)

    async def freeze_all(self, seconds: float) -> None:
        """Stop all servers as they stand, and let them go on."""
        async with self.blow(alone=True):
            for port in self.ports:
                await self._strike(port, signal.SIGSTOP, at_commit=False)
            await asyncio.sleep(seconds)
            for port in self.ports:
                await self._strike(port, signal.SIGCONT, at_commit=False)

    @asynccontextmanager
    async def blow(self, *, alone: bool) -> AsyncIterator[None]:
        """Something happens meanwhile; `alone` if nobody can play until it is over."""
        before = await self._known()
        at = time.time_ns() // 1_000_000
        yield
        self._note(at, before, alone=alone)

    async def _strike(self, port: int, blow: signal.Signals, *, at_commit: bool) -> int:
        if at_commit:
            return await self._killer.ask(f"{self._processes[port]} {int(blow)}")
        now = time.time_ns() // 1_000_000
        os.kill(self._processes[port], blow)
        return now

    async def _known(self) -> tuple[dict[tuple[str, int], int], dict[str, int]]:
        """What players were told by now, and what is kept."""
        await asyncio.sleep(0.02)  # what was sent before the blow is still on its way
        seen = {(player.table, player.seat): player.version or 0 for player in self.players}
        async with self.store() as store:
            return seen, await store.lengths(sorted({player.table for player in self.players}))

    def _note(self, at: int, before: tuple[dict[tuple[str, int], int], dict[str, int]], *, alone: bool) -> None:
        self.blows.append(Blow(at, time.time_ns() // 1_000_000, alone, *before))

    async def outages(self) -> list[Outage]:
        """All that were entered since the players came."""
        async with self.store() as store:
            return [outage for outage in await store.query(all_outages) if outage.end > self._since]

    async def until_time_is_up(self, slowest: int = 5_000) -> None:
        """Let nobody choose any more, and wait until the clock has chosen at all tables with no slower clock."""
        for player in self.players:
            player.eager = 0
        watched = [player for player in self.players if player.sight["opening"]["terms"]["clock"] <= slowest]
        decisions = {player.table: player.sight["decision"] + 2 for player in watched}
        async with asyncio.timeout(60):
            while any(player.sight["decision"] < decisions[player.table] for player in watched):  # noqa: ASYNC110 -- as above
                await asyncio.sleep(0.05)

    async def stop_playing(self) -> None:
        """Send the players home."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)

    async def findings(self) -> Findings:
        """Everything that was ever played, checked."""
        async with self.store() as store:
            return await check(store, self.players, self.blows, several=len(self.ports) > 1)

    @asynccontextmanager
    async def store(self) -> AsyncIterator[Store]:
        """The database, looked at from outside."""
        store = await Store.visit(self._database)
        yield store
        await store.close()

    async def end(self) -> None:
        """Kill what is left."""
        await self.stop_playing()
        for process in self._processes.values():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


@asynccontextmanager
async def siege(database: str, *, servers: int = 1, seed: int = 1) -> AsyncIterator[Siege]:
    """Servers of this database, started."""
    with Program("serving") as forker:
        await (await Store.visit(database)).close()  # it is there before anybody looks at it
        with Program("killing", database) as killer:
            made = Siege(database, forker, killer, servers, seed)
            try:
                for port in made.ports:
                    await made.start(port)
                yield made
            finally:
                await made.end()
