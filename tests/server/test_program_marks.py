"""Programs are marked among members, entrants and scores, and in seats that the server takes for them."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.app_server import AppServer, ListeningServer
from tests.server.conftest import Serve
from tests.server.parties.test_countdown import follow, tap
from tests.server.parties.test_routes import NIMMT, end, get, join, key_of, people, play, send, sit, start
from tests.server.requests import do, play_on
from tests.server.results.test_programs import RATED, program_of, seats_of
from tests.server.tournaments.players import command, create, view
from tests.server.tournaments.players import play as play_tournament
from tests.server.tournaments.test_routes import running

from faceup.server.parties import queries as parties
from faceup.server.process.settings import Settings


def marks(rows: list[dict[str, Any]]) -> dict[str, bool]:
    """Return whether each person of a list is marked, by name."""
    return {(row.get("who") or row)["name"]: (row.get("who") or row)["program"] for row in rows}


async def declare(client: httpx.AsyncClient, table: str) -> None:
    await do(client, table, "declare_program")


async def test_members_and_the_score_of_a_party_mark_programs(tmp_path: Path) -> None:
    async with people(tmp_path, "Ann Bo Cy") as ((server,), (ann, bo, cy)), program_of(server, bo) as bot:
        party = await start(ann)
        key = await key_of(ann, party)
        await join(bot, key)
        await join(cy, key)
        expected = {"Ann": False, "Bo": True, "Cy": False}
        assert marks((await get(ann, f"/api/parties/{party}"))["members"]) == expected
        assert marks((await get(ann, "/api/parties"))[0]["faces"]) == expected
        assert marks((await get(ann, f"/api/party-links/{key}"))["people"]) == expected
        table = await play(ann, party, config=NIMMT)
        await sit(bot, table)
        await sit(cy, table)
        await end(table, ann, bot, cy)
        assert marks((await get(ann, f"/api/parties/{party}/evening"))["standings"]) == expected
        score = await get(ann, f"/api/parties/{party}/statistics")
        assert marks(score["variants"][0]["standings"]) == expected
        sides = (await get(ann, f"/api/parties/{party}/games"))[0]["sides"]
        assert {side["who"]["name"]: side["who"]["program"] for side in sides}["Bo"]


async def test_a_member_is_marked_while_a_program_has_the_page_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parties, "_TOUCHED", -1)  # every request counts
    async with people(tmp_path, "Ann Bo") as ((server,), (ann, bo)), program_of(server, bo) as bot:
        party = await start(ann)
        await join(bo, await key_of(ann, party))
        reader = (await bo.post("/api/tokens", json={"label": "reader", "scopes": ["read"]})).json()["key"]
        async with server.client(authorization=f"Bearer {reader}") as watching:
            for client, program in ((bo, False), (bot, True), (watching, True), (bo, False), (watching, False)):
                await get(client, f"/api/parties/{party}")
                assert marks((await get(ann, f"/api/parties/{party}"))["members"])["Bo"] is program


@pytest.mark.parametrize("guest", [False, True])
async def test_a_quick_match_marks_a_program_when_it_sits_down(app: AppServer, guest: bool) -> None:
    async with app.guest("Bo") as bo, program_of(app, bo) as bot:
        if guest:
            await declare(bo, await app.table(bo))
        client = bo if guest else bot
        place = (await client.post("/api/quick-match", json={"game": "nimmt", "seats": 3})).json()
        assert await seats_of(bo, place["id"]) == [True]


async def test_a_guest_who_gets_an_account_is_a_person_again(app: AppServer) -> None:
    async with app.guest("Bo") as bo:
        await declare(bo, await app.table(bo))
        assert await seats_of(bo, await app.table(bo)) == [True]
        await bo.post("/api/account", json={"login": "bo", "password": "correct horse"})
        table = await app.table(bo)
        assert await seats_of(bo, table) == [False]
        await declare(bo, table)
        assert await seats_of(bo, await app.table(bo)) == [False]


async def test_tables_of_a_party_mark_programs_when_they_sit_down(tmp_path: Path) -> None:
    async with people(tmp_path, "Ann Bo") as ((server,), (ann, bo)), program_of(server, bo) as bot:
        party = await start(bot)
        await join(ann, await key_of(bo, party))
        table = await play(bot, party, config=NIMMT)
        assert await seats_of(ann, table) == [True]


async def test_an_accepted_invitation_marks_a_program(tmp_path: Path) -> None:
    async with people(tmp_path, "Ann Bo") as ((server,), (ann, bo)), program_of(server, bo) as bot:
        party = await start(ann)
        await join(bot, await key_of(ann, party))
        await play(ann, party, config=NIMMT)
        [invitation] = (await get(bot, "/api/inbox"))["invitations"]
        table = (await send(bot, "POST", f"/api/invitations/{invitation['id']}/accept"))["table"]
        assert await seats_of(ann, table) == [False, True]


async def test_a_rematch_and_a_daily_deal_mark_programs_when_they_sit_down(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, program_of(app, bo) as bot:
        table = await app.table(ann, bot, **RATED)
        await play_on([ann, bot], table)
        rematch = (await do(bo, table, "rematch")).json()["table"]
        assert await seats_of(ann, rematch) == [True]
        daily = (await bot.post("/api/daily", json={})).json()["id"]
        room = (await bo.get(f"/api/tables/{daily}")).json()["room"]
        assert room["seats"][0]["program"] is True


async def test_a_countdown_marks_programs_when_they_sit_down(tmp_path: Path) -> None:
    async with people(tmp_path, "Ann Bo") as ((server,), (ann, bo)), program_of(server, bo) as bot:
        party = await start(ann)
        await join(bo, await key_of(ann, party))
        await tap(ann, party, config=NIMMT)
        await tap(bot, party, config=NIMMT)
        room = (await get(ann, f"/api/tables/{await follow(ann, party)}"))["room"]
        assert {seat["name"]: bool(seat["program"]) for seat in room["seats"]} == {"Ann": False, "Bo": True}


async def test_entrants_of_a_tournament_are_marked_if_programs_join_or_play(tmp_path: Path) -> None:
    async with running(tmp_path, 4) as (server, (host, first, two, three)), program_of(server, first) as bot:
        tournament = await create(host)
        for client in (bot, two, three):
            await command(client, tournament, "join")
        assert marks((await view(host, tournament))["tournament"]["players"]) == {"P1": True, "P2": False, "P3": False}
        started = await command(host, tournament, "start_round", round=1)
        [table] = started["tournament"]["rounds"][0]["tables"]
        room = (await get(host, f"/api/tables/{table['table']}"))["room"]
        assert {seat["name"]: bool(seat["program"]) for seat in room["seats"]} == {"P1": True, "P2": False, "P3": False}
        await declare(two, table["table"])
        await asyncio.gather(*(play_tournament(client, tournament) for client in (bot, two, three)))
        assert marks((await view(host, tournament))["tournament"]["players"]) == {"P1": True, "P2": True, "P3": False}


async def test_an_entrant_who_returns_as_a_program_is_marked(tmp_path: Path) -> None:
    async with running(tmp_path, 2) as (server, (host, first)), program_of(server, first) as bot:
        tournament = await create(host)
        before = await command(first, tournament, "join")
        after = await command(bot, tournament, "join")
        assert marks(before["tournament"]["players"]) == {"P1": False}
        assert marks(after["tournament"]["players"]) == marks((await view(host, tournament))["tournament"]["players"])
        assert marks(after["tournament"]["players"]) == {"P1": True}


async def test_statistics_of_a_person_leave_out_the_games_of_programs(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, program_of(app, bo) as bot:
        await play_on([ann, bot], await app.table(ann, bot, options={"seats": 2}))
        await play_on([ann, bo], await app.table(ann, bo, options={"seats": 2}))
        await play_on([ann, bot], await app.table(ann, bot, options={"seats": 2}))
        for client, number in ((ann, 3), (bo, 1)):
            results = (await client.get("/api/me/results")).json()
            assert len(results["games"]) == 3
            assert [totals["games"] for totals in results["totals"]] == [number]
            assert (await client.get("/api/me/statistics")).json()["games"] == number


@pytest.mark.parametrize("rate_programs", [False, True])
async def test_the_label_of_a_rated_table_depends_on_who_has_seats(serve: Serve, rate_programs: bool) -> None:
    app = await serve(Settings(rate_programs=rate_programs))
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, program_of(app, bo) as bot:
        table = await app.table(ann, listed=True, rated=True, options={"seats": 3})
        for client, rated in ((ann, True), (bot, rate_programs)):
            if client is bot:
                await do(bot, table, "sit")
            room = (await ann.get(f"/api/tables/{table}")).json()["room"]
            [listed] = (await ann.get("/api/tables")).json()
            assert (room["config"]["rated"], room["rated"], listed["summary"]["rated"]) == (True, rated, rated)


async def test_viewers_see_that_a_rated_game_is_not_rated_any_more(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        key = (await bo.post("/api/tokens", json={"label": "bot"})).json()["key"]
        table = await server.table(ann, bo, **RATED)
        async with server.live(table, ann) as watching, server.live(table, token=key) as bot:
            room = (await bot.until("room"))["room"]
            assert (await watching.until("room"))["room"]["rated"] is True
            await bot.ask("c", "choose", seat=1, action=room["actions"][0], decision=room["decision"])
            while "rated" not in (patch := (await watching.until("patch"))["patch"]):
                pass
            assert patch["rated"] is False
