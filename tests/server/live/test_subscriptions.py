import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from tests.server.live.players import QUICK, Person, a_game, hub_at, until
from tests.server.rooms.room_log import Play, nimmt

from faceup.server.live import Subscription
from faceup.server.live.subscriptions import RoomStep, Subscriptions
from faceup.server.rooms import Choose, Sit, TableConfig
from faceup.server.rooms.commands import React, TransferHost


async def test_a_reconnecting_client_gets_exactly_the_missed_lines(tmp_path: Path) -> None:
    """From every version, from the log or from memory, on either server."""
    path = tmp_path / "faceup.db"
    async with hub_at(path) as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", hand=4)
        eve = await Person(hub, table, None).connect()
        await asyncio.gather(ann.play(change_choice=True), bo.play(change_choice=True))
        await eve.status("finished")
        for person in (ann, bo, eve):
            await _check_every_reconnection(hub, table, person)
    async with hub_at(path) as hub:
        for person in (ann, bo, eve):
            await _check_every_reconnection(hub, table, person)


async def _check_every_reconnection(hub: object, table: str, person: Person) -> None:
    lines = [line for line in person.lines if b'"end"' not in line]
    for index, line in enumerate(lines):
        after = json.loads(line)["v"]
        again = await Person(hub, table, person.player).connect(after)  # type: ignore[arg-type]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert again.lines == lines[index + 1 :]
        again.disconnect()


@pytest.mark.parametrize("after", [0, 1, 99, -3])
async def test_an_unknown_version_is_answered_with_a_snapshot(tmp_path: Path, after: int) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, _ = await a_game(hub, "ann", "bo")
        again = await Person(hub, table, "ann").connect(after)
        await again.until(lambda again: again.lines)
        assert b'"room"' in again.lines[0]


async def test_a_slow_reader_is_disconnected_without_delaying_others(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo) = await a_game(hub, "ann", "bo", hand=10)
        slow = await hub.watch(table, None)
        while not slow.ended:
            slow.put(b"x" * 9_999 + b"\n")
        assert slow.ended == "slow"
        await asyncio.gather(ann.play(), bo.play())
        assert [frame async for frame in slow] == [b'{"end":"slow"}\n']
        assert hub.store.metrics.value("faceup_slow_readers_total") == 1


async def test_the_buffer_of_a_reader_is_bounded(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, _) = await a_game(hub, "ann", "bo")
        reader = await hub.watch(table, None)
        for number in range(600):
            action = ann.room_view["actions"][number % 2]
            await hub.send(table, Choose(0, action, 0), id=f"c{number}", player="ann")
            if reader.ended:
                break
        assert not reader.ended  # changed choices of others produce no lines for it
        frame = await anext(reader)
        assert frame.count(b"\n") == 2


async def test_updates_of_one_commit_share_a_frame(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, (ann, bo, cy) = await a_game(hub, "ann", "bo", "cy")
        reader = await hub.watch(table, None)
        await anext(reader)
        await asyncio.gather(ann.choose(), bo.choose(), cy.choose())
        frames = [await anext(reader)]
        while sum(frame.count(b"\n") for frame in frames) < 3:
            frames.append(await anext(reader))
        assert len(frames) < 3


async def test_the_last_line_gives_the_end_reason(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db", QUICK) as hub:
        table, (ann, _) = await a_game(hub, "ann", "bo")
    await ann.until(lambda ann: ann.ended)
    assert ann.ended == "restart"
    assert ann.reader is not None
    assert not table.startswith("~")


async def test_spectators_see_updates_with_the_delay_of_the_table(tmp_path: Path) -> None:
    skew = [0]
    async with hub_at(tmp_path / "faceup.db", skew=skew) as hub:
        config = TableConfig(game="nimmt", options={"seats": 2, "hand": 2}, spectator_delay=60_000)
        made = await hub.create(config, "ann", "Ann")
        eve = await Person(hub, made.table, "eve").connect()
        await hub.send(made.table, Sit("Bo"), id="sit", player="bo")
        ann, bo = [await Person(hub, made.table, player).connect() for player in ("ann", "bo")]
        await ann.status("active")
        await bo.status("active")
        await hub.send(made.table, React(0, "bravo"), id="bravo", player="ann")
        await asyncio.gather(ann.play(), bo.play())
        late = await Person(hub, made.table, None).connect()
        assert eve.room_view["status"] == late.room_view["status"] == "pending"
        assert (await hub.view(made.table, None)).status == "pending"
        skew[0] += 61_000
        await eve.status("finished")
        await late.status("finished")
        assert eve.room_view == late.room_view


async def test_spectators_see_a_step_when_the_whole_delay_has_passed() -> None:
    play = Play(nimmt(spectator_delay=60_000)).seated()
    before, play.now = play.room, 1_000
    play.choose(0)
    after = play.room
    streams = Subscriptions(before)
    streams.broadcast([RoomStep(before, after)], now=1_000)
    assert streams.next_delayed == 61_000
    streams.release_delayed(60_999)
    assert (streams.seen_by(None), streams.seen_by(0)) == (before, after)
    streams.release_delayed(61_000)
    assert streams.seen_by(None) == after


async def test_a_closed_subscription_receives_nothing() -> None:
    closed: list[Subscription] = []
    reader = Subscription("ann", on_close=closed.append)
    reader.put(b"1\n")
    reader.close()
    reader.close()
    reader.put(b"2\n")
    reader.end("restart")
    assert reader.take() == b""
    assert closed == [reader]


async def test_an_idle_room_is_evicted_and_loaded_again(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db", msgspec.structs.replace(QUICK, keep_idle=0, lobby=0)) as hub:
        made = await hub.create(TableConfig(game="nimmt", options={"seats": 2}), None, None)
        await until(lambda: made.table not in hub.rooms)
        assert (await hub.view(made.table, None)).status == "pending"
        assert hub.store.metrics.value("faceup_table_loads_total") == 1


async def test_a_host_without_a_seat_is_notified_of_host_changes(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        made = await hub.create(TableConfig(game="nimmt", options={"seats": 2}), "hal", None)
        hal, eve = [await Person(hub, made.table, player).connect() for player in ("hal", "eve")]
        for name in ("ann", "bo"):
            await hub.send(made.table, Sit(name), id="sit", player=name)
        ann = await Person(hub, made.table, "ann").connect()
        for person in (hal, eve):
            await person.status("active")
        seen = hal.version
        assert hal.room_view == {**eve.room_view, "is_host": True}
        assert (await hub.view(made.table, "hal")).is_host is True
        await hub.send(made.table, TransferHost(0), id="finished", player="hal")
        for person in (ann, hal, eve):
            await person.until(lambda person: person.room_view.get("host") == 0)
        await hal.until(lambda hal: "is_host" not in hal.room_view)
        assert ann.room_view["is_host"] is True
        assert hal.room_view == eve.room_view
        assert not any(b"is_host" in line for line in eve.lines)
        again = await Person(hub, made.table, "hal").connect(seen)  # the spectators' shared lines do not contain it
        await again.until(lambda again: again.room_view)
        assert again.room_view == eve.room_view
