"""Several servers at one PostgreSQL: each table is everybody's, and none of them owns it."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.desk.players import QUICK, Person, a_game, desk_at, until
from tests.server.postgresql import PostgreSQL

from faceup.core.record import Extended, TimedOut
from faceup.server.desk.connections import Connections
from faceup.server.rooms import Choose, Opening, React, Sit, Start, loads
from faceup.server.store import Store
from faceup.server.store.schema import rooms


@pytest.fixture
def address(postgresql: PostgreSQL) -> Iterator[str]:
    with postgresql.database() as address:
        yield address


async def test_people_at_one_table_are_connected_to_different_servers_and_are_told_the_same(address: str) -> None:
    async with desk_at(address) as here, desk_at(address) as there:
        made = await here.create(Opening(game="nimmt", options={"seats": 4, "hand": 5}), "ann", "Ann")
        await there.send(made.table, Sit("Bo"), id="sit", player="bo")
        ann, bo = await Person(here, made.table, "ann").come(), await Person(there, made.table, "bo").come()
        near, far = await Person(here, made.table, None).come(), await Person(there, made.table, None).come()
        await here.send(made.table, Start(), id="start", player="ann")
        await ann.status("active")
        await bo.status("active")
        await asyncio.gather(ann.play(), bo.play())
        await near.status("finished")
        await far.status("finished")
        assert ann.sight["result"] == bo.sight["result"]
        told = [line for line in near.lines if b'"sight"' not in line]
        assert [line for line in far.lines if b'"sight"' not in line] == told[-len(far.lines) + 1 :]
        assert (await here.record(made.table)) == (await there.record(made.table))


async def test_whoever_comes_from_a_server_that_was_further_is_not_taken_back(tmp_path: Path) -> None:
    deaf = msgspec.structs.replace(QUICK, poll=600_000)
    async with desk_at(tmp_path / "faceup.db", deaf) as here, desk_at(tmp_path / "faceup.db", deaf) as there:
        table, (ann, bo) = await a_game(here, "ann", "bo")
        behind = await Person(there, table, "bo").come()
        behind.go()
        await ann.choose()
        await bo.choose()
        await bo.until(lambda bo: bo.sight["decision"] == 1)
        assert behind.version < bo.version
        again = await Person(there, table, "bo").come(after=bo.version)
        await there.send(table, React(1, "hmm"), id="hmm", player="bo")
        await again.until(lambda again: again.lines)
        assert again.version == bo.version + 1


async def test_nobody_is_refused_by_a_server_that_has_not_read_what_another_kept(tmp_path: Path) -> None:
    deaf = msgspec.structs.replace(QUICK, poll=600_000)
    async with desk_at(tmp_path / "faceup.db", deaf) as here, desk_at(tmp_path / "faceup.db", deaf) as there:
        table = (await here.create(Opening(game="nimmt", options={"seats": 2}), "ann", "Ann")).table
        assert (await there.sight(table, "ann")).status == "pending"
        await here.send(table, Sit("Bo"), id="sit", player="bo")
        choice = Choose(0, (await here.sight(table, "ann")).words[0], 0)
        kept = await here.send(table, choice, id="choice", player="ann")
        assert await there.send(table, choice, id="choice", player="ann") == kept


async def test_choices_that_race_to_two_servers_are_all_kept_once_and_without_a_gap(address: str) -> None:
    async with desk_at(address) as here, desk_at(address) as there:
        table, people = await a_game(here, *"abcdef", hand=1)
        acks = await asyncio.gather(
            *(
                desk.send(table, Choose(seat, person.sight["words"][0], 0), id="choice", player=person.player)
                for seat, person in enumerate(people)
                for desk in (here, there)
            )
        )
        assert acks[::2] == acks[1::2]
        store = here._store
        log = await store.read(table)
        assert [append.seq for append in log] == list(range(len(log)))
        keys = [append.command for append in log if append.command]
        assert len(keys) == len(set(keys))
        assert sum(len(loads(append.entries)) > 0 for append in log) == len(log)
        for ack in acks:
            assert log[ack.seq].command in {f"{player}:choice" for player in "abcdef"}


async def test_bots_of_a_server_that_does_not_let_them_think_are_seen_to_by_another(address: str) -> None:
    idle = msgspec.structs.replace(QUICK, think=(60_000, 60_000), take_over=60_000)
    eager = msgspec.structs.replace(QUICK, take_over=300)
    async with desk_at(address, idle) as here, desk_at(address, eager):
        made = await here.create(Opening(game="nimmt", options={"seats": 2, "hand": 2}), "ann", "Ann")
        ann = await Person(here, made.table, "ann").come()
        await here.send(made.table, Start(), id="start", player="ann")
        await ann.status("active")
        # The row says when somebody is to look at the latest; as if that server had promised it sooner:
        await here._store.write(_due_now(made.table))
        await ann.until(lambda ann: 1 in ann.sight["chosen"])


def _due_now(table: str) -> Callable[[sa.Connection], int]:
    return lambda connection: connection.execute(rooms.update().where(rooms.c.id == table).values(wake=0)).rowcount


@pytest.mark.slow
async def test_whoever_was_connected_to_a_server_that_died_has_time_to_find_another(address: str) -> None:
    """Once for each death and table; and the clock waits for a server that is only slow."""
    skew = [0]
    store = await Store.open(address)  # a server that gives one heartbeat, and dies
    async with desk_at(address, msgspec.structs.replace(QUICK, handover=60_000), skew) as desk:
        table, (ann, bo) = await a_game(desk, "ann", "bo")
        dead = Connections(store)
        dead.note(table, 1, connected=True)
        await dead.flush()
        bo.go()
        await ann.choose()
        skew[0] += 30_100 - desk._rooms[table].turns.now()
        await asyncio.sleep(0.3)
        assert not [entry for entry in desk._rooms[table].room.table.entries if isinstance(entry, TimedOut)]
        await until(lambda: any(isinstance(entry, Extended) for entry in desk._rooms[table].room.table.entries))
        assert ann.sight["decision"] == 0
        skew[0] += 10_100
        await ann.until(lambda ann: ann.sight["decision"] == 1)
        extended = [entry.by for entry in desk._rooms[table].room.table.entries if isinstance(entry, Extended)]
        assert extended == [QUICK.reconnect]
    await store._let_go()
