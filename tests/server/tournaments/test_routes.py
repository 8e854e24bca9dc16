"""Tournaments over the API: from joining to the final standings, and everything that can go wrong on the way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
from tests.server.app_server import STALL, AppServer, built
from tests.server.tournaments.players import command, create, play, settings, until, view

from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.live import Timeouts
from faceup.server.process.settings import Settings

OFTEN = RateLimit(100_000, 1)
LIMITS = ServerLimits(requests=OFTEN, commands=OFTEN, tables=OFTEN)
FAST = Timeouts(think_time=(0, 0), stall=STALL, reconnect=300, sweep=50, request_grace=200, take_over=200)


@asynccontextmanager
async def running(
    path: Path, people: int, settings: Settings | None = None
) -> AsyncIterator[tuple[AppServer, list[httpx.AsyncClient]]]:
    """Run a server without a port, and return it with guests named P0, P1 and so on."""
    async with AsyncExitStack() as stack:
        limits = settings or Settings().without_limits()
        server = await stack.enter_async_context(built(f"sqlite:///{path / 't.db'}", limits, LIMITS, FAST))
        await server.app.start()
        stack.push_async_callback(server.app.stop)
        yield server, [await stack.enter_async_context(server.guest(f"P{number}")) for number in range(people)]


async def test_a_tournament_is_played_to_the_end(tmp_path: Path) -> None:
    """Seven people play two rounds at tables of three and four; the host only watches."""
    async with running(tmp_path, 8) as (_server, (host, *people)):
        tournament = await create(host)
        for person in people:
            joined = await command(person, tournament, "join")
        assert joined["me"] == {"number": 7, "status": "active", "table": None}
        started = await command(host, tournament, "start_round", round=1)
        assert started["tournament"]["status"] == "playing"
        assert sorted(len(table["seats"]) for table in started["tournament"]["rounds"][0]["tables"]) == [3, 4]
        podium = f"/api/tournaments/{tournament}/podium.png"
        assert (await host.get(podium)).status_code == 404
        await asyncio.gather(*(play(person, tournament) for person in people))
        seen = (await view(host, tournament))["tournament"]
        assert seen["status"] == "finished"
        assert (await host.get(f"{podium}?shape=tall&lang=de")).content.startswith(b"\x89PNG")
        assert len(seen["rounds"]) == 2
        assert all(table["places"] for round_ in seen["rounds"] for table in round_["tables"])
        assert next(row["place"] for row in seen["standings"]) == 1
        assert sum(row["points"] for row in seen["standings"]) == pytest.approx(7, abs=0.001)
        assert all(player["status"] == "active" for player in seen["players"])
        room = (await people[0].get(f"/api/tables/{seen['rounds'][0]['tables'][0]['table']}")).json()["room"]
        assert room["tournament"] == {"id": tournament, "round": 1, "table": 1}
        assert "host" not in room
        rows = (await people[0].get("/api/me/tournaments")).json()
        assert rows == [{"id": tournament, "tournament": "Club night", "name": "P1", "host": False, "named": False}]
        rematch = {"id": "1", "command": "rematch"}
        table = seen["rounds"][0]["tables"][0]["table"]
        refused = [await person.post(f"/api/tables/{table}/commands", json=rematch) for person in people]
        assert {answer.status_code for answer in refused} == {403}


async def test_commands_and_requests_can_be_repeated(tmp_path: Path) -> None:
    async with running(tmp_path, 4) as (_server, (host, *people)):
        key = {"idempotency-key": "a" * 32}
        body = {"settings": settings()}
        made = [(await host.post("/api/tournaments", json=body, headers=key)).json() for _ in range(2)]
        tournament = made[0]["tournament"]["id"]
        assert made[1]["tournament"] == made[0]["tournament"]
        for person in people:
            first, second = [await command(person, tournament, "join") for _ in range(2)]
            assert first["tournament"] == second["tournament"]
        for name, fields in (
            ("pause", {}),
            ("resume", {}),
            ("start_round", {"round": 1}),
            ("remove", {"number": 3}),
            ("end", {}),
        ):
            first, second = [await command(host, tournament, name, **fields) for _ in range(2)]
            assert first["tournament"] == second["tournament"], name
        await command(people[0], tournament, "leave")


async def test_only_the_host_leads_a_tournament(tmp_path: Path) -> None:
    async with running(tmp_path, 2) as (server, (host, guest)):
        tournament = await create(host)
        await command(guest, tournament, "join")
        before = await view(guest, tournament)
        for name, fields in (
            ("start_round", {"round": 1}),
            ("remove", {"number": 1}),
            ("pause", {}),
            ("resume", {}),
            ("end", {}),
        ):
            body = {"command": name, **fields}
            answer = await guest.post(f"/api/tournaments/{tournament}/commands", json=body)
            assert answer.status_code == 403
            async with server.client() as anonymous:
                answer = await anonymous.post(f"/api/tournaments/{tournament}/commands", json=body)
                assert answer.status_code == 401
        assert (await view(guest, tournament))["tournament"] == before["tournament"]


INVALID = (
    ({"rounds": 0}, "rounds"),
    ({"rounds": 21}, "rounds"),
    ({"name": ""}, "name"),
    ({"name": "\u200b"}, "name"),
    ({"break_time": -1}, "break_time"),
    ({"round_time": 1}, "round_time"),
    ({"join_until": 3}, "join_until"),
    ({"format": "knockout"}, "format"),
    ({"starts_at": 2**53}, "7 days"),
    ({"table": {"game": "nimmt", "terms": {"clock": None}}}, "clock"),
    ({"table": {"game": "nimmt", "terms": {"clock": 86_400_000}}}, "days"),
    ({"table": {"game": "nimmt", "terms": {"clock": 30_000, "fair": True}}}, "fair"),
    ({"table": {"game": "nimmt", "terms": {"clock": 30_000}, "listed": True}}, "listed"),
    ({"table": {"game": "nimmt", "terms": {"clock": 30_000}, "bots": ["mc@1000000"]}}, "mc"),
    ({"table": {"game": "chess", "terms": {"clock": 30_000}}}, "chess"),
    ({"extra": 1}, "extra"),
)


async def test_invalid_settings_are_refused(tmp_path: Path) -> None:
    async with running(tmp_path, 1) as (_server, (ann,)):
        for changes, words in INVALID:
            answer = await ann.post("/api/tournaments", json={"settings": settings(**changes)})
            assert answer.status_code == 400, changes
            assert words in answer.text
        assert (await ann.get("/api/me/tournaments")).json() == []


async def test_bad_commands_are_refused_and_change_nothing(tmp_path: Path) -> None:
    async with running(tmp_path, 3) as (_server, (host, ann, bo)):
        tournament = await create(host)
        await command(ann, tournament, "join")
        before = await view(ann, tournament)
        for client, body, status in (
            (host, {"command": "start_round", "round": 1}, 400),  # too few players
            (host, {"command": "start_round", "round": 2}, 409),
            (host, {"command": "start_round"}, 400),
            (host, {"command": "remove", "number": 7}, 400),
            (host, {"command": "remove", "number": 2**70}, 400),
            (host, {"command": "fly"}, 400),
            (host, [], 400),
            (bo, {"command": "leave"}, 404),
            (bo, {"command": "join", "name": "Admin"}, 400),
            (bo, {"command": "join", "name": "\u0420\u0031"}, 400),  # looks like P1
        ):
            answer = await client.post(f"/api/tournaments/{tournament}/commands", json=body)
            assert answer.status_code == status, (body, answer.text)
        assert (await bo.post("/api/tournaments/nothing/commands", json={"command": "join"})).status_code == 404
        assert (await view(ann, tournament))["tournament"] == before["tournament"]


async def test_who_is_removed_cannot_return_and_who_left_can(tmp_path: Path) -> None:
    async with running(tmp_path, 3) as (_server, (host, ann, bo)):
        tournament = await create(host)
        for client in (ann, bo):
            await command(client, tournament, "join")
        await command(ann, tournament, "leave")
        assert (await command(ann, tournament, "join"))["me"]["status"] == "active"
        await command(host, tournament, "remove", number=2)
        answer = await bo.post(f"/api/tournaments/{tournament}/commands", json={"command": "join"})
        assert answer.json()["error"]["kind"] == "closed"
        await command(bo, tournament, "leave")
        assert (await view(bo, tournament))["me"]["status"] == "removed"


async def test_a_client_can_wait_for_the_next_change(tmp_path: Path) -> None:
    async with running(tmp_path, 2) as (_server, (host, ann)):
        tournament = await create(host)
        version = (await view(host, tournament))["tournament"]["version"]
        waiting = asyncio.create_task(host.get(f"/api/tournaments/{tournament}?after={version}"))
        await view(host, tournament)
        assert not waiting.done(), "a later request was answered first"
        await command(ann, tournament, "join")
        seen = (await asyncio.wait_for(waiting, 5)).json()["tournament"]
        assert [player["name"] for player in seen["players"]] == ["P1"]
        assert seen["version"] > version


async def test_absent_players_are_played_by_autoplay_and_dropped_after_a_whole_round(tmp_path: Path) -> None:
    async with running(tmp_path, 4) as (_server, (host, *people)):
        tournament = await create(host, table={**settings()["table"], "grace": 800})
        for person in people:
            await command(person, tournament, "join")
        await command(host, tournament, "start_round", round=1)
        await asyncio.gather(*(play(person, tournament) for person in people[:2]))
        seen = (await view(host, tournament))["tournament"]
        assert [player["status"] for player in seen["players"]] == ["active", "active", "absent"]
        assert [len(table["seats"]) for round_ in seen["rounds"] for table in round_["tables"]] == [3, 2]


async def test_a_table_that_everyone_has_left_ends(tmp_path: Path) -> None:
    async with running(tmp_path, 4) as (_server, (host, *people)):
        tournament = await create(host, rounds=1, table={**settings()["table"], "grace": 0})
        for person in people:
            await command(person, tournament, "join")
        await command(host, tournament, "start_round", round=1)
        await until(host, tournament, "finished")
        seen = (await view(host, tournament))["tournament"]
        assert {player["status"] for player in seen["players"]} == {"absent"}


async def test_the_end_closes_tables_and_counts_their_places(tmp_path: Path) -> None:
    async with running(tmp_path, 4) as (_server, (host, *people)):
        tournament = await create(host)
        for person in people:
            await command(person, tournament, "join")
        await command(host, tournament, "start_round", round=1)
        ended = (await command(host, tournament, "end"))["tournament"]
        assert ended["status"] == "finished"
        [table] = ended["rounds"][0]["tables"]
        assert table["places"] == [1, 1, 1]
        room = (await people[0].get(f"/api/tables/{table['table']}")).json()["room"]
        assert room["closed"] == "round_over"


async def test_latecomers_join_until_the_stated_round_and_bots_fill_the_seats(tmp_path: Path) -> None:
    async with running(tmp_path, 4) as (server, (host, *people)):
        table = {**settings()["table"], "bots": ["lowest"]}
        tournament = await create(host, table=table, join_until=2, late_half=True, rounds=3, break_time=3_600_000)
        for person in people[:2]:
            await command(person, tournament, "join")
        started = (await command(host, tournament, "start_round", round=1))["tournament"]
        assert sorted(started["rounds"][0]["tables"][0]["seats"]) == [0, 1, 2]
        await asyncio.gather(*(play_until(person, tournament, "break") for person in people[:2]))
        await command(people[2], tournament, "join")
        await command(host, tournament, "start_round", round=2)
        seen = (await view(people[2], tournament))["tournament"]
        assert next(row for row in seen["standings"] if row["number"] == 3)["rounds"] == [0.5, None]
        assert not seen["can_join"]
        async with server.guest("Late") as late:
            answer = await late.post(f"/api/tournaments/{tournament}/commands", json={"command": "join"})
            assert answer.json()["error"]["kind"] == "stale"


async def play_until(client: httpx.AsyncClient, tournament: str, status: str) -> None:
    """Play until the tournament has this status."""
    playing = asyncio.create_task(play(client, tournament))
    await until(client, tournament, status)
    playing.cancel()


async def test_open_tournaments_of_a_host_and_an_address_are_limited(tmp_path: Path) -> None:
    limits = Settings(tournaments_per_player=1, tournaments_per_address=2)
    async with running(tmp_path, 3, limits) as (_server, (ann, bo, cy)):
        first = await create(ann)
        refused = await ann.post("/api/tournaments", json={"settings": settings()})
        assert (refused.status_code, refused.json()["error"]["kind"]) == (429, "rate_limited")
        await create(bo)
        assert (await cy.post("/api/tournaments", json={"settings": settings()})).status_code == 429
        await command(ann, first, "end")
        await create(ann)


async def test_a_tournament_starts_at_its_time(tmp_path: Path) -> None:
    async with running(tmp_path, 4) as (server, (host, *people)):
        tournament = await create(host, starts_at=server.hub.now() + 400)
        for person in people:
            await command(person, tournament, "join")
        await until(host, tournament, "playing")


async def test_the_link_is_drawn_as_a_qr_code(tmp_path: Path) -> None:
    async with running(tmp_path, 1) as (_server, (host,)):
        tournament = await create(host)
        answer = await host.get(f"/api/tournaments/{tournament}/link.svg")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert "<svg" in answer.text
        assert (await view(host, tournament))["link"].endswith(f"/tournaments/{tournament}")
