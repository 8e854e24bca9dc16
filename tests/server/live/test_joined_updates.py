"""Updates for which no one waits are joined into one message for each viewer; the lines stay the same."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.server.live.players import a_game, hub_at
from tests.server.rooms.room_log import IDS, Play, nimmt

from faceup.server.live import Subscription, subscriptions
from faceup.server.live.subscriptions import RoomStep, Subscriptions
from faceup.server.rooms import Choose, UpdateEncoder
from faceup.server.rooms.commands import Close, React, RoomCommand
from faceup.server.rooms.room import Viewer
from faceup.table.commands import Mark, Unchoose

VIEWERS: tuple[Viewer, ...] = (None, 0, 1, 2, 3)


class Streams:
    """The subscriptions of a room of four players, and a reader for each viewer."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.lines_sent = 0
        self.streams = Subscriptions(play.room, self._count)
        self.readers = {viewer: self.subscribe(viewer) for viewer in VIEWERS}
        self.take()

    def _count(self, lines: int) -> None:
        self.lines_sent += lines

    def subscribe(self, viewer: Viewer) -> Subscription:
        reader = Subscription(None if viewer is None else IDS[viewer], on_close=lambda _: None)
        self.streams.send_snapshot(reader, viewer, self.play.now)
        return reader

    def send(self, command: RoomCommand, player: str | None = None) -> None:
        before = self.play.room
        self.play.now += 1000
        self.play.send(command, player)
        self.streams.broadcast([RoomStep(before, self.play.room)], self.play.now)

    def choose(self, seat: int, index: int = 0) -> None:
        view = self.play.clients[seat].room_view
        self.send(Choose(seat, view["actions"][index], view["decision"]), IDS[seat])

    def take(self) -> dict[Viewer, list[int]]:
        """Return the versions of the lines that have arrived at each viewer."""
        return {viewer: numbers(reader.take()) for viewer, reader in self.readers.items()}


@pytest.fixture
async def streams(monkeypatch: pytest.MonkeyPatch) -> Streams:
    monkeypatch.setattr(subscriptions, "JOIN_INTERVAL", 600.0)
    return Streams(Play(nimmt(seats=4)).seated())


async def test_the_first_choice_is_sent_immediately_and_those_after_it_with_the_reveal(streams: Streams) -> None:
    first = {viewer: len(lines) for viewer, lines in streams.play.streams.items()}
    streams.choose(0)
    frames = [{viewer: reader.take() for viewer, reader in streams.readers.items()}]
    assert frames[0] == {viewer: lines[first[viewer]] for viewer, lines in streams.play.streams.items()}
    streams.choose(1)
    streams.choose(2)
    frames.append({viewer: reader.take() for viewer, reader in streams.readers.items()})
    assert [viewer for viewer, frame in frames[1].items() if frame] == [1, 2], "the acknowledged players"
    streams.choose(3)
    frames.append({viewer: reader.take() for viewer, reader in streams.readers.items()})
    for viewer, lines in streams.play.streams.items():
        assert b"".join(frame[viewer] for frame in frames) == b"".join(lines[first[viewer] :])
    assert streams.lines_sent == sum(len(lines) - first[viewer] for viewer, lines in streams.play.streams.items())


@pytest.mark.parametrize("command", ["mark", "withdraw", "reaction"])
async def test_small_changes_wait_and_reach_their_own_player_immediately(streams: Streams, command: str) -> None:
    streams.choose(0)
    streams.take()
    view = streams.play.clients[1].room_view
    if command == "mark":
        streams.send(Mark(1, view["actions"][0], view["decision"]), IDS[1])
        assert [viewer for viewer, versions in streams.take().items() if versions] == [1]
    elif command == "withdraw":
        streams.send(Unchoose(0, view["decision"]), IDS[0])
        assert [viewer for viewer, versions in streams.take().items() if versions] == [0]
    else:
        streams.send(React(1, "bravo"), IDS[1])
        assert not any(streams.take().values())
    streams.streams.flush()
    received = streams.take()
    assert bool(received[None]) is (command != "mark"), "a mark is a secret"


