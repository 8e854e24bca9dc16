"""Servers in the tests' own process, with their parts at hand: asked without a port, or listening on one.

One that is a process of its own, as people start it, is in `serving`.
"""

import asyncio
import json
import queue
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import uvicorn
import websockets
from argon2.profiles import CHEAPEST
from websockets.asyncio.client import ClientConnection

from faceup.server.api import Limits, make_app
from faceup.server.api.cookies import NAME
from faceup.server.api.front import Front
from faceup.server.api.lines import LinesProtocol
from faceup.server.desk import Desk, Patience
from faceup.server.running import LONGEST_MESSAGE
from faceup.server.settings import Settings
from faceup.server.store import Store
from faceup.server.tally import Tally

HERE: Final = "http://cards.test"
PATIENCE: Final = 60
"""Seconds in which something is to come: far longer than it takes on a busy machine."""


class House:
    """A server that has no port: whoever asks calls its application.

    Attributes:
        app: its application.
        store: its database.
        desk: its tables.
        tally: its counts.
    """

    def __init__(self, app: Front, store: Store, desk: Desk, tally: Tally) -> None:
        self.app = app
        self.store = store
        self.desk = desk
        self.tally = tally

    def client(self, **headers: str) -> httpx.AsyncClient:
        """Somebody's browser, with cookies of its own."""
        transport = httpx.ASGITransport(self.app, client=("192.0.2.1", 4711))
        return httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers)

    @asynccontextmanager
    async def guest(self, name: str) -> AsyncIterator[httpx.AsyncClient]:
        """Somebody who has come in."""
        async with self.client() as client:
            (await client.post("/api/session", json={"name": name})).raise_for_status()
            yield client

    async def table(self, host: httpx.AsyncClient, *others: httpx.AsyncClient, **opening: object) -> str:
        """A table at which these sit, in order; of two seats and two cards each unless it says otherwise."""
        usual = {"game": "nimmt", "options": {"seats": 2, "hand": 2}, "terms": {"clock": None, "stand_in": "lowest"}}
        made = await host.post("/api/tables", json={"opening": {**usual, **opening}})
        assert made.status_code == 201, made.text
        table: str = made.json()["id"]
        for other in others:
            sat = await other.post(f"/api/tables/{table}/commands", json={"id": "sit", "do": "sit"})
            assert sat.status_code == 200, sat.text
        return table


class Wired(House):
    """A server that listens.

    Attributes:
        base: its address.
    """

    def __init__(self, port: int, house: House) -> None:
        super().__init__(house.app, house.store, house.desk, house.tally)
        self.base = f"http://127.0.0.1:{port}"

    def client(self, **headers: str) -> httpx.AsyncClient:
        """Somebody's browser, at the other end of a wire."""
        # There is no https here, and reading the certificates of the world takes a tenth of a second each time.
        return httpx.AsyncClient(base_url=self.base, headers=headers, timeout=PATIENCE, verify=False)  # noqa: S501

    @asynccontextmanager
    async def live(
        self, table: str, player: httpx.AsyncClient | None = None, query: str = "", *, token: str = "", origin: str = ""
    ) -> AsyncIterator["Wire"]:
        """A live connection as the player, or as nobody."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        headers |= {"origin": origin} if origin else {}
        if player is not None and NAME in player.cookies:
            headers["cookie"] = f"{NAME}={player.cookies[NAME]}"
        address = f"{self.base.replace('http', 'ws')}/api/tables/{table}/live{query}"
        async with websockets.connect(address, additional_headers=headers) as connection:
            yield Wire(connection)


class Wire:
    """The client's end of a live connection; it answers pings, and keeps the other lines for whoever asks."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._lines: list[dict[str, Any]] = []

    async def line(self) -> dict[str, Any]:
        """The next line that is no ping."""
        while True:
            while self._lines:
                line = self._lines.pop(0)
                if "ping" not in line:
                    return line
                with suppress(websockets.ConnectionClosed):  # there may be lines to read from before that
                    await self.connection.send(json.dumps({"do": "pong", "ping": line["ping"]}))
            frame = await asyncio.wait_for(self.connection.recv(), PATIENCE)
            assert isinstance(frame, str)
            assert frame.endswith("\n")
            self._lines += [json.loads(each) for each in frame.splitlines()]

    async def until(self, *keys: str) -> dict[str, Any]:
        """The next line with one of these members."""
        while True:
            line = await self.line()
            if any(key in line for key in keys):
                return line

    async def ask(self, identifier: str, command: str, **fields: object) -> dict[str, Any]:
        """Send a command; come back with what answers it."""
        await self.connection.send(json.dumps({"id": identifier, "do": command, **fields}))
        while True:
            line = await self.until("ack", "refused")
            if identifier in {line.get("ack"), line.get("refused")}:
                return line

    async def closed(self) -> int | None:
        """Wait for the end; with which code."""
        with suppress(websockets.ConnectionClosed):
            while True:
                await asyncio.wait_for(self.connection.recv(), PATIENCE)
        return self.connection.close_code


class _Quiet(uvicorn.Server):
    """One that leaves signals to the tests."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


@asynccontextmanager
async def built(
    database: str, settings: Settings, limits: Limits | None = None, patience: Patience | None = None
) -> AsyncIterator[House]:
    """All that a server is made of but what calls its application, over this database; passwords cost little."""
    store = await Store.open(database)
    desk = Desk(store, patience=patience or Patience(think=(0, 0)))
    await desk.start()
    tally = Tally()
    try:
        yield House(
            make_app(settings, store, desk, limits=limits, tally=tally, password_cost=CHEAPEST), store, desk, tally
        )
    finally:
        await desk.stop()
        await store.close()


@asynccontextmanager
async def opened(path: Path, settings: Settings | None = None, limits: Limits | None = None) -> AsyncIterator[House]:
    """A server without a port, over this file, until the end."""
    async with built(f"sqlite:///{path}", settings or Settings(), limits) as house:
        await house.app.start()
        try:
            yield house
        finally:
            await house.app.stop()


@asynccontextmanager
async def wired(path: Path, *, limits: Limits | None = None) -> AsyncIterator[Wired]:
    """A server that listens, over this file, until the end."""
    async with built(f"sqlite:///{path}", Settings(), limits) as house:
        door = socket.socket()
        door.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            house.app,
            log_config=None,
            log_level="warning",
            ws=LinesProtocol,
            ws_max_size=LONGEST_MESSAGE,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=2,
        )
        server = _Quiet(config)
        serving = asyncio.create_task(server.serve(sockets=[door]))
        while not server.started:  # noqa: ASYNC110 -- uvicorn has no event for it
            await asyncio.sleep(0.01)
        try:
            yield Wired(door.getsockname()[1], house)
        finally:
            await house.desk.stop()  # ends the streams, for which uvicorn would wait
            server.should_exit = True
            await serving
            door.close()


@contextmanager
def in_background(path: Path, limits: Limits) -> Iterator[Wired]:
    """The same in a thread with a loop of its own, for tests that are not asynchronous."""
    started: queue.Queue[tuple[Wired, asyncio.AbstractEventLoop, asyncio.Event]] = queue.Queue()

    async def serve() -> None:
        async with wired(path, limits=limits) as server:
            stop = asyncio.Event()
            started.put((server, asyncio.get_running_loop(), stop))
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    server, loop, stop = started.get(timeout=PATIENCE)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
