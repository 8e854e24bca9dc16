"""Players for tests of the hub: they apply updates to their view and choose from it."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.server.migrated import create_file

from faceup.core import WrongSeatError
from faceup.core.record import Terms
from faceup.server.live import Subscription, TableHub, Timeouts
from faceup.server.rooms import Choose, Sit, TableConfig
from faceup.server.rooms.merge_patch import apply_line
from faceup.server.store import Store, TableRow
from faceup.table.commands import Mark

QUICK = Timeouts(think_time=(0, 5), sweep=50, take_over=300, reconnect=300, stall=30_000)
"""Bots choose immediately, and stalls are long enough for a busy machine."""


@asynccontextmanager
async def hub_at(
    path: Path | str, timeouts: Timeouts = QUICK, skew: list[int] | None = None
) -> AsyncIterator[TableHub]:
    """Open a hub on the database at this path or URL; its clock is offset by the skew, in ms."""
    store = await Store.open(create_file(path if isinstance(path, str) else f"sqlite:///{path}"))
    offset = [0] if skew is None else skew
    hub = TableHub(store, timeouts=timeouts, clock=lambda: store.now() + offset[0])
    await hub.start()
    try:
        yield hub
    finally:
        await hub.stop()
        await store.close()


class Person:
    """Subscribes to a table, stores every line and applies it to the view."""

    def __init__(self, hub: TableHub, table: str, player: str | None) -> None:
        self.hub, self.table, self.player = hub, table, player
        self.lines: list[bytes] = []
        self.room_view: dict[str, Any] = {}
        self.version = 0
        self.ended = ""
        self.disconnected: list[int] = []
        self.reader: Subscription | None = None
        self._changed = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None

    async def connect(self, after: int | None = None) -> "Person":
        self.reader = await self.hub.watch(self.table, self.player, after)
        self._reading = asyncio.get_running_loop().create_task(self._read(self.reader))
        return self if after is not None else await self.until(lambda person: person.lines)

    def disconnect(self) -> None:
        assert self.reader is not None
        self.reader.close()

    async def _read(self, reader: Subscription) -> None:
        async for frame in reader:
            assert frame.endswith(b"\n")
            for line in frame.splitlines():
                self.receive(line)
            self._changed.set()

    def receive(self, line: bytes) -> None:
        self.lines.append(line)
        message = json.loads(line)
        if "end" in message:
            self.ended = message["end"]
            return
        if "disconnected" in message:
            self.disconnected = message["disconnected"]
            return
        self.room_view = apply_line(self.room_view, message)
        self.version = message["v"]

    async def until(self, condition: Any, seconds: float = 30) -> "Person":
        async with asyncio.timeout(seconds):
            while not condition(self):
                self._changed.clear()
                await self._changed.wait()
        return self

    def status(self, status: str) -> Any:
        return self.until(lambda person: person.room_view.get("status") == status)

    def undecided_seats(self) -> bool:
        room_view = self.room_view
        return bool(room_view.get("actions")) and "choice" not in room_view and room_view["status"] == "active"

    async def choose(self, index: int = 0) -> None:
        await self.send(Choose(self.room_view["seat"], self.room_view["actions"][index], self.room_view["decision"]))

    async def send(self, *commands: Any) -> None:
        for number, command in enumerate(commands):
            command_id = f"{type(command).__name__}-{number}-{self.room_view['decision']}"
            await self.hub.send(self.table, command, id=command_id, player=self.player)

    async def play(self, *, change_choice: bool = False) -> "Person":
        """Choose until the game is finished; with `change_choice`, mark first and then change the choice."""
        while self.room_view["status"] != "finished":
            if self.undecided_seats():
                seat, actions, decision = (self.room_view[name] for name in ("seat", "actions", "decision"))
                choices = [Mark(seat, actions[-1], decision), Choose(seat, actions[0], decision)]
                if not change_choice:
                    await self.send(choices[1])
                else:
                    with suppress(WrongSeatError):
                        await self.send(*choices, Choose(seat, actions[-1], decision))
            await self.until(lambda person: person.undecided_seats() or person.room_view["status"] == "finished")
        return self


async def until(condition: Any, seconds: float = 30) -> None:
    """Poll until a condition condition."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 -- there is no event to wait for
            await asyncio.sleep(0.01)


async def caught_up(hub: TableHub) -> None:
    """Wait until the hub has done all that is due now: two checks of the timers and then two sweeps have ended."""
    heartbeat, store = hub.context.heartbeat, hub.store
    detect_stall, due, checks, sweeps = heartbeat.detect_stall, store.due, 0, 0

    def check() -> None:
        nonlocal checks
        checks += 1
        detect_stall()

    async def sweep(now: int) -> Sequence[TableRow]:
        nonlocal sweeps
        sweeps += checks >= 2
        return await due(now)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heartbeat, "detect_stall", check)
        patch.setattr(store, "due", sweep)
        await until(lambda: sweeps >= 3)  # the third starts when the second has ended
    for room in tuple(hub.rooms.values()):
        await room.queue.wait_until_idle()


async def a_game(
    hub: TableHub, *players: str, hand: int = 3, clock: int | None = 30_000, **config: Any
) -> tuple[str, list[Person]]:
    """Create a started table of 6 nimmt! with these players, all of them subscribed."""
    options: dict[str, int | bool | str | None] = {"seats": len(players), "hand": hand}
    created = await hub.create(
        TableConfig(game="nimmt", options=options, terms=Terms(clock=clock), **config), players[0], players[0]
    )
    for player in players[1:]:
        await hub.send(created.table, Sit(player), id="sit", player=player)
    people = [await Person(hub, created.table, player).connect() for player in players]
    for person in people:
        await person.status("active")
    return created.table, people


async def closed(hub: TableHub, table: str, seconds: float = 120) -> None:
    """Wait until a table without subscribers is closed."""
    async with asyncio.timeout(seconds):
        while (await hub.view(table, None)).status != "closed":  # noqa: ASYNC110 -- as above
            await asyncio.sleep(0.05)
