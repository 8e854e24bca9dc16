"""Reviews in slices are whole reviews, also without compiled code, and stop when their reader has gone."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.coach.helpers import recorded
from tests.server.app_server import opened

from faceup.bots import search
from faceup.coach import search_budget
from faceup.core import Malformed, make, write
from faceup.core.record import dumps
from faceup.server.process.metrics import Metrics
from faceup.server.workers import coach_worker
from faceup.server.workers.coach import Coach
from faceup.server.workers.coach_worker import ReviewSlice, hint, review
from faceup.server.workers.fair_queue import Owner

RECORD = dumps(recorded("nimmt:cowheadking seats=3 hand=4")).encode()


def slices(viewer: int | None) -> tuple[list[Any], dict[str, Any], int]:
    """Return the steps and the review, computed in slices, and the number of slices."""
    evaluated: list[bytes] = []
    steps: list[Any] = []
    for number in range(1, 100):
        part = msgspec.msgpack.decode(review(RECORD, viewer, evaluated, len(steps)), type=ReviewSlice)
        evaluated += part.evaluated
        steps += [json.loads(step) for step in part.steps]
        if part.review is not None:
            assert len(evaluated) == part.requested
            return steps, json.loads(part.review), number
    raise AssertionError("the review does not end")


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("viewer", [1, None])
def test_slices_of_any_length_make_the_same_review(viewer: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    received = []
    for seconds in (0.0, 3600.0):
        monkeypatch.setattr(coach_worker, "SLICE", seconds)
        steps, whole, count = slices(viewer)
        assert steps == whole["decisions"]
        assert count == (1 if seconds else len(steps))
        received.append(whole)
    assert received[0] == received[1]
    assert received[0]["seats"] == ([viewer] if viewer is not None else [0, 1, 2])


def test_without_compiled_code_the_search_is_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (coach_worker, search, search_budget):
        monkeypatch.setattr(module, "is_installed", lambda _: False)
    coach_worker._game.cache_clear()
    steps, whole, _ = slices(0)
    coach_worker._game.cache_clear()
    assert len(steps) >= 4
    assert (whole["player"], whole["worlds"]) == ("mc", search_budget.default_worlds("mc").served[1])
    assert whole["par"] is None
    assert whole["luck"] == []
    rules = make("nimmt", seats=3)
    view = rules.from_text("view=0 sizes=2,2,2 hand=2,90 rows=5/31/44/81")
    assert len(json.loads(hint(write(rules, view)))["options"]) == 2


def test_a_seat_that_does_not_exist_is_rejected() -> None:
    with pytest.raises(Malformed, match="no seat 3"):
        review(RECORD, 3, [], 0)


def test_a_review_of_too_many_decisions_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach_worker, "MAX_DECISIONS", 5)
    coach_worker._game.cache_clear()
    with pytest.raises(Malformed, match="at most 5 decisions, but this one has 16"):
        review(RECORD, None, [], 0)


@pytest.fixture
async def coach() -> AsyncIterator[Coach]:
    made = Coach(Metrics())
    yield made
    await made.stop()


async def lines(coach: Coach, seat: int, owner: str) -> list[dict[str, Any]]:
    return [json.loads(line) async for line in coach.review(RECORD, seat, owner=Owner("home", owner))]


@pytest.mark.slow
async def test_a_reader_that_has_gone_leaves_the_queue(coach: Coach) -> None:
    for _ in range(9):  # more than one owner can have at a time
        asked = asyncio.create_task(lines(coach, 0, "ann"))
        await asyncio.sleep(0.01)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
    others = await asyncio.gather(*(lines(coach, seat, f"player {seat}") for seat in range(3)))
    for client in others:
        kinds = [line["line"] for line in client if line["line"] != "queued"]
        assert kinds == ["start", *["step"] * client[-1]["review"]["requested"], "review"]
    assert [line["line"] for line in await lines(coach, 0, "ann")] == ["start", "review"]


@pytest.mark.long
@pytest.mark.slow
async def test_waiting_readers_are_told_their_positions(coach: Coach) -> None:
    answers = await asyncio.gather(*(lines(coach, seat % 3, f"player {seat}") for seat in range(12)))
    positions = [line["position"] for answer in answers for line in answer if line["line"] == "queued"]
    assert positions
    assert min(positions) == 0


@pytest.mark.slow
async def test_a_prepared_process_is_warm(coach: Coach, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faceup.server.workers.coach._PREPARE_DELAY", 0.01)
    assert not coach.pool.is_warm
    for _ in range(3):
        coach.prepare()
    async with asyncio.timeout(180):
        while not coach.pool.is_warm:  # noqa: ASYNC110 -- nothing tells when a process has started
            await asyncio.sleep(0.01)


@pytest.mark.slow
async def test_the_first_page_prepares_a_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[Coach] = []
    monkeypatch.setattr("faceup.server.workers.coach._PREPARE_DELAY", 0.01)
    monkeypatch.setattr(Coach, "_start_preparing", lambda coach: started.append(coach))  # noqa: PLW0108 -- a function becomes a method
    async with opened(tmp_path / "t.sqlite") as app, app.client() as anonymous:
        await anonymous.get("/api/games")
        assert app.app.services.coach._preparing is None
        assert (await anonymous.get("/")).status_code == 200
        async with asyncio.timeout(60):
            while not started:  # noqa: ASYNC110 -- nothing tells when it starts
                await asyncio.sleep(0.01)
