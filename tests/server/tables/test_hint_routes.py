"""Hints over HTTP: for the player's own seat, while it has to choose, if the table allows them."""

import httpx
import pytest
from tests.server.app_server import AppServer
from tests.server.conftest import Serve
from tests.server.requests import do, error, play_on, room_view

from faceup.server.http.rate_limits import RateLimit, ServerLimits

FOUR = {"seats": 4, "hand": 4}
OFF = {"clock": None, "hints": False}


async def started(app: AppServer, host: httpx.AsyncClient, *others: httpx.AsyncClient, **config: object) -> str:
    """Create a table of four seats, of which bots fill the empty ones."""
    table = await app.table(host, *others, **{"options": FOUR, "bots": ["greedy"], **config})
    await do(host, table, "start")
    return table


@pytest.mark.slow
async def test_a_hint_ranks_the_options_of_the_players_own_seat(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        table = await started(app, ann)
        seen = await room_view(ann, table)
        answer = await ann.get(f"/api/tables/{table}/hint", timeout=180)
        assert answer.headers["content-type"] == "application/json"
        hint = answer.json()
        assert sorted(option["action"] for option in hint["options"]) == sorted(seen["actions"])
        heads = [option["heads"]["value"] for option in hint["options"]]
        assert heads == sorted(heads)
        assert {"action", "heads", "win", "behind", "risk"} <= hint["options"][0].keys()
        best, *others = hint["options"]
        assert best["explanation"]["outcome"]["card"] == int(best["action"].split()[1])
        assert "cause" not in best["explanation"]
        assert any("cause" in option["explanation"] for option in others)
        assert (await ann.get(f"/api/tables/{table}/hint?seat=0")).content == answer.content


async def test_others_get_no_hint(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        table = await started(app, ann)
        path = f"/api/tables/{table}/hint"
        assert error(await bo.get(path)) == (403, "wrong_seat")
        assert error(await ann.get(f"{path}?seat=1")) == (403, "wrong_seat")
        assert error(await anonymous.get(path)) == (401, "unauthenticated")
        assert error(await ann.get("/api/tables/nowhere/hint")) == (404, "table_not_found")


async def test_there_is_no_hint_without_a_decision(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        waiting = await app.table(ann, options=FOUR)
        assert error(await ann.get(f"/api/tables/{waiting}/hint")) == (409, "stale")
        finished = await app.table(ann)
        await do(bo, finished, "sit")
        await play_on([ann, bo], finished)
        assert error(await ann.get(f"/api/tables/{finished}/hint")) == (409, "stale")
        war = await app.table(ann, bo, game="war", options={}, terms={"clock": None})
        assert error(await ann.get(f"/api/tables/{war}/hint")) == (404, "not_found")


@pytest.mark.slow
async def test_the_setting_forbids_hints_unless_one_person_plays_against_bots(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        together = await started(app, ann, bo, terms=OFF)
        assert error(await ann.get(f"/api/tables/{together}/hint")) == (403, "forbidden")
        alone = await started(app, ann, terms=OFF)
        assert (await ann.get(f"/api/tables/{alone}/hint", timeout=180)).status_code == 200
        allowed = await started(app, ann, bo)
        assert (await bo.get(f"/api/tables/{allowed}/hint", timeout=180)).status_code == 200


async def test_a_rated_table_has_no_hints(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        rated = {"options": {"seats": 4}, "rated": True}
        assert not (await room_view(ann, await started(app, ann, **rated)))["hints"]
        table = await app.table(ann, **rated, bots=["greedy"])
        assert not (await room_view(ann, table))["hints"]
        await do(bo, table, "sit")
        await do(ann, table, "start")
        assert not (await room_view(bo, table))["hints"]
        assert error(await bo.get(f"/api/tables/{table}/hint")) == (403, "forbidden")


@pytest.mark.slow
async def test_hints_are_rate_limited(serve: Serve) -> None:
    app = await serve(limits=ServerLimits(hints=RateLimit(1, 0.001)))
    async with app.guest("Ann") as ann:
        table = await started(app, ann)
        assert (await ann.get(f"/api/tables/{table}/hint", timeout=180)).status_code == 200
        assert error(await ann.get(f"/api/tables/{table}/hint")) == (429, "rate_limited")
