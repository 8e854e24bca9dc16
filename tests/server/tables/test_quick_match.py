"""Quick matches: everyone gets one seat, tables fill before others open, and games start in time."""

import asyncio
import json
import signal
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from tests.server.app_server import STALL, AppServer, built, listening_server
from tests.server.live.players import closed
from tests.server.server_process import free_port, serving

from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.live import Timeouts
from faceup.server.process.settings import Settings

OFTEN = RateLimit(100_000, 1)
LIMITS = ServerLimits(requests=OFTEN, commands=OFTEN, tables=OFTEN)


async def join(client: httpx.AsyncClient, game: str = "nimmt", key: str = "", **request: object) -> str:
    headers = {"idempotency-key": key * 32} if key else {}
    answer = await client.post("/api/quick-match", json={"game": game, **request}, headers=headers)
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["id"]
    return table


async def room_of(client: httpx.AsyncClient, table: str) -> dict[str, Any]:
    room: dict[str, Any] = (await client.get(f"/api/tables/{table}")).json()["room"]
    return room


def people(room: dict[str, Any]) -> list[str]:
    return [seat["name"] for seat in room["seats"] if seat and seat["kind"] == "person"]


WAITING = Timeouts(think_time=(0, 0), stall=STALL, fill=600_000, fill_grace=600_000)
"""No game starts without all players, and players need no connections, however slow the machine is."""


@asynccontextmanager
async def servers(
    path: Path, number: int = 1, timeouts: Timeouts | None = None
) -> AsyncIterator[tuple[list[AppServer], AsyncExitStack]]:
    """Run servers without ports on one database."""
    async with AsyncExitStack() as stack:
        started = []
        for _ in range(number):
            settings = Settings().without_limits()
            server = await stack.enter_async_context(built(f"sqlite:///{path}", settings, LIMITS, timeouts or WAITING))
            await server.app.start()
            stack.push_async_callback(server.app.stop)
            started.append(server)
        for server in started:  # else the first server would learn of the second one a second later
            await server.hub.context.heartbeat.send()
        yield started, stack


async def guests(stack: AsyncExitStack, servers: Sequence[AppServer], number: int) -> list[httpx.AsyncClient]:
    chosen = [servers[number_of_server % len(servers)] for number_of_server in range(number)]
    return [await stack.enter_async_context(server.guest(f"Guest {index}")) for index, server in enumerate(chosen)]


@pytest.mark.sample(1)
@pytest.mark.parametrize("seats", [2, 5, 10])
async def test_simultaneous_players_fill_one_table_after_the_other(tmp_path: Path, seats: int) -> None:
    async with servers(tmp_path / "t.db") as (started, stack):
        clients = await guests(stack, started, 2 * seats + 1)
        tables = await asyncio.gather(*[join(client, seats=seats) for client in clients])
        assert sorted(Counter(tables).values()) == [1, seats, seats]
        for table, count in Counter(tables).items():
            room = await room_of(clients[0], table)
            assert len(people(room)) == count
            assert room["status"] == ("active" if count == seats else "pending")


async def test_players_at_two_servers_meet_at_the_same_tables(tmp_path: Path) -> None:
    async with servers(tmp_path / "t.db", 2) as (started, stack):
        clients = await guests(stack, started, 9)
        tables = await asyncio.gather(*[join(client, seats=3) for client in clients])
        assert sorted(Counter(tables).values()) == [3, 3, 3]
        for table in set(tables):
            assert len(people(await room_of(clients[0], table))) == 3


@pytest.mark.sample(1)
@pytest.mark.parametrize("seats", [2, 4])
async def test_a_player_gets_one_seat_with_any_number_of_requests(tmp_path: Path, seats: int) -> None:
    """Two players send ten requests each, to two servers; two players fill a table of two."""
    async with servers(tmp_path / "t.db", 2) as (started, stack):
        clients = await guests(stack, started, 2)
        devices = []
        for client in clients:
            for server in started:
                device = await stack.enter_async_context(server.client())
                device.cookies.update(client.cookies)
                devices += [device] * 5
        tables = set(await asyncio.gather(*[join(device, seats=seats) for device in devices]))
        assert len(tables) == 1
        assert len(people(await room_of(clients[0], *tables))) == 2
        listed = (await clients[0].get("/api/tables")).json()
        assert [row["id"] for row in listed] == [*tables]


async def test_a_repeated_request_returns_the_same_table_also_after_the_start(tmp_path: Path) -> None:
    async with servers(tmp_path / "t.db") as (started, stack):
        ann, bo, cy = await guests(stack, started, 3)
        first = await join(ann, seats=2, key="1")
        assert await join(bo, seats=2, key="2") == first
        assert await join(ann, seats=2, key="1") == first
        other = await join(cy, seats=2, key="3")
        assert other != first
        assert len(people(await room_of(cy, other))) == 1


async def test_a_player_waits_at_one_quick_match_only(tmp_path: Path) -> None:
    async with servers(tmp_path / "t.db") as (started, stack):
        ann, bo = await guests(stack, started, 2)
        first = await join(ann, seats=4)
        assert await join(bo, seats=4) == first
        second = await join(ann, seats=3)
        assert second != first
        assert people(await room_of(bo, first)) == ["Guest 1"]
        assert people(await room_of(bo, second)) == ["Guest 0"]
        third = await join(ann, "war")
        assert (await room_of(bo, second))["closed"] == "abandoned"
        assert people(await room_of(bo, third)) == ["Guest 0"]


