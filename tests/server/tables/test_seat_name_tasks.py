"""A guest who logs in, makes an account or chooses a name during a game is shown under the name there."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx
import pytest
from tests.server.app_server import AppServer, ListeningServer, opened

from faceup.server.accounts import session_routes
from faceup.server.rooms import Room

LOGIN = {"login": "ann", "password": "correct horse"}


async def names(client: httpx.AsyncClient, table: str) -> list[str]:
    return [seat["name"] for seat in (await client.get(f"/api/tables/{table}")).json()["room"]["seats"]]


@pytest.fixture
async def servers(url: str) -> AsyncIterator[list[AppServer]]:
    """One server on SQLite, and two on one PostgreSQL."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(opened(url)) for _ in range(2 if url.startswith("postgresql") else 1)]


async def test_a_login_names_the_seats_of_the_guest(servers: list[AppServer]) -> None:
    first, last = servers[0], servers[-1]
    async with (
        first.guest("Ann") as phone,
        first.guest("Guest") as laptop,
        last.guest("Bo") as bo,
        last.client() as stranger,
    ):
        await phone.post("/api/account", json=LOGIN)
        await phone.patch("/api/me", json={"face": "fox-3"})
        running, unlimited = await first.table(laptop, bo), {"clock": None, "autoplay": "lowest"}
        waiting = await first.table(laptop, options={"seats": 3}, terms=unlimited)
        days = await first.table(laptop, bo, terms={"clock": 86_400_000, "autoplay": "lowest"})
        assert await names(bo, running) == ["Guest", "Bo"]
        assert (await laptop.post("/api/login", json=LOGIN)).status_code == 200
        for client in (laptop, phone, bo, stranger):
            assert await names(client, running) == ["Ann", "Bo"]
            assert await names(client, days) == ["Ann", "Bo"]
        seats = (await bo.get(f"/api/tables/{waiting}")).json()["room"]["seats"]
        assert (seats[0]["name"], seats[0]["face"]) == ("Ann", "fox-3")
        summary = (await phone.get("/api/me/tables")).json()[0]["summary"]
        assert "Ann" in [seat["name"] for seat in summary["seats"] if seat]


async def test_a_login_loads_only_tables_with_a_guest(app: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    days = {"clock": 86_400_000, "autoplay": "lowest"}
    read, loaded = app.hub.room, list[str]()

    async def room(table: str) -> Room:
        loaded.append(table)
        return await read(table)

    async with app.guest("Ann") as phone, app.guest("Guest") as laptop, app.guest("Bo") as bo:
        await phone.post("/api/account", json=LOGIN)
        named, unnamed = await app.table(phone, bo, terms=days), await app.table(laptop, bo, terms=days)
        monkeypatch.setattr(app.hub, "room", room)
        assert (await laptop.post("/api/login", json=LOGIN)).status_code == 200
        assert loaded == [unnamed]
        assert await names(bo, unnamed) == await names(bo, named) == ["Ann", "Bo"]


async def test_a_new_account_and_its_name_reach_the_seats(servers: list[AppServer]) -> None:
    first, last = servers[0], servers[-1]
    async with first.guest("Guest") as guest, last.guest("Bo") as bo:
        table = await first.table(guest, bo)
        assert (await guest.post("/api/account", json=LOGIN)).status_code == 200
        assert await names(bo, table) == ["Guest", "Bo"]
        await guest.patch("/api/me", json={"name": "Ann"})
        assert await names(bo, table) == ["Ann", "Bo"]
        await guest.patch("/api/me", json={"name": "Zoe"})
        assert await names(bo, table) == ["Ann", "Bo"]


async def test_a_new_name_reaches_the_tournaments(app: AppServer) -> None:
    async with app.guest("Guest") as guest:
        settings = {"name": "Cup", "table": {"game": "nimmt", "terms": {"clock": 30_000, "autoplay": "lowest"}}}
        cup = (await guest.post("/api/tournaments", json={"settings": settings})).json()["tournament"]["id"]
        await guest.post(f"/api/tournaments/{cup}/commands", json={"command": "join"})
        await guest.patch("/api/me", json={"name": "Ann"})
        entrants = (await guest.get(f"/api/tournaments/{cup}")).json()["tournament"]["players"]
        assert [entrant["name"] for entrant in entrants] == ["Ann"]


async def test_the_second_seat_of_a_person_gets_a_number(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.guest("Guest") as laptop:
        await phone.post("/api/account", json=LOGIN)
        table = await app.table(phone, laptop)
        await laptop.post("/api/login", json=LOGIN)
        assert await names(phone, table) == ["Ann", "Ann 2"]


async def test_a_name_that_a_killed_server_has_not_shown_is_shown_to_everyone_after_a_reconnect(
    server: ListeningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def be_killed(*_: object) -> None:
        """Do nothing after the login is committed."""

    monkeypatch.setattr(session_routes, "show_name_everywhere", be_killed)
    async with server.guest("Ann") as phone, server.guest("Guest") as laptop, server.guest("Bo") as bo:
        await phone.post("/api/account", json=LOGIN)
        table = await server.table(laptop, bo)
        async with server.live(table, bo) as other:
            await other.until("room")
            await laptop.post("/api/login", json=LOGIN)
            assert await names(bo, table) == ["Guest", "Bo"]
            async with server.live(table, laptop) as connection:
                for client in (connection, other):
                    update = await client.until("patch")
                    assert [event["text"] for event in update["events"]] == ["Guest is now called Ann."]
                    assert [seat["name"] for seat in update["patch"]["seats"]] == ["Ann", "Bo"]
            async with server.live(table, laptop) as connection:
                assert [seat["name"] for seat in (await connection.until("room"))["room"]["seats"]] == ["Ann", "Bo"]
        log, _ = await server.hub.log(table, None)
        assert log.count(b"seat_renamed") == 1
