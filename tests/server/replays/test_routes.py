"""Backlogs, replays and reviews over HTTP, including hostile records."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.app_server import AppServer, opened
from tests.server.conftest import Serve
from tests.server.requests import do, error, play_on, room_view

from faceup.core.record import loads
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.process.metrics import Metrics
from faceup.server.replays.tasks import Replays
from faceup.server.rooms import replay_lines
from faceup.server.rooms.faces import face_of
from faceup.server.workers.fair_queue import Owner


async def a_game(app: AppServer, ann: httpx.AsyncClient, bo: httpx.AsyncClient) -> str:
    table = await app.table(ann)
    await do(bo, table, "sit")
    await play_on([ann, bo], table)
    return table


async def post(client: httpx.AsyncClient, path: str, body: bytes) -> httpx.Response:
    return await client.post(path, content=body, headers={"content-type": "application/json"})


async def test_the_replay_of_a_finished_table_is_public_and_equals_that_of_its_record(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        table = await app.table(ann)
        await do(bo, table, "sit")
        assert error(await ann.get(f"/api/tables/{table}/replay")) == (403, "wrong_seat")
        await play_on([ann, bo], table)
        record = (await anonymous.get(f"/api/tables/{table}/record")).content
        replayed = await anonymous.get(f"/api/tables/{table}/replay")
        assert replayed.headers["content-type"] == "application/x-ndjson"
        seats = (await anonymous.get(f"/api/tables/{table}")).json()["room"]["seats"]
        shown = [face_of(seat["name"], seat["kind"], handle=seat["handle"]) for seat in seats]
        faces = [f"{face.drawing}-{face.colour}" for face in shown]
        assert replayed.content == b"".join(replay_lines(loads(record), faces=faces))
        lines = [json.loads(line) for line in replayed.text.splitlines()]
        assert [len(hand["hand"]) for hand in lines[0]["room"]["hands"].values()] == [2, 2]
        assert lines[-1]["patch"]["status"] == "finished"
        assert [seat["face"] for seat in lines[0]["room"]["seats"]] == faces, "everyone looks as at the table"
        assert (await post(anonymous, "/api/replay", record)).content == b"".join(replay_lines(loads(record)))
        from_one = await anonymous.get(f"/api/tables/{table}/replay?seat=1")
        assert from_one.content == b"".join(replay_lines(loads(record), 1, faces=faces))
        plain = await anonymous.get(f"/api/tables/{table}/replay", headers={"accept-encoding": "identity"})
        assert plain.content == replayed.content
        drawn = await anonymous.get(f"/api/tables/{table}/moment.svg?at={len(lines) - 1}&seat=0")
        assert drawn.text == (await ann.get(f"/api/tables/{table}/drawing.svg")).text
        assert (await post(anonymous, f"/api/moment?at={len(lines) - 1}&seat=0", record)).text == drawn.text
        assert error(await anonymous.get(f"/api/tables/{table}/moment.svg?at=99")) == (400, "malformed")
        assert error(await anonymous.get(f"/api/tables/{table}/replay?seat=2")) == (400, "malformed")


async def test_the_backlog_respects_viewers_and_the_spectator_delay(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        table = await app.table(ann)
        await do(bo, table, "sit")
        seen = await room_view(ann, table)
        await do(ann, table, "choose", seat=0, action=seen["actions"][0], decision=0)
        replayed = [(await who.get(f"/api/tables/{table}/backlog")).text.splitlines() for who in (ann, bo, anonymous)]
        assert [len(lines) for lines in replayed] == [2, 2, 2]
        assert [json.loads(lines[0])["room"].get("seat") for lines in replayed] == [0, 1, None]
        assert ["choice" in json.loads(lines[1])["patch"] for lines in replayed] == [True, False, False]
        late = await app.table(ann, spectator_delay=600_000)
        await do(bo, late, "sit")
        assert (await anonymous.get(f"/api/tables/{late}/backlog")).text == ""  # the spectator delay has not passed
        assert len((await bo.get(f"/api/tables/{late}/backlog")).text.splitlines()) == 1
        private = await app.table(ann, spectators="nobody")
        await do(bo, private, "sit")
        assert error(await anonymous.get(f"/api/tables/{private}/backlog")) == (403, "no_spectators")
        assert error(await anonymous.get("/api/tables/nowhere/backlog")) == (404, "table_not_found")


REVIEWS = ("review", "review.ndjson")
RECORD_PATHS = ("record", "replay", "moment.svg", "picture.png?at=0", "backlog")
"""Paths of a finished table that show all that happened, and nearly all of them also hands."""


@pytest.mark.slow
async def test_the_record_of_a_table_without_spectators_is_for_its_players(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.guest("Eve") as eve, app.client() as anonymous:
        table = await app.table(ann, spectators="nobody")
        await do(bo, table, "sit")
        await play_on([ann, bo], table)
        for path in (*RECORD_PATHS, *REVIEWS):
            for spectator in (eve, anonymous):
                refused = await spectator.get(f"/api/tables/{table}/{path}")
                assert error(refused) == (403, "no_spectators"), path
        for path in RECORD_PATHS:
            allowed = await bo.get(f"/api/tables/{table}/{path}")
            assert allowed.status_code == 200, (path, allowed.text)
            assert "public" not in allowed.headers.get("cache-control", "")


@pytest.mark.slow
async def test_spectators_get_the_record_after_the_spectator_delay(tmp_path: Path) -> None:
    skew = [0]
    async with (
        opened(tmp_path / "tables.sqlite", skew=skew) as app,
        app.guest("Ann") as ann,
        app.guest("Bo") as bo,
        app.client() as anonymous,
    ):
        table = await app.table(ann, spectator_delay=600_000)
        await do(bo, table, "sit")
        await play_on([ann, bo], table)
        for path in (*RECORD_PATHS[:-1], *REVIEWS):
            refused = await anonymous.get(f"/api/tables/{table}/{path}")
            assert error(refused) == (403, "wrong_seat"), path
        assert (await bo.get(f"/api/tables/{table}/record")).status_code == 200
        assert "finished" not in (await anonymous.get(f"/api/tables/{table}/backlog")).text
        skew[0] += 601_000
        while (await anonymous.get(f"/api/tables/{table}/record")).status_code != 200:  # noqa: ASYNC110 -- a timer of the server
            await asyncio.sleep(0.1)
        for path in RECORD_PATHS:
            released = await anonymous.get(f"/api/tables/{table}/{path}")
            assert released.status_code == 200, (path, released.text)
        assert "finished" in (await anonymous.get(f"/api/tables/{table}/backlog")).text


async def test_an_invalid_record_is_rejected_with_a_message(serve: Serve) -> None:
    app = await serve(limits=ServerLimits(record=5_000, studies=RateLimit(4, 0.001)))
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        record = (await ann.get(f"/api/tables/{await a_game(app, ann, bo)}/record")).json()
        wrong = await post(anonymous, "/api/replay", b'{"format": 1}')
        assert error(wrong) == (400, "malformed")
        assert "not a record" in wrong.json()["error"]["message"]
        record["entries"][-1]["at"] = 0
        wrong = await post(anonymous, "/api/replay", json.dumps(record).encode())
        assert f"entry {len(record['entries']) - 1}" in wrong.json()["error"]["message"]
        assert error(await post(anonymous, "/api/replay", b" " * 6_000)) == (413, "too_large")
        assert error(await post(anonymous, "/api/replay", b"{}")) == (400, "malformed")
        assert error(await post(anonymous, "/api/replay", b"{}")) == (429, "rate_limited")


A_RECORD = Path("tests/web/streams/niuniu.record.json").read_bytes()


async def test_a_replay_that_takes_too_long_is_stopped_and_the_next_one_works() -> None:
    replays = Replays(0.001, Metrics())
    try:
        with pytest.raises(Exception, match=r"took longer than the limit of 0.001 s") as late:
            await replays.ask("lines", A_RECORD, owner=Owner("ann"))
        assert getattr(late.value, "kind", "") == "malformed"
        replays.pool.seconds = 60
        assert await replays.ask("lines", A_RECORD, owner=Owner("ann")) == await replays.ask(
            "lines", A_RECORD, owner=Owner("ann")
        )
    finally:
        await replays.stop()


@pytest.mark.slow
async def test_a_review_has_every_decision_of_a_finished_table(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await a_game(app, ann, bo)
        reviewed = (await ann.get(f"/api/tables/{table}/review", timeout=180)).json()
        assert [(decision["seat"], decision["turn"]) for decision in reviewed["decisions"]][:2] == [(0, 1), (1, 1)]
        assert {"grade", "cost", "best", "chosen", "win_before", "win_after"} <= reviewed["decisions"][0].keys()
        for step in reviewed["decisions"]:
            for option in step["options"]:
                assert ("spread" in option) == (option["action"] in {step["best"], step["chosen"]})
        niuniu = {"format": 1, "game": "niuniu", "variant": "battle", "options": {}, "entries": []}
        assert error(await post(ann, "/api/review", json.dumps(niuniu).encode())) == (400, "malformed")


async def lines_of(client: httpx.AsyncClient, path: str) -> list[dict[str, Any]]:
    """Return the lines of a stream, except how many reviews wait before this one."""
    async with client.stream("GET", path, timeout=180) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson", answer.status_code
        lines = [json.loads(line) async for line in answer.aiter_lines()]
    return [line for line in lines if line["line"] != "queued"]


@pytest.mark.slow
async def test_the_stream_of_a_review_has_every_step_and_then_the_review(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        table = await app.table(ann)
        path = f"/api/tables/{table}/review.ndjson"
        assert error(await ann.get(path)) == (403, "wrong_seat")
        await do(bo, table, "sit")
        await play_on([ann, bo], table)
        start, *steps, last = await lines_of(anonymous, f"{path}?seat=1")
        count = last["review"]["requested"]
        assert count >= 2
        assert start == {"line": "start", "requested": count}
        assert [(step["line"], step["done"], step["requested"]) for step in steps] == [
            ("step", done, count) for done in range(1, count + 1)
        ]
        assert [step["step"] for step in steps] == last["review"]["decisions"]
        assert {"grade", "cost", "win_before", "win_after"} <= steps[0]["step"].keys()
        assert {"decided", "chances", "highlights"} <= last["review"].keys()
        assert (await anonymous.get(f"/api/tables/{table}/review?seat=1")).json() == last["review"]
        assert await lines_of(ann, f"{path}?seat=1") == [start, last], "the cache has it"
        everyone = await lines_of(ann, path)
        assert [(line["step"]["seat"], line["step"]["turn"]) for line in everyone[1:-1]][:2] == [(0, 1), (1, 1)]
        assert error(await ann.get(f"{path}?seat=1001")) == (400, "malformed")
        (problem,) = await lines_of(ann, f"{path}?seat=7")
        assert (problem["line"], problem["error"]["kind"]) == ("error", "malformed")


async def test_pages_of_other_sites_may_load_replays_and_modules_and_nothing_else(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await a_game(app, ann, bo)
        module = await ann.get("/embed/replay.js")
        assert module.status_code == 302
        public = (
            module,
            await ann.get(module.headers["location"]),
            await ann.get((await ann.get("/embed/style.css")).headers["location"]),
            await ann.get(f"/api/tables/{table}/replay"),
        )
        for answer in public:
            assert answer.headers["access-control-allow-origin"] == "*"
            assert answer.headers.get_list("cross-origin-resource-policy") == ["cross-origin"]
            assert "access-control-allow-credentials" not in answer.headers
        paths = ("", "/backlog", "/record", "/drawing.svg", "/picture.png")
        for path in ("/", "/api/me", f"/t/{table}", *(f"/api/tables/{table}{path}" for path in paths)):
            answer = await ann.get(path)
            assert "access-control-allow-origin" not in answer.headers
            assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        pending = await app.table(ann)
        assert "access-control-allow-origin" not in (await ann.get(f"/api/tables/{pending}/replay")).headers
