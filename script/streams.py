"""Record server streams for the page's tests in tests/web/streams. See `script/streams`.

A game is played on a real server by commands. Each line of each viewer's stream is stored with the room view that the
server returns to this viewer at that moment, which is what the page must compute from the lines.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Self

import httpx
import msgspec
from tests.server.server_process import serving

FOLDER: Final = Path(__file__).resolve().parent.parent / "tests" / "web" / "streams"
OPENINGS: Final[dict[str, dict[str, Any]]] = {  # Any: JSON
    "nimmt": {"game": "nimmt", "options": {"seats": 3, "hand": 3, "deals": 2}},
    "niuniu": {"game": "niuniu", "options": {"seats": 3, "throws": 3}},
    "war": {"game": "war", "options": {"cap": 15, "per_suit": 6}},
}
NAMES: Final = ("Ann", "Bo", "Cy", "")


class Seen:
    """A viewer with its lines so far, and the room view received after each."""

    def __init__(self, client: httpx.AsyncClient, table: str) -> None:
        self._client = client
        self._table = table
        self._reported = 0
        self.lines: list[str] = []
        self.steps: list[dict[str, Any]] = []  # Any: JSON

    async def read(self, stream: httpx.Response) -> None:
        """Read every line of the stream."""
        async for line in stream.aiter_lines():
            if line and ('"patch"' in line or '"room"' in line):
                self.lines.append(line)

    async def look(self) -> dict[str, Any]:  # Any: JSON
        """Fetch the current room view and store it with the last line, once all lines have arrived."""
        room_view: dict[str, Any] = (await self._client.get(f"/api/tables/{self._table}")).json()["room"]
        await asyncio.sleep(0.1)
        if len(self.lines) > self._reported:
            # Lines that arrived together share the last one's room view.
            self.steps += [{"line": json.loads(line)} for line in self.lines[self._reported :]]
            self.steps[-1]["room"] = room_view
            self._reported = len(self.lines)
        return room_view


class Table:
    """One table with its players and a spectator."""

    def __init__(self, people: Sequence[httpx.AsyncClient], table: str) -> None:
        self._people = people
        self._table = table
        self._numbers = count()
        self.viewers = [Seen(client, table) for client in people]

    @classmethod
    async def opened(cls, address: str, opening: dict[str, Any]) -> Self:  # Any: JSON
        """Create a table with its first player."""
        seats = opening["options"].get("seats", 2)
        people = [httpx.AsyncClient(base_url=address, headers={"origin": address}) for _ in range(seats + 1)]
        for name, client in zip(NAMES, people[:seats], strict=False):
            await client.post("/api/session", json={"name": name})
        body = {"config": {**opening, "terms": {"clock": None, "autoplay": "random"}}}
        return cls(people, (await people[0].post("/api/tables", json=body)).json()["id"])

    async def do(self, who: int, what: str, **fields: object) -> None:
        """Send a command, and record each viewer's view of its result."""
        body = {"id": f"c{next(self._numbers)}", "command": what, **fields}
        (await self._people[who].post(f"/api/tables/{self._table}/commands", json=body)).raise_for_status()
        await self.look()

    async def look(self) -> list[dict[str, Any]]:  # Any: JSON
        """Return each viewer's current view."""
        return [await viewer.look() for viewer in self.viewers]

    async def play(self) -> None:
        """Seat everyone, and play to the end."""
        for seat in range(1, len(self._people) - 1):
            await self.do(seat, "sit")
        await self.do(0, "react", seat=0, reaction="hurry")
        while (sights := await self.look())[-1]["status"] == "active":
            for seat in sights[-1]["view"]["to_act"]:
                await self.decide(seat, sights[seat])

    async def decide(self, seat: int, room_view: dict[str, Any]) -> None:  # Any: JSON
        """Make one seat's choice; the first ones of a game include a mark and a choice that is taken back."""
        words, decision = room_view["actions"], room_view["decision"]
        if decision == 0 and len(words) > 1:
            await self.do(seat, "mark", seat=seat, action=words[-1], decision=decision)
            if seat == 0:
                await self.do(seat, "choose", seat=seat, action=words[-1], decision=decision)
                await self.do(seat, "unchoose", seat=seat, decision=decision)
        await self.do(seat, "choose", seat=seat, action=words[decision % len(words)], decision=decision)

    async def recorded(self) -> list[list[dict[str, Any]]]:  # Any: JSON
        """Return each viewer's steps of a whole game, the spectator last."""
        reading = []
        for viewer, client in zip(self.viewers, self._people, strict=True):
            request = client.build_request("GET", f"/api/tables/{self._table}/stream", timeout=60)
            reading.append(asyncio.create_task(viewer.read(await client.send(request, stream=True))))
        await self.play()
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
        for client in self._people:
            await client.aclose()
        return [viewer.steps for viewer in self.viewers]


def main(games: Sequence[str]) -> None:
    """Record the named games, or all."""
    with TemporaryDirectory() as folder, serving(Path(folder)) as server:
        for name in games or OPENINGS:
            text = asyncio.run(text_of(server.address, name))
            FOLDER.joinpath(f"{name}.json").write_text(text, "utf-8", newline="\n")


async def text_of(address: str, name: str) -> str:
    """Return the content of a game's file, one step per line."""
    steps = await (await Table.opened(address, OPENINGS[name])).recorded()
    viewers = ["[\n" + ",\n".join(map(compact, step)) + "\n]" for step in steps]
    return f"[{','.join(viewers)}]\n"


def compact(value: object) -> str:
    """Encode a value as JSON on one line."""
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    main(sys.argv[1:])
