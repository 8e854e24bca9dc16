"""People online: counted by connections and requests, listed only at public tables, the same at every process."""

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from tests.server.app_server import AppServer, built, listening_server
from tests.server.player_export import export

from faceup.server.accounts.players import create_guest, find_by_handle
from faceup.server.accounts.schema import unlisted_players
from faceup.server.admin.deletion import start_erasures
from faceup.server.player_data import merge
from faceup.server.process.settings import Settings
from faceup.server.store import Store, new_id
from faceup.server.store.queries import games_to_watch
from faceup.server.tables import online_tasks as online
from faceup.server.tables.online import MAX_PEOPLE, Online, Place, change_places, who_is_online
from faceup.server.tables.schema import online_players


async def updated(server: AppServer) -> None:
    """Do what the server does every few seconds."""
    await server.app.services.online.update()
    server.app.services.online.forget()


async def people_online(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.get("/api/online")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def names(online: dict[str, Any]) -> list[str]:
    return [person["name"] for person in online["people"]]


async def test_programs_are_marked(tmp_path: Path) -> None:
    async with listening_server(tmp_path / "t.db") as server, server.guest("Ann") as ann, server.guest("Bo") as bo:
        table = await server.table(ann, bo, listed=True)
        async with server.live(table, ann) as live, server.live(table, bo) as other:
            await live.until("room")
            await other.until("room")
            await updated(server)
            before = await people_online(ann)
            declared = await bo.post(f"/api/tables/{table}/commands", json={"id": "p", "command": "declare_program"})
            assert declared.status_code == 200, declared.text
            await updated(server)
            after = await people_online(ann)
    assert {person["name"]: person["program"] for person in before["people"]} == {"Ann": False, "Bo": False}
    assert {person["name"]: person["program"] for person in after["people"]} == {"Ann": False, "Bo": True}


async def test_only_players_of_public_tables_are_listed(tmp_path: Path) -> None:
    """Anyone with a connection or a recent request is counted; the list has no one whose table hides them."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(listening_server(tmp_path / "t.db"))
        ann, bo, cy, dora, emil, fay = [
            await stack.enter_async_context(server.guest(name)) for name in ("Ann", "Bo", "Cy", "Dora", "Emil", "Fay")
        ]
        stranger = await stack.enter_async_context(server.client())
        tables = {
            "Ann": await server.table(ann, listed=True),  # waits for a second player
            "Bo": await server.table(bo, dora, listed=True, spectators="nobody"),  # only Bo has a connection
            "Cy": await server.table(cy, listed=False),
            "Emil": await server.table(emil, fay, listed=True, spectator_delay=60_000),
        }
        clients = {"Ann": ann, "Bo": bo, "Cy": cy, "Emil": emil}
        for name, table in tables.items():
            live = await stack.enter_async_context(server.live(table, clients[name]))
            await live.until("room")
        watching = await stack.enter_async_context(server.live(tables["Ann"], cy))
        await watching.until("room")
        await updated(server)

        online = await people_online(stranger)
        assert online["count"] == 6
        assert [
            (person["name"], person["status"], person["table"], person["access"]) for person in online["people"]
        ] == [
            ("Ann", "pending", tables["Ann"], "join"),
            ("Bo", "active", None, None),
        ]
        assert tables["Bo"] not in str(online)
        assert {*online["people"][0]} == {
            *("name", "handle", "face", "program", "game", "variant", "status", "table", "access"),
        }

        await cy.post(f"/api/tables/{tables['Ann']}/commands", json={"id": "s", "command": "sit"})
        await watching.until("room")  # the snapshot for the seat
        await updated(server)
        online = await people_online(stranger)
        assert [(person["name"], person["status"], person["access"]) for person in online["people"]] == [
            ("Bo", "active", None),
            ("Ann", "active", "watch"),
            ("Cy", "active", "watch"),
        ]
        await ann.post(f"/api/tables/{tables['Ann']}/commands", json={"id": "c", "command": "close"})
        await updated(server)
        assert names(await people_online(stranger)) == ["Bo"]


async def test_a_visit_lasts_a_minute_and_a_connection_until_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(listening_server(tmp_path / "t.db"))
        ann, bo = [await stack.enter_async_context(server.guest(name)) for name in ("Ann", "Bo")]
        stranger = await stack.enter_async_context(server.client())
        table = await server.table(ann, listed=True)
        await bo.get("/api/me")
        async with server.live(table, ann) as live:
            await live.until("room")
            await updated(server)
            assert (await people_online(stranger))["count"] == 2
            monkeypatch.setattr(online, "VISIT", 0.0)
            await updated(server)
            assert (await people_online(stranger))["count"] == 1
        while server.app.services.connected:  # noqa: ASYNC110 -- the server notices the end a moment later
            await asyncio.sleep(0.01)
        await updated(server)
        assert await people_online(stranger) == {"count": 0, "people": []}


async def test_players_can_leave_the_list(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(listening_server(tmp_path / "t.db"))
        ann = await stack.enter_async_context(server.guest("Ann"))
        live = await stack.enter_async_context(server.live(await server.table(ann, listed=True), ann))
        await live.until("room")
        await updated(server)
        assert names(await people_online(ann)) == ["Ann"]
        for listed in (False, False, True):
            answer = await ann.patch("/api/me", json={"listed": listed})
            assert answer.json()["listed"] is listed
            assert (await ann.get("/api/me")).json()["listed"] is listed
            online = await people_online(ann)
            assert (online["count"], names(online)) == (1, ["Ann"] if listed else [])
        refused = await ann.patch("/api/me", json={"listed": "no"})
        assert refused.status_code == 400
        assert refused.json()["error"]["where"] == "listed"
        assert (await ann.get("/api/me")).json()["listed"] is True


@pytest.mark.sample(1)
async def test_two_processes_show_the_same_people_and_none_of_a_dead_process(url: str) -> None:
    async with AsyncExitStack() as stack:
        first, second = [await stack.enter_async_context(built(url, Settings().without_limits())) for _ in range(2)]
        ann = await stack.enter_async_context(first.guest("Ann"))
        bo = await stack.enter_async_context(second.guest("Bo"))
        cy = await stack.enter_async_context(second.guest("Cy"))
        store, table = first.store, await first.table(ann, bo, listed=True)
        for server in (first, second):  # else the first server would learn of the second one a second later
            await server.hub.context.heartbeat.send()
        ids = [await id_of(store, client) for client in (ann, bo, cy)]
        reader = await first.hub.watch(table, ids[0])
        # A process that died, whose players have been stored, but which sends no heartbeat.
        dead = partial(change_places, process=new_id(), added=[Place(ids[1], table)])
        await store.write(dead)
        first.app.services.online.note_request(ids[0])
        for client in (ann, bo):
            for server in (first, second):
                await updated(server)
            online = await people_online(client)
            assert (online["count"], names(online)) == (3, ["Ann"])
            assert [game["table"] for game in (await client.get("/api/watch")).json()] == [table]
        rows = await store.query(
            lambda connection: connection.execute(sa.select(online_players.c.process)).scalars().all()
        )
        assert {*rows} == {first.store.process, second.store.process}
        reader.close()
        for server in (first, second):
            await server.app.services.online.stop()
        assert await store.query(lambda connection: who_is_online(connection, store.now())) == Online(
            count=0, people=()
        )


async def id_of(store: Store, client: httpx.AsyncClient) -> str:
    """Return the secret id of a client's player."""
    handle = (await client.get("/api/me")).json()["handle"]
    return (await store.query(partial(find_by_handle, handle=handle))).id


async def test_any_number_of_requests_shares_one_query(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(listening_server(tmp_path / "t.db"))
        stranger = await stack.enter_async_context(server.client())
        reads = 0
        query = server.store.query

        async def counted(work: Any) -> Any:  # Any: the result of any query
            nonlocal reads
            reads += getattr(work, "func", None) in {who_is_online, games_to_watch}  # not those of periodic tasks
            return await query(work)

        monkeypatch.setattr(server.store, "query", counted)
        for path in ("/api/online", "/api/watch"):
            reads = 0
            answers = await asyncio.gather(*[stranger.get(path) for _ in range(50)])
            assert {answer.status_code for answer in answers} == {200}
            assert reads == 1, path


async def test_the_setting_follows_the_player(tmp_path: Path) -> None:
    """It is in the export, hides the account that the guest is merged into, and is erased with the player."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(listening_server(tmp_path / "t.db"))
        store = server.store
        ann, guest = [await stack.enter_async_context(server.guest(name)) for name in ("Ann", "Guest")]
        account, hidden = await id_of(store, ann), await id_of(store, guest)
        await guest.patch("/api/me", json={"listed": False})
        assert (await store.query(partial(export, player=hidden)))["player"]["listed"] is False
        await store.write(partial(merge, source=hidden, target=account))
        assert (await ann.get("/api/me")).json()["listed"] is False
        assert await unlisted(store) == [account]
        await start_erasures(store, [account])
        assert await unlisted(store) == []


async def unlisted(store: Store) -> list[str]:
    query = sa.select(unlisted_players.c.player)
    return list(await store.query(lambda connection: connection.execute(query).scalars().all()))


async def test_the_list_is_bounded_and_has_everyone_once(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(
            listening_server(tmp_path / "t.db", settings=Settings().without_limits())
        )
        store, ann = server.store, await stack.enter_async_context(server.guest("Ann"))
        tables = [await server.table(ann, listed=True) for _ in range(2)]
        many = await store.write(
            lambda connection: [create_guest(connection, store.now(), f"P {n}").id for n in range(MAX_PEOPLE + 20)]
        )
        places = frozenset({Place(player, table) for player in many[:20] for table in tables})
        places |= {Place(player, tables[0]) for player in many[20:]}
        await store.write(partial(change_places, process=store.process, added=[*places]))
        online = await store.query(lambda connection: who_is_online(connection, store.now()))
        assert online.count == len(many)
        assert len(online.people) == len({person.handle for person in online.people}) == MAX_PEOPLE
