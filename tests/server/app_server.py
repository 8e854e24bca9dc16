"""Servers in the process of the tests, with or without a port.

Servers as separate processes are in `server_process`.
"""

import asyncio
import json
import queue
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import uvicorn
import websockets
from argon2.profiles import CHEAPEST
from tests.server.migrated import create_file
from websockets.asyncio.client import ClientConnection

from faceup.server.http.app import make_app
from faceup.server.http.middleware import RequestMiddleware
from faceup.server.http.rate_limits import ServerLimits
from faceup.server.http.websocket_protocol import WebSocketProtocol
from faceup.server.live import TableHub, Timeouts
from faceup.server.process.settings import Settings
from faceup.server.process.uvicorn_server import MAX_MESSAGE_BYTES
from faceup.server.rooms.wire import SESSION_COOKIE
from faceup.server.store import Store

HERE: Final = "http://cards.test"
TIMEOUT: Final = 60
"""Timeout in seconds, generous for a busy machine."""
STALL: Final = 30_000
"""Milliseconds after which a blocked event loop counts as an outage: longer than a busy machine blocks it."""


class AppServer:
    """A server without a port: requests call its application.

    app: its application.
    store: its store.
    hub: its table hub.
    home: the IP address of clients.
    """

    home = "192.0.2.1"

    def __init__(self, app: RequestMiddleware, store: Store, hub: TableHub) -> None:
        self.app = app
        self.store = store
        self.hub = hub

    def client(self, **headers: str) -> httpx.AsyncClient:
        """Return a client with its own cookies."""
        return self.client_at(self.home, **headers)

    def client_at(self, address: str, **headers: str) -> httpx.AsyncClient:
        """Return a client at this IP address with its own cookies."""
        transport = httpx.ASGITransport(self.app, client=(address, 4711))
        return httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers)

    @asynccontextmanager
    async def guest(self, name: str, address: str = "") -> AsyncIterator[httpx.AsyncClient]:
        """Return a client that is logged in as a guest."""
        async with self.client_at(address or self.home) as client:
            (await client.post("/api/session", json={"name": name})).raise_for_status()
            yield client

    async def table(self, host: httpx.AsyncClient, *others: httpx.AsyncClient, **config: object) -> str:
        """Create a table with these players seated in order; two seats and two cards each by default."""
        defaults = {"game": "nimmt", "options": {"seats": 2, "hand": 2}, "terms": {"clock": None, "autoplay": "lowest"}}
        created = await host.post("/api/tables", json={"config": {**defaults, **config}})
        assert created.status_code == 201, created.text
        table: str = created.json()["id"]
        for other in others:
            sat = await other.post(f"/api/tables/{table}/commands", json={"id": "sit", "command": "sit"})
            assert sat.status_code == 200, sat.text
        return table


class ListeningServer(AppServer):
    """A server with a port.

    Attributes:
        base: its URL.
    """

    home = "127.0.0.1"

    def __init__(self, port: int, app_server: AppServer) -> None:
        super().__init__(app_server.app, app_server.store, app_server.hub)
        self.base = f"http://127.0.0.1:{port}"

    def client_at(self, address: str, **headers: str) -> httpx.AsyncClient:
        """Return an HTTP client at this loopback address with its own cookies."""
        # There is no HTTPS, and loading the system's certificates takes 0.1 s each time.
        transport = httpx.AsyncHTTPTransport(local_address=address, verify=False)
        return httpx.AsyncClient(base_url=self.base, headers=headers, timeout=TIMEOUT, transport=transport)

    @asynccontextmanager
    async def live(
        self, table: str, player: httpx.AsyncClient | None = None, query: str = "", *, token: str = "", origin: str = ""
    ) -> AsyncIterator["WebSocketClient"]:
        """Open a WebSocket to a table as the player, or anonymously."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        headers |= {"origin": origin} if origin else {}
        if player is not None and SESSION_COOKIE in player.cookies:
            headers["cookie"] = f"{SESSION_COOKIE}={player.cookies[SESSION_COOKIE]}"
        address = f"{self.base.replace('http', 'ws')}/api/tables/{table}/live{query}"
        async with websockets.connect(address, additional_headers=headers) as connection:
            yield WebSocketClient(connection)


class WebSocketClient:
    """The client's end of a WebSocket; it answers pings and queues the other lines."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._lines: list[dict[str, Any]] = []

    async def line(self) -> dict[str, Any]:
        """Return the next line other than a ping."""
        while True:
            while self._lines:
                line = self._lines.pop(0)
                if "ping" not in line:
                    return line
                with suppress(websockets.ConnectionClosed):  # lines received earlier can still be read
                    await self.connection.send(json.dumps({"command": "pong", "ping": line["ping"]}))
            frame = await asyncio.wait_for(self.connection.recv(), TIMEOUT)
            assert isinstance(frame, str)
            assert frame.endswith("\n")
            self._lines += [json.loads(line) for line in frame.splitlines()]

    async def until(self, *keys: str) -> dict[str, Any]:
        """Return the next line with one of these members."""
        while True:
            line = await self.line()
            if any(key in line for key in keys):
                return line

    async def ask(self, command_id: str, command: str, **fields: object) -> dict[str, Any]:
        """Send a command and return its answer."""
        await self.connection.send(json.dumps({"id": command_id, "command": command, **fields}))
        while True:
            line = await self.until("ack", "rejected")
            if command_id in {line.get("ack"), line.get("rejected")}:
                return line

    async def closed(self) -> int | None:
        """Wait for the end and return the close code."""
        with suppress(websockets.ConnectionClosed):
            while True:
                await asyncio.wait_for(self.connection.recv(), TIMEOUT)
        return self.connection.close_code


