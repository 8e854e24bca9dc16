"""Tournaments survive kills at any moment, and several servers run each of them together."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import msgspec
import pytest
import sqlalchemy as sa
from tests.server.app_server import STALL, AppServer, built
from tests.server.postgresql import PostgreSQL
from tests.server.server_process import free_port, serving
from tests.server.tournaments.players import command, create, play, settings, until, view

from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.live import Timeouts
from faceup.server.live.change_listeners import ChangeListeners
from faceup.server.process.settings import Settings
from faceup.server.store import Store
from faceup.server.store.schema import log, outages, rooms
from faceup.server.tables.schema import player_tables
from faceup.server.tournaments.queries import StoredTournament, change_tournament, find_tournament, store_round
from faceup.server.tournaments.schema import tournament_tables
from faceup.server.tournaments.state import TournamentState, advance
from faceup.server.tournaments.tasks import Tournaments

OFTEN = RateLimit(100_000, 1)
FAST = Timeouts(think_time=(0, 0), stall=STALL, reconnect=300, sweep=50)


@pytest.fixture
def address(postgresql: PostgreSQL) -> Iterator[str]:
    with postgresql.shared_database() as address:
        yield address


@asynccontextmanager
async def two_servers(address: str) -> AsyncIterator[tuple[list[AppServer], list[httpx.AsyncClient]]]:
    """Run two servers on one database, with a host and six players, of whom every second one is at the other server."""
    async with AsyncExitStack() as stack:
        limits, servers = ServerLimits(requests=OFTEN, commands=OFTEN, tables=OFTEN), []
        for _ in range(2):
            server = await stack.enter_async_context(built(address, Settings().without_limits(), limits, FAST))
            await server.app.start()
            stack.push_async_callback(server.app.stop)
            servers.append(server)
        yield (
            servers,
            [await stack.enter_async_context(servers[number % 2].guest(f"P{number}")) for number in range(7)],
        )


async def count(store: Store, query: sa.Select[int]) -> int:
    """Return the result of a query for a number."""
    return await store.query(lambda connection: connection.execute(query).scalar_one())


ROOMS = sa.select(sa.func.count()).select_from(rooms)
SEATS = sa.select(sa.func.count()).select_from(player_tables)
AWAITED = sa.select(sa.func.count()).select_from(tournament_tables)


async def test_two_servers_play_a_tournament_together(address: str) -> None:
    async with two_servers(address) as (servers, (host, *people)):
        tournament = await create(host)
        await asyncio.gather(*(command(person, tournament, "join") for person in people))
        players = (await view(host, tournament))["tournament"]["players"]
        assert [player["number"] for player in players] == [*range(1, 7)]
        await command(host, tournament, "start_round", round=1)
        await asyncio.gather(*(play(person, tournament) for person in people))
        seen = [(await view(client, tournament))["tournament"] for client in (host, people[0])]
        assert seen[0] == seen[1]
        assert seen[0]["status"] == "finished"
        assert sum(row["points"] for row in seen[0]["standings"]) == pytest.approx(6)
        assert await count(servers[0].store, ROOMS) == 4
        assert await count(servers[0].store, SEATS) == 12
        assert await count(servers[0].store, AWAITED) == 0


async def test_tables_of_a_round_are_created_once_after_a_kill_between_draw_and_creation(address: str) -> None:
    """The round is stored as by a server that is killed before it creates the tables; both others find it."""
    async with two_servers(address) as (servers, (host, *people)):
        for server in servers:  # they would be faster than this test
            await server.app.services.tournaments.task.stop()
        tournament = await create(host)
        for person in people:
            await command(person, tournament, "join")
        store, now = servers[0].store, servers[0].hub.now()
        before = await store.query(lambda connection: find_tournament(connection, tournament))
        due = advance(msgspec.structs.replace(before.state, next_at=now), now)
        stored = await store.write(lambda connection: store_round(connection, now, before, due))
        assert stored is not None
        assert await store.write(lambda connection: store_round(connection, now, before, due)) is None, "it is late"
        assert await count(store, ROOMS) == 0
        early = await view(people[0], tournament)
        assert early["me"]["table"] is None, "there is no such table yet"
        assert {table["table"] for table in early["tournament"]["rounds"][0]["tables"]} == {None}
        await asyncio.gather(
            *(Tournaments(server.store, server.hub, ChangeListeners()).run_due() for server in servers)
        )
        assert await count(store, ROOMS) == 2
        assert await count(store, SEATS) == 6
        late = (await view(people[0], tournament))["tournament"]
        assert late["version"] > early["tournament"]["version"], "clients wait for it"
        tables = {(await view(person, tournament))["me"]["table"] for person in people}
        assert tables == {table["table"] for table in late["rounds"][0]["tables"]}
        assert len(tables) == 2
        for person in people:
            table = (await view(person, tournament))["me"]["table"]
            assert (await person.get(f"/api/tables/{table}")).json()["room"]["seat"] in {0, 1, 2}


async def test_results_of_deleted_tables_are_ties(tmp_path: Path) -> None:
    async with two_servers(f"sqlite:///{tmp_path / 't.db'}") as (servers, (host, *people)):
        tournament = await create(host, rounds=1)
        for person in people:
            await command(person, tournament, "join")
        await command(host, tournament, "start_round", round=1)
        await servers[0].store.write(lambda connection: connection.execute(rooms.delete()).rowcount)
        await until(host, tournament, "finished")
        seen = (await view(host, tournament))["tournament"]
        assert {row["points"] for row in seen["standings"]} == {0.5}
        assert seen["rounds"][0]["tables"][0]["scores"] is None


@pytest.mark.parametrize(
    ("people", "kills", "rounds", "pause"),
    [
        pytest.param(6, 1, 2, 0.4, marks=pytest.mark.slow),
        pytest.param(40, 4, 7, 6.0, marks=pytest.mark.long),
    ],
)
async def test_people_play_to_the_end_although_the_server_is_killed_in_the_middle(
    tmp_path: Path, people: int, kills: int, rounds: int, pause: float
) -> None:
    """Each kill comes while a round is played, and the next server continues with the same tables."""
    port = free_port()
    seats = 3 if people < 10 else 4
    config = {**settings()["table"], "options": {"seats": seats, "hand": 2 if people < 10 else 10}}
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=20))
            for _ in range(people + 1)
        ]
        host, *players = clients
        playing: list[asyncio.Task[None]] = []
        tournament = ""
        for killed in range(kills + 1):
            with serving(tmp_path / "data", "--port", f"{port}") as server:
                if not tournament:
                    for number, player in enumerate(clients):
                        (await player.post("/api/session", json={"name": f"P{number}"})).raise_for_status()
                    tournament = await create(host, table=config, rounds=rounds, break_time=2_000)
                    for player in players:
                        await command(player, tournament, "join")
                    await command(host, tournament, "start_round", round=1)
                    playing = [asyncio.create_task(play(player, tournament, pause=0.1)) for player in players]
                if killed < kills:
                    await asyncio.sleep(pause)
                    status = ""
                    async with asyncio.timeout(60):
                        while status not in {"playing", "break"}:
                            status = (await view(host, tournament))["tournament"]["status"]
                            await asyncio.sleep(0.05)
                    server.stop(signal.SIGKILL)
                else:
                    await asyncio.gather(*playing)
                    seen = (await view(host, tournament))["tournament"]
        assert seen["status"] == "finished"
        assert sum(row["points"] for row in seen["standings"]) == pytest.approx(
            people / 2 * len(seen["rounds"]), abs=0.1
        )
        tables = [table["table"] for round_ in seen["rounds"] for table in round_["tables"]]
        assert len(tables) == len(set(tables)) == len(seen["rounds"]) * people // seats
        assert {player["status"] for player in seen["players"]} == {"active"}
    store = await Store.attach(f"sqlite:///{tmp_path / 'data' / 'online' / 'tables.sqlite'}")
    assert await count(store, ROOMS) == len(tables)
    assert await count(store, AWAITED) == 0
    await store.close()


async def end_round(server: AppServer, tournament: str) -> None:
    """Let the time of a round end."""

    def change(stored: StoredTournament) -> TournamentState:
        return msgspec.structs.replace(stored.state, round_ends_at=server.hub.now())

    now = server.hub.now()
    await server.store.write(lambda connection: change_tournament(connection, now, tournament, change))


async def test_an_unreadable_table_stops_neither_its_tournament_nor_others(tmp_path: Path) -> None:
    async with two_servers(f"sqlite:///{tmp_path / 't.db'}") as (servers, (host, *people)):
        tournaments = [await create(host, rounds=1) for _ in range(2)]
        for tournament in tournaments:
            for person in people[:3]:
                await command(person, tournament, "join")
            await command(host, tournament, "start_round", round=1)
        table = (await view(people[0], tournaments[0]))["me"]["table"]
        await servers[0].store.write(
            lambda connection: connection.execute(log.update().where(log.c.room == table).values(entries="[[")).rowcount
        )
        for server in servers:
            if (room := server.hub._rooms.pop(table, None)) is not None:
                room.end()
        await end_round(servers[0], tournaments[0])
        await asyncio.gather(*(play(person, tournaments[1]) for person in people[:3]))
        await until(host, tournaments[0], "finished")
        seen = (await view(host, tournaments[0]))["tournament"]
        assert seen["rounds"][0]["tables"][0]["scores"] is None
        assert (await view(host, tournaments[1]))["tournament"]["status"] == "finished"


async def test_an_outage_moves_the_end_of_a_round_once(tmp_path: Path) -> None:
    async with two_servers(f"sqlite:///{tmp_path / 't.db'}") as (servers, (host, *people)):
        tournament = await create(host, rounds=1)
        for person in people[:3]:
            await command(person, tournament, "join")
        before = (await command(host, tournament, "start_round", round=1))["tournament"]["round_ends_at"]
        now = servers[0].store.now()
        row = outages.insert().values(start=now, end=now + 60_000)
        await servers[0].store.write(lambda connection: connection.execute(row).rowcount)
        async with asyncio.timeout(60):
            while (await view(host, tournament))["tournament"]["round_ends_at"] == before:  # noqa: ASYNC110 -- a database
                await asyncio.sleep(0.05)
        await command(people[0], tournament, "leave")
        for server in servers:
            await server.app.services.tournaments.run_due()
        assert (await view(host, tournament))["tournament"]["round_ends_at"] == before + 60_000
