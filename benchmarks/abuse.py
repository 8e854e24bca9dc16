"""Attack a server from one address, and measure what a player at another address notices.

A server runs as `faceup serve` on all cores, with its default limits. Two players at one address choose at a table as
fast as their choices are acknowledged, twenty times a second at most; one of them also plays against three of the
strongest bots, and logs in again and again. An attack runs from another address in a process with a lower priority, as
its computer would not be the server's.

The variable ABUSE_SOURCES may name a folder with the sources of another version of faceup, which is measured instead.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import httpx
import websockets
from tests.server.server_process import free_port
from websockets.asyncio.client import ClientConnection

from benchmarks.abuse_attacks import ATTACKS
from benchmarks.interleave import Row
from benchmarks.online_processes import Server
from faceup.server.rooms.wire import SESSION_COOKIE

SECONDS: Final = 12.0
"""Seconds for which a player is measured during each attack."""
HEAD_START: Final = 2.0
"""Seconds that an attack has before."""

PLAYER: Final = "127.0.0.2"
ATTACKER: Final = "127.0.0.3"
"""The addresses from which the clients connect."""

CHOICE, BOTS, LOGIN = 50.0, 3.0, 2.0
"""The bars: milliseconds for 99 of 100 choices, seconds for all bots of a decision, and seconds for a login."""

ACCOUNT: Final = {"login": "ann", "password": "correct horse"}
SLOW: Final = {"clock": None}
PEOPLE: Final = {"game": "nimmt", "variant": "onehundredandfour", "options": {"seats": 2, "deals": 500}, "terms": SLOW}
WITH_BOTS: Final = {**PEOPLE, "options": {"seats": 4, "deals": 100}, "bots": ["champion"] * 3}


class Measured(NamedTuple):
    """What a player noticed during an attack.

    Attributes:
        choices: milliseconds until each choice was acknowledged.
        bots: seconds for which only bots had to choose, for each decision.
        logins: seconds of each login; failed ones count as infinite.
        place: the place of the player's table in the list of public tables; 1 is the first.
    """

    choices: list[float]
    bots: list[float]
    logins: list[float]
    place: int


def rows(times: int) -> list[Row]:
    """Measure every attack."""
    few = max(1, times // 15)
    return [row for name in ATTACKS for row in _rows(name, [asyncio.run(_measure(name)) for _ in range(few)])]


def _rows(name: str, runs: list[Measured]) -> Iterator[Row]:
    yield _row(f"{name}: 99 of 100 choices within", "ms", [_percentile(run.choices) for run in runs], CHOICE)
    yield _row("  the slowest bots of a decision", "s", [max(run.bots, default=SECONDS) for run in runs], BOTS)
    yield _row("  the slowest login", "s", [max(run.logins, default=SECONDS) for run in runs], LOGIN)
    if "public" in name:
        yield Row("  the place of a player's table in the list", "", [float(run.place) for run in runs])


def _row(name: str, unit: str, figures: list[float], bar: float) -> Row:
    return Row(name, unit, figures, None, (f"{bar:g} {unit}", median(figures) <= bar))


def _percentile(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)] if times else SECONDS * 1000


async def _measure(name: str) -> Measured:
    with _server(os.environ.get("ABUSE_SOURCES", "")) as server:
        async with _player() as ann, _player() as bo:
            url = f"http://127.0.0.1:{server.port}"
            ann.base_url = bo.base_url = httpx.URL(url)
            for client in (ann, bo):
                (await client.post("/api/session", json={})).raise_for_status()
            (await ann.post("/api/account", json=ACCOUNT)).raise_for_status()
            people = await _table(ann, PEOPLE)
            (await bo.post(f"/api/tables/{people}/commands", json={"id": "sit", "command": "sit"})).raise_for_status()
            own = await _table(ann, WITH_BOTS)
            listed = await _table(ann, {**WITH_BOTS, "listed": True})
            await _against_bots(server.port, own, ann, 5)  # the bots' search is loaded
            with _attack(name, server.port):
                await asyncio.sleep(HEAD_START)
                choices, bots, logins = await _until_all_end(
                    _choices(server.port, people, ann, bo),
                    _against_bots(server.port, own, ann, SECONDS),
                    _logins(url),
                )
                page = [table["id"] for table in (await ann.get("/api/tables")).json()]
            return Measured(choices, bots, logins, page.index(listed) + 1 if listed in page else len(page) + 1)


async def _until_all_end(*works: Coroutine[Any, Any, list[float]]) -> list[list[float]]:
    return list(await asyncio.gather(*works))


@contextmanager
def _server(sources: str) -> Iterator[Server]:
    """Serve a new database, with the sources of another version if any are named."""
    with tempfile.TemporaryDirectory(prefix="faceup-") as folder:
        port = free_port()
        command = [sys.executable, "-m", "faceup", "serve", "--port", str(port), "--log-level", "error"]
        path = os.pathsep.join([sources, *sys.path] if sources else sys.path)
        database = str(Path(folder) / "tables.sqlite")
        with Server([*command, "--database", database], port, None, Path(folder), {"PYTHONPATH": path}) as server:
            server.ready("/api/health")
            yield server


@contextmanager
def _attack(name: str, port: int) -> Iterator[None]:
    command = ["nice", "-n", "10", sys.executable, "-m", "benchmarks.abuse_attacks", name, str(port), ATTACKER, "ann"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as attack:
        assert attack.stdout is not None
        attack.stdout.readline()
        try:
            yield
        finally:
            attack.kill()


@asynccontextmanager
async def _player() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.AsyncHTTPTransport(local_address=PLAYER, verify=False)
    async with httpx.AsyncClient(transport=transport, timeout=120) as client:
        yield client


async def _table(host: httpx.AsyncClient, config: dict[str, Any]) -> str:
    """Create a table, and start it if bots fill its seats."""
    made = (await host.post("/api/tables", json={"config": config})).raise_for_status().json()["id"]
    if "bots" in config and not config.get("listed"):
        start = {"id": "start", "command": "start"}
        (await host.post(f"/api/tables/{made}/commands", json=start)).raise_for_status()
    return str(made)


class _Seat:
    """A player's WebSocket at a table."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._seat = self._decision = self._decided = -1
        self._actions: list[str] = []
        self._since = time.perf_counter()
        self._bots: list[float] = []

    async def choose(self, end: float) -> float | None:
        """Wait for a decision and choose. Return the milliseconds until the acknowledgement; None at the end."""
        while self._decided == self._decision or not self._actions:
            if await self._take(end) is None:
                return None
        decided = self._decided = self._decision
        move = {"id": f"{decided}", "command": "choose", "seat": self._seat, "action": self._actions[0]}
        started = time.perf_counter()
        await self._connection.send(json.dumps({**move, "decision": decided}))
        while (lines := await self._take(end)) is not None:
            if any("ack" in line or "rejected" in line for line in lines):
                if self._decided == self._decision:
                    self._since = time.perf_counter()
                return (time.perf_counter() - started) * 1000
        return None

    def all_bots(self) -> list[float]:
        """Return for how many seconds only bots had to choose, for each decision, and for the open one until now."""
        now = [time.perf_counter() - self._since] if self._decided == self._decision else []
        return [*self._bots[1:], *now]  # the first one is the snapshot

    async def _take(self, end: float) -> list[dict[str, Any]] | None:
        """Return the lines of the next message; None if there is none until the end."""
        try:
            async with asyncio.timeout(max(0.0, end - time.perf_counter())):
                lines = [json.loads(line) for line in str(await self._connection.recv()).splitlines()]
        except (TimeoutError, websockets.ConnectionClosed):
            return None
        for line in lines:
            part = line.get("room") or line.get("patch") or {}
            self._seat = part.get("seat", self._seat)
            self._actions = part.get("actions", self._actions)
            if part.get("decision", self._decision) != self._decision:
                self._decision = part["decision"]
                self._bots.append(time.perf_counter() - self._since)
                self._since = time.perf_counter()
            if "ping" in line:
                await self._connection.send(json.dumps({"command": "pong", "ping": line["ping"]}))
        return lines


