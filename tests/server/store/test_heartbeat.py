import asyncio
import threading
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
import sqlalchemy as sa
from tests.server.store.rows import a_table, an_append

from faceup.server.store import Outage, StaleHeartbeatError, Store, heartbeat
from faceup.server.store.database import Database

START = 1_700_000_000_000


class Clocks:
    """The database's clock, which can be set, and the machine's monotonic clock."""

    def __init__(self) -> None:
        self.database = START
        self.monotonic = 5_000
        self.alive_stores: list[Store] = []
        """Stores that keep sending heartbeats while another one waits for them."""

    def advance(self, milliseconds: int) -> None:
        self.database += milliseconds
        self.monotonic += milliseconds

    async def poll_pause(self) -> None:
        self.advance(50)
        for store in self.alive_stores:
            await store.beat()


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    monkeypatch.setattr(Database, "clock", lambda _database, _connection: clocks.database)
    monkeypatch.setattr(heartbeat, "poll_pause", clocks.poll_pause)
    monkeypatch.setattr(heartbeat, "monotonic", lambda: clocks.monotonic)
    return clocks


@pytest_asyncio.fixture
async def store(clocks: Clocks, url: str) -> AsyncIterator[Store]:
    assert clocks.database == START
    opened = await Store.open(url)
    yield opened
    await opened.close()


async def beat_for(clocks: Clocks, store: Store, seconds: int) -> None:
    for _ in range(seconds):
        clocks.advance(1_000)
        await store.beat()


async def open_second_store(clocks: Clocks, store: Store, url: str) -> Store:
    """Open a second store while the first sends heartbeats."""
    clocks.alive_stores.append(store)
    other = await Store.open(url)
    clocks.alive_stores.clear()
    return other


async def accepts_guarded_rows(store: Store) -> bool:
    """Return whether guarded rows are accepted."""
    table = await a_table(store)
    try:
        await store.append(an_append(table, 1, guarded=True))
    except StaleHeartbeatError:
        assert len(await store.read(table)) == 1
        return False
    return True


async def test_a_process_with_a_recent_heartbeat_is_alive(clocks: Clocks, store: Store, url: str) -> None:
    other = await Store.open(url)
    both = tuple(sorted((store.process, other.process)))
    assert (await store.beat()).alive == both
    await other.close()
    assert (await store.beat()).alive == (store.process,)
    third = await Store.open(url)
    await beat_for(clocks, store, 3)
    assert (await store.beat()).alive == (store.process,)
    await third.beat()
    assert len((await store.beat()).alive) == 2
    await third.close()


async def test_a_process_that_was_frozen_beside_a_live_one_rejects_guarded_rows_until_its_next_heartbeat(
    clocks: Clocks, store: Store, url: str
) -> None:
    other = await open_second_store(clocks, store, url)
    await beat_for(clocks, other, 60)
    assert not await accepts_guarded_rows(store)
    assert await accepts_guarded_rows(other)
    assert (await store.beat()).outages == ()
    assert await accepts_guarded_rows(store)
    await other.close()


async def test_guarded_rows_are_rejected_after_an_outage_until_deadlines_are_extended(
    clocks: Clocks, store: Store
) -> None:
    await beat_for(clocks, store, 2)
    clocks.advance(60_000)
    assert not await accepts_guarded_rows(store)
    beat = await store.beat()
    outage = Outage(start=START + 2_000, end=START + 62_000)
    assert beat.outages == (outage,) == await store.outages_open()
    assert outage.length == 60_000
    assert not await accepts_guarded_rows(store)
    table = await a_table(store)
    await store.append(an_append(table, 1, command="the extension"))  # the extension is not guarded
    await store.outage_done(outage)
    assert await accepts_guarded_rows(store)
    assert (await store.beat()).outages == ()


async def test_an_outage_is_recorded_once_by_the_first_process(clocks: Clocks, store: Store, url: str) -> None:
    other = await open_second_store(clocks, store, url)
    start = clocks.database
    clocks.advance(60_000)
    first, second = await other.beat(), await store.beat()
    assert first.outages == second.outages == (Outage(start=start, end=start + 60_000),)
    clocks.advance(3_000)  # exactly the heartbeat timeout
    assert len((await store.beat()).outages) == 1
    clocks.advance(3_001)
    assert [outage.length for outage in (await other.beat()).outages] == [60_000, 3_001]
    await other.close()


async def test_a_restart_after_a_kill_is_an_outage(clocks: Clocks, store: Store, url: str) -> None:
    await beat_for(clocks, store, 1)
    clocks.advance(1_300)  # restarted before the heartbeat is stale
    again = await Store.open(url)
    assert await again.outages_open() == (Outage(start=START + 1_000, end=START + 2_300),)
    await again.close()


