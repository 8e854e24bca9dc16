from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.server.store.tables import a_table, an_append

from faceup.server.store import Frozen, Outage, Store, beating, timing
from faceup.server.store.database import Database

BEGUN = 1_700_000_000_000


class Clocks:
    """The database's clock, which people may set, and the monotonic one of the only machine."""

    def __init__(self) -> None:
        self.database = BEGUN
        self.monotonic = 5_000
        self.awake: list[Store] = []
        """Those that go on to beat while somebody waits for them."""

    def pass_by(self, milliseconds: int) -> None:
        self.database += milliseconds
        self.monotonic += milliseconds

    async def nap(self) -> None:
        self.pass_by(50)
        for store in self.awake:
            await store.beat()


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    monkeypatch.setattr(Database, "clock", lambda _database, _connection: clocks.database)
    monkeypatch.setattr(timing, "nap", clocks.nap)
    for module in (beating, timing):
        monkeypatch.setattr(module, "monotonic", lambda: clocks.monotonic)
    return clocks


@pytest_asyncio.fixture
async def store(clocks: Clocks, url: str) -> AsyncIterator[Store]:
    assert clocks.database == BEGUN
    opened = await Store.open(url)
    yield opened
    await opened.close()


async def beat_for(clocks: Clocks, store: Store, seconds: int) -> None:
    for _ in range(seconds):
        clocks.pass_by(1_000)
        await store.beat()


async def beside(clocks: Clocks, store: Store, url: str) -> Store:
    """Another one, which starts while this one is awake."""
    clocks.awake.append(store)
    other = await Store.open(url)
    clocks.awake.clear()
    return other


async def may_sweep(store: Store) -> bool:
    """Whether what the clock does is stored."""
    table = await a_table(store)
    try:
        await store.append(an_append(table, 1, guarded=True))
    except Frozen:
        assert len(await store.read(table)) == 1
        return False
    return True


async def test_who_beats_is_alive(clocks: Clocks, store: Store, url: str) -> None:
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


async def test_frozen_while_another_is_awake_it_does_nothing_late_and_there_was_no_outage(
    clocks: Clocks, store: Store, url: str
) -> None:
    other = await beside(clocks, store, url)
    await beat_for(clocks, other, 60)
    assert not await may_sweep(store)
    assert await may_sweep(other)
    assert (await store.beat()).outages == ()
    assert await may_sweep(store)
    await other.close()


async def test_frozen_alone_was_an_outage_and_nothing_is_swept_until_deadlines_are_moved(
    clocks: Clocks, store: Store
) -> None:
    await beat_for(clocks, store, 2)
    clocks.pass_by(60_000)
    assert not await may_sweep(store)
    beat = await store.beat()
    outage = Outage(start=BEGUN + 2_000, end=BEGUN + 62_000)
    assert beat.outages == (outage,) == await store.outages_open()
    assert (outage.length, outage.id) == (60_000, f"outage-{BEGUN + 2_000}")
    assert not await may_sweep(store)
    table = await a_table(store)
    await store.append(an_append(table, 1, command=outage.id))  # a deadline is moved, which needs no leave
    await store.outage_done(outage)
    assert await may_sweep(store)
    assert (await store.beat()).outages == ()


async def test_an_outage_is_entered_once_by_whoever_wakes_first(clocks: Clocks, store: Store, url: str) -> None:
    other = await beside(clocks, store, url)
    begun = clocks.database
    clocks.pass_by(60_000)
    first, second = await other.beat(), await store.beat()
    assert first.outages == second.outages == (Outage(start=begun, end=begun + 60_000),)
    clocks.pass_by(3_000)  # as long as a heartbeat may take, and no longer
    assert len((await store.beat()).outages) == 1
    clocks.pass_by(3_001)
    assert [outage.length for outage in (await other.beat()).outages] == [60_000, 3_001]
    await other.close()


async def test_killed_and_started_again_it_was_away(clocks: Clocks, store: Store, url: str) -> None:
    await beat_for(clocks, store, 1)
    clocks.pass_by(1_300)  # killed, and back sooner than a heartbeat grows old
    again = await Store.open(url)
    assert await again.outages_open() == (Outage(start=BEGUN + 1_000, end=BEGUN + 2_300),)
    await again.close()


