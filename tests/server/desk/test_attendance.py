import asyncio
from pathlib import Path

import msgspec
from tests.server.desk.players import QUICK, Person, a_game, closed, desk_at, until

from faceup.core.record import Left, Paused, Returned, StoodIn, TimedOut, Unpaused
from faceup.server.rooms import Choose, Leave, Opening, Sit, Unchoose


def kinds(desk: object, table: str, *which: type) -> list[str]:
    entries = desk._rooms[table].room.table.entries  # type: ignore[attr-defined]
    return [type(entry).__name__ for entry in entries if isinstance(entry, which)]


async def test_the_table_plays_for_whoever_is_away_and_hands_back_at_once(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo", hand=10, grace=200)
        bo.go()
        await ann.until(lambda ann: 1 in ann.sight["away"])
        await ann.until(lambda ann: 1 in ann.sight["chosen"])
        assert kinds(desk, table, Left, StoodIn, TimedOut) == ["Left", "StoodIn"]
        bo = await Person(desk, table, "bo").come()
        await ann.until(lambda ann: 1 not in ann.sight["away"])
        await bo.until(lambda bo: "choice" in bo.sight)
        # What was chosen for the one who was away is changed, as one's own would be.
        await desk.send(table, Unchoose(1, 0), id="back", player="bo")
        await ann.until(lambda ann: 1 not in ann.sight["chosen"])
        await asyncio.gather(ann.play(), bo.play())
        assert kinds(desk, table, Left, StoodIn, Returned) == ["Left", "StoodIn", "Returned"]


async def test_a_short_break_of_the_connection_is_nothing_to_anybody(tmp_path: Path) -> None:
    skew = [0]
    async with desk_at(tmp_path / "faceup.db", skew=skew) as desk:
        table, (_, bo) = await a_game(desk, "ann", "bo", grace=20_000)
        bo.go()
        await asyncio.sleep(0.1)
        await Person(desk, table, "bo").come(bo.version)
        skew[0] += 21_000
        await asyncio.sleep(0.5)
        assert not kinds(desk, table, Left)


async def test_whoever_sends_a_choice_is_back(tmp_path: Path) -> None:
    """A program that only posts has no connection that says that it is there."""
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo", grace=60_000)
        await desk.send(table, Leave(1), id="leave", player="bo")
        await ann.until(lambda ann: 1 in ann.sight["away"])
        await desk.send(table, Choose(1, bo.sight["words"][-1], 0), id="choice", player="bo")
        assert kinds(desk, table, Left, Returned) == ["Left", "Returned"]


async def test_a_game_rests_while_all_people_are_away(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo", hand=10, grace=50)
        ann.go()
        bo.go()
        await until(lambda: kinds(desk, table, Paused))
        chosen = kinds(desk, table, StoodIn)
        await asyncio.sleep(0.2)
        assert kinds(desk, table, StoodIn) == chosen
        await Person(desk, table, "ann").come()
        await until(lambda: kinds(desk, table, Unpaused))


async def test_a_table_that_nobody_came_back_to_is_closed(tmp_path: Path) -> None:
    skew = [0]
    async with desk_at(tmp_path / "faceup.db", skew=skew) as desk:
        table, people = await a_game(desk, "ann", "bo", grace=50)
        waiting = await desk.create(Opening(game="nimmt"), "ann", "Ann")
        watched = await desk.create(Opening(game="nimmt"), "ann", "Ann")
        eve = await Person(desk, watched.table, None).come()
        for person in people:
            person.go()
        await until(lambda: kinds(desk, table, Paused))
        skew[0] += 31 * 60_000
        await closed(desk, table)
        await until(lambda: kinds(desk, waiting.table, Left))  # her seat is free again
        assert (await desk.sight(waiting.table, None)).status == "pending"
        skew[0] += 120 * 60_000
        await closed(desk, waiting.table)
        assert eve.sight["status"] == "pending"


async def test_whoever_leaves_before_the_start_gives_the_seat_back_after_a_while(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db", msgspec.structs.replace(QUICK, lobby=100)) as desk:
        made = await desk.create(Opening(game="nimmt", options={"seats": 3}), "ann", "Ann")
        ann = await Person(desk, made.table, "ann").come()
        await desk.send(made.table, Sit("Bo"), id="sit", player="bo")
        await ann.until(lambda ann: b"Bo leaves" in b"".join(ann.lines))
        assert ann.sight["seats"][1] is None
