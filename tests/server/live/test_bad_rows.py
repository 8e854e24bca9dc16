"""One table or row that cannot be handled stops nothing else."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.server.daily.test_tasks import server_at
from tests.server.live.players import Person, a_game, caught_up, hub_at, until
from tests.server.live.test_deadlines import entries
from tests.server.store.rows import a_table, an_append

from faceup.core.record import Extended, TimedOut
from faceup.server.daily import tasks as daily_deals
from faceup.server.daily.queries import Day, Par
from faceup.server.live import TableHub
from faceup.server.live.timers import AFTER_ERROR, TimerQueue
from faceup.server.rooms.daily import open_dates
from faceup.server.store import Store
from faceup.server.store.schema import log, outages, rooms
from faceup.server.tables.watch_list import WatchList


async def damage(hub: TableHub, table: str) -> None:
    """Make the log of a table unreadable, and remove the table from memory."""
    row = log.update().where(log.c.room == table, log.c.seq == 1)
    await hub.store.write(lambda connection: connection.execute(row.values(entries="[[")).rowcount)
    hub._rooms.pop(table).end()


async def wake_of(hub: TableHub, table: str) -> int:
    query = sa.select(rooms.c.wake).where(rooms.c.id == table)
    return await hub.store.query(lambda connection: connection.execute(query).scalar_one())


async def test_an_unreadable_table_delays_no_deadline_of_another_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        bad, _ = await a_game(hub, "ann", "bo", clock=5_000)
        good, _ = await a_game(hub, "cy", "di", clock=5_000)
        await damage(hub, bad)
        hub._rooms.pop(good).end()
        skew[0] += 10_000
        due = await wake_of(hub, bad)
        cy = await Person(hub, good, "cy").connect()
        await cy.until(lambda cy: cy.room_view["decision"] == 1)
        assert entries(hub, good, TimedOut)
        while await wake_of(hub, bad) == due:  # noqa: ASYNC110 -- a database
            await asyncio.sleep(0.05)
        assert await wake_of(hub, bad) > hub.now() - 1_000, "no process visits it for some time"
        await caught_up(hub)
    failures = [record for record in caplog.records if bad in record.getMessage()]
    assert len(failures) == 1
    assert hub.store.metrics.value("faceup_background_failures_total", task="visits of tables") >= 1


async def test_an_unreadable_table_does_not_keep_an_outage_open(tmp_path: Path) -> None:
    """While an outage is open, no deadline of any table expires."""
    async with hub_at(tmp_path / "faceup.db") as hub:
        bad, _ = await a_game(hub, "ann", "bo")
        good, _ = await a_game(hub, "cy", "di")
        await damage(hub, bad)
        now = hub.store.now()
        row = outages.insert().values(start=now - 60_000, end=now)
        await hub.store.write(lambda connection: connection.execute(row).rowcount)
        await until(lambda: any(entry.by > 50_000 for entry in entries(hub, good, Extended)))
        async with asyncio.timeout(30):
            while await hub.store.outages_open():  # noqa: ASYNC110 -- a database
                await asyncio.sleep(0.05)


async def test_an_unreadable_table_is_left_out_of_the_games_to_watch(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        bad, _ = await a_game(hub, "ann", "bo", listed=True)
        good, _ = await a_game(hub, "cy", "di", listed=True)
        await damage(hub, bad)
        assert [game.table for game in await WatchList(hub.store, hub).get()] == [good]


async def test_the_par_of_a_date_that_fails_blocks_no_other_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def compute(day: Day, _: object = None) -> Par:
        if day.date == first:
            raise RuntimeError("test error")
        return Par(bot="champion", heads=7, place=1, turns=(7,))

    monkeypatch.setattr(daily_deals, "BOTS", ("random", "greedy", "random"))
    monkeypatch.setattr(daily_deals, "compute_par", compute)
    async with server_at(tmp_path / "faceup.db") as server:
        first, second = open_dates(server.hub.now())[-2:]
        ann = await server.player("Ann")
        for date in (first, second):
            await server.start(ann, date)
        await server.daily.prepare()
        assert (await server.daily.day(first)).par is None
        assert (await server.daily.day(second)).par is not None


def test_a_timer_that_fails_is_called_again() -> None:
    now, calls = [0], list[int]()

    def fire(_key: str) -> None:
        calls.append(now[0])
        raise RuntimeError("test error")

    async def run() -> None:
        timers = TimerQueue[str](lambda: now[0], fire)
        timers.set("a table", 10)
        for now[0] in (10, 20, 10 + AFTER_ERROR):
            timers.fire_due()
        timers.stop()

    asyncio.run(run())
    assert calls == [10, 10 + AFTER_ERROR]


async def test_the_writer_continues_if_others_cannot_be_notified(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'faceup.db'}")

    def notify(_rows: Any) -> None:
        raise RuntimeError("test error")

    store._writer._committed = notify
    table = await a_table(store)
    async with asyncio.timeout(30):
        await store.append(an_append(table, 1))
        await store.append(an_append(table, 2))
    assert len(await store.read(table)) == 3
    assert store.metrics.value("faceup_background_failures_total", task="writer") >= 2
    await store.close()
