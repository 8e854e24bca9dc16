"""Our server under the same load: a process, tables created over its API, and the client side of its WebSocket."""

import os
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import msgspec
from tests.server.server_process import free_port

from benchmarks.online_load import SEATS
from benchmarks.online_processes import Server
from faceup.server.rooms.wire import SESSION_COOKIE

READY = "/api/health"
_REFUSED = b'{"rejected":'
_END = b'{"end":'
_CHOSE = b'"event":"chose"'
_NEWS = b'"actions":['


def serve(core: int | None, folder: Path, url: str = "", port: int | None = None) -> Server:
    """Start the server on a new SQLite file in the folder, or on another database."""
    port = port or free_port()
    url = url or str(folder / f"{port}.sqlite")
    command = (sys.executable, "-m", "benchmarks.online_server", str(port), url)
    return Server(command, port, core, folder, {"PYTHONPATH": os.pathsep.join(sys.path)})


class _View(msgspec.Struct):
    hand: list[int] = []


class _Part(msgspec.Struct):
    """The fields of a view, or of a patch to one, that a player needs to pick its first choice."""

    seat: int | None = None
    actions: list[str] | None = None
    decision: int | None = None


class _Line(msgspec.Struct):
    patch: _Part | None = None
    room: _Part | None = None


_LINES = msgspec.json.Decoder(_Line)


class Client:
    """The client side of our server: see `benchmarks.online_load.Dialect`."""

    def __init__(self, port: int, table: str, key: str) -> None:
        self.port = port
        self.path = f"/api/tables/{table}/live"
        self.headers = {"Cookie": f"{SESSION_COOKIE}={key}"}
        self._seat = 0
        self._words: list[str] = []
        self._decision = -1
        self._sent = 0

    def count_updates(self, message: bytes) -> int:
        """See `Dialect.count_updates`."""
        if _REFUSED in message or _END in message:
            raise RuntimeError(message.decode())
        if _NEWS in message or _DECISION in message:
            for line in message.splitlines():
                if _NEWS in line or _DECISION in line:
                    self._take(line)
        return message.count(_CHOSE)

    def _take(self, line: bytes) -> None:
        read = _LINES.decode(line)
        part = read.patch or read.room
        if part is None:
            return
        if read.room is not None:
            self._seat = part.seat if part.seat is not None else -1
        if part.actions is not None:
            self._words = part.actions
        if part.decision is not None:
            self._decision = part.decision

    def ready(self) -> bool:
        """See `Dialect.ready`."""
        return self._decision >= 0

    def reply(self, message: bytes) -> bytes | None:
        """See `Dialect.reply`: a ping may come alone or with other lines."""
        at = message.find(b'{"ping":')
        if at < 0:
            return None
        return b'{"command":"pong","ping":%d}' % msgspec.json.decode(message[at:].partition(b"\n")[0])["ping"]

    def move(self) -> bytes | None:
        """See `Dialect.move`: the lowest card, the first row."""
        if not self._words:
            return None
        self._sent += 1
        return b'{"id":"%d","command":"choose","seat":%d,"action":"%b","decision":%d}' % (
            self._sent,
            self._seat,
            self._words[0].encode(),
            self._decision,
        )


_DECISION = b'"decision":'


def tables(port: int, count: int, deals: int, *, seats: int = SEATS) -> list[list[Client]]:
    """Create tables of ten guests that joined over HTTP, and start them."""
    wire = HTTPConnection("127.0.0.1", port)
    opening = {
        "game": "nimmt",
        "variant": "onehundredandfour",
        "options": {"seats": seats, "deals": deals},
        "grace": 600_000,
    }
    made = []
    for _ in range(count):
        keys = [_guest(wire, seat) for seat in range(seats)]
        table = _post(wire, "/api/tables", {"config": opening}, keys[0])[0]["id"]
        for seat, key in enumerate(keys[1:], 1):
            _post(wire, f"/api/tables/{table}/commands", {"id": f"sit-{seat}", "command": "sit"}, key)
        made.append([Client(port, table, key) for key in keys])
    wire.close()
    return made


def seen(port: int, client: Client) -> dict[str, Any]:  # Any: JSON
    """Return the client's view of the table."""
    wire = HTTPConnection("127.0.0.1", port)
    wire.request("GET", client.path.removesuffix("/live"), headers=client.headers)
    answer = wire.getresponse()
    body = answer.read()
    wire.close()
    if answer.status != 200:
        raise RuntimeError(f"{client.path}: {answer.status} {body[:200]!r}")
    room_view: dict[str, Any] = msgspec.json.decode(body)["room"]
    return room_view


def _guest(wire: HTTPConnection, seat: int) -> str:
    _, cookies = _post(wire, "/api/session", {"name": f"P{seat}"}, "")
    return cookies.partition(f"{SESSION_COOKIE}=")[2].partition(";")[0]


def _post(wire: HTTPConnection, path: str, body: object, key: str) -> tuple[dict[str, Any], str]:  # Any: JSON
    headers = {"content-type": "application/json"}
    if key:
        headers["cookie"] = f"{SESSION_COOKIE}={key}"
    wire.request("POST", path, msgspec.json.encode(body), headers)
    answer = wire.getresponse()
    body = answer.read()
    if answer.status >= 300:
        raise RuntimeError(f"{path}: {answer.status} {body[:200]!r}")
    return msgspec.json.decode(body, type=dict[str, Any]), answer.headers["set-cookie"] or ""
