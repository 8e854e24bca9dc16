"""Our server under the same load: started as a process, tables filled over its API, a seat's side of its lines."""

import os
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import msgspec
from tests.server.serving import free_port

from benchmarks.online_load import SEATS
from benchmarks.online_processes import Server

READY = "/api/health"
_REFUSED = b'{"refused":'
_END = b'{"end":'
_CHOSE = b'"event":"chose"'
_NEWS = b'"words":['
_COOKIE = "faceup_session"


def serve(core: int | None, folder: Path, url: str = "", port: int | None = None) -> Server:
    """Start it, on a new SQLite file in the folder unless another database is named."""
    port = port or free_port()
    url = url or str(folder / f"{port}.sqlite")
    command = (sys.executable, "-m", "benchmarks.online_server", str(port), url)
    return Server(command, port, core, folder, {"PYTHONPATH": os.pathsep.join(sys.path)})


class _View(msgspec.Struct):
    hand: list[int] = []


class _Part(msgspec.Struct):
    """A sight, or a patch to one, as far as a player needs it that always plays its first choice."""

    seat: int | None = None
    words: list[str] | None = None
    decision: int | None = None


class _Line(msgspec.Struct):
    patch: _Part | None = None
    sight: _Part | None = None


_LINES = msgspec.json.Decoder(_Line)


class Client:
    """As `benchmarks.online_load.Dialect`."""

    def __init__(self, port: int, table: str, key: str) -> None:
        self.port = port
        self.path = f"/api/tables/{table}/live"
        self.headers = {"Cookie": f"{_COOKIE}={key}"}
        self._seat = 0
        self._words: list[str] = []
        self._decision = -1
        self._sent = 0

    def heard(self, message: bytes) -> int:
        """As `Dialect.heard`."""
        if _REFUSED in message or _END in message:
            raise RuntimeError(message.decode())
        if _NEWS in message or _DECISION in message:
            for line in message.splitlines():
                if _NEWS in line or _DECISION in line:
                    self._take(line)
        return message.count(_CHOSE)

    def _take(self, line: bytes) -> None:
        read = _LINES.decode(line)
        part = read.patch or read.sight
        if part is None:
            return
        if read.sight is not None:
            self._seat = part.seat if part.seat is not None else -1
        if part.words is not None:
            self._words = part.words
        if part.decision is not None:
            self._decision = part.decision

    def ready(self) -> bool:
        """As `Dialect.ready`."""
        return self._decision >= 0

    def reply(self, message: bytes) -> bytes | None:
        """As `Dialect.reply`: a ping may stand beside other lines, or alone."""
        if not message.startswith(b'{"ping":'):
            return None
        return b'{"do":"pong","ping":%d}' % msgspec.json.decode(message.partition(b"\n")[0])["ping"]

    def move(self) -> bytes | None:
        """As `Dialect.move`: the lowest card, the first row."""
        if not self._words:
            return None
        self._sent += 1
        return b'{"id":"%d","do":"choose","seat":%d,"action":"%b","decision":%d}' % (
            self._sent,
            self._seat,
            self._words[0].encode(),
            self._decision,
        )


_DECISION = b'"decision":'


def tables(port: int, count: int, deals: int, *, seats: int = SEATS) -> list[list[Client]]:
    """So many tables of ten, everyone a guest that has sat down over HTTP; they have begun."""
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
        table = _post(wire, "/api/tables", {"opening": opening}, keys[0])[0]["id"]
        for seat, key in enumerate(keys[1:], 1):
            _post(wire, f"/api/tables/{table}/commands", {"id": f"sit-{seat}", "do": "sit"}, key)
        made.append([Client(port, table, key) for key in keys])
    wire.close()
    return made


def seen(port: int, client: Client) -> dict[str, Any]:  # Any: JSON
    """The table as the client may see it."""
    wire = HTTPConnection("127.0.0.1", port)
    wire.request("GET", client.path.removesuffix("/live"), headers=client.headers)
    answer = wire.getresponse()
    said = answer.read()
    wire.close()
    if answer.status != 200:
        raise RuntimeError(f"{client.path}: {answer.status} {said[:200]!r}")
    sight: dict[str, Any] = msgspec.json.decode(said)["sight"]
    return sight


def _guest(wire: HTTPConnection, seat: int) -> str:
    _, cookies = _post(wire, "/api/session", {"name": f"P{seat}"}, "")
    return cookies.partition(f"{_COOKIE}=")[2].partition(";")[0]


def _post(wire: HTTPConnection, path: str, body: object, key: str) -> tuple[dict[str, Any], str]:  # Any: JSON
    headers = {"content-type": "application/json"}
    if key:
        headers["cookie"] = f"{_COOKIE}={key}"
    wire.request("POST", path, msgspec.json.encode(body), headers)
    answer = wire.getresponse()
    said = answer.read()
    if answer.status >= 300:
        raise RuntimeError(f"{path}: {answer.status} {said[:200]!r}")
    return msgspec.json.decode(said, type=dict[str, Any]), answer.headers["set-cookie"] or ""
