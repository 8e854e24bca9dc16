"""Players who never give up: they come back after every cut, and send again what was not answered."""

import asyncio
import json
import random
from contextlib import suppress
from typing import Any
from uuid import uuid4

import websockets
from websockets.asyncio.client import ClientConnection

from faceup.server.rooms import after_line

_PATIENCE = 3.0
"""Seconds without a line after which a server is given up. It pings every three."""


class Player:
    """One seat at one table.

    Attributes:
        table: the table's id.
        seat: the seat.
        eager: how likely it is to choose at all, at each decision.
        lines: every line with a version that came, as it came.
        sent: every command that was sent, by its id.
        answered: the answers, by the command's id: "ack", or the kind of the refusal.
        faults: what no server may do.
        returned: how often it came back.
    """

    def __init__(
        self, ports: list[int], table: str, seat: int, *, cookie: str, eager: float, rng: random.Random
    ) -> None:
        self.table, self.seat, self.eager = table, seat, eager
        self.lines: list[tuple[int, bytes]] = []
        self.sent: dict[str, dict[str, Any]] = {}
        self.answered: dict[str, str] = {}
        self.faults: list[str] = []
        self.returned = 0
        self.sight: dict[str, Any] = {}
        self._ports = ports
        self._cookie = cookie
        self._rng = rng
        self._decided = -1
        self._line: ClientConnection | None = None
        self._turns: set[asyncio.Task[None]] = set()

    @property
    def version(self) -> int | None:
        """The last version that it has seen."""
        return self.lines[-1][0] if self.lines else None

    async def play(self) -> None:
        """Until it is cancelled."""
        while True:
            port = self._rng.choice(self._ports)
            after = "" if self.version is None else f"?after={self.version}"
            with suppress(OSError, websockets.WebSocketException, TimeoutError):
                async with websockets.connect(
                    f"ws://127.0.0.1:{port}/api/tables/{self.table}/live{after}",
                    additional_headers={"cookie": self._cookie},
                    open_timeout=_PATIENCE,
                    close_timeout=0.1,
                    ping_interval=None,
                    compression=None,
                ) as self._line:
                    self.returned += 1
                    for command in [self.sent[each] for each in self.sent if each not in self.answered]:
                        await self._line.send(json.dumps(command))
                    while True:
                        async with asyncio.timeout(
                            _PATIENCE + 1
                        ):  # before Python 3.12 wait_for may lose a cancellation
                            frame = await self._line.recv(decode=False)
                        for line in frame.splitlines(keepends=True):
                            await self._hear(line)
            self._line = None
            await asyncio.sleep(0.02)

    async def _hear(self, line: bytes) -> None:
        said = json.loads(line)
        if "v" in said:
            self._see(said, line)
        elif "ping" in said:
            await self._say({"do": "pong", "ping": said["ping"]})
        elif "ack" in said:
            self._answer(said["ack"], "ack")
        elif said.get("refused"):
            kind = said["error"]["kind"]
            if kind in {"unavailable", "internal"}:
                await asyncio.sleep(0.1)
                await self._say(self.sent[said["refused"]])
            else:
                self._answer(said["refused"], kind)

    def _answer(self, command: str, answer: str) -> None:
        if self.answered.get(command, answer) != answer == "ack":
            self.faults.append(f"command {command} was answered {self.answered[command]}, and then {answer}")
        self.answered[command] = answer

    def _see(self, said: dict[str, Any], line: bytes) -> None:
        version = self.version
        self.sight = after_line(self.sight, said)
        if "sight" in said:
            if version is not None and said["v"] < version:
                self.faults.append(f"version {version} was taken back: {said['v']}")
        elif version is None or said["v"] != version + 1:
            self.faults.append(f"after version {version} came {said['v']}")
        self.lines.append((said["v"], line))
        sight = self.sight
        if sight["status"] == "active" and sight["words"] and sight["decision"] != self._decided:
            self._decided = sight["decision"]
            if self._rng.random() < self.eager:
                task = asyncio.create_task(self._choose(sight["decision"]))
                self._turns.add(task)
                task.add_done_callback(self._turns.discard)

    async def _choose(self, decision: int) -> None:
        """Choose, sometimes twice: the second time something else."""
        words = self._rng.sample(self.sight["words"], min(len(self.sight["words"]), self._rng.choice((1, 1, 2))))
        for action in words:
            await asyncio.sleep(self._rng.uniform(0.02, 0.2))
            command = {"id": uuid4().hex, "do": "choose", "seat": self.seat, "action": action, "decision": decision}
            self.sent[command["id"]] = command
            await self._say(command)

    async def _say(self, command: dict[str, Any]) -> None:
        if self._line is not None:
            with suppress(websockets.WebSocketException):
                await self._line.send(json.dumps(command))