@asynccontextmanager
async def _seat(port: int, table: str, player: httpx.AsyncClient) -> AsyncIterator[_Seat]:
    headers = {"cookie": f"{SESSION_COOKIE}={player.cookies[SESSION_COOKIE]}"}
    address = f"ws://127.0.0.1:{port}/api/tables/{table}/live"
    async with websockets.connect(
        address, additional_headers=headers, local_addr=(PLAYER, 0), open_timeout=60, max_size=None
    ) as connection:
        yield _Seat(connection)


async def _choices(port: int, table: str, *players: httpx.AsyncClient) -> list[float]:
    """Choose for two people at most twenty times a second, and return the milliseconds of each choice."""
    waits: list[float] = []
    end = time.perf_counter() + SECONDS

    async def play(player: httpx.AsyncClient) -> None:
        async with _seat(port, table, player) as seat:
            while (wait := await seat.choose(end)) is not None:
                waits.append(wait)
                await asyncio.sleep(0.1)

    await asyncio.gather(*(play(player) for player in players))
    return waits


async def _against_bots(port: int, table: str, player: httpx.AsyncClient, seconds: float) -> list[float]:
    """Choose against bots, and return the seconds for which they chose."""
    end = time.perf_counter() + seconds
    async with _seat(port, table, player) as seat:
        while await seat.choose(end) is not None:
            pass
        return seat.all_bots()


async def _logins(url: str) -> list[float]:
    """Log in about once a second on a new device, and return the seconds of each login."""
    waits = []
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        async with _player() as client:
            started = time.perf_counter()
            answer = await client.post(f"{url}/api/login", json=ACCOUNT)
            waits.append(time.perf_counter() - started if answer.status_code == 200 else float("inf"))
        await asyncio.sleep(1)
    return waits
