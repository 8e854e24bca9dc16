"""Turns at games with days per move, for programs: a list with an entity tag, and a stream."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import sqlalchemy as sa
from tests.server.app_server import ListeningServer, listening_server, started_servers
from tests.server.postgresql import PostgreSQL
from tests.server.requests import do, error
from tests.server.tables.test_my_tables_routes import choose, start

from faceup.server.http.rate_limits import ServerLimits
from faceup.server.process.settings import Settings
from faceup.server.store.schema import turns

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ListeningServer]:
    """A server for all tests of this module, which use separate players."""
    path = tmp_path_factory.mktemp("turns") / "tables.sqlite"
    async with listening_server(path, limits=ServerLimits(keep_alive=0.2)) as running:
        yield running


async def token_of(player: httpx.AsyncClient, *scopes: str) -> dict[str, Any]:
    token: dict[str, Any] = (await player.post("/api/tokens", json={"label": "a program", "scopes": scopes})).json()
    return token


async def messages(stream: httpx.Response) -> AsyncIterator[Any]:
    """Yield the tables of each list, and the last line."""
    async for line in stream.aiter_lines():
        if line:
            message = json.loads(line)
            yield [turn["id"] for turn in message["turns"]] if "turns" in message else message


async def test_an_unchanged_list_is_not_sent_again(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await start(ann, bo)
        key = (await token_of(ann, "read"))["key"]
        async with server.client(authorization=f"Bearer {key}") as program:
            first = await program.get("/api/me/turns")
            (turn,) = first.json()["turns"]
            assert (turn["id"], turn["decision"], turn["link"]) == (table, 0, f"{server.base}/t/{table}")
            assert turn["due"] - turn["since"] == 2 * 86_400_000
            tag = {"if-none-match": first.headers["etag"]}
            again = await program.get("/api/me/turns", headers=tag)
            assert (again.status_code, again.content) == (304, b"")
            await choose(ann, table)
            changed = await program.get("/api/me/turns", headers=tag)
            assert (changed.status_code, changed.json()) == (200, {"turns": []})


async def test_turns_need_the_scope_read(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.client() as nobody:
        key = (await token_of(ann, "play"))["key"]
        async with server.client(authorization=f"Bearer {key}") as program:
            for path in ("/api/me/turns", "/api/me/turns/stream"):
                assert error(await program.get(path)) == (403, "forbidden")
                assert error(await nobody.get(path)) == (401, "unauthenticated")


async def test_a_program_hears_of_every_turn_until_its_token_is_revoked(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        token = await token_of(ann, "read")
        async with (
            server.client(authorization=f"Bearer {token['key']}") as program,
            program.stream("GET", "/api/me/turns/stream") as stream,
            asyncio.timeout(30),
        ):
            lines = messages(stream)
            assert await anext(lines) == []
            table = await start(ann, bo)
            assert await anext(lines) == [table]
            await choose(ann, table)
            assert await anext(lines) == []
            await choose(ann, table, "unchoose")
            assert await anext(lines) == [table]
            await do(ann, table, "close")
            assert await anext(lines) == []
            await ann.delete(f"/api/tokens/{token['id']}")
            assert [line async for line in lines] == [{"end": "revoked"}]


async def test_a_stream_ends_when_the_server_stops(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack, asyncio.timeout(30):
        async with listening_server(tmp_path / "tables.sqlite") as stopping:
            ann = await stack.enter_async_context(stopping.guest("Ann"))
            stream = await stack.enter_async_context(ann.stream("GET", "/api/me/turns/stream"))
            lines = messages(stream)
            assert await anext(lines) == []
            reading = asyncio.ensure_future(anext(lines))
        assert await reading == {"end": "restart"}


@pytest.mark.slow
async def test_a_program_hears_of_a_choice_at_another_process(postgresql: PostgreSQL) -> None:
    async with AsyncExitStack() as stack:
        url = stack.enter_context(postgresql.shared_database())
        local, there = await started_servers(stack, url, Settings())
        ann, bo = [await stack.enter_async_context(local.guest(name)) for name in ("Ann", "Bo")]
        table = await start(ann, bo)
        ids = await local.store.query(lambda connection: connection.execute(sa.select(turns.c.player)).scalars().all())
        await there.store.beat()
        await local.store.beat()  # a process notifies others only from the heartbeat on in which it has seen them
        with there.hub.turn_feed.subscribe(ids) as changed:
            await choose(ann, table)
            async with asyncio.timeout(10):
                await changed.wait()
