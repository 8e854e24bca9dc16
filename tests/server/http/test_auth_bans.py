"""Bans on running servers: every way in is closed, with an answer that contains the end of the ban."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import httpx
import pytest
import websockets
from tests.server.app_server import AppServer, ListeningServer, opened
from tests.server.conftest import Serve

from faceup.server.accounts.players import find_by_name
from faceup.server.moderation.bans import ban_address, ban_player, remove_ban
from faceup.server.rooms.wire import SESSION_COOKIE
from faceup.server.store import Store

HOUR = 3_600_000
PASSWORD = {"login": "mallory", "password": "a long password"}


async def _ban_player(store: Store, name: str) -> str:
    now = store.now()
    (player,) = await store.query(lambda connection: find_by_name(connection, name))
    made = await store.write(lambda c: ban_player(c, now, player, until=now + HOUR, reason="cheating"))
    return made.id


async def _ban_address(store: Store, address: str) -> str:
    now = store.now()
    return (await store.write(lambda c: ban_address(c, now, address, until=now + HOUR, reason="spam"))).id


async def _until(what: Callable[[], Awaitable[bool]]) -> None:
    """Wait until all servers have read the ban."""
    async with asyncio.timeout(20):
        while not await what():  # noqa: ASYNC110 -- the server provides no event
            await asyncio.sleep(0.05)


def _require_banned(answer: httpx.Response, reason: str) -> None:
    assert answer.status_code == 403, answer.text
    error = answer.json()["error"]
    assert error["kind"] == "banned"
    assert error["reason"] == reason
    assert isinstance(error["until"], int)
    assert " banned from this server until 20" in error["message"]


async def _require_shut_out(client: httpx.AsyncClient, table: str, reason: str) -> None:
    """Check that the client can create no guest, log in, create a table, join, choose or watch."""
    for path, body in (
        ("/api/session", {"name": "Mallory the second"}),
        ("/api/login", PASSWORD),
        ("/api/device/claim", {"code": "ABCDEFGH"}),
        ("/api/login/passkey/options", {}),
        ("/api/tables", {"config": {"game": "nimmt"}}),
        ("/api/daily", {}),
        (f"/api/tables/{table}/commands", {"id": "a", "command": "sit"}),
        (f"/api/tables/{table}/commands", {"id": "b", "command": "react", "seat": 1, "reaction": "hmm"}),
    ):
        _require_banned(await client.post(path, json=body), reason)
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/stream", "/api/me"):
        _require_banned(await client.get(path), reason)


async def test_a_banned_player_is_shut_out_everywhere(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Mallory") as mallory:
        table = await app.table(ann, mallory)
        assert (await mallory.post("/api/account", json=PASSWORD)).status_code in {200, 201}
        ban = await _ban_player(app.store, "Mallory")
        await _until(lambda: _is_banned(mallory))
        await _require_shut_out(mallory, table, "cheating")
        # The page itself is served, so that it can show the sentence.
        assert (await mallory.get(f"/t/{table}")).status_code == 200
        async with app.client() as elsewhere:
            _require_banned(await elsewhere.post("/api/login", json=PASSWORD), "cheating")
            wrong = await elsewhere.post("/api/login", json={**PASSWORD, "password": "a wrong password"})
            assert wrong.status_code == 401  # only the player learns of the ban
        assert (await ann.get("/api/me")).status_code == 200
        now = app.store.now()
        await app.store.write(lambda connection: remove_ban(connection, now, ban))
        assert (await mallory.get("/api/me")).status_code == 200


async def _is_banned(client: httpx.AsyncClient) -> bool:
    return (await client.get("/api/server-info")).status_code == 403


async def test_a_banned_address_is_shut_out_with_all_its_players(app: AppServer) -> None:
    async with (
        app.guest("Ann") as ann,
        app.guest("Mallory", "2001:db8:1:2::7") as mallory,
        app.client_at("2001:db8:1:2:ffff::1") as neighbour,
        app.client_at("2001:db8:1:3::7") as other,
    ):
        table = await app.table(ann, mallory)
        ban = await _ban_address(app.store, "2001:db8:1:2::99")
        await _until(lambda: _is_banned(neighbour))
        for client in (mallory, neighbour):
            await _require_shut_out(client, table, "spam")
        for client in (ann, other):
            assert (await client.get(f"/api/tables/{table}")).status_code == 200
        assert (await neighbour.get("/api/health")).status_code == 200
        now = app.store.now()
        await app.store.write(lambda connection: remove_ban(connection, now, ban))
        await _until(lambda: _is_free(neighbour))
        assert (await mallory.get("/api/me")).status_code == 200


async def _is_free(client: httpx.AsyncClient) -> bool:
    return not await _is_banned(client)


async def test_a_ban_of_an_address_survives_a_restart(serve: Serve) -> None:
    first = await serve()
    await _ban_address(first.store, "192.0.2.9")
    second = await serve()
    async with second.client_at("192.0.2.9") as banned, second.client_at("192.0.2.8") as other:
        assert await _is_banned(banned)
        assert await _is_free(other)


@pytest.mark.parametrize("banned", ["127.1.0.9", "127.1.0.0/16"])
async def test_a_ban_of_an_address_ends_its_connections_and_no_others(server: ListeningServer, banned: str) -> None:
    """Players and spectators, over WebSockets and HTTP."""
    async with (
        server.guest("Ann") as ann,
        server.guest("Mallory", "127.1.0.9") as mallory,
        server.client_at("127.1.0.9") as spectator,
    ):
        table = await server.table(ann, mallory)
        address = f"{server.base.replace('http', 'ws')}/api/tables/{table}/live"
        cookie = {"cookie": f"{SESSION_COOKIE}={mallory.cookies[SESSION_COOKIE]}"}
        local = ("127.1.0.9", 0)
        async with (
            server.live(table, ann) as wire,
            websockets.connect(address, additional_headers=cookie, local_addr=local) as player,
            websockets.connect(address, local_addr=local) as watching,
            spectator.stream("GET", f"/api/tables/{table}/stream") as stream,
        ):
            await wire.until("room")
            lines = stream.aiter_lines()
            assert "room" in json.loads(await anext(lines))
            await _ban_address(server.store, banned)
            for connection in (player, watching):
                await asyncio.wait_for(connection.wait_closed(), 20)
                assert connection.close_code == 4001
            assert [json.loads(line) async for line in lines][-1] == {"end": "revoked"}
            assert "ack" in await wire.ask("r", "react", seat=0, reaction="phew")
        with pytest.raises(websockets.InvalidStatus) as rejected:
            async with websockets.connect(address, local_addr=local):
                pass
        assert rejected.value.response.status_code == 403
        assert b'"kind":"banned"' in (rejected.value.response.body or b"")


@pytest.mark.sample(1)
async def test_servers_share_bans(url: str) -> None:
    async with (
        opened(url) as first,
        opened(url) as second,
        first.guest("Mallory") as there,
        second.client() as client,
        second.client_at("192.0.2.9") as banned,
    ):
        client.cookies = there.cookies
        assert (await client.get("/api/me")).status_code == 200
        await _ban_player(first.store, "Mallory")
        await _ban_address(first.store, "192.0.2.9")
        await _until(lambda: _is_banned(client))
        await _until(lambda: _is_banned(banned))
