"""Deadlines on a clock that is ahead by as much as a test says; what the clock does is in real logs."""

import asyncio
import time
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
from tests.server.desk.players import QUICK, Person, a_game, desk_at, until

from faceup.core.record import Applied, Extended, Terms, TimedOut
from faceup.server.desk import Desk
from faceup.server.rooms import Choose, Mark, Opening, Pause, Resume, Start
from faceup.server.store.schema import outages
from faceup.table import Stale

T = TypeVar("T")


def entries(desk: Desk, table: str, kind: type[T]) -> list[T]:
    return [entry for entry in desk._rooms[table].room.table.entries if isinstance(entry, kind)]


async def test_at_the_deadline_what_was_marked_is_played_else_the_stand_ins_choice(tmp_path: Path) -> None:
    skew = [0]
    async with desk_at(tmp_path / "faceup.db", skew=skew) as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo")
        marked = ann.sight["words"][1]
        await ann.send(Mark(0, marked, 0))
        skew[0] += 29_000
        await asyncio.sleep(0.4)
        assert not entries(desk, table, TimedOut)
        skew[0] += 1_000
        await bo.until(lambda bo: bo.sight["decision"] == 1)
        assert [(entry.seat, entry.action, entry.source) for entry in entries(desk, table, TimedOut)] == [
            (0, marked, "mark"),
            (1, entries(desk, table, TimedOut)[1].action, "stand-in"),
        ]


async def test_a_choice_that_was_on_its_way_at_the_deadline_is_in_time(tmp_path: Path) -> None:
    """With more allowance than anybody gets, so that a busy machine does not use it up."""
    skew, lag = [0], 20_000
    async with desk_at(tmp_path / "faceup.db", msgspec.structs.replace(QUICK, lag=lag), skew) as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo")
        assert ann.reader is not None
        ann.reader.lag = lag
        choice = Choose(0, ann.sight["words"][0], 0)
        skew[0] += ann.sight["due"] - desk._rooms[table].turns.now() + 200
        with pytest.raises(Stale):
            await desk.send(table, choice, id="late", player="ann")
        with pytest.raises(Stale):
            await desk.send(table, choice, id="later", player="ann", lag=100)
        await desk.send(table, choice, id="in time", player="ann", lag=lag)
        skew[0] += lag
        await bo.until(lambda bo: bo.sight["decision"] == 1)
        assert [entry.seat for entry in entries(desk, table, TimedOut)] == [1]


async def test_what_nobody_has_in_memory_is_swept_and_only_once_by_two_servers(tmp_path: Path) -> None:
    path, skew = tmp_path / "faceup.db", [0]
    async with desk_at(path, skew=skew) as desk:
        table, _ = await a_game(desk, "ann", "bo", clock=5_000, grace=600_000)
    async with desk_at(path, skew=skew) as desk, desk_at(path, skew=skew) as other:
        skew[0] += 60_000
        ann = await Person(desk, table, "ann").come()
        await ann.until(lambda ann: ann.sight["decision"] == 1)
        assert len(entries(desk, table, TimedOut)) == 2
        assert other.figures.taken_over <= 1


async def test_time_in_which_no_server_ran_is_nobodys(tmp_path: Path) -> None:
    path, skew = tmp_path / "faceup.db", [0]
    async with desk_at(path, skew=skew) as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo")
        await ann.choose()
        chosen, due = ann.sight["words"][0], bo.sight["due"]
    await asyncio.sleep(0.5)
    async with desk_at(path, skew=skew) as desk:
        bo = await Person(desk, table, "bo").come()
        await bo.until(lambda bo: bo.sight["due"] > due)
        away = entries(desk, table, Extended)[0].by
        assert 400 < away < 20_000
        await asyncio.sleep(0.3)
        # Once for the time itself, and at most once more for those who were connected and have to find back.
        assert bo.sight["due"] - due in {away, away + QUICK.reconnect}
        assert bo.sight["decision"] == 0
        ann = await Person(desk, table, "ann").come()
        assert ann.sight["choice"] == chosen


async def test_an_outage_is_made_up_for_before_anybody_is_refused(url: str) -> None:
    """Whether it is found at a start, or only when somebody chooses; and however long the sweep takes to come."""
    never, skew = msgspec.structs.replace(QUICK, sweep=600_000), [0]
    async with desk_at(url, never, skew) as desk:
        table, people = await a_game(desk, "ann", "bo", hand=2)
        words = [person.sight["words"] for person in people]
        await _nobody_was_awake(desk)
    skew[0] += 45_000
    async with desk_at(url, never, skew) as desk:
        await desk.send(table, Choose(0, words[0][0], 0), id="ann", player="ann")
        assert 60_000 in [entry.by for entry in entries(desk, table, Extended)]
        made_up_for = len(entries(desk, table, Extended))
        due = desk._rooms[table].room.table.due
        assert due is not None
        skew[0] += due - desk._rooms[table].turns.now() + 15_000
        await _nobody_was_awake(desk)
        desk._means.beaten -= 10  # so it does not know yet
        await desk.send(table, Choose(1, words[1][0], 0), id="bo", player="bo")
        assert 60_000 in [entry.by for entry in entries(desk, table, Extended)[made_up_for:]]
        assert not entries(desk, table, TimedOut)


