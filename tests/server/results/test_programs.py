"""Programs of people are marked wherever they are shown, have their own ladder, and rate no people by default."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import httpx
import pytest
from sqlalchemy import Connection
from tests.server.app_server import AppServer, ListeningServer
from tests.server.conftest import Serve
from tests.server.requests import do, error, play_on

from faceup.server.accounts.players import find_by_name
from faceup.server.admin.players import erase
from faceup.server.player_data import merge
from faceup.server.process.settings import Settings
from faceup.server.results.ingest import recount

RATED = {"rated": True, "options": {"seats": 2}}


@asynccontextmanager
async def program_of(app: AppServer, player: httpx.AsyncClient) -> AsyncIterator[httpx.AsyncClient]:
    """Return a client with a token of the player."""
    key = (await player.post("/api/tokens", json={"label": "bot"})).json()["key"]
    async with app.client(authorization=f"Bearer {key}") as client:
        yield client


async def seats_of(client: httpx.AsyncClient, table: str) -> list[bool]:
    """Return whether each seat is shown as a program."""
    room = (await client.get(f"/api/tables/{table}")).json()["room"]
    return [bool(seat["program"]) for seat in room["seats"] if seat]


async def ladder(client: httpx.AsyncClient, players: str) -> dict[str, bool]:
    """Return the names on a ladder without the bots, and whether each is a program."""
    rows = (await client.get("/api/ladder", params={"players": players})).json()["ladder_rows"]
    return {row["who"]["name"]: row["who"]["program"] for row in rows if row["who"]["bot"] is None}


async def test_a_token_that_takes_a_seat_is_marked_at_the_table_and_in_lists(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, program_of(app, bo) as bot:
        table = await app.table(ann, bot, listed=True, options={"seats": 3})
        assert await seats_of(ann, table) == [False, True]
        [listed] = (await ann.get("/api/tables")).json()
        assert [seat and seat["program"] for seat in listed["summary"]["seats"]] == [False, True, None]


async def test_a_token_that_opens_a_table_is_marked(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, program_of(app, bo) as bot:
        table = await app.table(bot, ann)
        assert await seats_of(ann, table) == [True, False]


async def test_a_program_that_plays_in_the_seat_of_a_person_is_marked_from_its_first_choice(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, program_of(app, bo) as bot:
        table = await app.table(ann, bo)
        assert await seats_of(ann, table) == [False, False]
        view = (await bot.get(f"/api/tables/{table}")).json()["room"]
        await do(bot, table, "choose", seat=1, action=view["actions"][0], decision=view["decision"])
        assert await seats_of(ann, table) == [False, True]


async def test_a_person_can_declare_a_program_and_others_cannot(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.guest("Cy") as cy:
        table = await app.table(ann, bo)
        for number in range(2):
            answer = await bo.post(
                f"/api/tables/{table}/commands", json={"id": f"p{number}", "command": "declare_program"}
            )
            assert answer.status_code == 200, answer.text
        assert await seats_of(ann, table) == [False, True]
        refused = await cy.post(f"/api/tables/{table}/commands", json={"id": "p", "command": "declare_program"})
        assert error(refused) == (403, "wrong_seat")


async def test_a_program_with_a_websocket_is_marked_and_the_others_see_it(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        key = (await bo.post("/api/tokens", json={"label": "bot"})).json()["key"]
        table = await server.table(ann, bo)
        async with server.live(table, ann) as watching, server.live(table, token=key) as bot:
            room = (await bot.until("room"))["room"]
            await watching.until("room")
            await bot.ask("c", "choose", seat=1, action=room["actions"][0], decision=room["decision"])
            while True:
                update = await watching.until("patch")
                if "seats" in update["patch"]:
                    break
            assert update["patch"]["seats"][1]["program"] is True


async def test_a_rated_game_with_a_program_changes_no_ratings(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, program_of(app, bo) as bot:
        table = await app.table(ann, bot, **RATED)
        await play_on([ann, bot], table)
        results = (await ann.get("/api/me/results")).json()
        assert (results["games"][0]["rated"], results["ratings"]) == (False, [])
        assert [side["who"]["program"] for side in results["games"][0]["sides"]] == [False, True]
        assert await ladder(ann, "people") == await ladder(ann, "programs") == {}


async def test_programs_rate_each_other_on_their_own_ladder(app: AppServer) -> None:
    async with (
        app.guest("Ann") as ann,
        app.guest("Bo") as bo,
        program_of(app, ann) as first,
        program_of(app, bo) as two,
    ):
        await play_on([first, two], await app.table(first, two, **RATED))
        await play_on([ann, bo], await app.table(ann, bo, **RATED))
        assert await ladder(ann, "people") == {"Ann": False, "Bo": False}
        assert await ladder(ann, "programs") == {"Ann": True, "Bo": True}
        ratings = (await ann.get("/api/me/results")).json()["ratings"]
        assert {(rating["program"], rating["games"]) for rating in ratings} == {(True, 1), (False, 1)}
        await recount(app.store)
        assert (await ann.get("/api/me/results")).json()["ratings"] == ratings


async def test_a_host_can_let_programs_rate_people(serve: Serve) -> None:
    app = await serve(Settings(rate_programs=True))
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, program_of(app, bo) as bot:
        await play_on([ann, bot], await app.table(ann, bot, **RATED))
        assert await ladder(ann, "people") == {"Ann": False}
        assert await ladder(ann, "programs") == {"Bo": True}


async def test_the_ratings_of_programs_follow_their_player(app: AppServer) -> None:
    async with (
        app.guest("Ann") as ann,
        app.guest("Bo") as bo,
        program_of(app, ann) as first,
        program_of(app, bo) as two,
    ):
        await play_on([first, two], await app.table(first, two, **RATED))
        await ladder(ann, "programs")
        ann_id = await app.store.query(partial(_id, name="Ann"))
        await ann.post("/api/account", json={"login": "ann", "password": "correct horse"})
        async with app.guest("Cy") as cy:
            cy_id = await app.store.query(partial(_id, name="Cy"))
            await app.store.write(partial(merge, source=ann_id, target=cy_id))
            assert await ladder(cy, "programs") == {"Cy": True, "Bo": True}
            await erase(app.store, "Bo")
            assert await ladder(cy, "programs") == {"Cy": True}


def _id(connection: Connection, name: str) -> str:
    [player] = find_by_name(connection, name)
    return player


@pytest.mark.parametrize("players", ["bots", ""])
async def test_an_unknown_ladder_is_refused(app: AppServer, players: str) -> None:
    async with app.client() as client:
        assert error(await client.get("/api/ladder", params={"players": players})) == (400, "malformed")
