"""What a server tells: `./script/streams` records it anew in tests/web/streams, a file a game.

A game is played at a real server by commands, choice by choice. Beside each line of each viewer's stream stands the
sight that the server gives this viewer when it is asked at that moment: what the page makes of the lines must be it.
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
from tests.server.serving import serving

FOLDER: Final = Path(__file__).resolve().parent.parent / "tests" / "web" / "streams"
OPENINGS: Final[dict[str, dict[str, Any]]] = {  # Any: JSON
    "nimmt": {"game": "nimmt", "options": {"seats": 3, "hand": 3, "deals": 2}},
    "niuniu": {"game": "niuniu", "options": {"seats": 3, "throws": 3}},
    "war": {"game": "war", "options": {"cap": 15, "per_suit": 6}},
}
NAMES: Final = ("Ann", "Bo", "Cy", "")


class Seen:
    """A viewer, its lines so far, and the sight that it got beside each of them."""

    def __init__(self, client: httpx.AsyncClient, table: str) -> None:
        self._client = client
        self._table = table
        self._told = 0
        self.lines: list[str] = []
        self.steps: list[dict[str, Any]] = []  # Any: JSON

    async def read(self, stream: httpx.Response) -> None:
        """Every line, as it comes."""
        async for line in stream.aiter_lines():
            if line and ('"patch"' in line or '"sight"' in line):
                self.lines.append(line)

    async def look(self) -> dict[str, Any]:  # Any: JSON
        """The sight now; once all of its lines are there, beside the last of them."""
        sight: dict[str, Any] = (await self._client.get(f"/api/tables/{self._table}")).json()["sight"]
        await asyncio.sleep(0.1)
        if len(self.lines) > self._told:
            # Lines that came at once have the sight of the last one.
            self.steps += [{"line": json.loads(line)} for line in self.lines[self._told :]]
            self.steps[-1]["sight"] = sight
            self._told = len(self.lines)
        return sight


class Table:
    """One table, whoever sits there, and a spectator."""

    def __init__(self, people: Sequence[httpx.AsyncClient], table: str) -> None:
        self._people = people
        self._table = table
        self._numbers = count()
        self.viewers = [Seen(client, table) for client in people]

    @classmethod
    async def opened(cls, address: str, opening: dict[str, Any]) -> Self:  # Any: JSON
        """With the first person at it."""
        seats = opening["options"].get("seats", 2)
        people = [httpx.AsyncClient(base_url=address, headers={"origin": address}) for _ in range(seats + 1)]
        for name, client in zip(NAMES, people[:seats], strict=False):
            await client.post("/api/session", json={"name": name})
        body = {"opening": {**opening, "terms": {"clock": None, "stand_in": "random"}}}
        return cls(people, (await people[0].post("/api/tables", json=body)).json()["id"])

    async def do(self, who: int, what: str, **fields: object) -> None:
        """A command, and everybody's look at what came of it."""
        body = {"id": f"c{next(self._numbers)}", "do": what, **fields}
        (await self._people[who].post(f"/api/tables/{self._table}/commands", json=body)).raise_for_status()
        await self.look()

    async def look(self) -> list[dict[str, Any]]:  # Any: JSON
        """What each viewer sees now."""
        return [await viewer.look() for viewer in self.viewers]

    async def play(self) -> None:
        """Sit down, and play to the end."""
        for seat in range(1, len(self._people) - 1):
            await self.do(seat, "sit")
        await self.do(0, "react", seat=0, reaction="hurry")
        while (sights := await self.look())[-1]["status"] == "active":
            for seat in sights[-1]["view"]["to_act"]:
                await self.decide(seat, sights[seat])

    async def decide(self, seat: int, sight: dict[str, Any]) -> None:  # Any: JSON
        """One seat's choice; the first of a game after a mark, and another choice that is taken back."""
        words, decision = sight["words"], sight["decision"]
        if decision == 0 and len(words) > 1:
            await self.do(seat, "mark", seat=seat, action=words[-1], decision=decision)
            if seat == 0:
                await self.do(seat, "choose", seat=seat, action=words[-1], decision=decision)
                await self.do(seat, "unchoose", seat=seat, decision=decision)
        await self.do(seat, "choose", seat=seat, action=words[decision % len(words)], decision=decision)

    async def recorded(self) -> list[list[dict[str, Any]]]:  # Any: JSON
        """Each viewer's steps of a whole game, the spectator's last."""
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
    """Record these games, or all."""
    with TemporaryDirectory() as folder, serving(Path(folder)) as server:
        for name in games or OPENINGS:
            text = asyncio.run(text_of(server.address, name))
            FOLDER.joinpath(f"{name}.json").write_text(text, "utf-8", newline="\n")


async def text_of(address: str, name: str) -> str:
    """The file of a game, a step a line."""
    steps = await (await Table.opened(address, OPENINGS[name])).recorded()
    viewers = ["[\n" + ",\n".join(map(compact, each)) + "\n]" for each in steps]
    return f"[{','.join(viewers)}]\n"


def compact(value: object) -> str:
    """On one line."""
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    main(sys.argv[1:])
