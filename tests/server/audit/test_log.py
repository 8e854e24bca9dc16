"""The audit log: what operators and hosts did, and what is left of it after a merge and an erasure."""

import asyncio
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_args

import pytest
from tests.cli.in_process import Done, InProcessCli
from tests.server.admin.deletion_worlds import a_guest
from tests.server.app_server import AppServer, listening_server
from tests.server.player_export import export

from faceup.server.admin.deletion import DAY, erase_players
from faceup.server.admin.retention import sweep
from faceup.server.audit.log import Act, AuditEntry, list_acts, record
from faceup.server.player_data import merge
from faceup.server.store import Store
from faceup.translations import catalogue


async def acts_in(app: AppServer) -> list[tuple[str, str, str | None, str | None, str]]:
    """Return what was done, the oldest first, without ids."""
    entries: list[AuditEntry] = await app.store.query(list_acts)
    return [(act.act, act.by, act.actor_name, act.name, act.place.partition(":")[0]) for act in reversed(entries)]


async def test_hosts_of_tournaments_and_parties_are_in_the_log(app: AppServer) -> None:
    settings = {"name": "Cup", "table": {"game": "nimmt", "terms": {"clock": 30_000}}}
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        cup = (await ann.post("/api/tournaments", json={"settings": settings})).json()["tournament"]["id"]
        commands = f"/api/tournaments/{cup}/commands"
        await bo.post(commands, json={"command": "join"})
        for _ in range(2):  # repeated commands change nothing
            await ann.post(commands, json={"command": "remove", "number": 1})
        for _ in range(2):
            await ann.post(commands, json={"command": "end"})
        party = (await ann.post("/api/parties", json={"name": "Friday"})).json()["id"]
        key = (await ann.get(f"/api/parties/{party}")).json()["link"].rpartition("/")[2].partition("?")[0]
        await bo.post(f"/api/party-links/{key}", json={})
        handle = (await bo.get("/api/me")).json()["handle"]
        await ann.delete(f"/api/parties/{party}/members/{handle}")
        await ann.delete(f"/api/parties/{party}")
    assert await acts_in(app) == [
        ("remove_player", "host", "Ann", "Bo", "tournament"),
        ("end_tournament", "host", "Ann", None, "tournament"),
        ("remove_player", "host", "Ann", "Bo", "party"),
        ("end_party", "host", "Ann", None, "party"),
    ]


async def test_a_member_who_leaves_is_not_in_the_log(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        party = (await ann.post("/api/parties", json={"name": "Friday"})).json()["id"]
        handle = (await ann.get("/api/me")).json()["handle"]
        await ann.delete(f"/api/parties/{party}/members/{handle}")
    assert await acts_in(app) == []


async def test_the_host_of_a_table_is_in_the_log(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann, bo, options={"seats": 4, "hand": 2})
        commands = f"/api/tables/{table}/commands"
        refused = await bo.post(commands, json={"id": "no", "command": "remove", "seat": 0})
        assert refused.status_code != 200
        for client, body in (
            (ann, {"id": "bot", "command": "add_bot", "kind": "random"}),
            (ann, {"id": "1", "command": "remove", "seat": 2}),  # a bot
            (ann, {"id": "2", "command": "transfer_host", "seat": 1}),
            (bo, {"id": "3", "command": "remove", "seat": 0}),
            (bo, {"id": "3", "command": "remove", "seat": 0}),
        ):
            answer = await client.post(commands, json=body)
            assert answer.status_code == 200, answer.text
    assert await acts_in(app) == [
        ("hand_over", "host", "Ann", "Bo", "table"),
        ("remove_player", "host", "Bo", "Ann", "table"),
    ]


async def test_an_act_of_a_host_is_not_stored_without_its_record(app: AppServer) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the record")

    app.hub.context.record_act = fail
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann, bo, options={"seats": 3, "hand": 2})
        answer = await ann.post(f"/api/tables/{table}/commands", json={"id": "1", "command": "remove", "seat": 1})
        assert answer.status_code == 500
    assert (await app.hub.room(table)).owners[1] is not None


