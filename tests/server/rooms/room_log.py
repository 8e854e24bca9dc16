"""A room with its log and the streams of all viewers, for tests."""

import json
from typing import Any

import msgspec

from faceup.core import Generator, generator
from faceup.core.record import Terms
from faceup.server.rooms import (
    Choose,
    Room,
    Sit,
    TableConfig,
    UpdateEncoder,
    create_entries,
    decide,
    dumps,
    evolve,
    fold_log,
    loads,
    room_view_for,
    snapshot_line,
)
from faceup.server.rooms.commands import ChooseForBot, RoomCommand
from faceup.server.rooms.decide import rematch_entries
from faceup.server.rooms.entries import EntryBatch
from faceup.server.rooms.merge_patch import apply_line
from faceup.server.rooms.room import Viewer, version_for
from faceup.server.rooms.wire import encode_message, parse_server_message
from faceup.table import next_fair_command

CLOCK = Terms(clock=30_000)
IDS = ("ada-id", "bo-id", "cy-id", "di-id")
NAMES = ("Ada", "Bo", "Cy", "Di")


def nimmt(seats: int = 3, hand: int = 3, **others: Any) -> TableConfig:
    return TableConfig(**{"game": "nimmt", "options": {"seats": seats, "hand": hand}, "terms": CLOCK, **others})


class Play:
    """A room that executes commands as a server does."""

    def __init__(
        self,
        config: TableConfig | None = None,
        *,
        seed: int = 1,
        host: str | None = IDS[0],
        first: EntryBatch | None = None,
    ) -> None:
        self.rng: Generator = generator(seed)
        self.log: list[tuple[bytes, str | None]] = []
        self.now = 0
        first = first or create_entries(config or nimmt(), host, None if host is None else NAMES[0], self.rng)
        self.log.append((dumps(first), None))
        self.room = fold_log([(first, None)])
        self.streams: dict[Viewer, list[bytes]] = {
            viewer: [snapshot_line(self.room, viewer)] for viewer in (None, *range(len(self.room.owners)))
        }
        self.clients = {viewer: Folded(lines) for viewer, lines in self.streams.items()}

    def send(self, command: RoomCommand, player: str | None = None) -> EntryBatch:
        """Decide a command, append its entries and send the updates."""
        append = decide(self.room, command, player, self.now, self.rng)
        if append:
            name = f"command-{len(self.log)}"
            self.log.append((dumps(append), name))
            after = evolve(self.room, append, name)
            change = UpdateEncoder(self.room, after)
            for viewer, lines in self.streams.items():
                if (line := change.line(viewer)) is not None:
                    lines.append(line)
                    self.clients[viewer].add(line)
            self.room = after
        return append

    def seated(self) -> "Play":
        """Seat all players, which starts the game."""
        for seat in range(1, len(self.room.owners)):
            if self.room.status == "pending":  # a rematch starts when all reserved seats are taken
                self.send(Sit(NAMES[seat]), IDS[seat])
        return self

    def legal(self, seat: int) -> list[str]:
        """Return the seat's legal actions in notation."""
        rules, state = self.room.table.rules, self.room.table.state
        return [rules.describe(action) for action in rules.legal(state, seat)]

    def choose(self, seat: int, which: int = 0) -> EntryBatch:
        """Choose the legal action with this index."""
        return self.send(Choose(seat, self.legal(seat)[which], self.room.table.decision), IDS[seat])

    def turn(self, which: int = 0) -> None:
        """Play a turn: every seat chooses once, including the choice of a row."""
        decision = self.room.table.decision
        for seat in self.room.table.deciders:
            if self.room.table.decision == decision and self.room.table.choices[seat] is None:
                self.now += 1000
                self.choose(seat, which)

    def finish(self) -> "Play":
        """Choose the first legal action of every seat until the game is over."""
        while self.room.status == "active":
            table = self.room.table
            seat = next(seat for seat in table.deciders if table.choices[seat] is None)
            self.now += 100
            if (owner := self.room.owners[seat]) is None:
                self.send(ChooseForBot(seat, self.legal(seat)[0], table.decision))
            else:
                self.send(Choose(seat, self.legal(seat)[0], table.decision), owner)
        return self

    def rematch(self, player: str) -> "Play":
        """Return the room of a rematch for which this player asks."""
        return Play(seed=self.room.version, first=rematch_entries(self.room, player, self.rng))

    def due_command(self, seat: int) -> RoomCommand | None:
        """Return the fair deal command that the seat's client has to send."""
        return next_fair_command(room_view_for(self.room, seat).fair, seat, bytes([seat]) * 32)

    def answer(self, seat: int) -> None:
        """Send the next fair deal command of the seat, if any."""
        if (command := self.due_command(seat)) is not None:
            self.send(command, self.room.owners[seat])

    def rebuilt(self) -> Room:
        """Rebuild the room from its log, as another process does."""
        return fold_log([(loads(text), command) for text, command in self.log])


class Folded:
    """A stream folded to its room view, with checks of its messages."""

    def __init__(self, lines: list[bytes]) -> None:
        self.room_view: dict[str, Any] = {}
        self.version = 0
        for line in lines:
            self.add(line)

    def add(self, line: bytes) -> None:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        parsed = parse_server_message(line)
        assert parsed is not None
        assert encode_message(parsed) == line  # the joined bytes are those of the type
        message = json.loads(line)
        assert "room" in message or message["v"] == self.version + 1
        self.room_view = apply_line(self.room_view, message)
        self.version = message["v"]


def view_of(room: Room, viewer: Viewer) -> dict[str, Any]:
    """Return the room view as JSON."""
    message: dict[str, Any] = json.loads(snapshot_line(room, viewer))
    assert message["v"] == version_for(room, viewer)
    room_view: dict[str, Any] = message["room"]
    return room_view


def patched(line: bytes) -> dict[str, Any]:
    """Return the patch of a line."""
    patch: dict[str, Any] = json.loads(line)["patch"]
    return patch


def events(line: bytes) -> list[str]:
    """Return the kinds of events of a line."""
    return [event["event"] for event in json.loads(line)["events"]]


def with_state(room: Room, state: object) -> Room:
    """Return the room with other hidden information."""
    table = msgspec.structs.replace(room.table, state=state)
    return msgspec.structs.replace(room, table=table)
