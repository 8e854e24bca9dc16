"""People export their data, and delete their accounts with a day to change their mind."""

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from tests.server.accounts.authenticator import Device
from tests.server.admin.deletion_worlds import NAMES, everything
from tests.server.admin.erasure_world import GUEST, LOGIN, MARK, RENAMED, everywhere
from tests.server.app_server import AppServer, started_servers
from tests.server.conftest import Serve
from tests.server.live.players import hub_at
from tests.server.player_export import export
from tests.server.requests import error

from faceup.server.accounts.account_deletion import DELETION_DELAY
from faceup.server.accounts.fresh_login import FRESH
from faceup.server.accounts.players import find_by_name
from faceup.server.accounts.schema import account_deletions, sessions
from faceup.server.admin.deletion import erase_players, erase_requested, resume
from faceup.server.admin.players import erase
from faceup.server.admin.traces import find_traces
from faceup.server.process.settings import Settings
from faceup.server.rooms.names import handle_of
from faceup.server.store import Store
from faceup.server.store.schema import outages

OVER = DELETION_DELAY + 3_600_000
"""More than the delay, because outages of a busy machine do not count."""

PASSWORD = "correct horse"  # noqa: S105 -- of a test


async def _account(ann: httpx.AsyncClient, login: str = "ann") -> None:
    """Turn a guest into an account, and log in."""
    made = await ann.post("/api/account", json={"login": login, "password": PASSWORD})
    assert made.status_code == 200, made.text
    await _log_in(ann, login)


async def _log_in(client: httpx.AsyncClient, login: str = "ann") -> None:
    answer = await client.post("/api/login", json={"login": login, "password": PASSWORD})
    assert answer.status_code == 200, answer.text


async def _earlier(store: Store, milliseconds: int) -> None:
    """Move all requested deletions and logins to an earlier time."""
    deletion = account_deletions.update().values(requested_at=account_deletions.c.requested_at - milliseconds)
    login = sessions.update().values(proved_at=sessions.c.proved_at - milliseconds)
    await store.write(lambda c: c.execute(deletion).rowcount)
    await store.write(lambda c: c.execute(login).rowcount)


async def _deleted(store: Store, name: str = "Ann") -> bool:
    await erase_requested(store)
    return not await store.query(partial(find_by_name, name=name))


