"""Puzzles over HTTP: the next one, the verdict, rating and streak, of guests and of accounts."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import sqlalchemy as sa
from tests.server.app_server import AppServer
from tests.server.conftest import Serve
from tests.server.player_export import export
from tests.server.requests import error

from faceup.coach.puzzles import dumps, id_of, package_puzzles
from faceup.core import Malformed
from faceup.server.accounts.schema import players
from faceup.server.admin.deletion import erase_players
from faceup.server.process.settings import Settings
from faceup.server.puzzles.queries import BEGINNING, puzzle_answers_of

PUZZLES = {puzzle.id: puzzle for puzzle in package_puzzles()}


async def overview(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.get("/api/puzzles")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def answer_next(client: httpx.AsyncClient, *, right: bool) -> dict[str, Any]:
    """Answer the next puzzle, and return the reply."""
    puzzle = (await overview(client))["next"]["id"]
    return await answer(client, puzzle, right=right)


async def answer(client: httpx.AsyncClient, puzzle: str, *, right: bool) -> dict[str, Any]:
    action = PUZZLES[puzzle].options[0 if right else -1].action
    reply = await client.post(f"/api/puzzles/{puzzle}", json={"action": action})
    assert reply.status_code == 201, reply.text
    body: dict[str, Any] = reply.json()
    return body


ANN = {"login": "ann", "password": "correct horse"}


async def test_the_values_are_sent_only_in_reply_to_an_answer(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        before = await ann.get("/api/puzzles")
        shown = before.json()["next"]
        puzzle = PUZZLES[shown["id"]]
        single = await ann.get(f"/api/puzzles/{puzzle.id}")
        assert single.json() == shown
        for text in (before.text, single.text):
            assert not any(
                word in text for word in ("behind", "explanation", "theme", "lead", "risk", '"found"', '"win"')
            )
        assert shown["verdict"] is None
        assert shown["position"] == puzzle.position
        assert sorted(shown["actions"]) == sorted(option.action for option in puzzle.options)

        reply = await answer(ann, puzzle.id, right=True)
        verdict = reply["puzzle"]["verdict"]
        assert verdict["solved"] is True
        assert [option["action"] for option in verdict["options"]] == [option.action for option in puzzle.options]
        assert verdict["options"][0]["behind"]["value"] == 0
        assert verdict["lead"] == puzzle.lead
        assert verdict["theme"] == puzzle.theme
        assert verdict["options"][1]["explanation"] == msgspec.to_builtins(puzzle.options[1].explanation)
        assert (verdict["tries"], verdict["found"]) == (1, 1)
        assert reply["next"]["id"] != puzzle.id
        assert (await ann.get(f"/api/puzzles/{puzzle.id}")).json() == reply["puzzle"]
        async with app.client() as other:
            assert (await other.get(f"/api/puzzles/{puzzle.id}")).json()["verdict"] is None


async def test_rating_and_streak_follow_the_answers(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        start = await overview(ann)
        assert {name: start[name] for name in ("rating", "tried", "solved", "streak", "best_streak")} == {
            "rating": 1500, "tried": 0, "solved": 0, "streak": 0, "best_streak": 0,
        }  # fmt: skip
        assert start["puzzles"] == len(PUZZLES)
        ratings, streaks = [1500], []
        for right in (True, True, False, True):
            reply = await answer_next(ann, right=right)
            points = reply["puzzle"]["verdict"]["points"]
            assert (points > 0) is right
            assert abs(reply["rating"] - ratings[-1] - points) <= 1
            ratings.append(reply["rating"])
            streaks.append((reply["streak"], reply["best_streak"]))
        assert streaks == [(1, 1), (2, 2), (0, 2), (1, 2)]
        assert (reply["tried"], reply["solved"], reply["provisional"]) == (4, 3, True)
        assert await overview(ann) == {name: reply[name] for name in start}


async def test_the_second_answer_never_counts(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        puzzle = (await overview(ann))["next"]["id"]
        await answer(ann, puzzle, right=False)
        before = await overview(ann)
        path, best = f"/api/puzzles/{puzzle}", PUZZLES[puzzle].best.action
        for _ in range(2):
            refused = await ann.post(path, json={"action": best})
            assert error(refused) == (409, "stale")
            assert best not in refused.text
        assert await overview(ann) == before


async def test_of_answers_at_the_same_time_one_counts(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        puzzle = (await overview(ann))["next"]["id"]
        action = {"action": PUZZLES[puzzle].best.action}
        replies = await asyncio.gather(*(ann.post(f"/api/puzzles/{puzzle}", json=action) for _ in range(8)))
        assert sorted(reply.status_code for reply in replies) == [201] + [409] * 7
        assert (await overview(ann))["tried"] == 1
        assert (await answer(bo, puzzle, right=False))["puzzle"]["verdict"]["tries"] == 2


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"action": "play 105"}, 400, "malformed"),
        ({"action": "x" * 41}, 400, "malformed"),
        ({"action": None}, 400, "malformed"),
        ({"action": ["play 1"]}, 400, "malformed"),
        ({}, 400, "malformed"),
        ({"action": "take row 0", "solved": True}, 400, "malformed"),
        ([], 400, "malformed"),
    ],
)
async def test_a_malformed_answer_changes_nothing(app: AppServer, body: object, status: int, kind: str) -> None:
    puzzle = next(puzzle.id for puzzle in PUZZLES.values() if puzzle.best.action.startswith("play"))
    async with app.guest("Ann") as ann, app.client() as nobody:
        for client in (ann, nobody):
            refused = await client.post(f"/api/puzzles/{puzzle}", json=body)
            assert error(refused) == (status, kind)
            assert (await overview(client))["tried"] == 0
        assert not nobody.cookies, "no guest is created for a malformed answer"


async def test_there_is_no_puzzle_with_another_id(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        for name in ("nothing", "0" * 12, "%2e%2e", "a" * 5000, "\N{SNOWMAN}", "x'--"):
            assert error(await ann.get(f"/api/puzzles/{name}"))[0] in {404, 414}
            assert error(await ann.post(f"/api/puzzles/{name}", json={"action": "play 1"}))[0] in {404, 414}


async def test_an_answer_without_a_session_creates_a_guest(app: AppServer) -> None:
    async with app.client() as client:
        first = await overview(client)
        assert (await overview(client))["next"]["id"] == first["next"]["id"], "a reload shows the same puzzle"
        reply = await answer(client, first["next"]["id"], right=True)
        assert reply["streak"] == 1
        assert (await overview(client))["solved"] == 1


async def test_a_token_needs_the_scope_of_playing(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.client() as program:
        (await ann.post("/api/account", json=ANN)).raise_for_status()
        made = await ann.post("/api/tokens", json={"label": "reader", "scopes": ["read"]})
        program.headers["authorization"] = f"Bearer {made.json()['key']}"
        puzzle = (await overview(program))["next"]["id"]
        refused = await program.post(f"/api/puzzles/{puzzle}", json={"action": PUZZLES[puzzle].best.action})
        assert error(refused) == (403, "forbidden")
        assert (await overview(ann))["tried"] == 0


async def test_the_next_puzzles_are_near_the_rating_until_all_are_answered(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        seen: list[str] = []
        for _ in PUZZLES:
            reply = await answer_next(ann, right=True)
            seen.append(reply["puzzle"]["id"])
        assert sorted(seen) == sorted(PUZZLES)
        assert reply["next"] is None
        assert reply["provisional"] is False
        assert reply["streak"] == reply["best_streak"] == len(PUZZLES)
        assert reply["rating"] > 1700
        for _ in range(12):
            reply = await answer_next(bo, right=False)
        assert reply["rating"] < 1350
        solved = [PUZZLES[(await overview(client))["next"]["id"]].found for client in [bo]]
        assert solved[0] > 0.5, "an unsuccessful player gets easy puzzles"


async def test_the_first_puzzles_are_easy_ones_of_the_base_game(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        first = [PUZZLES[(await answer_next(ann, right=True))["puzzle"]["id"]] for _ in range(BEGINNING)]
        assert all(puzzle.is_basic for puzzle in first)


async def test_a_guests_answers_go_to_the_account_and_the_first_of_two_counts(app: AppServer) -> None:
    async with app.guest("Ann") as desk, app.guest("Guest") as phone:
        (await desk.post("/api/account", json=ANN)).raise_for_status()
        both = (await overview(desk))["next"]["id"]
        await answer(desk, both, right=True)
        second = await answer(phone, both, right=False)
        assert second["puzzle"]["verdict"]["tries"] == 2
        other = next(puzzle for puzzle in PUZZLES if puzzle != both)
        await answer(phone, other, right=True)
        (await phone.post("/api/login", json=ANN)).raise_for_status()
        merged = await overview(phone)
        assert (merged["tried"], merged["solved"], merged["streak"]) == (2, 2, 2)
        assert await overview(desk) == merged
        verdict = (await desk.get(f"/api/puzzles/{both}")).json()["verdict"]
        assert (verdict["solved"], verdict["tries"], verdict["found"]) == (True, 1, 1)


async def test_answers_are_exported_and_erased_with_the_player(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        puzzle = (await answer_next(ann, right=True))["puzzle"]["id"]
        handle = (await ann.get("/api/me")).json()["handle"]
        query = sa.select(players.c.id).where(players.c.handle == handle)
        player = await app.store.query(lambda connection: connection.execute(query).scalar_one())
        exported = await app.store.query(lambda connection: export(connection, player))
        [stored] = exported["puzzles"]
        assert (stored["puzzle"], stored["solved"], stored["action"]) == (puzzle, True, PUZZLES[puzzle].best.action)
        await erase_players(app.store, [player])
        assert await app.store.query(lambda connection: puzzle_answers_of(connection, player)) == []
        assert (await answer(bo, puzzle, right=False))["puzzle"]["verdict"]["tries"] == 2, "totals remain"


async def test_an_operator_adds_puzzles_of_a_file(serve: Serve, tmp_path: Path) -> None:
    example = next(puzzle for puzzle in PUZZLES.values() if ":cowheadking " in puzzle.position)
    position = example.position.replace(":cowheadking ", ":onehundredandfour ")
    more = msgspec.structs.replace(
        example, id=id_of(position), position=position, source=msgspec.structs.replace(example.source, bots=())
    )
    file = tmp_path / "more.json"
    file.write_text(dumps([more]), "utf-8")
    app = await serve(Settings(puzzles=str(file)))
    async with app.guest("Ann") as ann:
        assert (await overview(ann))["puzzles"] == len(PUZZLES) + 1
        shown = (await ann.get(f"/api/puzzles/{more.id}")).json()
        assert (shown["position"], shown["bots"]) == (more.position, [])
    file.write_text(json.dumps({"format": 1}), "utf-8")
    with pytest.raises(Malformed, match=r"more\.json: this is not a file of puzzles"):
        await serve(Settings(puzzles=str(file)))
