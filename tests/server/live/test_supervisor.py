"""Tables that no one watches leave the memory, and everything that is due at them still happens."""

import asyncio
import gc
from pathlib import Path
from weakref import ref

import pytest
from tests.server.live.players import Person, a_game, hub_at, until

from faceup.server.live import TableHub, supervisor


@pytest.fixture(autouse=True)
def nothing_idle_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "MAX_IDLE_ROOMS", 0)
    monkeypatch.setattr(supervisor, "_MIN_IDLE", 0.0)


async def _timed_out(hub: TableHub, table: str) -> int:
    return sum(b'"timed_out"' in row.entries for row in await hub.store.read(table))


async def test_a_table_that_no_one_watches_is_freed_without_the_garbage_collector(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo")
        room = ref(hub.rooms[table])
        watched, _ = await a_game(hub, "cy", "di")
        gc.disable()
        try:
            ann.disconnect()
            bo.disconnect()
            ann.reader = bo.reader = None
            await until(lambda: room() is None)
        finally:
            gc.enable()
        assert watched in hub.rooms
        ann = await Person(hub, table, "ann").connect()
        await ann.choose()
        await ann.until(lambda ann: "choice" in ann.room_view or ann.room_view["decision"] == 1)


async def test_deadlines_expire_at_tables_that_are_not_in_memory(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, people = await a_game(hub, "ann", "bo", clock=5_000, grace=600_000)
        for person in people:
            person.disconnect()
        await until(lambda: table not in hub.rooms)
        assert await _timed_out(hub, table) == 0
        skew[0] += 10_000
        async with asyncio.timeout(30):
            while not await _timed_out(hub, table):  # noqa: ASYNC110 -- there is no event to wait for
                await asyncio.sleep(0.05)


async def test_a_room_that_is_evicted_while_a_reader_connects_sends_its_updates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room is evicted as soon as it is loaded, before the reader that waited for it is subscribed."""
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, people = await a_game(hub, "ann", "bo", clock=None, grace=600_000)
        for person in people:
            person.disconnect()
        await until(lambda: table not in hub.rooms)
        load, evictions = hub._load, 0

        async def load_and_evict(loaded: str) -> None:
            nonlocal evictions
            await load(loaded)
            if evictions < 2:
                evictions += 1
                asyncio.get_running_loop().call_soon(hub._supervisor._evict_rooms)

        monkeypatch.setattr(hub, "_load", load_and_evict)
        ann = await Person(hub, table, "ann").connect()
        assert evictions == 2
        await ann.choose()
        await ann.until(lambda ann: "choice" in ann.room_view)
