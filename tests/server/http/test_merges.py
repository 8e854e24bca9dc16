"""A guest who logs in stays the same person in every role: at tables, in parties, by mail, and for limits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from tests.server.app_server import AppServer
from tests.server.parties.test_routes import NIMMT, get, handle_of, join, key_of, people, send, start

from faceup.server.accounts.players import find_by_handle
from faceup.server.accounts.schema import sessions
from faceup.server.parties.schema import party_members
from faceup.server.process.settings import Settings
from faceup.server.rooms.wire import SESSION_COOKIE
from faceup.server.store import new_id
from faceup.server.tables.schema import quick_seats
from faceup.server.turns import mail_addresses
from faceup.server.turns.schema import push_subscriptions

LOGIN = {"login": "gus", "password": "a long enough password"}
THREE = {"game": "nimmt", "options": {"seats": 3, "hand": 2}, "terms": {"clock": None, "autoplay": "lowest"}}


@asynccontextmanager
async def worlds(
    database: Path | str, number: int = 1
) -> AsyncIterator[tuple[list[AppServer], httpx.AsyncClient, httpx.AsyncClient, httpx.AsyncClient]]:
    """Run servers, and yield a host, a guest, and another device with the account to which the guest will log in."""
    async with people(database, "Ann Gus Gus", number) as (servers, (ann, guest, account)):
        await send(account, "POST", "/api/account", LOGIN)
        yield servers, ann, guest, account


async def log_in(guest: httpx.AsyncClient) -> None:
    await send(guest, "POST", "/api/login", LOGIN)


async def command(client: httpx.AsyncClient, table: str, name: str, **fields: object) -> httpx.Response:
    body = {"id": new_id(), "command": name, **fields}
    return await client.post(f"/api/tables/{table}/commands", json=body)


async def seats_of(client: httpx.AsyncClient, table: str) -> list[str]:
    room = (await get(client, f"/api/tables/{table}"))["room"]
    return [seat["name"] for seat in room["seats"] if seat]


async def invite(host: httpx.AsyncClient, to: httpx.AsyncClient, table: str) -> None:
    await send(host, "POST", "/api/invitations", {"to": await handle_of(to), "table": table})


async def accept(client: httpx.AsyncClient) -> None:
    for invitation in (await get(client, "/api/inbox"))["invitations"]:
        await send(client, "POST", f"/api/invitations/{invitation['id']}/accept")


async def id_of(server: AppServer, client: httpx.AsyncClient) -> str:
    handle = await handle_of(client)
    return await server.store.query(lambda connection: find_by_handle(connection, handle).id)


async def test_a_removed_guest_who_logs_in_is_not_seated_by_an_invitation(tmp_path: Path) -> None:
    async with worlds(tmp_path) as ((server,), ann, guest, account):
        await server.table(ann, account)  # so that they know each other
        table = await server.table(ann, guest, **THREE)
        assert (await command(ann, table, "remove", seat=1)).status_code == 200
        await invite(ann, account, table)
        await log_in(guest)
        for device in (guest, account):
            await accept(device)
            assert (await command(device, table, "sit")).status_code == 403
        assert await seats_of(ann, table) == ["Ann"]


async def test_a_seated_guest_who_logs_in_gets_no_second_seat(tmp_path: Path) -> None:
    async with worlds(tmp_path) as ((server,), ann, guest, account):
        await server.table(ann, account)
        table = await server.table(ann, guest, **THREE)
        await invite(ann, account, table)
        await log_in(guest)
        assert (await get(guest, "/api/inbox"))["invitations"] == []
        for device in (guest, account):
            assert (await command(device, table, "sit")).status_code == 409
            assert (await get(device, f"/api/tables/{table}"))["room"]["seat"] == 1
            assert [row["id"] for row in await get(device, "/api/me/tables")].count(table) == 1
        assert await seats_of(ann, table) == ["Ann", "Gus"]


@pytest.mark.sample(1)
async def test_another_server_that_knows_the_account_from_before_gives_it_no_second_seat(url: str) -> None:
    async with worlds(url, 2) as ((first, _), ann, guest, account):  # the account is at the first server
        table = await first.table(ann, **THREE)
        assert (await command(guest, table, "sit")).status_code == 200
        assert await handle_of(account)
        await log_in(guest)
        assert (await command(account, table, "sit")).status_code == 409
        assert await seats_of(ann, table) == ["Ann", "Gus"]


async def test_a_quick_match_of_the_guest_is_that_of_the_account(tmp_path: Path) -> None:
    async with worlds(tmp_path) as ((server,), _, guest, account):
        wish = {"game": "nimmt", "seats": 4}
        table = (await send(guest, "POST", "/api/quick-match", wish, 201))["id"]
        await log_in(guest)
        assert (await send(account, "POST", "/api/quick-match", wish, 201))["id"] == table
        assert await seats_of(account, table) == ["Gus"]
        query = sa.select(quick_seats.c.room)
        rows = await server.store.query(lambda connection: connection.execute(query).scalars().all())
        assert rows == [table]
        # A quick match of another kind frees the seat that the guest took.
        await send(account, "POST", "/api/quick-match", {"game": "nimmt", "seats": 3}, 201)
        assert (await get(account, f"/api/tables/{table}"))["room"]["status"] == "closed"


async def test_a_member_who_logs_in_during_a_party_game_is_here_and_keeps_the_seat_in_the_next(tmp_path: Path) -> None:
    async with worlds(tmp_path) as ((server,), ann, guest, account):
        party = await start(ann)
        await join(guest, await key_of(ann, party))
        config = {**NIMMT, "options": {"hand": 2}}
        table = (await send(ann, "POST", f"/api/parties/{party}/tables", {"config": config}, 201))["id"]
        assert (await command(guest, table, "sit")).status_code == 200
        await log_in(guest)
        away = sa.update(party_members).values(seen_at=0)
        await server.store.write(lambda connection: connection.execute(away))
        shown = await get(ann, f"/api/parties/{party}")
        assert [(member["name"], member["here"]) for member in shown["members"]] == [("Ann", True), ("Gus", True)]
        assert (await get(account, f"/api/parties/{party}"))["table"]["place"] == "seat"
        following = await send(ann, "POST", f"/api/parties/{party}/tables", {"config": config, "instead": table}, 201)
        room = (await get(ann, f"/api/tables/{following['id']}"))["room"]
        assert await handle_of(account) in room["reserved"]


async def test_a_seat_that_is_reserved_for_the_guest_is_taken_by_the_account(tmp_path: Path) -> None:
    async with worlds(tmp_path) as (_, ann, guest, account):
        party = await start(ann)
        await join(guest, await key_of(ann, party))
        table = (await send(ann, "POST", f"/api/parties/{party}/tables", {"config": NIMMT}, 201))["id"]
        await log_in(guest)
        earlier = (await get(account, "/api/server-info"))["handles"]
        reserved = (await get(account, f"/api/tables/{table}"))["room"]["reserved"]
        assert set(earlier) & set(reserved)
        assert (await command(account, table, "sit")).status_code == 200
        assert (await get(guest, f"/api/tables/{table}"))["room"]["seat"] == 1


async def test_a_host_without_a_seat_stays_the_host_of_the_seat_of_the_account(tmp_path: Path) -> None:
    async with worlds(tmp_path) as (_, ann, guest, account):
        created = await send(guest, "POST", "/api/tables", {"config": THREE, "sit": False}, 201)
        table = created["id"]
        for client in (account, ann):
            assert (await command(client, table, "sit")).status_code == 200
        await log_in(guest)
        room = (await get(account, f"/api/tables/{table}"))["room"]
        assert (room["seat"], room["is_host"]) == (0, True)
        assert (await command(account, table, "remove", seat=1)).status_code == 200
        assert (await command(account, table, "start")).status_code == 200


async def test_no_one_reports_the_own_second_seat(tmp_path: Path) -> None:
    async with worlds(tmp_path) as ((server,), ann, guest, account):
        table = await server.table(ann, guest, account, **THREE)
        await log_in(guest)
        for seat, status in ((0, 200), (1, 403), (2, 403)):
            await send(account, "POST", f"/api/tables/{table}/reports", {"seat": seat, "reason": "stalling"}, status)


async def test_open_tables_of_the_guest_count_for_the_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with worlds(tmp_path) as ((server,), _, guest, account):
        services: Any = server.app.services
        monkeypatch.setattr(services, "settings", Settings(tables_per_player=1, tables_per_address=0))
        await server.table(guest)
        await log_in(guest)
        answer = await account.post("/api/tables", json={"config": THREE})
        assert (answer.status_code, "too many open tables" in answer.text) == (429, True)


async def test_a_link_in_a_mail_to_the_guest_unsubscribes_the_account(tmp_path: Path) -> None:
    async with worlds(tmp_path) as ((server,), _, guest, account):
        services: Any = server.app.services
        player, address = await id_of(server, guest), "gus@example.org"
        key, who = services.unsubscribe_key(player, address), await handle_of(guest)
        await services.write(_set_address, player, address)
        await log_in(guest)
        link = f"/api/mail/unsubscribe?who={who}&key="
        async with server.client() as mail_program:
            assert (await mail_program.post(f"{link}nothing")).status_code == 404
            assert (await get(account, "/api/mail"))["address"] == address
            assert (await mail_program.get(link + key)).status_code == 200
            assert (await mail_program.post(link + key)).status_code == 200
        assert (await get(account, "/api/mail"))["address"] is None


def _set_address(connection: sa.Connection, now: int, player: str, address: str) -> None:
    code = mail_addresses.set_address(connection, now, player, address, "en")
    mail_addresses.confirm_address(connection, now, player, code, (player,))


async def test_the_browser_stays_subscribed_to_messages_when_its_guest_logs_in(tmp_path: Path) -> None:
    async with worlds(tmp_path) as ((server,), _, guest, account):
        player = await id_of(server, guest)

        def subscribe(connection: sa.Connection) -> None:
            session = connection.execute(sa.select(sessions.c.id).where(sessions.c.player == player)).scalar_one()
            row = {"session": session, "endpoint": "https://push/1", "p256dh": "", "auth": "", "language": "en"}
            connection.execute(push_subscriptions.insert().values(**row, created_at=0))

        await server.store.write(subscribe)
        assert (await get(guest, "/api/push"))["subscribed"]
        for _ in range(2):  # also a second login of the same account
            await log_in(guest)
            assert (await get(guest, "/api/push"))["subscribed"]
        assert not (await get(account, "/api/push"))["subscribed"]


async def test_a_device_code_of_the_guest_gives_no_access_to_the_account(tmp_path: Path) -> None:
    async with worlds(tmp_path) as ((server,), _, guest, _):
        code = (await send(guest, "POST", "/api/device", status=201))["code"]
        await log_in(guest)
        async with server.client() as other:
            await send(other, "POST", "/api/device/claim", {"code": code}, 401)
            assert SESSION_COOKIE not in other.cookies
