"""People at tables, for tests of the desk: they fold what they are told, and choose by it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from faceup.server.desk import Desk, Patience, Subscription
from faceup.server.rooms import Choose, apply_patch
from faceup.server.store import Store

QUICK = Patience(think=(0, 5), sweep=50, take_over=300)


@asynccontextmanager
async def desk_at(path: Path, patience: Patience = QUICK, **more: Any) -> AsyncIterator[Desk]:
    """A desk of its own on the database in this file."""
    store = await Store.open(f"sqlite:///{path}")
    desk = Desk(store, patience=patience, **more)
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
        return self

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
        self.sight = said["sight"] if "sight" in said else apply_patch(self.sight, said["patch"])
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
        sight, decision = self.sight, self.sight["decision"]
        command = Choose(sight["seat"], sight["words"][index], decision)
        await self.desk.send(self.table, command, id=f"choice-{decision}-{index}", player=self.player)

    async def play(self) -> "Person":
        """Choose until the game is over."""
        while self.sight["status"] != "finished":
            if self.to_choose():
                await self.choose()
            await self.until(lambda person: person.to_choose() or person.sight["status"] == "finished")
        return self


async def until(holds: Any, seconds: float = 30) -> None:
    """Wait for something that nobody tells."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 -- there is nothing to wait for but time
            await asyncio.sleep(0.01)
