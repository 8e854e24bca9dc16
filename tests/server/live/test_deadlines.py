"""Deadlines, tested with a skewed clock and on real logs."""

import asyncio
import time
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
from tests.server.live.players import QUICK, Person, a_game, caught_up, closed, hub_at, until
from tests.server.postgresql import PostgreSQL

from faceup.core.record import Applied, Extended, Paused, Terms, TimedOut, Unpaused
from faceup.server.live import TableHub, timers
from faceup.server.rooms import Choose, Start, TableConfig
from faceup.server.store import UnavailableError
from faceup.server.store.schema import outages
from faceup.table import Table
from faceup.table.commands import Mark, Pace, Pause, Resume
from faceup.table.errors import StaleCommandError

T = TypeVar("T")


def entries(hub: TableHub, table: str, kind: type[T]) -> list[T]:
    return [entry for entry in hub.rooms[table].room.table.entries if isinstance(entry, kind)]


async def test_the_deadline_plays_the_mark_or_autoplays(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo")
        marked = ann.room_view["actions"][1]
        await ann.send(Mark(0, marked, 0))
        skew[0] += 20_000
        await caught_up(hub)
        assert not entries(hub, table, TimedOut)
        skew[0] += 10_000
        await bo.until(lambda bo: bo.room_view["decision"] == 1)
        assert [(entry.seat, entry.action, entry.source) for entry in entries(hub, table, TimedOut)] == [
            (0, marked, "mark"),
            (1, entries(hub, table, TimedOut)[1].action, "autoplay"),
        ]


async def test_network_delay_does_not_make_a_choice_late(tmp_path: Path) -> None:
    """With a larger lag allowance, so that a busy machine does not exceed it."""
    skew, lag = [0], 20_000
    async with hub_at(tmp_path / "faceup.db", msgspec.structs.replace(QUICK, lag=lag), skew) as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo")
        assert ann.reader is not None
        ann.reader.lag = lag
        choice = Choose(0, ann.room_view["actions"][0], 0)
        skew[0] += ann.room_view["due"] - hub.rooms[table].queue.now() + 200
        with pytest.raises(StaleCommandError):
            await hub.send(table, choice, id="late", player="ann")
        with pytest.raises(StaleCommandError):
            await hub.send(table, choice, id="later", player="ann", lag=100)
        await hub.send(table, choice, id="in time", player="ann", lag=lag)
        skew[0] += lag
        await bo.until(lambda bo: bo.room_view["decision"] == 1)
        assert [entry.seat for entry in entries(hub, table, TimedOut)] == [1]


async def test_due_tables_are_swept_once_by_two_servers(tmp_path: Path) -> None:
    path, skew = tmp_path / "faceup.db", [0]
    async with hub_at(path, skew=skew) as hub:
        table, _ = await a_game(hub, "ann", "bo", clock=5_000, grace=600_000)
    async with hub_at(path, skew=skew) as hub, hub_at(path, skew=skew) as other:
        skew[0] += 60_000
        ann = await Person(hub, table, "ann").connect()
        await ann.until(lambda ann: ann.room_view["decision"] == 1)
        assert len(entries(hub, table, TimedOut)) == 2
        assert other.store.metrics.value("faceup_tables_taken_over_total") <= 1


async def test_a_game_that_everyone_has_left_is_not_played_on_but_closed(tmp_path: Path) -> None:
    """Even if the table leaves the memory before the players count as absent."""
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, people = await a_game(hub, "ann", "bo", "cy", hand=10, clock=5_000, grace=600_000)
        for person in people:
            person.disconnect()
        await _pass_turns(hub, table, skew, 4)
        assert {entry.at for entry in entries(hub, table, TimedOut)} == {entries(hub, table, TimedOut)[0].at}
        assert len(entries(hub, table, Paused)) == 1
        assert hub.rooms[table].room.host == "ann"
        await _choose_without_connection(hub, table)
        assert len(entries(hub, table, Unpaused)) == 1
        await _pass_turns(hub, table, skew, 4)
        assert len(entries(hub, table, Paused)) == 2
        skew[0] += 31 * 60_000
        await closed(hub, table)


async def test_a_game_is_played_on_for_a_player_who_is_connected_or_has_just_chosen(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", hand=10, clock=5_000, grace=600_000)
        ann.disconnect()
        await _pass_turns(hub, table, skew, 3)
        bo.disconnect()
        await _choose_without_connection(hub, table)
        await _pass_turns(hub, table, skew, 1)
        assert not entries(hub, table, Paused)


async def _choose_without_connection(hub: TableHub, table: str) -> None:
    room = hub.rooms[table].room
    seat = room.table.waiting[0]
    view = await hub.view(table, room.owners[seat])
    await hub.send(table, Choose(seat, view.actions[0], view.decision), id="choice", player=room.owners[seat])


async def _pass_turns(hub: TableHub, table: str, skew: list[int], turns: int) -> None:
    """Let several deadlines pass, unless the game is paused."""
    for _ in range(turns):
        room = hub.rooms[table].room
        if room.table.due is not None:
            skew[0] += room.table.due - hub.rooms[table].queue.now() + QUICK.lag + QUICK.handover
            await until(lambda before=room.table: _has_moved(hub, table, before))


def _has_moved(hub: TableHub, table: str, before: Table) -> bool:
    now = hub.rooms[table].room.table
    return now.decision > before.decision or now.paused is not None


async def test_a_slow_clock_runs_to_its_end_without_connections(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", clock=300_000, grace=600_000)
        await ann.send(Pace(0, 2))
        await bo.choose()
        choice = Choose(0, ann.room_view["actions"][0], 0)
        ann.disconnect()
        bo.disconnect()
        skew[0] += 590_000
        await caught_up(hub)
        assert not entries(hub, table, TimedOut)
        await hub.send(table, choice, id="last moment", player="ann")
        assert hub.rooms[table].room.table.decision == 1
        assert not entries(hub, table, Paused)


async def test_deadlines_are_extended_by_outages(tmp_path: Path) -> None:
    path, skew = tmp_path / "faceup.db", [0]
    async with hub_at(path, skew=skew) as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo")
        await ann.choose()
        chosen, due = ann.room_view["actions"][0], bo.room_view["due"]
    await asyncio.sleep(0.5)
    async with hub_at(path, skew=skew) as hub:
        bo = await Person(hub, table, "bo").connect()
        await bo.until(lambda bo: bo.room_view["due"] > due)
        outage = entries(hub, table, Extended)[0].by
        assert 400 < outage < 20_000
        await caught_up(hub)
        # Once for the outage, and at most once more for players who have to reconnect.
        assert bo.room_view["due"] - due in {outage, outage + QUICK.reconnect}
        assert bo.room_view["decision"] == 0
        ann = await Person(hub, table, "ann").connect()
        assert ann.room_view["choice"] == chosen


async def test_outage_extensions_come_before_rejections(url: str) -> None:
    """The outage is found at the start or with the first command, before any sweep."""
    no_sweep, skew = msgspec.structs.replace(QUICK, sweep=600_000), [0]
    async with hub_at(url, no_sweep, skew) as hub:
        table, people = await a_game(hub, "ann", "bo", hand=2)
        actions = [person.room_view["actions"] for person in people]
        await _record_outage(hub)
    skew[0] += 45_000
    async with hub_at(url, no_sweep, skew) as hub:
        await hub.send(table, Choose(0, actions[0][0], 0), id="ann", player="ann")
        assert 60_000 in [entry.by for entry in entries(hub, table, Extended)]
        extensions = len(entries(hub, table, Extended))
        due = hub.rooms[table].room.table.due
        assert due is not None
        skew[0] += due - hub.rooms[table].queue.now() + 15_000
        await _record_outage(hub, later=60_000)
        hub.context.heartbeat._last_sent -= 10  # stale: the process does not know of the outage
        await hub.send(table, Choose(1, actions[1][0], 0), id="bo", player="bo")
        assert 60_000 in [entry.by for entry in entries(hub, table, Extended)[extensions:]]
        assert not entries(hub, table, TimedOut)


async def _record_outage(hub: TableHub, later: int = 0) -> None:
    """Record an outage of one minute up to now, or up to a later time."""
    now = hub.store.now() + later
    await hub.store.write(
        lambda connection: connection.execute(outages.insert().values(start=now - 60_000, end=now)).rowcount
    )


async def test_players_get_time_to_reconnect_after_a_restart(tmp_path: Path) -> None:
    path, skew = tmp_path / "faceup.db", [0]
    async with hub_at(path, skew=skew) as hub:
        table, (_, bo) = await a_game(hub, "ann", "bo")
        left = bo.room_view["due"] - hub.rooms[table].queue.now()
    skew[0] += left - 100
    async with hub_at(path, skew=skew) as hub:
        bo = await Person(hub, table, "bo").connect()
        await bo.until(lambda bo: b"deadline_extended" in b"".join(bo.lines))
        await until(lambda: sum(entry.by for entry in entries(hub, table, Extended)) >= QUICK.reconnect)
        assert not entries(hub, table, TimedOut)


async def test_an_overdue_deadline_expires_after_the_time_to_reconnect(
    tmp_path: Path,
) -> None:
    path, skew = tmp_path / "faceup.db", [0]
    async with hub_at(path, skew=skew) as hub:
        table, (_, bo) = await a_game(hub, "ann", "bo", clock=5_000)
    skew[0] += 60_000
    async with hub_at(path, skew=skew) as hub:
        bo = await Person(hub, table, "bo").connect()
        await until(lambda: len(entries(hub, table, Extended)) == 2)  # for the outage, and for the restart
        room = hub.rooms[table].room
        assert room.table.due is not None
        assert room.table.due >= 60_000 + QUICK.reconnect
        skew[0] += QUICK.reconnect + 1_000
        await bo.until(lambda bo: bo.room_view["decision"] == 1)


async def test_deadlines_are_extended_by_event_loop_stalls(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db", msgspec.structs.replace(QUICK, stall=1_000)) as hub:
        _, (ann, _) = await a_game(hub, "ann", "bo")
        await caught_up(hub)  # the watchdog runs
        due = ann.room_view["due"]
        time.sleep(1.5)  # noqa: ASYNC251 -- block the event loop
        await ann.until(lambda ann: ann.room_view["due"] > due)
        assert ann.room_view["due"] - due > 1_000


@pytest.mark.parametrize("cause", ["event loop blocked", "database unreachable"])
async def test_pending_extensions_come_before_rejections(tmp_path: Path, cause: str) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, (ann, _) = await a_game(hub, "ann", "bo")
        skew[0] += 45_000
        if cause == "event loop blocked":
            hub.context.heartbeat._loop_checked_at -= 40
        else:
            hub.context.heartbeat._last_sent -= 40
            hub.context.heartbeat.mark_unreachable()
        await ann.choose()
        assert entries(hub, table, Extended)[0].by > 39_000
        assert not entries(hub, table, TimedOut)


async def test_deadlines_are_extended_when_the_database_was_unreachable_for_a_moment(url: str) -> None:
    async with hub_at(url, msgspec.structs.replace(QUICK, sweep=600_000)) as hub:
        _, (ann, _) = await a_game(hub, "ann", "bo")
        due, heartbeat = ann.room_view["due"], hub.context.heartbeat
        await heartbeat.send()
        last = heartbeat._last_sent
        heartbeat.mark_unreachable()
        await asyncio.sleep(0.05)
        await heartbeat.send()
        await ann.until(lambda ann: ann.room_view["due"] > due)
        assert ann.room_view["due"] - due >= 50
        assert heartbeat._last_sent > last


@pytest.mark.long
async def test_deadlines_are_extended_by_a_restart_of_postgresql(postgresql: PostgreSQL) -> None:
    with postgresql.shared_database() as url:
        async with hub_at(url) as hub:
            table, (ann, _) = await a_game(hub, "ann", "bo")
            due, choice = ann.room_view["due"], Choose(0, ann.room_view["actions"][0], 0)
            await asyncio.to_thread(postgresql.stop)
            with pytest.raises(UnavailableError):
                await hub.send(table, choice, id="1", player="ann")
            await asyncio.to_thread(postgresql.start)
            await ann.until(lambda ann: ann.room_view["due"] > due)
            await hub.send(table, choice, id="1", player="ann")
            assert not entries(hub, table, TimedOut)


async def test_a_paused_game_has_no_deadline(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        table, (_, bo) = await a_game(hub, "ann", "bo")
        await hub.send(table, Pause(), id="pause", player="ann")
        skew[0] += 10 * 60_000
        await caught_up(hub)
        assert not entries(hub, table, TimedOut)
        await hub.send(table, Resume(), id="resume", player="ann")
        await bo.until(lambda bo: "paused" not in bo.room_view)
        await hub.send(table, Pause(), id="pause again", player="ann")
        await bo.until(lambda bo: "paused" in bo.room_view)
        skew[0] += 31 * 60_000  # a pause ends even if the host does not return
        await bo.until(lambda bo: "paused" not in bo.room_view)


async def test_dice_are_rolled_automatically_at_the_pace(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        config = TableConfig(game="niuniu", terms=Terms(clock=500))
        made = await hub.create(config, "ann", "Ann")
        ann = await Person(hub, made.table, "ann").connect()
        await hub.send(made.table, Start(), id="start", player="ann")
        await ann.status("finished")
        assert entries(hub, made.table, Applied)


async def test_after_a_stall_few_tables_at_a_time_get_their_extension(tmp_path: Path) -> None:
    """The extensions of all tables in one round of the event loop would be a stall themselves, and so on for ever."""
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        games = [await a_game(hub, f"ann-{number}", f"bo-{number}", clock=60_000) for number in range(40)]
        rooms = [hub.rooms[table] for table, _ in games]
        skew[0] += 5_000  # a decision gets back no time before its start, and the last one may start only now
        hub.context.heartbeat._on_gap(5_000, "stall")
        most = 0
        async with asyncio.timeout(30):
            while hub.context.interruptions:
                await asyncio.sleep(0)
                most = max(most, sum(room.queue.busy for room in rooms))
        assert 0 < most <= 16
        for table, _ in games:
            extended, *_ = entries(hub, table, Extended)  # a slow machine may stall again
            assert extended.by == 5_000


async def test_a_stop_among_many_deadlines_does_not_wait_for_them_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "AT_ONCE", 1)
    skew, count = [0], 12
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        games = [await a_game(hub, f"ann-{number}", f"bo-{number}", clock=60_000) for number in range(count)]
        rooms = [hub.rooms[table] for table, _ in games]
        skew[0] += 61_000
        async with asyncio.timeout(30):
            while not any(room.room.table.decision for room in rooms):  # noqa: ASYNC110 -- there is no event to wait for
                await asyncio.sleep(0)
        await hub.stop()
        assert 0 < sum(bool(entries(hub, table, TimedOut)) for table, _ in games) < count / 2