class _ServerWithoutSignals(uvicorn.Server):
    """A uvicorn server that leaves signals to the tests."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no handlers."""
        yield


@asynccontextmanager
async def built(
    database: str,
    settings: Settings,
    limits: ServerLimits | None = None,
    timeouts: Timeouts | None = None,
    skew: list[int] | None = None,
) -> AsyncIterator[AppServer]:
    """Assemble a server on this database, with cheap password hashing. The hub's clock is offset by the skew, in ms."""
    store = await Store.open(create_file(database))
    offset = [0] if skew is None else skew
    timeouts = timeouts or Timeouts(think_time=(0, 0), stall=STALL)
    hub = TableHub(store, timeouts=timeouts, clock=lambda: store.now() + offset[0])
    await hub.start()
    try:
        yield AppServer(make_app(settings, store, hub, limits=limits, password_cost=CHEAPEST), store, hub)
    finally:
        await hub.stop()
        await store.close()


async def started_servers(
    stack: AsyncExitStack, database: str, settings: Settings, limits: ServerLimits | None = None
) -> tuple[AppServer, AppServer]:
    """Start two servers without a port on one database, until the stack is closed."""
    servers = [await stack.enter_async_context(built(database, settings, limits)) for _ in range(2)]
    for app_server in servers:
        await app_server.app.start()
        stack.push_async_callback(app_server.app.stop)
    return servers[0], servers[1]


@asynccontextmanager
async def opened(
    database: Path | str,
    settings: Settings | None = None,
    limits: ServerLimits | None = None,
    skew: list[int] | None = None,
) -> AsyncIterator[AppServer]:
    """Run a server without a port on this file or URL. Its clock is offset by the skew, in ms."""
    url = database if isinstance(database, str) else f"sqlite:///{database}"
    async with built(url, settings or Settings(), limits, skew=skew) as app_server:
        await app_server.app.start()
        try:
            yield app_server
        finally:
            await app_server.app.stop()


@asynccontextmanager
async def listening_server(
    path: Path,
    *,
    settings: Settings | None = None,
    limits: ServerLimits | None = None,
    skew: list[int] | None = None,
    timeouts: Timeouts | None = None,
) -> AsyncIterator[ListeningServer]:
    """Run a server with a port on this file. Its clock is offset by the skew, in ms."""
    async with built(f"sqlite:///{path}", settings or Settings(), limits, timeouts, skew) as app_server:
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            app_server.app,
            log_config=None,
            log_level="warning",
            ws=WebSocketProtocol,
            ws_max_size=MAX_MESSAGE_BYTES,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=2,
        )
        server = _ServerWithoutSignals(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110 -- uvicorn provides no event
            await asyncio.sleep(0.01)
        try:
            yield ListeningServer(listener.getsockname()[1], app_server)
        finally:
            await app_server.hub.stop()  # ends the streams that uvicorn would wait for
            server.should_exit = True
            await serving
            listener.close()


@contextmanager
def in_background(path: Path, limits: ServerLimits) -> Iterator[ListeningServer]:
    """Run a server with a port in a thread with its own loop, for synchronous tests."""
    started: queue.Queue[tuple[ListeningServer, asyncio.AbstractEventLoop, asyncio.Event]] = queue.Queue()

    async def serve() -> None:
        async with listening_server(path, settings=Settings().without_limits(), limits=limits) as server:
            stop = asyncio.Event()
            started.put((server, asyncio.get_running_loop(), stop))
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    server, loop, stop = started.get(timeout=TIMEOUT)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
