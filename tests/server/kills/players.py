"""Players that reconnect after every disconnection and resend commands without an answer."""

import asyncio
import json
import random
from contextlib import suppress
from typing import Any
from uuid import uuid4

import websockets
from websockets.asyncio.client import ClientConnection

from faceup.server.rooms.merge_patch import apply_line

_TIMEOUT = 3.0
"""Timeout without a line, in seconds. These tables are rarely quiet for longer."""


class Player:
    """A player in one seat at one table.

    Attributes:
        table: the table's ID.
        seat: the seat.
        choice_probability: probability of choosing at a decision.
        lines: every line with a version, in the order of arrival.
        sent: every command sent, by ID.
        answered: answers by command ID: "ack", or the kind of the rejection.
        violations: violated promises that the player noticed.
        connections: number of connections.
    """

    def __init__(
        self, ports: list[int], table: str, seat: int, *, cookie: str, choice_probability: float, rng: random.Random
    ) -> None:
        self.table, self.seat, self.choice_probability = table, seat, choice_probability
        self.lines: list[tuple[int, bytes]] = []
        self.sent: dict[str, dict[str, Any]] = {}
        self.answered: dict[str, str] = {}
        self.violations: list[str] = []
        self.connections = 0
        self.room_view: dict[str, Any] = {}
        self._ports = ports
        self._cookie = cookie
        self._rng = rng
        self._decided = -1
        self._connection: ClientConnection | None = None
        self._choosing: set[asyncio.Task[None]] = set()

    @property
    def version(self) -> int | None:
        """The last version received."""
        return self.lines[-1][0] if self.lines else None

    async def play(self) -> None:
        """Play until cancelled."""
        while True:
            port = self._rng.choice(self._ports)
            after = "" if self.version is None else f"?after={self.version}"
            with suppress(OSError, websockets.WebSocketException, TimeoutError):
                async with websockets.connect(
                    f"ws://127.0.0.1:{port}/api/tables/{self.table}/live{after}",
                    additional_headers={"cookie": self._cookie},
                    open_timeout=_TIMEOUT,
                    close_timeout=0.1,
                    ping_interval=None,
                    compression=None,
                ) as self._connection:
                    self.connections += 1
                    for command in [
                        self.sent[identifier] for identifier in self.sent if identifier not in self.answered
                    ]:
                        await self._connection.send(json.dumps(command))
                    while True:
                        async with asyncio.timeout(_TIMEOUT + 1):  # before Python 3.12 wait_for may lose a cancellation
                            frame = await self._connection.recv(decode=False)
                        for line in frame.splitlines(keepends=True):
                            await self._receive(line)
            self._connection = None
            await asyncio.sleep(0.02)

    async def _receive(self, line: bytes) -> None:
        message = json.loads(line)
        if "v" in message:
            self._receive_version(message, line)
        elif "ping" in message:
            await self._send({"command": "pong", "ping": message["ping"]})
        elif "ack" in message:
            self._answer(message["ack"], "ack")
        elif message.get("rejected"):
            kind = message["error"]["kind"]
            if kind in {"unavailable", "internal"}:
                await asyncio.sleep(0.1)
                await self._send(self.sent[message["rejected"]])
            else:
                self._answer(message["rejected"], kind)

    def _answer(self, command: str, answer: str) -> None:
        if self.answered.get(command, answer) != answer == "ack":
            self.violations.append(f"command {command} was answered {self.answered[command]}, and then {answer}")
        self.answered[command] = answer

    def _receive_version(self, message: dict[str, Any], line: bytes) -> None:
        version = self.version
        self.room_view = apply_line(self.room_view, message)
        if "room" in message:
            if version is not None and message["v"] < version:
                self.violations.append(f"version {version} was followed by {message['v']}")
        elif version is None or message["v"] != version + 1:
            self.violations.append(f"version {version} was followed by {message['v']}")
        self.lines.append((message["v"], line))
        room_view = self.room_view
        if room_view["status"] == "active" and room_view["actions"] and room_view["decision"] != self._decided:
            self._decided = room_view["decision"]
            if self._rng.random() < self.choice_probability:
                task = asyncio.create_task(self._choose(room_view["decision"]))
                self._choosing.add(task)
                task.add_done_callback(self._choosing.discard)

    async def _choose(self, decision: int) -> None:
        """Choose, sometimes twice with different actions."""
        actions = self._rng.sample(
            self.room_view["actions"], min(len(self.room_view["actions"]), self._rng.choice((1, 1, 2)))
        )
        for action in actions:
            await asyncio.sleep(self._rng.uniform(0.02, 0.2))
            command = {
                "id": uuid4().hex,
                "command": "choose",
                "seat": self.seat,
                "action": action,
                "decision": decision,
            }
            self.sent[command["id"]] = command
            await self._send(command)

    async def _send(self, command: dict[str, Any]) -> None:
        if self._connection is not None:
            with suppress(websockets.WebSocketException):
                await self._connection.send(json.dumps(command))
