import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest
from tests.server.desk.players import QUICK, Person, desk_at

from faceup.core import make
from faceup.core.record import Terms, TimedOut
from faceup.server.desk.thinking import NoAnswerError, Thinking
from faceup.server.rooms import AddBot, Opening, Start


@pytest.mark.long
async def test_bots_that_search_think_beside_the_tables_and_play_to_the_end(tmp_path: Path) -> None:
    async with desk_at(tmp_path / "faceup.db") as desk:
        opening = Opening(game="nimmt", options={"seats": 3, "hand": 2}, bots=("mc@10",))
        made = await desk.create(opening, "ann", "Ann")
        await desk.send(made.table, AddBot("random"), id="bot", player="ann")
        ann = await Person(desk, made.table, "ann").come()
        await desk.send(made.table, Start(), id="start", player="ann")
        await ann.status("active")
        await ann.play()
        assert [seat["kind"] for seat in ann.sight["seats"]] == ["person", "random", "mc@10"]


async def test_where_nobody_has_anything_to_decide_bots_wait_for_nothing_and_people_set_the_pace(
    tmp_path: Path,
) -> None:
    slow = msgspec.structs.replace(QUICK, think=(60_000, 60_000), take_over=60_000)
    async with desk_at(tmp_path / "faceup.db", slow) as desk:
        opening = Opening(game="niuniu", options={"seats": 3, "throws": 4}, bots=("random",))
        made = await desk.create(opening, "ann", "Ann")
        ann = await Person(desk, made.table, "ann").come()
        await desk.send(made.table, Start(), id="start", player="ann")
        await ann.status("active")
        await ann.play()


@pytest.mark.parametrize("clock", [None, 30_000])
async def test_for_a_bot_that_fails_the_clock_chooses_or_the_stand_in_where_there_is_none(
    tmp_path: Path, clock: int | None
) -> None:
    """A bot that a later version does not know any more, say."""
    path, skew = tmp_path / "faceup.db", [0]
    async with desk_at(path) as desk:
        opening = Opening(game="nimmt", options={"seats": 2, "hand": 2}, terms=Terms(clock=clock))
        made = await desk.create(opening, "ann", "Ann")
        await desk.send(made.table, AddBot("greedy"), id="bot", player="ann")
        await (await Person(desk, made.table, "ann").come()).status("active")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("""UPDATE log SET entries = replace(entries, '"kind":"greedy"', '"kind":"gone"')""")
        database.execute("""DELETE FROM log WHERE seq > 1""")
        database.execute("""UPDATE rooms SET seq = 1, wake = 0""")
    async with desk_at(path, skew=skew) as desk:
        ann = await Person(desk, made.table, "ann").come()
        await ann.choose()
        if clock is None:
            await ann.until(lambda ann: ann.sight["decision"] > 0)
        else:
            skew[0] += 2 * clock
            await ann.until(lambda ann: ann.sight["decision"] > 0)
            timed_out = [entry for entry in desk._rooms[made.table].room.table.entries if isinstance(entry, TimedOut)]
            assert timed_out[0].seat == 1


@pytest.mark.slow
async def test_the_process_that_bots_think_in_may_die_and_is_started_again(caplog: pytest.LogCaptureFixture) -> None:
    thinking = Thinking()
    rules = make("nimmt:cowheadking", seats=2, hand=2)
    view = rules.from_text("view=0 sizes=2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    try:
        assert await thinking.choose(rules, view, "greedy", 1) in view.legal
        with pytest.raises(NoAnswerError):
            await thinking.choose(rules, view, "nobody", 1)
        [line] = caplog.records
        assert "thinker.py" in vars(line)["fields"]["error"]
        assert "6,46" not in vars(line)["fields"]["error"]  # where it failed, and not with which hand
        assert thinking._process is not None
        thinking._process.kill()
        with suppress(NoAnswerError):
            await thinking.choose(rules, view, "greedy", 2)
        assert await thinking.choose(rules, view, "greedy", 3) in view.legal
    finally:
        await thinking.stop()
