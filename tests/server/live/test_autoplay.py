import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest
from tests.server.live.players import QUICK, Person, hub_at

from faceup.core import make
from faceup.core.record import Terms, TimedOut
from faceup.server.rooms import Start, TableConfig
from faceup.server.rooms.commands import AddBot
from faceup.server.workers.bots import BotFailedError, BotProcess


@pytest.mark.long
async def test_search_bots_run_in_a_worker_process(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        config = TableConfig(game="nimmt", options={"seats": 3, "hand": 2}, bots=("mc@10",))
        made = await hub.create(config, "ann", "Ann")
        await hub.send(made.table, AddBot("random"), id="bot", player="ann")
        ann = await Person(hub, made.table, "ann").connect()
        await hub.send(made.table, Start(), id="start", player="ann")
        await ann.status("active")
        await ann.play()
        assert [seat["kind"] for seat in ann.room_view["seats"]] == ["person", "random", "mc@10"]


async def test_bots_choose_immediately_in_games_of_pure_chance(
    tmp_path: Path,
) -> None:
    slow = msgspec.structs.replace(QUICK, think_time=(60_000, 60_000), take_over=60_000)
    async with hub_at(tmp_path / "faceup.db", slow) as hub:
        config = TableConfig(game="niuniu", options={"seats": 3, "throws": 4}, bots=("random",))
        made = await hub.create(config, "ann", "Ann")
        ann = await Person(hub, made.table, "ann").connect()
        await hub.send(made.table, Start(), id="start", player="ann")
        await ann.status("active")
        await ann.play()


@pytest.mark.parametrize("clock", [None, 30_000])
async def test_the_deadline_or_autoplay_chooses_for_a_failing_bot(tmp_path: Path, clock: int | None) -> None:
    """The kind of bot is unknown, as after an upgrade that removed it."""
    path, skew = tmp_path / "faceup.db", [0]
    async with hub_at(path) as hub:
        config = TableConfig(game="nimmt", options={"seats": 2, "hand": 2}, terms=Terms(clock=clock))
        made = await hub.create(config, "ann", "Ann")
        await hub.send(made.table, AddBot("greedy"), id="bot", player="ann")
        await (await Person(hub, made.table, "ann").connect()).status("active")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("""UPDATE log SET entries = replace(entries, '"kind":"greedy"', '"kind":"removed"')""")
        database.execute("""DELETE FROM log WHERE seq > 1""")
        database.execute("""UPDATE rooms SET seq = 1, wake = 0""")
    async with hub_at(path, skew=skew) as hub:
        ann = await Person(hub, made.table, "ann").connect()
        await ann.choose()
        if clock is None:
            await ann.until(lambda ann: ann.room_view["decision"] > 0)
        else:
            skew[0] += 2 * clock
            await ann.until(lambda ann: ann.room_view["decision"] > 0)
            timed_out = [entry for entry in hub._rooms[made.table].room.table.entries if isinstance(entry, TimedOut)]
            assert timed_out[0].seat == 1


@pytest.mark.slow
async def test_a_killed_bot_process_is_restarted(caplog: pytest.LogCaptureFixture) -> None:
    bots = BotProcess()
    rules = make("nimmt:cowheadking", seats=2, hand=2)
    view = rules.from_text("view=0 sizes=2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    try:
        assert await bots.choose(rules, view, "greedy", 1) in view.legal
        with pytest.raises(BotFailedError):
            await bots.choose(rules, view, "unknown", 1)
        [line] = caplog.records
        assert "bots.py" in vars(line)["fields"]["error"]
        assert "6,46" not in vars(line)["fields"]["error"]  # the traceback without the hand
        process = bots._process._process
        assert process is not None
        process.kill()
        with suppress(BotFailedError):
            await bots.choose(rules, view, "greedy", 2)
        assert await bots.choose(rules, view, "greedy", 3) in view.legal
    finally:
        await bots.stop()