async def test_one_that_starts_beside_another_finds_no_outage(clocks: Clocks, store: Store, url: str) -> None:
    clocks.pass_by(1_000)
    await store.beat()
    if url.startswith("postgresql"):  # on SQLite one that starts is alone, or has been away
        clocks.pass_by(600)
    other = await beside(clocks, store, url)
    assert await other.outages_open() == ()
    await other.close()


async def test_killed_and_back_at_once_it_was_away_too(clocks: Clocks, store: Store, url: str) -> None:
    await beat_for(clocks, store, 1)
    clocks.pass_by(200)
    again = await Store.open(url)
    waited = clocks.database - BEGUN - 1_200  # on PostgreSQL, until the other one was overdue
    assert waited in {0, 1_050}
    assert await again.outages_open() == (Outage(start=BEGUN + 1_000, end=BEGUN + 1_200 + waited),)
    await again.close()


async def test_stopped_for_an_hour_as_it_was_asked_to_it_was_away_too(clocks: Clocks, url: str) -> None:
    first = await Store.open(url)
    await beat_for(clocks, first, 2)
    clocks.pass_by(500)
    await first.close()
    clocks.pass_by(3_600_000)
    second = await Store.open(url)
    assert await second.outages_open() == (Outage(start=BEGUN + 2_500, end=BEGUN + 3_602_500),)
    await second.close()


async def test_a_visitor_is_no_sign_of_life(clocks: Clocks, store: Store, url: str) -> None:
    clocks.pass_by(40_000)
    visitor = await Store.visit(url)
    assert await visitor.now() == clocks.database
    assert not await may_sweep(visitor)
    await visitor.close()
    assert [outage.length for outage in (await store.beat()).outages] == [40_000]


async def test_time_goes_on_between_heartbeats(clocks: Clocks, store: Store) -> None:
    assert await store.now() == BEGUN
    clocks.pass_by(700)
    assert await store.now() == BEGUN + 700
    clocks.monotonic += 40  # the machine's runs a little faster: nobody sees time go back at the heartbeat
    assert await store.now() == BEGUN + 740
    await store.beat()
    assert await store.now() == BEGUN + 740
    clocks.pass_by(100)
    assert await store.now() == BEGUN + 800


async def test_a_clock_that_is_set_back_stops_nobody(clocks: Clocks, store: Store, url: str) -> None:
    await beat_for(clocks, store, 5)
    clocks.pass_by(600)
    before = await store.now()
    clocks.database -= 3_600_000
    assert not await may_sweep(store)  # until the next heartbeat it does not know by how much
    clocks.pass_by(400)
    beat = await store.beat()
    assert beat.outages == ()
    assert before <= await store.now() <= before + 400
    assert await may_sweep(store)
    await beat_for(clocks, store, 5)
    assert await store.now() == beat.now + 5_000
    set_back = clocks.database - 5_000
    other = await beside(clocks, store, url)
    assert await other.now() == await store.now() == beat.now + clocks.database - set_back
    assert await other.outages_open() == ()
    await other.close()


async def test_a_clock_that_is_set_forward_moves_deadlines_as_an_outage_does(clocks: Clocks, store: Store) -> None:
    await beat_for(clocks, store, 5)
    clocks.database += 3_600_000
    assert not await may_sweep(store)
    clocks.pass_by(1_000)
    assert [outage.length for outage in (await store.beat()).outages] == [3_601_000]
    assert not await may_sweep(store)


async def test_a_process_is_awake_as_long_as_its_own_heartbeat_is_fresh(store: Store, clocks: Clocks, url: str) -> None:
    assert await store.awake()
    clocks.pass_by(4_000)
    other = await Store.open(url)
    assert await other.awake()
    assert not await store.awake()
    await store.beat()
    assert await store.awake()
    await other.close()
    visitor = await Store.visit(url)
    assert not await visitor.awake()
    await visitor.close()
