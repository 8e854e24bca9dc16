"""A room with its log and everybody's stream, for the tests of rooms."""

import json
from typing import Any

import msgspec

from faceup import table as tables
from faceup.core import Generator, generator
from faceup.core.record import Terms
from faceup.server.rooms import (
    Append,
    Change,
    Choose,
    Opening,
    OpenPledge,
    Pledge,
    Room,
    RoomCommand,
    Sit,
    Viewer,
    after_line,
    decide,
    dumps,
    evolve,
    loads,
    opened,
    room_from,
    sight_for,
    version_for,
    whole,
)
from faceup.table import fair_step

CLOCK = Terms(clock=30_000)
IDS = ("ada-id", "bo-id", "cy-id", "di-id")
NAMES = ("Ada", "Bo", "Cy", "Di")


def nimmt(seats: int = 3, hand: int = 3, **others: Any) -> Opening:
    return Opening(**{"game": "nimmt", "options": {"seats": seats, "hand": hand}, "terms": CLOCK, **others})


class Play:
    """A room that is moved on by commands, as a server does it, without the server."""

    def __init__(self, opening: Opening | None = None, *, seed: int = 1, host: str | None = IDS[0]) -> None:
        self.rng: Generator = generator(seed)
        self.log: list[tuple[bytes, str | None]] = []
        self.now = 0
        first = opened(opening or nimmt(), host, None if host is None else NAMES[0], self.rng)
        self.log.append((dumps(first), None))
        self.room = room_from([(first, None)])
        self.streams: dict[Viewer, list[bytes]] = {
            viewer: [whole(self.room, viewer)] for viewer in (None, *range(len(self.room.owners)))
        }
        self.told = {viewer: Folded(lines) for viewer, lines in self.streams.items()}

    def send(self, command: RoomCommand, player: str | None = None) -> Append:
        """What follows from the command, decided, kept and told to all."""
        append = decide(self.room, command, player, self.now, self.rng)
        if append:
            name = f"command-{len(self.log)}"
            self.log.append((dumps(append), name))
            after = evolve(self.room, append, name)
            change = Change(self.room, after)
            for viewer, lines in self.streams.items():
                if (line := change.line(viewer)) is not None:
                    lines.append(line)
                    self.told[viewer].add(line)
            self.room = after
        return append

    def seated(self) -> "Play":
        """Everybody sits, and so the game begins."""
        for seat in range(1, len(self.room.owners)):
            if self.room.status == "pending":  # those for whom seats are kept begin without others
                self.send(Sit(NAMES[seat]), IDS[seat])
        return self

    def legal(self, seat: int) -> list[str]:
        """The seat's legal actions in words."""
        rules, state = self.room.table.rules, self.room.table.state
        return [rules.describe(action) for action in rules.legal(state, seat)]

    def choose(self, seat: int, which: int = 0) -> Append:
        """The person in the seat chooses the action of this index."""
        return self.send(Choose(seat, self.legal(seat)[which], self.room.table.decision), IDS[seat])

    def turn(self, which: int = 0) -> None:
        """Everybody chooses once, who takes a row included."""
        decision = self.room.table.decision
        for seat in self.room.table.deciders:
            if self.room.table.decision == decision and self.room.table.choices[seat] is None:
                self.now += 1000
                self.choose(seat, which)

    def owed(self, seat: int) -> RoomCommand | None:
        """What the client of the person in the seat sends by itself for a fair deal."""
        step = fair_step(sight_for(self.room, seat).fair, seat, bytes([seat]) * 32)
        if isinstance(step, tables.Pledge):
            return Pledge(seat, step.round, step.pledge)
        if isinstance(step, tables.OpenPledge):
            return OpenPledge(seat, step.round, step.contribution)
        return None

    def answer(self, seat: int) -> None:
        """Send that, if anything is owed."""
        if (command := self.owed(seat)) is not None:
            self.send(command, self.room.owners[seat])

    def again(self) -> Room:
        """The room from its log, as another process would have it."""
        return room_from([(loads(text), command) for text, command in self.log])


class Folded:
    """The sight that the lines of a stream add up to, their numbers checked on the way."""

    def __init__(self, lines: list[bytes]) -> None:
        self.sight: dict[str, Any] = {}
        self.version = 0
        for line in lines:
            self.add(line)

    def add(self, line: bytes) -> None:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        message = json.loads(line)
        assert "sight" in message or message["v"] == self.version + 1
        self.sight = after_line(self.sight, message)
        self.version = message["v"]


def sight_of(room: Room, viewer: Viewer) -> dict[str, Any]:
    """The whole sight, as its line says it."""
    message: dict[str, Any] = json.loads(whole(room, viewer))
    assert message["v"] == version_for(room, viewer)
    sight: dict[str, Any] = message["sight"]
    return sight


def patched(line: bytes) -> dict[str, Any]:
    """The patch of a line."""
    patch: dict[str, Any] = json.loads(line)["patch"]
    return patch


def events(line: bytes) -> list[str]:
    """The kinds of events of a line."""
    return [event["event"] for event in json.loads(line)["events"]]


def with_state(room: Room, state: object) -> Room:
    """The room with another truth behind what is seen."""
    table = msgspec.structs.replace(room.table, state=state)
    return msgspec.structs.replace(room, table=table)