async def _nobody_was_awake(desk: Desk) -> None:
    """Enter an outage of a minute up to now."""
    now = desk._store.time()
    await desk._store.write(
        lambda connection: connection.execute(outages.insert().values(start=now - 60_000, end=now)).rowcount
    )


async def test_a_server_that_started_just_now_lets_people_find_back_before_the_clock_plays(tmp_path: Path) -> None:
    path, skew = tmp_path / "faceup.db", [0]
    async with desk_at(path, skew=skew) as desk:
        table, (_, bo) = await a_game(desk, "ann", "bo")
        left = bo.sight["due"] - desk._rooms[table].turns.now()
    skew[0] += left - 100
    async with desk_at(path, skew=skew) as desk:
        bo = await Person(desk, table, "bo").come()
        await bo.until(lambda bo: b"more_time" in b"".join(bo.lines))
        await until(lambda: sum(entry.by for entry in entries(desk, table, Extended)) >= QUICK.reconnect)
        assert not entries(desk, table, TimedOut)


async def test_a_deadline_that_was_long_over_when_a_server_started_is_kept_after_people_could_find_back(
    tmp_path: Path,
) -> None:
    path, skew = tmp_path / "faceup.db", [0]
    async with desk_at(path, skew=skew) as desk:
        table, (_, bo) = await a_game(desk, "ann", "bo", clock=5_000)
    skew[0] += 60_000
    async with desk_at(path, skew=skew) as desk:
        bo = await Person(desk, table, "bo").come()
        await until(lambda: len(entries(desk, table, Extended)) == 2)  # by the outage, and by what we owe
        room = desk._rooms[table].room
        assert room.table.due is not None
        assert room.table.due >= 60_000 + QUICK.reconnect
        skew[0] += QUICK.reconnect + 1_000
        await bo.until(lambda bo: bo.sight["decision"] == 1)


async def test_a_process_that_stood_still_gives_the_time_back(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db", msgspec.structs.replace(QUICK, stall=1_000)) as desk:
        _, (ann, _) = await a_game(desk, "ann", "bo")
        await asyncio.sleep(0.3)
        due = ann.sight["due"]
        time.sleep(1.5)  # noqa: ASYNC251 -- the event loop is to stand still
        await ann.until(lambda ann: ann.sight["due"] > due)
        assert ann.sight["due"] - due > 1_000


@pytest.mark.parametrize("why", ["it stood still", "the database did not answer"])
async def test_time_that_is_owed_is_given_back_before_anybody_is_refused(tmp_path: Path, why: str) -> None:
    skew = [0]
    async with desk_at(tmp_path / "faceup.db", skew=skew) as desk:
        table, (ann, _) = await a_game(desk, "ann", "bo")
        skew[0] += 45_000
        if why == "it stood still":
            desk._means.pulse -= 40
        else:
            desk._means.beaten, desk._means.unheard = desk._means.beaten - 40, True
        await ann.choose()
        assert entries(desk, table, Extended)[0].by > 39_000
        assert not entries(desk, table, TimedOut)


async def test_a_paused_game_has_no_deadline_until_it_goes_on(tmp_path: Path) -> None:
    skew = [0]
    async with desk_at(tmp_path / "faceup.db", skew=skew) as desk:
        table, (_, bo) = await a_game(desk, "ann", "bo")
        await desk.send(table, Pause(), id="pause", player="ann")
        skew[0] += 10 * 60_000
        await asyncio.sleep(0.4)
        assert not entries(desk, table, TimedOut)
        await desk.send(table, Resume(), id="resume", player="ann")
        await bo.until(lambda bo: "paused" not in bo.sight)
        await desk.send(table, Pause(), id="pause again", player="ann")
        await bo.until(lambda bo: "paused" in bo.sight)
        skew[0] += 31 * 60_000  # a host who never comes back keeps nobody waiting for ever
        await bo.until(lambda bo: "paused" not in bo.sight)


async def test_dice_are_thrown_at_a_pace_if_nobody_throws_them(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        opening = Opening(game="niuniu", terms=Terms(clock=500))
        made = await desk.create(opening, "ann", "Ann")
        ann = await Person(desk, made.table, "ann").come()
        await desk.send(made.table, Start(), id="start", player="ann")
        await ann.status("finished")
        assert entries(desk, made.table, Applied)