async def test_secret_changes_do_not_delay_what_others_receive(streams: Streams) -> None:
    """Otherwise, the time of a choice's message would show that another player has just set a mark."""
    view = streams.play.clients[1].room_view
    streams.send(Mark(1, view["actions"][0], view["decision"]), IDS[1])
    assert [viewer for viewer, versions in streams.take().items() if versions] == [1]
    streams.choose(0)
    assert all(streams.take().values())
    streams.choose(2)
    streams.take()
    streams.choose(2, 1)
    streams.send(Mark(1, view["actions"][1], view["decision"]), IDS[1])
    assert [len(versions) for versions in streams.take().values()] == [0, 0, 2, 1, 0], "held before, then the mark"
    streams.streams.flush()
    assert [len(versions) for versions in streams.take().values()] == [1, 1, 0, 0, 1]


async def test_a_viewer_who_connects_or_leaves_while_updates_wait_misses_none(streams: Streams) -> None:
    for reader in streams.readers.values():
        reader.close()
    first, late = streams.subscribe(None), None
    for seat in (0, 1):
        streams.choose(seat)
    late = streams.subscribe(None)
    resumed = Subscription(IDS[3], on_close=lambda _: None)
    after = streams.play.room.public_count - 1
    missed = streams.streams.missed(3, after)
    assert missed
    streams.streams.resume(resumed, 3, missed)
    streams.choose(2)
    streams.streams.end("restart")
    version = streams.play.room.public_count
    assert numbers(first.take()) == [version - 3, version - 2, version - 1, version]
    assert numbers(late.take()) == [version - 1, version]
    assert numbers(resumed.take()) == [version - 1, version]


def numbers(frame: bytes) -> list[int]:
    return [message["v"] for message in map(json.loads, frame.splitlines()) if "v" in message]


@pytest.mark.parametrize("ends", ["close", "restart"])
async def test_updates_that_wait_are_sent_before_the_end(streams: Streams, ends: str) -> None:
    streams.choose(0)
    streams.take()
    streams.choose(1)
    if ends == "close":
        streams.send(Close("host"), IDS[0])
    streams.streams.end("restart")
    frame = streams.readers[None].take()
    assert numbers(frame) == list(range(numbers(frame)[0], streams.play.room.public_count + 1))
    assert frame.endswith(b'{"end":"restart"}\n')


async def test_updates_wait_no_longer_than_the_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = Streams(Play(nimmt(seats=4)).seated())
    loop, timers = asyncio.get_running_loop(), list[float]()
    call_at = loop.call_at

    def count(when: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        timers.append(when)
        return call_at(when, callback)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "call_at", count)
        streams.choose(0)
        assert not timers, "nothing waits, so there is no timer"
        streams.take()
        streams.choose(1)
        streams.choose(2)
        assert len(timers) == 1, "one timer for all viewers"
    ready = asyncio.Event()
    streams.readers[3].on_ready(ready.set)
    await asyncio.wait_for(ready.wait(), 30)
    assert [len(versions) for versions in streams.take().values()] == [2, 2, 2, 2, 2]


async def test_an_error_while_updates_are_encoded_ends_the_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = Streams(Play(nimmt(seats=4)).seated())
    streams.choose(0)
    streams.choose(1)
    streams.choose(2)
    errors: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context.get("exception")))

    def fail(*_: object) -> bytes:
        raise ArithmeticError

    monkeypatch.setattr(UpdateEncoder, "line", fail)
    ready = asyncio.Event()
    streams.readers[3].on_ready(ready.set)
    await asyncio.wait_for(ready.wait(), 30)
    assert {reader.ended for reader in streams.readers.values()} == {"resync"}
    assert isinstance(errors[0], ArithmeticError)


async def test_a_game_of_fast_players_is_complete_in_few_messages(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "faceup.db") as hub:
        table, people = await a_game(hub, *(f"p{number}" for number in range(6)), hand=4)
        reader = await hub.watch(table, None)
        frames = [await anext(reader)]
        await asyncio.gather(*(person.play() for person in people))
        version = hub.rooms[table].room.public_count
        while numbers(frames[-1])[-1] < version:
            frames.append(await anext(reader))
        versions = [number for frame in frames for number in numbers(frame)]
        assert versions == list(range(versions[0], version + 1))
        for person in people:
            assert [json.loads(line)["v"] for line in person.lines] == list(range(1, version + 1))[-len(person.lines) :]