async def test_a_process_that_starts_while_another_is_alive_finds_no_outage(
    clocks: Clocks, store: Store, url: str
) -> None:
    clocks.advance(1_000)
    await store.beat()
    if url.startswith("postgresql"):  # on SQLite a starting process is the only one
        clocks.advance(600)
    other = await open_second_store(clocks, store, url)
    assert await other.outages_open() == ()
    await other.close()


async def test_a_quick_restart_after_a_kill_is_an_outage(clocks: Clocks, store: Store, url: str) -> None:
    await beat_for(clocks, store, 1)
    clocks.advance(200)
    again = await Store.open(url)
    waited = clocks.database - START - 1_200  # on PostgreSQL, until the other process was overdue
    assert waited in {0, 1_050}
    assert await again.outages_open() == (Outage(start=START + 1_000, end=START + 1_200 + waited),)
    await again.close()


async def test_a_graceful_stop_of_an_hour_is_an_outage(clocks: Clocks, url: str) -> None:
    first = await Store.open(url)
    await beat_for(clocks, first, 2)
    clocks.advance(500)
    await first.close()
    clocks.advance(3_600_000)
    second = await Store.open(url)
    assert await second.outages_open() == (Outage(start=START + 2_500, end=START + 3_602_500),)
    await second.close()


async def test_an_attached_store_sends_no_heartbeat(clocks: Clocks, store: Store, url: str) -> None:
    clocks.advance(40_000)
    visitor = await Store.attach(url)
    assert visitor.now() == clocks.database
    assert not await accepts_guarded_rows(visitor)
    await visitor.close()
    assert [outage.length for outage in (await store.beat()).outages] == [40_000]


async def test_the_clock_advances_between_heartbeats(clocks: Clocks, store: Store) -> None:
    assert store.now() == START
    clocks.advance(700)
    assert store.now() == START + 700
    clocks.monotonic += 40  # the machine's clock runs fast; the time still never goes back
    assert store.now() == START + 740
    await store.beat()
    assert store.now() == START + 740
    clocks.advance(100)
    assert store.now() == START + 800


async def test_a_clock_that_is_set_back_blocks_no_one(clocks: Clocks, store: Store, url: str) -> None:
    await beat_for(clocks, store, 5)
    clocks.advance(600)
    before = store.now()
    clocks.database -= 3_600_000
    assert not await accepts_guarded_rows(store)  # unknown until the next heartbeat
    clocks.advance(400)
    beat = await store.beat()
    assert beat.outages == ()
    assert before <= store.now() <= before + 400
    assert await accepts_guarded_rows(store)
    await beat_for(clocks, store, 5)
    assert store.now() == beat.now + 5_000
    set_back = clocks.database - 5_000
    other = await open_second_store(clocks, store, url)
    assert other.now() == store.now() == beat.now + clocks.database - set_back
    assert await other.outages_open() == ()
    await other.close()


async def test_a_clock_that_is_set_forward_counts_as_an_outage(clocks: Clocks, store: Store) -> None:
    await beat_for(clocks, store, 5)
    clocks.database += 3_600_000
    assert not await accepts_guarded_rows(store)
    clocks.advance(1_000)
    assert [outage.length for outage in (await store.beat()).outages] == [3_601_000]
    assert not await accepts_guarded_rows(store)


async def test_awake_is_true_while_the_own_heartbeat_is_fresh(store: Store, clocks: Clocks, url: str) -> None:
    assert await store.awake()
    clocks.advance(4_000)
    other = await Store.open(url)
    assert await other.awake()
    assert not await store.awake()
    await store.beat()
    assert await store.awake()
    await other.close()
    visitor = await Store.attach(url)
    assert not await visitor.awake()
    await visitor.close()


async def test_rows_that_are_stored_by_a_second_attempt_are_not_reported_as_stale(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first transaction finds a stale heartbeat and then ends in a deadlock, and the second one stores the rows."""
    table, answers, started, go = await a_table(store), [False, True], threading.Event(), threading.Event()
    monkeypatch.setattr(store._writer, "_fresh", lambda _connection: answers.pop(0))

    def block(_connection: sa.Connection) -> None:
        started.set()
        assert go.wait(60)

    def deadlock(_connection: sa.Connection) -> None:
        if answers:
            error = RuntimeError("deadlock detected")
            error.sqlstate = "40P01"  # type: ignore[attr-defined]
            raise sa.exc.DBAPIError("", None, error)

    blocking = asyncio.ensure_future(store.write(block))
    await asyncio.to_thread(started.wait, 60)
    append = asyncio.ensure_future(store.append(an_append(table, 1, guarded=True)))
    work = asyncio.ensure_future(store.write(deadlock))
    await asyncio.sleep(0)  # both are in the queue of the writer now
    go.set()
    await asyncio.gather(blocking, append, work)
    assert [row.seq for row in await store.read(table)] == [0, 1]
