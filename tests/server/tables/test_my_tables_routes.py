"""The unfinished tables of a player, and what waits for the player at games with days per move."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx
import pytest
import pytest_asyncio
import sqlalchemy as sa
from tests.server.app_server import AppServer, opened, started_servers
from tests.server.player_export import export
from tests.server.postgresql import PostgreSQL
from tests.server.requests import do, room_view

from faceup.server.accounts.players import find_by_handle
from faceup.server.admin.deletion import erase_players
from faceup.server.admin.tables import act
from faceup.server.process.settings import Settings
from faceup.server.rooms.config import DAY
from faceup.server.store.schema import turns as stored_turns

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAYS = {"game": "nimmt", "options": {"seats": 2}, "terms": {"clock": 2 * DAY}}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AppServer]:
    """A server for all tests of this module, which use separate players."""
    async with opened(tmp_path_factory.mktemp("tables") / "tables.sqlite") as running:
        yield running


async def start(ann: httpx.AsyncClient, bo: httpx.AsyncClient) -> str:
    """Start a game of two with days per move."""
    table = str((await ann.post("/api/tables", json={"config": DAYS})).json()["id"])
    await do(bo, table, "sit", name="Bo")
    return table


async def choose(player: httpx.AsyncClient, table: str, command: str = "choose", *, index: int = 0) -> None:
    view = await room_view(player, table)
    fields = {"action": view["actions"][index]} if command == "choose" else {}
    response = await do(player, table, command, seat=view["seat"], decision=view["decision"], **fields)
    assert response.status_code == 200


async def waits(player: httpx.AsyncClient) -> dict[str, str | None]:
    """Return what each table of the player waits for."""
    return {row["id"]: row["waits_for"] for row in (await player.get("/api/me/tables")).json()}


async def turns(player: httpx.AsyncClient) -> int:
    return int((await player.get("/api/server-info")).json()["turns"])


async def test_the_tables_that_wait_for_the_player_come_first_with_the_time_left(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        first, second = await start(ann, bo), await start(ann, bo)
        await choose(ann, first)
        rows = (await ann.get("/api/me/tables")).json()
        assert [(row["id"], row["waits_for"], row["status"]) for row in rows] == [
            (second, "choice", "active"),
            (first, None, "active"),
        ]
        assert 2 * DAY - 60_000 < rows[0]["time_left"] <= 2 * DAY
        assert rows[1]["time_left"] is None
        assert [seat["name"] for seat in rows[0]["summary"]["seats"]] == ["Ann", "Bo"]
        assert (await turns(ann), await turns(bo)) == (1, 2)
        await choose(ann, first, "unchoose")
        assert await turns(ann) == 2
        await choose(ann, first, index=1)
        assert (await waits(ann))[first] is None
        await choose(bo, first)
        assert "choice" in {(await waits(client))[first] for client in (ann, bo)}  # the next decision


async def test_a_table_is_not_loaded_to_list_it(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await start(ann, bo)
        await app.hub.drop(table)
        assert (await waits(ann))[table] == "choice"
        assert table not in app.hub.rooms


async def test_a_pause_a_player_who_leaves_and_a_closed_table_wait_for_no_one(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await start(ann, bo)
        await do(ann, table, "pause")
        assert await turns(bo) == 0
        await do(ann, table, "resume")
        assert await turns(bo) == 1
        await do(bo, table, "leave", seat=1)
        assert (await turns(bo), (await waits(bo))[table]) == (0, None)
        other = await start(ann, bo)
        await do(ann, table, "close")
        await act(app.store, other, "close")
        assert (await turns(ann), await waits(ann)) == (0, {})


async def test_turns_are_exported_move_to_an_account_and_are_erased(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.guest("Bo") as account:
        table = await start(ann, bo)
        login = {"login": "bo-of-turns", "password": "a long password"}
        await account.post("/api/account", json=login)
        await bo.post("/api/login", json=login)  # merges the guest into the account
        assert (await turns(account), (await waits(account))[table]) == (1, "choice")
        handle = (await account.get("/api/me")).json()["handle"]
        player = await app.store.query(lambda connection: find_by_handle(connection, handle))
        exported = (await app.store.query(lambda connection: export(connection, player.id)))["turns"]
        assert [(row["table"], row["waiting"]) for row in exported] == [(table, True)]
        await erase_players(app.store, [player.id])
        query = sa.select(stored_turns.c.player).where(stored_turns.c.room == table)
        assert len(await app.store.query(lambda connection: connection.execute(query).all())) == 1  # only Ann's
        await app.hub.drop(table)
        decision = (await room_view(ann, table))["decision"]
        await choose(ann, table)
        async with asyncio.timeout(20):  # a bot plays for the player who was erased, and the turn ends
            while (await room_view(ann, table))["decision"] == decision:  # noqa: ASYNC110 -- what the server shows
                await asyncio.sleep(0.05)
            while await turns(ann) != 1:  # noqa: ASYNC110 -- as above
                await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_every_process_knows_what_waits(postgresql: PostgreSQL) -> None:
    async with AsyncExitStack() as stack:
        url = stack.enter_context(postgresql.shared_database())
        local, there = await started_servers(stack, url, Settings())
        ann, bo = [await stack.enter_async_context(local.guest(name)) for name in ("Ann", "Bo")]
        elsewhere = await stack.enter_async_context(there.client())
        elsewhere.cookies.update(ann.cookies)
        table = await start(ann, bo)
        assert (await waits(elsewhere))[table] == "choice"
        await choose(elsewhere, table)
        assert (await waits(ann))[table] is None
        await choose(bo, table)
        assert "choice" in {(await waits(client))[table] for client in (elsewhere, bo)}
