"""Deletion of tables and erasure of players, on both databases: no row and no file keeps what was deleted."""

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, closing, suppress
from functools import partial
from itertools import product
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.cli.in_process import Done, InProcessCli
from tests.server.admin.deletion_worlds import (
    DAY,
    NAMES,
    World,
    a_guest,
    a_lone_game,
    a_world,
    attached,
    everything,
    found_in_files,
    on_hub,
    on_store,
    seated,
)
from tests.server.app_server import opened
from tests.server.live.players import Person, hub_at, until
from tests.server.postgresql import PostgreSQL

from faceup.core import RulesError
from faceup.core.record import Terms
from faceup.server.accounts.credentials import digest
from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.login import create_account, find_by_login
from faceup.server.accounts.players import find_player
from faceup.server.accounts.schema import players
from faceup.server.accounts.sessions import create_session, resolve_session
from faceup.server.admin.deletion import TOMBSTONES, delete_tables, erase_players, resume
from faceup.server.admin.retention import sweep
from faceup.server.daily.schema import daily_attempts, daily_deals
from faceup.server.live import TableHub, TableNotFoundError
from faceup.server.player_data import merge
from faceup.server.results.history import history
from faceup.server.results.schema import games, results
from faceup.server.rooms import TableConfig, fold_log, loads
from faceup.server.rooms.commands import React
from faceup.server.rooms.names import ERASED_NAME
from faceup.server.store import Store, StoreError, TableDeletedError, new_id
from faceup.server.store.schema import deleted_tables, erasures, log, rooms
from faceup.table import verify

CASUAL = TableConfig(game="nimmt", options={"seats": 2, "hand": 10}, terms=Terms())


