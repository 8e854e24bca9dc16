"""People at tables, for tests of the desk: they fold what they are told, and choose by it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from faceup.core import NotYours
from faceup.core.record import Terms
from faceup.server.desk import Desk, Patience, Subscription
from faceup.server.rooms import Choose, Mark, Opening, Sit, after_line
from faceup.server.store import Store

QUICK = Patience(think=(0, 5), sweep=50, take_over=300, stall=30_000)
"""Bots that choose at once; and a machine on which much else runs does not stand still for that."""


@asynccontextmanager
async def desk_at(path: Path | str, patience: Patience = QUICK, skew: list[int] | None = None) -> AsyncIterator[Desk]:
    """A desk of its own on the database in this file, or at this address; its clock is ahead by the skew, in ms."""
    store = await Store.open(path if isinstance(path, str) else f"sqlite:///{path}")
    ahead = [0] if skew is None else skew
    desk = Desk(store, patience=patience, clock=lambda: store.time() + ahead[0])
    await desk.start()
    try:
        yield desk
    finally:
        await desk.stop()
        await store.close()


class Person:
    """Watches a table, keeps every line, and folds them."""

    def __init__(self, desk: Desk, table: str, player: str | None) -> None:
        self.desk, self.table, self.player = desk, table, player
        self.lines: list[bytes] = []
        self.sight: dict[str, Any] = {}
        self.version = 0
        self.ended = ""
        self.reader: Subscription | None = None
        self._news = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None

    async def come(self, after: int | None = None) -> "Person":
        self.reader = await self.desk.watch(self.table, self.player, after)
        self._reading = asyncio.get_running_loop().create_task(self._read(self.reader))
        return self if after is not None else await self.until(lambda person: person.lines)

    def go(self) -> None:
        assert self.reader is not None
        self.reader.close()

    async def _read(self, reader: Subscription) -> None:
        async for frame in reader:
            assert frame.endswith(b"\n")
            for line in frame.splitlines():
                self.hear(line)
            self._news.set()

    def hear(self, line: bytes) -> None:
        self.lines.append(line)
        said = json.loads(line)
        if "end" in said:
            self.ended = said["end"]
            return
        self.sight = after_line(self.sight, said)
        self.version = said["v"]

    async def until(self, holds: Any, seconds: float = 30) -> "Person":
        async with asyncio.timeout(seconds):
            while not holds(self):
                self._news.clear()
                await self._news.wait()
        return self

    def status(self, status: str) -> Any:
        return self.until(lambda person: person.sight.get("status") == status)

    def to_choose(self) -> bool:
        sight = self.sight
        return bool(sight.get("words")) and "choice" not in sight and sight["status"] == "active"

    async def choose(self, index: int = 0) -> None:
        await self.send(Choose(self.sight["seat"], self.sight["words"][index], self.sight["decision"]))

    async def send(self, *commands: Any) -> None:
        for number, command in enumerate(commands):
            what = f"{type(command).__name__}-{number}-{self.sight['decision']}"
            await self.desk.send(self.table, command, id=what, player=self.player)

    async def play(self, *, fussy: bool = False) -> "Person":
        """Choose until the game is over; if fussy, after a mark, and then something else if there is time."""
        while self.sight["status"] != "finished":
            if self.to_choose():
                seat, words, decision = (self.sight[name] for name in ("seat", "words", "decision"))
                choices = [Mark(seat, words[-1], decision), Choose(seat, words[0], decision)]
                if not fussy:
                    await self.send(choices[1])
                else:
                    with suppress(NotYours):
                        await self.send(*choices, Choose(seat, words[-1], decision))
            await self.until(lambda person: person.to_choose() or person.sight["status"] == "finished")
        return self


async def until(holds: Any, seconds: float = 30) -> None:
    """Wait for something that nobody tells."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 -- there is nothing to wait for but time
            await asyncio.sleep(0.01)


async def a_game(
    desk: Desk, *players: str, hand: int = 3, clock: int | None = 30_000, **opening: Any
) -> tuple[str, list[Person]]:
    """A table at which these people have begun to play 6 nimmt!, all of them watching."""
    options: dict[str, int | bool | str | None] = {"seats": len(players), "hand": hand}
    made = await desk.create(
        Opening(game="nimmt", options=options, terms=Terms(clock=clock), **opening), players[0], players[0]
    )
    for player in players[1:]:
        await desk.send(made.table, Sit(player), id="sit", player=player)
    people = [await Person(desk, made.table, player).come() for player in players]
    for person in people:
        await person.status("active")
    return made.table, people


async def closed(desk: Desk, table: str, seconds: float = 30) -> None:
    """Wait until a table that nobody watches is closed."""
    async with asyncio.timeout(seconds):
        while (await desk.sight(table, None)).status != "closed":  # noqa: ASYNC110 -- as above
            await asyncio.sleep(0.05)