@pytest.mark.slow
async def test_a_removal_by_websocket_is_in_the_log(tmp_path: Path) -> None:
    async with listening_server(tmp_path / "tables.sqlite") as app, app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann, bo, options={"seats": 3, "hand": 2})
        async with app.live(table, ann) as socket:
            await socket.ask("1", "remove", seat=1)
        assert await acts_in(app) == [("remove_player", "host", "Ann", "Bo", "table")]


async def test_a_merge_keeps_the_acts_and_an_erasure_removes_the_names(tmp_path: Path) -> None:
    store = await Store.attach(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    guest, host, other = [await a_guest(store, name) for name in ("Gus", "Ann", "Bo")]

    async def done() -> list[tuple[str | None, str | None]]:
        return [(act.actor_name, act.name) for act in await store.query(list_acts) if act.act == "remove_player"]

    act = partial(record, act="remove_player", by="host", place="party:p")
    await store.write(lambda c: act(c, 1, actor=guest, player=other))
    await store.write(lambda c: merge(c, guest, host))
    assert await done() == [("Ann", "Bo")]
    await store.write(lambda c: act(c, 2, actor=guest, player=other))  # of a session from before
    assert await done() == [("Ann", "Bo")] * 2
    own, about = [(await store.query(partial(export, player=player)))["audit_log"] for player in (host, other)]
    assert [(row["act"], row["own"]) for row in own] == [("remove_player", True)] * 2
    assert [(row["act"], row["own"]) for row in about] == [("remove_player", False)] * 2
    assert host not in str(about)
    await erase_players(store, [host])
    assert await done() == [(None, "Bo")] * 2
    await store.close()


async def test_old_acts_are_deleted(tmp_path: Path) -> None:
    store = await Store.attach(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    for age in (366, 364):
        at = store.now() - age * DAY
        await store.write(lambda c, at=at: record(c, at, "announce"))  # type: ignore[misc]  # mypy infers no type
    assert (await sweep(store))["log"] == 1
    assert len(await store.query(list_acts)) == 1
    await store.close()


@pytest.fixture
def admin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    database = tmp_path / "tables.sqlite"
    monkeypatch.setenv("FACEUP_DATABASE", str(database))

    async def fill() -> None:
        store = await Store.attach(f"sqlite:///{database}")
        for name in ("Ann", "Bo"):
            await a_guest(store, name)
        await store.close()

    asyncio.run(fill())
    run = InProcessCli(monkeypatch, capsys)
    return lambda *arguments: run("admin", *arguments)


def test_every_command_that_changes_something_is_in_the_log(admin: Callable[..., Done]) -> None:
    for words in (
        *(("bans", "add", "Ann"), ("bans", "remove", "Ann"), ("bans", "add", "--address", "192.0.2.7")),
        *(("people", "rename", "Bo", "Bob"), ("people", "remove", "Bob"), ("people", "export", "Bob")),
        *(("registration", "closed"), ("announce", "Hello"), ("keep", "--finished", "30d")),
        *(("people", "merge", "Ann", "Bob"), ("people", "erase", "Bob")),
    ):
        done = admin(*words)
        assert done.status == 0, done.err
    for reading in (("people", "list"), ("keep",), ("registration",), ("bans", "list"), ("log",)):
        admin(*reading)
    rows = json.loads(admin("log", "--json").out)
    assert [row["act"] for row in reversed(rows)] == [
        *("ban", "unban", "ban", "rename", "log_out", "export", "registration", "announce", "keep", "merge", "erase")
    ]
    assert {row["by"] for row in rows} == {"operator"}
    assert not any(row["name"] or row["player"] for row in rows)  # the only people were erased
    assert "address:192.0.2.7" in admin("log").out
    assert admin("log", "--by", "host").out == "No acts.\n"
    assert len(admin("log", "--limit", "2").out.splitlines()) == 3


def test_the_log_is_narrowed_to_a_person(admin: Callable[..., Done]) -> None:
    admin("bans", "add", "Ann")
    admin("bans", "add", "Bo")
    out = admin("log", "--person", "Ann").out
    assert re.search(r"ban +operator +Ann", out)
    assert not re.search(r"\bBo\b", out)  # it may be part of a random id
    assert "there is no player 'Cy'" in admin("log", "--person", "Cy").err


def test_all_acts_have_words_on_the_page() -> None:
    assert {f"admin.act.{act}" for act in get_args(Act)} <= set(catalogue("en", "admin"))
