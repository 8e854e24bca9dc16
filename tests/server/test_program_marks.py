"""Programs are marked among members, entrants and scores, and in seats that the server takes for them."""

from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.app_server import AppServer
from tests.server.parties.test_countdown import follow, tap
from tests.server.parties.test_routes import end, get, join, key_of, people, play, send, sit, start
from tests.server.requests import do, play_on
from tests.server.results.test_programs import RATED, program_of, seats_of
from tests.server.tournaments.players import command, create, settings, view
from tests.server.tournaments.players import play as play_tournament
from tests.server.tournaments.test_routes import running

from faceup.server.accounts.players import find_by_name


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
        table = await play(ann, party, config={"game": "nimmt", "terms": {"clock": None}, "options": {"hand": 2}})
        await sit(bot, table)
        await end(table, ann, bot)
        assert marks((await get(ann, f"/api/parties/{party}/evening"))["standings"]) == {"Ann": False, "Bo": True}
        score = await get(ann, f"/api/parties/{party}/statistics")
        assert marks(score["variants"][0]["standings"]) == {"Ann": False, "Bo": True}
        sides = (await get(ann, f"/api/parties/{party}/games"))[0]["sides"]
        assert {side["who"]["name"]: side["who"]["program"] for side in sides}["Bo"]


async def test_a_member_is_marked_while_a_program_has_the_page_open(tmp_path: Path) -> None:
    async with people(tmp_path, "Ann Bo") as ((server,), (ann, bo)), program_of(server, bo) as bot:
        party = await start(ann)
        await join(bo, await key_of(ann, party))
        reader = (await bo.post("/api/tokens", json={"label": "reader", "scopes": ["read"]})).json()["key"]
        async with server.client(authorization=f"Bearer {reader}") as watching:
            for client, program in ((bo, False), (bot, True), (watching, True), (bo, False), (watching, False)):
                server.shift(40_000)
                await get(client, f"/api/parties/{party}")
                assert marks((await get(ann, f"/api/parties/{party}"))["members"])["Bo"] is program


@pytest.mark.parametrize("guest", [False, True])
async def test_a_quick_match_marks_a_program_when_it_sits_down(app: AppServer, guest: bool) -> None:
    async with app.guest("Bo") as bo, program_of(app, bo) as bot:
        if guest:
            await declare(bo, await app.table(bo))
        client = bo if guest else bot
        found = (await client.post("/api/quick-match", json={"game": "nimmt", "seats": 3})).json()
        assert await seats_of(bo, found["table"]) == [True]


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
        table = await play(bot, party, config={"game": "nimmt", "terms": {"clock": None}})
        assert await seats_of(ann, table) == [True]


async def test_an_accepted_invitation_marks_a_program(tmp_path: Path) -> None:
    async with people(tmp_path, "Ann Bo") as ((server,), (ann, bo)), program_of(server, bo) as bot:
        party = await start(ann)
        await join(bot, await key_of(ann, party))
        await play(ann, party, config={"game": "nimmt", "terms": {"clock": None}})
        [invitation] = (await get(bot, "/api/inbox"))["invitations"]
        table = (await send(bot, "POST", f"/api/invitations/{invitation['id']}/accept"))["table"]
        assert await seats_of(ann, table) == [False, True]


async def test_a_rematch_and_a_daily_deal_mark_programs_when_they_sit_down(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, program_of(app, bo) as bot:
        table = await app.table(ann, bot, **RATED)
        await play_on([ann, bot], table)
        rematch = (await do(bo, table, "rematch")).json()["table"]
        assert await seats_of(ann, rematch) == [True]
        daily = (await bot.post("/api/daily", json={})).json()["table"]
        room = (await bo.get(f"/api/tables/{daily}")).json()["room"]
        assert room["seats"][0]["program"] is True


async def test_entrants_and_standings_of_a_tournament_mark_programs(tmp_path: Path) -> None:
    async with running(tmp_path, 4) as (server, (host, one, two, three)), program_of(server, one) as bot:
        tournament = await create(host)
        for client in (bot, two, three):
            await command(client, tournament, "join")
        seen = await view(host, tournament)
        assert marks(seen["tournament"]["players"]) == {"P1": True, "P2": False, "P3": False}
        started = await command(host, tournament, "start_round", round=1)
        [table] = started["tournament"]["rounds"][0]["tables"]
        assert sum(await seats_of(one, table["table"])) == 1
        await declare(two, table["table"])
        for client in (bot, two, three):
            await play_tournament(client, tournament) if client is bot else None