async def test_private_tables_and_tables_of_others_are_not_used(tmp_path: Path) -> None:
    async with servers(tmp_path / "t.db") as (started, stack):
        ann, bo = await guests(stack, started, 2)
        own = [
            await started[0].table(ann, options={"seats": 4}, listed=listed, terms={"clock": 30_000})
            for listed in (False, True)
        ]
        table = await join(bo)
        assert table not in own
        room = await room_of(bo, table)
        assert room["config"]["listed"]
        assert room["config"]["rated"]
        assert "host" not in room
        for command in ("start", "close", "pause"):
            answer = await bo.post(f"/api/tables/{table}/commands", json={"id": command, "command": command})
            assert answer.status_code == 403


async def test_a_name_that_looks_like_another_one_gets_a_seat(tmp_path: Path) -> None:
    async with servers(tmp_path / "t.db") as (started, stack):
        ann = await stack.enter_async_context(started[0].guest("Ann"))
        other = await stack.enter_async_context(started[0].guest("\u0410nn"))  # with a Cyrillic letter
        table = await join(ann)
        assert await join(other) == table
        first, second = people(await room_of(ann, table))
        assert first == "Ann"
        assert second == "Guest"


async def test_unknown_games_and_numbers_of_seats_are_rejected(tmp_path: Path) -> None:
    async with servers(tmp_path / "t.db") as (started, stack):
        (ann,) = await guests(stack, started, 1)
        for request in ({"game": "chess"}, {"game": "nimmt", "seats": 11}, {"game": "war", "seats": 3}):
            answer = await ann.post("/api/quick-match", json=request)
            assert answer.status_code == 400
        assert (await ann.get("/api/tables")).json() == []


async def test_limits_on_open_tables_count_quick_matches_of_their_creator(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        settings = Settings(listed_tables_per_player=1)
        server = await stack.enter_async_context(built(f"sqlite:///{tmp_path / 't.db'}", settings, LIMITS))
        await server.app.start()
        stack.push_async_callback(server.app.stop)
        ann, bo = await guests(stack, [server], 2)
        await server.table(ann, listed=True)
        refused = await ann.post("/api/quick-match", json={"game": "nimmt"})
        assert refused.json()["error"]["kind"] == "too_many_tables"
        table = await join(bo)
        assert await join(ann) == table  # this creates no table


FAST = Timeouts(think_time=(0, 0), stall=STALL, fill=1_500, fill_grace=300, sweep=50, reconnect=1_500)


async def test_bots_fill_the_seats_in_time(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(listening_server(tmp_path / "t.db", timeouts=FAST))
        ann = await stack.enter_async_context(server.guest("Ann"))
        bo = await stack.enter_async_context(server.guest("Bo"))
        table = await join(ann)
        live = await stack.enter_async_context(server.live(table, ann))
        first = (await live.until("room"))["room"]
        assert first["fills_at"] >= FAST.fill
        assert await join(bo) == table
        other = await stack.enter_async_context(server.live(table, bo))
        assert (await other.until("room"))["room"]["fills_at"] == first["fills_at"]
        while "status" not in (patch := (await live.until("patch"))["patch"]):
            assert "fills_at" not in patch  # the second player changes nothing
        assert patch["status"] == "active"
        assert patch["fills_at"] is None
        room = await room_of(ann, table)
        assert people(room) == ["Ann", "Bo"]
        assert all(room["seats"])


async def test_a_player_who_closes_the_page_frees_the_seat(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(listening_server(tmp_path / "t.db", timeouts=FAST))
        ann, bo, cy = [await stack.enter_async_context(server.guest(name)) for name in ("Ann", "Bo", "Cy")]
        table = await join(ann)
        live = await stack.enter_async_context(server.live(table, ann))
        assert await join(bo) == table
        async with server.live(table, bo) as other:
            await other.until("room")
        assert await join(cy) == table  # does not connect
        while (await live.until("patch"))["patch"].get("status") != "active":
            pass
        assert people(await room_of(ann, table)) == ["Ann"]


async def test_a_table_that_everyone_left_is_closed(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(listening_server(tmp_path / "t.db", timeouts=FAST))
        ann = await stack.enter_async_context(server.guest("Ann"))
        table = await join(ann)
        async with server.live(table, ann) as live:
            await live.until("room")
        await closed(server.hub, table)
        assert (await room_of(ann, table))["closed"] == "abandoned"
        assert await join(ann) != table


@pytest.mark.slow
async def test_a_game_starts_although_the_server_is_killed_within_the_ten_seconds(tmp_path: Path) -> None:
    port = f"{free_port()}"
    with serving(tmp_path / "data", "--port", port) as server:
        answer = server.ask("/api/quick-match", {"game": "nimmt"})
        assert answer.status == 201
        table, cookie = answer.json["id"], server.cookie
        server.stop(signal.SIGKILL)
    with serving(tmp_path / "data", "--port", port) as server:
        address = f"{server.address.replace('http', 'ws')}/api/tables/{table}/live"
        async with websockets.connect(address, additional_headers={"cookie": cookie}) as connection:
            room = json.loads((await connection.recv()).splitlines()[0])["room"]
            assert room["status"] == "pending"
            assert room["seat"] == 0
            async with asyncio.timeout(60):
                async for frame in connection:
                    lines = [json.loads(line) for line in frame.splitlines()]
                    if any(line.get("patch", {}).get("status") == "active" for line in lines):
                        break
        server.cookie = cookie
        started = server.ask(f"/api/tables/{table}").json["room"]
        assert people(started) == [started["seats"][0]["name"]]
        assert all(started["seats"])