@pytest.fixture
def admin(url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    monkeypatch.setenv("FACEUP_DATABASE", url)
    run = InProcessCli(monkeypatch, capsys)
    return lambda *arguments: run("admin", *arguments)


async def _expire(store: Store, table: str, days: int) -> None:
    """Let a table have ended that many days ago."""
    ended = store.now() - days * DAY
    await store.write(
        lambda connection: connection.execute(rooms.update().where(rooms.c.id == table).values(ended_at=ended)).rowcount
    )


def _delete(how: str, world: World, url: str, admin: Callable[..., Done]) -> None:
    """Delete the table of a world in one of several ways."""
    if how == "delete":
        done = admin("tables", "delete", world.table, "--json")
        assert json.loads(done.out) == {"tables": [world.table], "done": "delete"}
    elif how == "keep":
        assert json.loads(admin("keep", "--finished", "0d", "--sweep", "--json").out)["deleted"]["finished"] == 1
    elif how == "erase":
        for player in world.people:
            assert admin("people", "erase", player).out == f"{player} was erased.\n"
    else:
        on_store(url, lambda store: _expire(store, world.table, 364))
        assert on_store(url, sweep)["finished"] == 0
        on_store(url, lambda store: _expire(store, world.table, 366))
        assert on_store(url, sweep)["finished"] == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("how", ["sweep", "keep", "delete"])
def test_a_deleted_table_leaves_only_its_id_and_the_results_of_its_players(
    url: str, admin: Callable[..., Done], how: str
) -> None:
    world = on_hub(url, a_world)
    assert world.secret in on_store(url, everything)
    _delete(how, world, url, admin)
    stored = json.loads(on_store(url, everything))
    assert [row[0] for row in stored["deleted_tables"]] == [world.table]
    assert {row[-1] for row in stored["deleted_tables"]} == {"True"}
    assert world.secret not in json.dumps(stored)
    assert not any(stored[name] for name in ("rooms", "log", "connections", "player_tables", "daily_attempts"))
    assert {row[2] for row in stored["results"]} == set(world.people)  # the history of its players
    assert len(stored["players"]) == 2
    assert "there is no table" in admin("tables", "delete", world.table).err


@pytest.mark.sample(1)
def test_results_that_name_only_bots_and_erased_players_are_deleted_with_their_table(url: str) -> None:
    async def work(hub: TableHub) -> None:
        store = hub.store
        world = await a_world(hub)
        lone = await a_lone_game(hub, world.people[0], NAMES[0])
        await erase_players(store, [world.people[0]])  # deletes the lone game
        assert await store.room(lone) is None
        assert await store.query(lambda c: set(c.execute(sa.select(games.c.room)).scalars())) == {world.table}
        await erase_players(store, [world.people[1]])
        assert not await store.query(lambda c: c.execute(sa.select(results.c.who)).all())
        assert await store.rooms() == []

    on_hub(url, work)


@pytest.mark.sample(1)
def test_an_erased_player_is_replaced_in_the_game_of_others_which_can_be_replayed_and_verified(
    url: str, admin: Callable[..., Done]
) -> None:
    world = on_hub(url, a_world)
    before = on_hub(url, lambda hub: hub.record(world.table))
    assert admin("people", "erase", NAMES[0]).status == 0
    traces = (NAMES[0], world.people[0], world.traces[4])
    stored = on_store(url, lambda store: everything(store, but=("revocations",)))  # these are deleted after a day
    assert [trace for trace in traces if trace in stored] == []
    after = on_hub(url, lambda hub: hub.record(world.table))
    assert after.result == before.result
    assert json.dumps(str(after)) == json.dumps(str(before)).replace(NAMES[0], ERASED_NAME)
    assert (verify(after).faults, verify(after).contributors) == ((), (ERASED_NAME, NAMES[1]))

    async def replay(store: Store) -> None:
        rows = await store.read(world.table)
        room = fold_log([(loads(row.entries), row.command) for row in rows])
        assert room.table.names == (ERASED_NAME, NAMES[1])
        assert world.people[0] not in room.owners
        assert room.owners[1] == world.people[1]
        [game] = await store.query(lambda c: history(c, find_player(c, world.people[1])))
        assert [(side.who.name, side.who.handle is None) for side in game.sides] == [
            (ERASED_NAME, True),
            (NAMES[1], False),
        ]

    on_store(url, replay)


async def test_an_erased_account_and_the_guests_merged_into_it_leave_no_name_and_no_credential(url: str) -> None:
    async with attached(url) as store:
        guest, account = await a_guest(store, "Guest Merged"), await a_guest(store, "Ann Unmistakable")

        def work(connection: sa.Connection) -> str:
            create_account(connection, 0, account, "unmistakable", "a hash")
            merge(connection, guest, account)
            return create_session(connection, store.now(), account, "a phone").key

        key = await store.write(work)
        await erase_players(store, [guest])  # one of the ids is enough
        assert await store.query(lambda c: resolve_session(c, store.now(), digest(key))) is None
        assert await store.query(lambda c: find_by_login(c, "unmistakable")) is None
        for player in (guest, account):
            with pytest.raises(NotFoundError):
                await store.query(partial(find_player, identifier=player))
        stored = await everything(store, but=("revocations",))
        assert [trace for trace in (guest, account, "nmistakable", "Merged", "a phone") if trace in stored] == []


def test_an_erased_player_is_replaced_in_the_scores_of_rematches(url: str) -> None:
    async def work(hub: TableHub) -> None:
        store = hub.store
        world = await a_world(hub)
        rematch = (await hub.rematch(world.table, world.people[1], id="again")).table
        assert NAMES[0] in await everything(store)
        await erase_players(store, [world.people[0]])
        await hub.drop(rematch)
        view = await hub.view(rematch, world.people[1])
        assert view.series is not None
        assert [player.name for player in view.series.players] == [ERASED_NAME, NAMES[1]]
        assert not any(view.reserved)  # anyone may take the seat
        assert NAMES[0] not in await everything(store)

    on_hub(url, work)


def test_only_results_of_daily_deals_and_of_no_one_go_with_their_table(url: str) -> None:
    async def work(hub: TableHub) -> None:
        store = hub.store
        player = await a_guest(store, NAMES[0])
        lone, daily = [await a_lone_game(hub, player, NAMES[0]) for _ in range(2)]
        day = daily_deals.insert().values(date="2026-11-23", secret="", config="{}", created_at=0)
        await store.write(lambda c: c.execute(day).rowcount)
        attempt = daily_attempts.insert().values(date="2026-11-23", player=player, room=daily, started_at=0, ends_at=9)
        await store.write(lambda c: c.execute(attempt).rowcount)
        await delete_tables(store, [lone, daily])
        assert await store.query(lambda c: list(c.execute(sa.select(games.c.room)).scalars())) == [lone]
        assert not await store.query(lambda c: c.execute(sa.select(daily_attempts)).all())

    on_hub(url, work)


async def test_the_id_of_a_deleted_table_is_not_used_again_for_a_time(url: str) -> None:
    async with hub_at(url) as hub:
        store = hub.store
        await hub.create(CASUAL, "ann", "Ann", table="mine")
        await delete_tables(store, ["mine"])
        with pytest.raises(TableDeletedError, match="this table was deleted: create another one"):
            await hub.create(CASUAL, "ann", "Ann", table="mine")
        old = deleted_tables.update().values(at=store.now() - TOMBSTONES - DAY)
        await store.write(lambda connection: connection.execute(old).rowcount)
        await sweep(store)
        assert (await hub.create(CASUAL, "ann", "Ann", table="mine")).table == "mine"


async def test_a_table_at_which_a_move_is_possible_is_never_deleted(url: str) -> None:
    """However long ago it was opened, changed or due: a slow clock, a pause, a lobby, a server that did not run."""
    async with hub_at(url) as hub:
        store = hub.store
        people = tuple([await a_guest(store, name) for name in NAMES])
        active, pending, closed, lately = [await seated(hub, CASUAL, people[: 2 - (n == 1)]) for n in range(4)]
        long_ago = store.now() - 1000 * DAY

        def work(connection: sa.Connection) -> None:
            connection.execute(rooms.update().values(opened_at=long_ago, changed_at=long_ago, wake=None))
            for table, days in ((closed, 8), (lately, 6)):
                over = {"status": "closed", "ended_at": store.now() - days * DAY}
                connection.execute(rooms.update().where(rooms.c.id == table).values(over))

        await store.write(work)
        assert (await sweep(store))["unfinished"] == 1
        assert {row.id for row in await store.rooms()} == {active, pending, lately}


@pytest.mark.sample(1)
async def test_guests_without_games_are_erased_after_a_month_and_the_others_after_a_year(url: str) -> None:
    async with hub_at(url) as hub:
        store = hub.store
        ages = {"new": 29, "old": 31, "lobby": 31, "played": 364, "gone": 366}
        guests = {name: await a_guest(store, name, days_ago=days) for name, days in ages.items()}
        await seated(hub, CASUAL, (guests["lobby"],), ("lobby",))
        for name in ("played", "gone"):
            await a_lone_game(hub, guests[name], name)
        swept = await sweep(store)
        assert (swept["guests"], swept["guests_without_games"]) == (1, 1)
        left = await store.query(
            lambda c: set(c.execute(sa.select(players.c.name).where(players.c.erased_at.is_(None))).scalars())
        )
        assert left == {"new", "lobby", "played"}
        assert guests["gone"] not in await everything(store, but=("revocations", "erasures"))


@pytest.mark.sample(1)
async def test_several_processes_may_delete_the_same_at_the_same_time(url: str) -> None:
    async with hub_at(url) as hub, attached(url) as first, attached(url) as second:
        worlds = [await a_world(hub) for _ in range(3)]
        lone = [await a_guest(first, "lone", days_ago=31) for _ in range(30)]
        for world in worlds[:2]:
            await _expire(first, world.table, 366)
        swept = await asyncio.gather(*(sweep(store) for store in (first, second)))
        assert max(summary["finished"] for summary in swept) == 2
        deleted = [worlds[2].people[0], worlds[1].people[1]]
        await asyncio.gather(*(erase_players(store, deleted) for store in (first, second)))
        stored = await everything(first, but=("revocations", "erasures"))
        assert [trace for trace in (*lone, *deleted, *(world.secret for world in worlds[:2])) if trace in stored] == []
        rows = await first.read(worlds[2].table)
        assert fold_log([(loads(row.entries), row.command) for row in rows]).rewrites >= 1


# Servers that have a table in memory.


@pytest.mark.sample(1)
async def test_players_who_choose_while_their_table_is_deleted_get_an_error_and_leave_nothing(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    config = TableConfig(game="nimmt", options={"seats": 2, "deals": 50}, terms=Terms())
    for wait in (0.0, 0.01, 0.03, 0.1, 0.3):
        async with hub_at(url) as hub, attached(url) as other:
            people = tuple([await a_guest(hub.store, name) for name in NAMES])
            table = await seated(hub, config, people)
            connected = [await Person(hub, table, player).connect() for player in people]
            playing = [asyncio.create_task(person.play()) for person in connected]
            await asyncio.sleep(wait)
            await delete_tables(other, [table])
            outcomes = [await _lost(hub, *pair) for pair in zip(playing, connected, strict=True)]
            assert outcomes == ["deleted", "deleted"]
            assert await hub.store.read(table) == []
            async with asyncio.timeout(30):  # servers write connections, and that they were lost, once a second
                while table in await everything(other, but=("revocations", "deleted_tables")):  # noqa: ASYNC110 -- no event
                    await asyncio.sleep(0.1)
            with pytest.raises(TableNotFoundError):
                await hub.view(table, people[0])
    assert [record for record in caplog.records if record.levelname in {"ERROR", "CRITICAL"}] == []


async def _lost(hub: TableHub, playing: "asyncio.Task[Person]", person: Person) -> str:
    """Return why a player's stream ended, after the player tried to choose."""
    if not playing.done():
        with suppress(TimeoutError, TableNotFoundError):
            await asyncio.wait_for(asyncio.shield(playing), 1)
    await hub.drop(person.table)  # as the poll for revocations does
    await person.until(lambda person: person.ended)
    playing.cancel()
    with suppress(asyncio.CancelledError, TableNotFoundError):
        await playing
    return person.ended


@pytest.mark.sample(1)
async def test_every_server_drops_a_deleted_table_and_tells_its_viewers(url: str) -> None:
    """Also with its replays and pictures; on PostgreSQL with two servers."""
    async with AsyncExitStack() as stack:
        servers = [
            await stack.enter_async_context(opened(url)) for _ in range(2 if url.startswith("postgresql") else 1)
        ]
        world = await a_world(servers[0].hub)
        for server in servers:
            async with server.client() as client:
                for path in ("record", "replay", "picture.png?at=0", "picture.png"):
                    assert (await client.get(f"/api/tables/{world.table}/{path}")).status_code == 200
            assert server.app.services.replays._answers._values
        viewers = [await Person(server.hub, world.table, None).connect() for server in servers]
        other = await stack.enter_async_context(attached(url))
        await delete_tables(other, [world.table])
        for viewer in viewers:
            await viewer.until(lambda viewer: viewer.ended)
            assert viewer.ended == "deleted"
        for server in servers:
            await until(lambda server=server: not server.app.services.replays._answers._values)
            assert world.table not in server.hub.rooms
            async with server.client() as client:
                for path in ("", "/record", "/replay", "/picture.png", "/backlog"):
                    answer = await client.get(f"/api/tables/{world.table}{path}")
                    assert (answer.status_code, answer.json()["error"]["kind"]) == (404, "table_not_found"), path


@pytest.mark.sample(1)
async def test_creating_a_table_again_that_was_deleted_is_answered_410(url: str) -> None:
    async with opened(url) as server, server.guest("Ann") as ann:
        daily = (await ann.post("/api/daily", json={})).json()["id"]
        await delete_tables(server.store, [daily])
        refused = await ann.post("/api/daily", json={})
        assert (refused.status_code, refused.json()["error"]["kind"]) == (410, "deleted")
        overview = (await ann.get("/api/daily")).json()
        assert overview["today"]["attempt"] is None
        assert (await ann.get("/api/me/tables")).json() == []


@pytest.mark.sample(1)
async def test_a_rematch_of_a_table_that_is_deleted_meanwhile_fails_properly(url: str) -> None:
    async with hub_at(url) as hub, attached(url) as other:
        for delay in (0.0, 0.002, 0.005, 0.01, 0.02):
            world = await a_world(hub)

            async def delete(world: World = world, delay: float = delay) -> None:
                await asyncio.sleep(delay)
                await delete_tables(other, [world.table])

            outcomes = await asyncio.gather(
                *(hub.rematch(world.table, player, id="again") for player in world.people),
                delete(),
                return_exceptions=True,
            )
            errors = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
            assert all(isinstance(error, RulesError | StoreError) for error in errors), errors
            assert world.secret not in await everything(other)


async def test_a_player_is_erased_while_others_play_on_two_servers(postgresql: PostgreSQL) -> None:
    """The others see the new name immediately, continue, and no server stores the old id again."""
    config = TableConfig(game="nimmt", options={"seats": 2, "hand": 3}, terms=Terms())
    with postgresql.shared_database() as url:
        async with hub_at(url) as first, hub_at(url) as second:
            people = tuple([await a_guest(first.store, name) for name in NAMES])
            table = await seated(first, config, people)
            person = await Person(first, table, people[0]).connect()
            stays = await Person(second, table, people[1]).connect()
            await person.choose()
            await stays.until(lambda stays: stays.room_view["chosen"])
            version = stays.version
            await erase_players(first.store, [people[0]])
            # A server that has not read it yet cannot append to the old log.
            with suppress(StoreError, RulesError):
                await stays.choose()
            for hub in (first, second):
                await hub.drop(table)
            await stays.until(lambda stays: stays.ended)
            assert stays.ended == "resync"
            again = await Person(second, table, people[1]).connect(after=version)
            await again.until(lambda again: again.room_view)
            assert [seat["name"] for seat in again.room_view["seats"]] == [ERASED_NAME, NAMES[1]]
            await again.send(React(1, "hmm"))
            await again.until(lambda again: again.version > version + 1)
            await resume(first.store)
            stored = await everything(first.store, but=("revocations", "erasures"))
            assert [trace for trace in (people[0], NAMES[0]) if trace in stored] == []


# Kills.

SCRIPT = """
import asyncio, os, signal, sys
from faceup.server.admin import deletion
from faceup.server.store import Store
deletion._ROWS_AT_ONCE = deletion._TABLES_AT_ONCE = 1
url, how, left, where, *names = sys.argv[1:]
left = int(left)
def kill():
    os.kill(os.getpid(), signal.SIGKILL)
class Killed(Store):
    async def write(self, work):
        global left
        left -= 1
        def killed(connection):
            work(connection)
            kill()
        done = await super().write(killed if left < 0 and where == "inside" else work)
        if left < 0:
            kill()
        return done
async def main():
    store = await Killed.attach(url)
    if how == "erase":
        await deletion.erase_players(store, names)
    else:
        await deletion.delete_tables(store, names)
asyncio.run(main())
"""


def _killed(url: str, how: str, names: list[str], writes: int, where: str) -> None:
    """Delete in another process, which is killed inside or after the transaction that follows so many others."""
    run = subprocess.run([sys.executable, "-c", SCRIPT, url, how, str(writes), where, *names], check=False)
    assert run.returncode in {-signal.SIGKILL, 0}  # 0: there were fewer transactions


@pytest.mark.long
@pytest.mark.parametrize("how", ["delete", "erase"])
def test_a_deletion_that_is_killed_is_finished_later(url: str, how: str) -> None:
    between = 0
    for writes, where in product(range(5), ("inside", "after")):
        worlds = on_hub(url, _three_worlds)
        names = [world.people[0] for world in worlds] if how == "erase" else [world.table for world in worlds]
        _killed(url, how, names, writes, where)
        between += on_store(url, _unfinished)

        async def finish(store: Store, worlds: list[World] = worlds) -> None:
            # Either nothing was done for a player or table, or all of it.
            begun = await _begun(store, how, worlds)
            await resume(store)
            stored = await everything(store, but=("revocations",))
            for world in begun:
                assert (world.people[0] if how == "erase" else world.secret) not in stored
            for world in worlds:
                rows = await store.read(world.table)
                assert bool(rows) == (how == "erase" or world not in begun)
                if rows:
                    assert fold_log([(loads(row.entries), row.command) for row in rows]).status == "finished"

        on_store(url, finish)
        assert on_store(url, _unfinished) == 0
    assert between >= 5


async def _three_worlds(hub: TableHub) -> list[World]:
    return [await a_world(hub) for _ in range(3)]


async def _unfinished(store: Store) -> int:
    """Return whether a deletion or an erasure is not finished."""
    unpurged = sa.select(deleted_tables.c.id).where(~deleted_tables.c.purged)
    pending = await store.query(lambda c: [*c.execute(unpurged), *c.execute(sa.select(erasures.c.player))])
    return int(bool(pending))


async def _begun(store: Store, how: str, worlds: list[World]) -> list[World]:
    """Return the worlds with a deletion that was started."""
    if how == "delete":
        return [world for world in worlds if await store.room(world.table) is None]
    left = await store.query(lambda c: set(c.execute(sa.select(players.c.id)).scalars()))
    return [world for world in worlds if world.people[0] not in left]


# Files.


@pytest.mark.long
@pytest.mark.parametrize("how", ["sweep", "keep", "delete", "erase"])
def test_no_file_of_a_compacted_database_has_what_was_deleted(
    url: str, admin: Callable[..., Done], how: str, postgresql: PostgreSQL
) -> None:
    """Nor has its write-ahead log: SQLite truncates it; PostgreSQL deletes it, if it does not recycle its files."""
    names = tuple(f"{name} {new_id()[:9]}" for name in NAMES)  # the server of other tests has other files
    world = on_hub(url, lambda hub: a_world(hub, names))
    postgres = url.startswith("postgresql")
    if postgres:
        postgresql.execute("ALTER SYSTEM SET wal_recycle = off", "SELECT pg_reload_conf()", "CHECKPOINT")
    assert found_in_files(url, (*names, world.secret)) == {*names, world.secret}
    _delete(how, world, url, admin)
    if how != "erase":  # the players are not erased with the table, but the names are in no log
        for player in world.people:
            admin("people", "erase", player)
    texts = (*names, *world.people, world.secret)
    revocations = sa.text("DELETE FROM revocations")  # as the sweep does after a day
    on_store(url, lambda store: store.write(lambda connection: connection.execute(revocations).rowcount))
    done = json.loads(admin("compact", "--full", "--json").out)
    assert done["done"] is True
    assert found_in_files(url, texts, wal=not postgres) == set()
    if postgres:
        postgresql.execute("SELECT pg_switch_wal()", "CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT")
        assert found_in_files(url, texts) == set()
        postgresql.execute("ALTER SYSTEM RESET wal_recycle", "SELECT pg_reload_conf()")


@pytest.mark.long
def test_a_sweep_alone_removes_deleted_content_from_the_files_of_sqlite(tmp_path: Path) -> None:
    """While a server uses the database. Its size shrinks as well."""
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def work(hub: TableHub) -> None:
        store = hub.store
        worlds = [await a_world(hub) for _ in range(3)]
        filler = [{"room": worlds[0].table, "seq": 1000 + n, "at": 0, "entries": "x" * 4000} for n in range(3000)]
        await store.write(lambda c: c.execute(log.insert(), filler).rowcount)
        await store.reclaim()
        before = await store.size()
        assert found_in_files(url, (worlds[0].secret, NAMES[0])) == {worlds[0].secret, NAMES[0]}
        for world in worlds:
            await _expire(store, world.table, 366)
        assert (await sweep(store))["finished"] == 3
        await erase_players(store, [player for world in worlds for player in world.people])
        assert await store.reclaim()
        traces = tuple(trace for world in worlds for trace in (world.secret, *NAMES))
        assert found_in_files(url, traces) == set()
        assert await store.size() < before / 3

    on_hub(url, work)


def test_an_older_file_is_compacted_once_and_then_gives_space_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tables.db"
    url = f"sqlite:///{path}"
    monkeypatch.setenv("FACEUP_DATABASE", url)
    on_store(url, lambda store: store.rooms())
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = DELETE")
        file.execute("PRAGMA auto_vacuum = NONE")
        file.execute("VACUUM")
        assert file.execute("PRAGMA auto_vacuum").fetchone() == (0,)
    done = InProcessCli(monkeypatch, capsys)("admin", "compact")
    assert done.out.startswith("The database had 0.")
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA auto_vacuum").fetchone() == (2,)
