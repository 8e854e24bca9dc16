"""The application in this process, over a database of its own."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final, Protocol

import httpx
import pytest
from argon2.profiles import CHEAPEST

from faceup.server.api import Limits, make_app
from faceup.server.api.front import Front
from faceup.server.desk import Desk
from faceup.server.settings import Settings
from faceup.server.store import Store

HERE: Final = "http://cards.test"


class House:
    """One running application."""

    def __init__(self, app: Front, store: Store) -> None:
        self.app = app
        self.store = store

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

    async def table(self, host: httpx.AsyncClient, **opening: object) -> str:
        """A table that the client makes, of two seats and two cards each unless it says otherwise; it has seat 0."""
        usual = {"game": "nimmt", "options": {"seats": 2, "hand": 2}, "terms": {"clock": None, "stand_in": "lowest"}}
        answer = await host.post("/api/tables", json={"opening": {**usual, **opening}})
        assert answer.status_code == 201, answer.text
        found: str = answer.json()["id"]
        return found


class Serve(Protocol):
    """Starts an application; it ends with the test."""

    async def __call__(self, settings: Settings | None = ..., limits: Limits | None = ...) -> House: ...


@asynccontextmanager
async def opened(path: Path, settings: Settings | None = None, limits: Limits | None = None) -> AsyncIterator[House]:
    """An application over this database, until the end."""
    store = await Store.open(f"sqlite:///{path}")
    desk = Desk(store)
    await desk.start()
    app = make_app(settings or Settings(), store, desk, limits=limits, password_cost=CHEAPEST)
    await app.start()
    try:
        yield House(app, store)
    finally:
        await app.stop()
        await desk.stop()
        await store.close()


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Serve]:
    """Starts applications, all over the same database."""
    async with AsyncExitStack() as stack:

        async def start(settings: Settings | None = None, limits: Limits | None = None) -> House:
            return await stack.enter_async_context(opened(tmp_path / "tables.sqlite", settings, limits))

        yield start


@pytest.fixture
async def house(serve: Serve) -> House:
    """An application as it is by default."""
    return await serve()
