import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tests.server.live.players import QUICK, Person, hub_at

from faceup.core import make
from faceup.core.record import Terms
from faceup.server.process.metrics import Metrics
from faceup.server.rooms import Start, TableConfig
from faceup.server.rooms.commands import AddBot, Close
from faceup.server.workers.bots import BotFailedError, Bots


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
async def test_a_simple_policy_chooses_for_a_failing_bot(tmp_path: Path, clock: int | None) -> None:
    """The kind of bot is unknown, as after an upgrade that removed it."""
    path = tmp_path / "faceup.db"
    async with hub_at(path) as hub:
        config = TableConfig(game="nimmt", options={"seats": 2, "hand": 2}, terms=Terms(clock=clock))
        made = await hub.create(config, "ann", "Ann")
        await hub.send(made.table, AddBot("greedy"), id="bot", player="ann")
        await (await Person(hub, made.table, "ann").connect()).status("active")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("""UPDATE log SET entries = replace(entries, '"kind":"greedy"', '"kind":"removed"')""")
        database.execute("""DELETE FROM log WHERE seq > 1""")
        database.execute("""UPDATE rooms SET seq = 1, wake = 0""")
    async with hub_at(path) as hub:
        ann = await Person(hub, made.table, "ann").connect()
        await ann.choose()
        await ann.until(lambda ann: ann.room_view["decision"] > 0)


class SlowBots(Bots):
    """Bots that never answer."""

    async def choose(self, *_: object, **__: object) -> int:
        """Wait for ever."""
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("clock", [None, 30_000])
async def test_a_simple_policy_chooses_for_a_late_bot_but_never_for_a_person(tmp_path: Path, clock: int | None) -> None:
    impatient = msgspec.structs.replace(QUICK, bot=10)
    async with hub_at(tmp_path / "faceup.db", impatient) as hub:
        hub.context.bots = SlowBots(Metrics())
        terms = Terms(clock=clock)
        config = TableConfig(game="nimmt", options={"seats": 3, "hand": 2}, bots=("mc@10",), terms=terms)
        made = await hub.create(config, "ann", "Ann")
        ann = await Person(hub, made.table, "ann").connect()
        await hub.send(made.table, Start(), id="start", player="ann")
        await ann.until(lambda ann: len(ann.room_view["chosen"]) == 2)
        assert ann.room_view["seat"] not in ann.room_view["chosen"]
        await ann.choose()
        await ann.until(lambda ann: ann.room_view["decision"] > 0)


async def test_tables_with_only_bots_share_the_speed_of_two(tmp_path: Path) -> None:
    slow = msgspec.structs.replace(QUICK, think_time=(1000, 1000), take_over=60_000)
    async with hub_at(tmp_path / "faceup.db", slow) as hub:
        config = TableConfig(game="nimmt", options={"seats": 2}, bots=("random",))
        for _ in range(6):
            made = await hub.create(config, "mallory", None, source="a den")
            await hub.send(made.table, Start(), id="start", player="mallory")
        other = await hub.create(config, "ann", None, source="a home")
        await hub.send(other.table, Start(), id="start", player="ann")
        actors = list(hub.rooms.values())
        assert hub.context.bot_only_tables == {"a den": 6, "a home": 1}
        waits = [actor._autoplay._random_think_time(actor.room) for actor in actors]
        assert waits == [3000] * 6 + [1000]
        await hub.send(made.table, Close("host"), id="close", player="mallory")
        assert hub.context.bot_only_tables["a den"] == 5


@pytest.mark.slow
async def test_a_killed_bot_process_is_restarted(caplog: pytest.LogCaptureFixture) -> None:
    bots = Bots(Metrics())
    rules = make("nimmt:cowheadking", seats=2, hand=2)
    view = rules.from_text("view=0 sizes=2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    try:
        assert await bots.choose(rules, view, "greedy", 1) in view.legal
        with pytest.raises(BotFailedError):
            await bots.choose(rules, view, "unknown", 1)
        errors = str([vars(line)["fields"] for line in caplog.records])
        assert "bot_worker.py" in errors or "Malformed" in errors
        assert "6,46" not in errors  # the error without the hand
        process = bots.pool._processes[0]._process
        assert process is not None
        process.kill()
        assert await bots.choose(rules, view, "greedy", 2) in view.legal
    finally:
        await bots.stop()
