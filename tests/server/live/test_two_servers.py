"""Several servers on one PostgreSQL: every server serves every table."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.live.players import QUICK, Person, a_game, caught_up, hub_at, until
from tests.server.postgresql import PostgreSQL

from faceup.core.record import Extended, TimedOut
from faceup.server.live.presence import Connections
from faceup.server.rooms import Choose, Sit, Start, TableConfig, loads
from faceup.server.rooms.commands import React
from faceup.server.rooms.room import CHECKSUM
from faceup.server.store import LogRow, NewRow, Store
from faceup.server.store.models import TOO_LONG
from faceup.server.store.schema import rooms


@pytest.fixture
def address(postgresql: PostgreSQL) -> Iterator[str]:
    with postgresql.shared_database() as address:
        yield address


async def test_players_on_different_servers_receive_the_same_updates(address: str) -> None:
    async with hub_at(address) as first, hub_at(address) as second:
        made = await first.create(TableConfig(game="nimmt", options={"seats": 4, "hand": 5}), "ann", "Ann")
        await second.send(made.table, Sit("Bo"), id="sit", player="bo")
        ann, bo = await Person(first, made.table, "ann").connect(), await Person(second, made.table, "bo").connect()
        first_spectator, second_spectator = (
            await Person(first, made.table, None).connect(),
            await Person(second, made.table, None).connect(),
        )
        await first.send(made.table, Start(), id="start", player="ann")
        await ann.status("active")
        await bo.status("active")
        await asyncio.gather(ann.play(), bo.play())
        await first_spectator.status("finished")
        await second_spectator.status("finished")
        assert ann.room_view["result"] == bo.room_view["result"]
        updates, second_updates = (
            [line for line in spectator.lines if b'"patch"' in line]
            for spectator in (first_spectator, second_spectator)
        )
        assert second_updates
        assert second_updates == updates[-len(second_updates) :]
        assert (await first.record(made.table)) == (await second.record(made.table))


@pytest.mark.parametrize(
    ("lost", "too_long", "reads"),
    [
        pytest.param(0, False, 0, id="all"),
        pytest.param(1, False, 1, id="the-first-is-lost"),
        pytest.param(0, True, 1, id="too-long"),
    ],
)
async def test_the_log_is_read_only_if_a_row_is_missing_in_the_notifications(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: int, too_long: bool, reads: int
) -> None:
    no_polling = msgspec.structs.replace(QUICK, poll=600_000)
    async with (
        hub_at(tmp_path / "faceup.db", no_polling) as first,
        hub_at(tmp_path / "faceup.db", no_polling) as second,
    ):
        table, (ann, bo) = await a_game(first, "ann", "bo")
        other = await Person(second, table, "bo").connect()
        queue, read, calls = second.rooms[table].queue, second.store.read, list[str]()

        async def count(table: str, after: int = -1) -> list[LogRow]:
            calls.append(table)
            return await read(table, after)

        monkeypatch.setattr(second.store, "read", count)
        await ann.choose()
        await bo.choose()
        await bo.until(lambda bo: bo.room_view["decision"] == 1)
        rows = [row for row in await first.store.read(table) if row.seq > queue.seq]
        assert len(rows) >= 2
        for row in reversed(rows[lost:]):  # in any order
            entries = TOO_LONG if too_long else msgspec.Raw(row.entries)
            queue.receive(NewRow(table, row.seq, row.command, entries))
        await other.until(lambda other: other.room_view["decision"] == 1)
        assert len(calls) == reads
        assert second.rooms[table].room == first.rooms[table].room
        queue.receive(NewRow(table, rows[0].seq, rows[0].command, msgspec.Raw(rows[0].entries)))  # once more
        await queue.wait_until_idle()
        assert queue.seq == rows[-1].seq


async def test_a_client_from_a_server_that_is_ahead_never_goes_back(tmp_path: Path) -> None:
    no_polling = msgspec.structs.replace(QUICK, poll=600_000)
    async with (
        hub_at(tmp_path / "faceup.db", no_polling) as first,
        hub_at(tmp_path / "faceup.db", no_polling) as second,
    ):
        table, (ann, bo) = await a_game(first, "ann", "bo")
        behind = await Person(second, table, "bo").connect()
        behind.disconnect()
        await ann.choose()
        await bo.choose()
        await bo.until(lambda bo: bo.room_view["decision"] == 1)
        assert behind.version < bo.version
        last_seen = bo.version  # the first server may send the reaction to Bo, too
        again = await Person(second, table, "bo").connect(after=last_seen)
        await second.send(table, React(1, "hmm"), id="hmm", player="bo")
        await again.until(lambda again: again.lines)
        assert again.version == last_seen + 1


async def test_a_server_catches_up_before_it_rejects_a_command(tmp_path: Path) -> None:
    no_polling = msgspec.structs.replace(QUICK, poll=600_000)
    async with (
        hub_at(tmp_path / "faceup.db", no_polling) as first,
        hub_at(tmp_path / "faceup.db", no_polling) as second,
    ):
        table = (await first.create(TableConfig(game="nimmt", options={"seats": 2}), "ann", "Ann")).table
        assert (await second.view(table, "ann")).status == "pending"
        await first.send(table, Sit("Bo"), id="sit", player="bo")
        choice = Choose(0, (await first.view(table, "ann")).actions[0], 0)
        ack = await first.send(table, choice, id="choice", player="ann")
        assert await second.send(table, choice, id="choice", player="ann") == ack


@pytest.mark.sample(1)
async def test_a_client_reads_its_own_commands_on_every_server(url: str) -> None:
    no_polling = msgspec.structs.replace(QUICK, poll=600_000)
    async with hub_at(url, no_polling) as first, hub_at(url, no_polling) as second:
        made = await first.create(TableConfig(game="nimmt", options={"seats": 4, "hand": 5}), "ann", "Ann")
        await until(lambda: not any(hub.context.heartbeat.is_only_process for hub in (first, second)))
        for hub, other, seat in ((first, second, 1), (second, first, 2), (first, second, 3)):
            assert (await other.view(made.table, "ann")).seats[seat] is None
            await hub.send(made.table, Sit("Bo"), id="sit", player=f"bo{seat}")
            view = await other.view(made.table, f"bo{seat}")
            assert view.seat == seat
            assert view.seats[seat] is not None
            assert f'"seat":{seat}'.encode() in await other.first_line(made.table, f"bo{seat}")
            reader = await other.watch(made.table, f"bo{seat}")
            assert f'"seat":{seat}'.encode() in reader.take()
            reader.close()


async def test_concurrent_choices_on_two_servers_are_stored_once_without_gaps(address: str) -> None:
    async with hub_at(address) as first, hub_at(address) as second:
        table, people = await a_game(first, *"abcdef", hand=1)
        acks = await asyncio.gather(
            *(
                hub.send(table, Choose(seat, person.room_view["actions"][0], 0), id="choice", player=person.player)
                for seat, person in enumerate(people)
                for hub in (first, second)
            )
        )
        assert acks[::2] == acks[1::2]
        store = first.store
        log = await store.read(table)
        assert [append.seq for append in log] == list(range(len(log)))
        keys = [append.command for append in log if append.command]
        assert len(keys) == len(set(keys))
        assert sum(len(loads(append.entries)) > 0 for append in log) == len(log)
        for ack in acks:
            assert str(log[ack.seq].command).partition(CHECKSUM)[0] in {f"{player}:choice" for player in "abcdef"}


@pytest.mark.long
async def test_players_who_ask_two_servers_for_a_rematch_meet_at_one_table(address: str) -> None:
    async with hub_at(address) as first, hub_at(address) as second:
        table, people = await a_game(first, "ann", "bo", "cy", hand=1)
        await asyncio.gather(*(person.play() for person in people))
        for number in range(3):  # a series over both servers
            asked = await asyncio.gather(
                *(hub.rematch(table, player, id="again") for hub in (first, second) for player in ("ann", "bo", "cy"))
            )
            assert len({rematch.table for rematch in asked}) == 1
            table = asked[0].table
            series = (await second.view(table, "bo")).series
            assert series is not None
            assert series.games == number + 1
            people = [
                await Person(hub, table, player).connect()
                for hub, player in ((first, "ann"), (second, "bo"), (first, "cy"))
            ]
            for seat, person in enumerate(people):
                await person.status("active")
                assert person.room_view["seat"] == seat
            await asyncio.gather(*(person.play() for person in people))


async def test_another_server_takes_over_bots_that_do_not_choose(address: str) -> None:
    slow = msgspec.structs.replace(QUICK, think_time=(60_000, 60_000), take_over=60_000)
    quick = msgspec.structs.replace(QUICK, take_over=300)
    async with hub_at(address, slow) as first, hub_at(address, quick):
        made = await first.create(TableConfig(game="nimmt", options={"seats": 2, "hand": 2}), "ann", "Ann")
        ann = await Person(first, made.table, "ann").connect()
        await first.send(made.table, Start(), id="start", player="ann")
        await ann.status("active")
        # Set an earlier wake time in the row, so that the second server visits the table:
        await first.store.write(_due_now(made.table))
        await ann.until(lambda ann: 1 in ann.room_view["chosen"])


def _due_now(table: str) -> Callable[[sa.Connection], int]:
    return lambda connection: connection.execute(rooms.update().where(rooms.c.id == table).values(wake=0)).rowcount


@pytest.mark.long
async def test_a_lost_connection_is_shown_at_other_servers(address: str) -> None:
    """A closed or silent connection is shown until the player is back at either server."""
    async with hub_at(address) as first, hub_at(address) as second:
        table, (ann, bo) = await a_game(first, "ann", "bo", grace=60_000)
        bo.disconnect()
        bo = await Person(second, table, "bo").connect()
        await until(lambda: first.rooms[table].connections.remote == {1: False})
        assert ann.disconnected == []
        assert bo.reader is not None
        bo.reader.set_silent(True)
        await ann.until(lambda ann: ann.disconnected == [1])
        bo.reader.set_silent(False)
        await ann.until(lambda ann: ann.disconnected == [])
        bo.disconnect()
        await ann.until(lambda ann: ann.disconnected == [1])
        bo = await Person(second, table, "bo").connect()
        await ann.until(lambda ann: ann.disconnected == [])
        bo.disconnect()
        await ann.until(lambda ann: ann.disconnected == [1])
        await Person(first, table, "bo").connect()
        await ann.until(lambda ann: ann.disconnected == [])


@pytest.mark.long
@pytest.mark.slow
async def test_players_of_a_dead_server_get_time_to_reconnect(address: str) -> None:
    """Once per death and table; a slow server is not treated as dead."""
    skew = [0]
    store = await Store.open(address)  # a server that sends one heartbeat and dies
    async with hub_at(address, msgspec.structs.replace(QUICK, handover=60_000), skew) as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo")
        dead = Connections(store)
        dead.record(table, 1, connected=True)
        await dead.flush()
        bo.disconnect()
        await ann.choose()
        skew[0] += 30_100 - hub.rooms[table].queue.now()
        await caught_up(hub)
        assert not [entry for entry in hub.rooms[table].room.table.entries if isinstance(entry, TimedOut)]
        await until(lambda: any(isinstance(entry, Extended) for entry in hub.rooms[table].room.table.entries))
        assert ann.room_view["decision"] == 0
        skew[0] += 10_100
        await ann.until(lambda ann: ann.room_view["decision"] == 1)
        extended = [entry.by for entry in hub.rooms[table].room.table.entries if isinstance(entry, Extended)]
        assert extended == [QUICK.reconnect]
    await store._release()