async def test_an_account_is_deleted_a_day_after_its_player_asked_for_it(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        await _account(ann)
        me = (await ann.post("/api/account/deletion")).json()
        assert me["deleted_at"] - app.store.now() > DELETION_DELAY - 60_000
        assert (await ann.get("/api/server-info")).json()["you"]["deleted_at"] == me["deleted_at"]
        await _earlier(app.store, DELETION_DELAY - 600_000)
        assert not await _deleted(app.store)
        await _earlier(app.store, OVER - DELETION_DELAY + 600_000)
        assert await _deleted(app.store)
        app.app.services.auth_cache.revoked(*app.app.services.auth_cache._keys)
        assert (await ann.get("/api/me")).status_code == 401


async def test_a_second_request_does_not_change_the_time(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        first = (await ann.post("/api/account/deletion")).json()["deleted_at"]
        both = await asyncio.gather(*(ann.post("/api/account/deletion") for _ in range(2)))
        assert [answer.json()["deleted_at"] for answer in both] == [first, first]


async def test_the_player_cancels_the_deletion(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        await ann.post("/api/account/deletion")
        for _ in range(2):
            assert (await ann.delete("/api/account/deletion")).json()["deleted_at"] is None
        await _earlier(app.store, OVER)
        assert not await _deleted(app.store)


async def test_a_login_cancels_the_deletion(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.client() as laptop:
        await _account(phone)
        await phone.post("/api/account/deletion")
        await _log_in(laptop)
        assert (await phone.get("/api/me")).json()["deleted_at"] is None
        await _earlier(app.store, OVER)
        assert not await _deleted(app.store)


async def test_a_guest_who_logs_in_or_becomes_an_account_is_not_deleted(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as laptop:
        await _account(bo, "bo")
        await bo.post("/api/session", json={})
        await ann.post("/api/account/deletion")
        await _account(ann)
        assert (await ann.get("/api/me")).json()["deleted_at"] is None
        await laptop.post("/api/session", json={"name": "Guest of Bo"})
        await laptop.post("/api/account/deletion")
        await _log_in(laptop, "bo")
        assert (await laptop.get("/api/me")).json()["deleted_at"] is None
        assert await app.store.query(lambda c: c.execute(sa.select(account_deletions)).all()) == []


async def test_a_device_that_logged_in_by_a_code_of_another_one_cannot_delete_the_account(app: AppServer) -> None:
    async with app.guest("Ann") as phone, app.client() as browser:
        await _account(phone)
        code = (await phone.post("/api/device")).json()["code"]
        assert (await browser.post("/api/device/claim", json={"code": code})).status_code == 200
        assert error(await browser.post("/api/account/deletion")) == (401, "login_required")
        assert error(await browser.get("/api/account/export")) == (401, "login_required")


async def test_a_passkey_is_a_login_too(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        ann.headers["host"] = "localhost"
        device = Device("http://localhost", "localhost")
        options = (await ann.post("/api/passkeys/options")).json()
        made = await ann.post("/api/passkeys", json={"credential": device.create(options)})
        assert made.status_code == 201, made.text
        await _earlier(app.store, FRESH + 1000)
        assert error(await ann.post("/api/account/deletion")) == (401, "login_required")
        shown = device.get((await ann.post("/api/login/passkey/options")).json())
        assert (await ann.post("/api/login/passkey", json={"credential": shown})).status_code == 200
        assert (await ann.post("/api/account/deletion")).status_code == 200


async def test_a_token_can_neither_export_nor_delete(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        key = (await ann.post("/api/tokens", json={"label": "bot"})).json()["key"]
        async with app.client(authorization=f"Bearer {key}") as bot:
            for method, path in (("POST", "deletion"), ("DELETE", "deletion"), ("GET", "export")):
                assert error(await bot.request(method, f"/api/account/{path}")) == (403, "forbidden")


async def test_the_export_is_that_of_the_operator(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        await app.table(ann)
        answer = await ann.get("/api/account/export")
        assert answer.headers["content-disposition"] == 'attachment; filename="faceup-account.json"'
        [player] = await app.store.query(partial(find_by_name, name="Ann"))
        assert answer.json() == await app.store.query(partial(export, player=player))


async def test_a_player_in_a_game_and_host_of_a_party_is_deleted_and_the_others_go_on(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann, bo)
        party = (await ann.post("/api/parties", json={"name": "Evening"})).json()
        await bo.post(f"/api/parties/{party['id']}/join", json={})
        await ann.post("/api/account/deletion")
        await _earlier(app.store, OVER)
        assert await _deleted(app.store)
        await resume(app.store)
        await app.hub.drop(table)  # as all servers do within a second
        seats = (await bo.get(f"/api/tables/{table}")).json()["room"]["seats"]
        assert [seat["name"] for seat in seats] == ["Deleted player", "Bo"]


@pytest.mark.sample(1)
async def test_a_person_in_every_role_who_asks_is_deleted_everywhere(url: str) -> None:
    async with hub_at(url) as hub:
        store = hub.store
        people, _ = await everywhere(hub)
        await store.write(
            lambda c: c.execute(account_deletions.update().values(requested_at=store.now() - OVER)).rowcount
        )
        await erase_requested(store)
        text = await everything(store)
        assert not any(part in text for part in (*map(handle_of, people), NAMES[0], GUEST, RENAMED, LOGIN, MARK))
        assert await store.query(partial(find_traces, people=people)) == []


async def test_one_of_two_servers_deletes_the_account(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        database = f"sqlite:///{tmp_path / 'tables.sqlite'}"
        first, second = await started_servers(stack, database, Settings())
        async with first.guest("Ann") as ann:
            await ann.post("/api/account/deletion")
        await _earlier(first.store, OVER)
        await asyncio.gather(erase_requested(first.store), erase_requested(second.store))
        assert await _deleted(second.store)


async def test_a_deletion_survives_a_restart(serve: Serve) -> None:
    app = await serve()
    async with app.guest("Ann") as ann:
        await ann.post("/api/account/deletion")
    again = await serve()
    await _earlier(again.store, OVER)
    assert await _deleted(again.store)


async def test_a_time_in_which_no_one_could_cancel_does_not_count(app: AppServer) -> None:
    """This is an outage, or a clock that jumped forward."""
    async with app.guest("Ann") as ann:
        await ann.post("/api/account/deletion")
    await _earlier(app.store, DELETION_DELAY)
    now = app.store.now()
    outage = outages.insert().values(start=now - DELETION_DELAY, end=now - 3_600_000, done=now)
    await app.store.write(lambda c: c.execute(outage).rowcount)
    assert not await _deleted(app.store)
    await _earlier(app.store, 2 * DELETION_DELAY)
    assert await _deleted(app.store)


async def test_an_operator_can_erase_a_player_who_has_asked_for_it(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        await ann.post("/api/account/deletion")
    await erase(app.store, "Ann")
    assert await app.store.query(lambda c: c.execute(sa.select(account_deletions)).all()) == []
    await erase_requested(app.store)


async def test_a_deletion_that_was_cut_short_is_finished(app: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(bo, ann)
        await ann.post("/api/account/deletion")

        async def stop(_: Store) -> None:
            raise RuntimeError("killed")

        await _earlier(app.store, OVER)
        monkeypatch.setattr("faceup.server.admin.deletion.resume", stop)
        with pytest.raises(RuntimeError, match="killed"):
            await erase_requested(app.store)
        monkeypatch.undo()
        await resume(app.store)
        await app.hub.drop(table)  # as all servers do within a second
        seats = (await bo.get(f"/api/tables/{table}")).json()["room"]["seats"]
        assert [seat["name"] for seat in seats] == ["Bo", "Deleted player"]
        await erase_players(app.store, [])
