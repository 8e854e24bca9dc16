"""Time that a server took is given back once, and does not count for tables without a running clock."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from tests.server.live.players import QUICK, Person, a_game, caught_up, closed, hub_at, until
from tests.server.live.test_deadlines import entries
from tests.server.store.test_heartbeat import Clocks

from faceup.core.record import Extended, Left, Paused, Terms, Unpaused
from faceup.server.live import TableHub
from faceup.server.live.interruptions import DEATH, Interruption
from faceup.server.live.timeouts import DAY
from faceup.server.rooms import TableConfig
from faceup.server.store import heartbeat
from faceup.server.store.database import Database
from faceup.table.commands import Pause

HOUR = 3_600_000


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    """Clocks that advance as the real ones do, plus what the test adds."""
    clocks, real, real_database = Clocks(), heartbeat.monotonic, Database.clock
    clocks.database = clocks.monotonic = 0
    monkeypatch.setattr(heartbeat, "monotonic", lambda: real() + clocks.monotonic)
    monkeypatch.setattr(
        Database, "clock", lambda database, connection: real_database(database, connection) + clocks.database
    )
    return clocks


def freeze(hub: TableHub, clocks: Clocks, milliseconds: int) -> None:
    """Let the process be frozen for this time, as by SIGSTOP: all clocks advance, and nothing runs."""
    clocks.advance(milliseconds)
    hub.context.heartbeat._loop_checked_at -= milliseconds / 1000
    hub.context.heartbeat._last_sent -= milliseconds / 1000


async def test_the_first_sweep_is_no_interruption_after_the_start(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        started = hub.context.interrupted_at
        skew[0] += HOUR
        await caught_up(hub)
        assert hub.context.interrupted_at == started


@pytest.mark.parametrize("connection_lost", [False, True])
async def test_a_freeze_extends_a_deadline_once(tmp_path: Path, clocks: Clocks, connection_lost: bool) -> None:
    async with hub_at(tmp_path / "faceup.db", msgspec.structs.replace(QUICK, stall=1_000)) as hub:
        table, (ann, _) = await a_game(hub, "ann", "bo", clock=120_000)
        await hub.context.heartbeat.send()
        freeze(hub, clocks, 25_000)
        if connection_lost:
            hub.context.heartbeat.mark_unreachable()
        await ann.until(lambda ann: b"deadline_extended" in b"".join(ann.lines))
        async with asyncio.timeout(30):
            while await hub.store.outages_open():  # noqa: ASYNC110 -- a database
                await asyncio.sleep(0.05)
        await caught_up(hub)
        assert 24_000 < sum(entry.by for entry in entries(hub, table, Extended)) < 40_000


async def test_a_process_that_seemed_dead_and_was_frozen_extends_a_deadline_once(tmp_path: Path) -> None:
    """Another process has given the players of the frozen one time to reconnect."""
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, _ = await a_game(hub, "ann", "bo", clock=120_000)
        now, queue = hub.now() + 5_000, hub.rooms[table].queue
        for process, start in (("a", now), ("a", now + 300)):
            death = Interruption(cause=f"{DEATH}-{process}", start=start, end=start + 10_000)
            queue.give_back_time(death)
            await queue.wait_until_idle()
        queue.give_back_time(Interruption(cause="stall-a", start=now - 2_000, end=now + 22_000))
        await queue.wait_until_idle()
        assert [entry.by for entry in entries(hub, table, Extended)] == [10_000, 14_000]


@asynccontextmanager
async def tables_without_clock(path: Path, skew: list[int]) -> AsyncIterator[dict[str, str]]:
    """Create tables on which no clock runs, with players who are connected, and stop the server."""
    async with hub_at(path, skew=skew) as hub:
        untimed, _ = await a_game(hub, "ann", "bo", clock=None)
        paused, _ = await a_game(hub, "ann", "bo")
        await hub.send(paused, Pause(), id="pause", player="ann")
        config = TableConfig(game="nimmt", terms=Terms(clock=None))
        pending = (await hub.create(config, "ann", "Ann")).table
        days, _ = await a_game(hub, "ann", "bo", clock=DAY)
        await hub.send(days, Pause(), id="pause", player="ann")
        yield {"untimed": untimed, "paused": paused, "pending": pending, "days": days}


@pytest.mark.parametrize("minutes_before", [0, 200])
async def test_tables_without_a_running_clock_survive_a_long_outage(tmp_path: Path, minutes_before: int) -> None:
    """Also if their players have thought or waited for long before it, connected to the server."""
    path, skew = tmp_path / "faceup.db", [0]
    async with tables_without_clock(path, skew) as tables:
        skew[0] += minutes_before * 60_000
    skew[0] += 5 * HOUR
    async with hub_at(path, skew=skew) as hub:
        await caught_up(hub)
        for name, table in tables.items():
            assert (await hub.view(table, "ann")).status in {"active", "pending"}, name
        if not minutes_before:
            assert not entries(hub, tables["paused"], Unpaused), "the pause has its whole time again"
        ann = await Person(hub, tables["untimed"], "ann").connect()
        await ann.choose()
        ann.disconnect()
        for name in ("untimed", "paused", "pending"):
            await closed_in_time(hub, tables[name], skew)


async def closed_in_time(hub: TableHub, table: str, skew: list[int]) -> None:
    """Advance the clock by three hours until the table is closed.

    Once is enough, unless this process stalls at that moment: that counts as an outage of three hours.
    """
    for attempt in range(1, 5):
        skew[0] += 3 * HOUR
        try:
            return await closed(hub, table, seconds=30)
        except TimeoutError:
            if attempt == 4:
                raise
    return None


async def test_an_outage_does_not_count_as_time_without_actions(tmp_path: Path, clocks: Clocks) -> None:
    """A game with days per move is closed after thirty days without actions, of which the server has to run all."""
    path = tmp_path / "faceup.db"
    async with hub_at(path) as hub:
        table, _ = await a_game(hub, "ann", "bo", clock=DAY)
        await hub.send(table, Pause(), id="pause", player="ann")
    clocks.advance(31 * DAY)
    async with hub_at(path) as hub:
        await caught_up(hub)
        assert (await hub.view(table, "ann")).status == "active"


async def test_players_who_lose_their_connections_together_keep_their_table(tmp_path: Path) -> None:
    """For example when a proxy restarts, after they have thought for hours."""
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", clock=None)
        skew[0] += 3 * HOUR
        ann.disconnect()
        bo.disconnect()
        skew[0] += QUICK.request_grace
        await caught_up(hub)
        assert hub.rooms[table].room.closed is None
        skew[0] += QUICK.abandoned + QUICK.request_grace
        await until(lambda: hub.rooms[table].room.closed is not None)


async def test_a_player_can_reconnect_after_a_freeze(tmp_path: Path, clocks: Clocks) -> None:
    """The grace period of a player who lost the connection before it does not end with it."""
    timeouts = msgspec.structs.replace(QUICK, stall=1_000, reconnect=10_000)
    async with hub_at(tmp_path / "faceup.db", timeouts) as hub:
        table, (_ann, bo) = await a_game(hub, "ann", "bo", clock=None)
        bo.disconnect()
        freeze(hub, clocks, 60_000)
        async with asyncio.timeout(30):
            while not hub.context.heartbeat.is_fresh:  # noqa: ASYNC110 -- there is no event to wait for
                await asyncio.sleep(0.01)
        await caught_up(hub)
        assert not entries(hub, table, Left)
        assert not entries(hub, table, Paused)
