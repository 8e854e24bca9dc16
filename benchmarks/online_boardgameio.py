"""boardgame.io as a peer: https://boardgame.io, installed from npm, with 6 nimmt! written as its documentation advises.

Its server keeps everything in memory, which is its default; `boardgameio/game.js` explains the settings. It is
installed in the folder for temporary files, once for each lock file.
"""

import os
import shutil
import subprocess
import tempfile
from functools import cache
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import msgspec
from tests.server.server_process import free_port

from benchmarks.online_load import SEATS
from benchmarks.online_processes import Server

SOURCE = Path(__file__).with_name("boardgameio")
FILES = ("package.json", "package-lock.json", "game.js", "server.js")
VERSION: str = msgspec.json.decode((SOURCE / "package.json").read_bytes())["dependencies"]["boardgame.io"]
READY = "/games"
PATH = "/socket.io/?EIO=4&transport=websocket"
_SENT = b'42/nimmt,["update"'


@cache
def installed() -> Path:
    """Install boardgame.io if it is missing; return its folder."""
    key = sha256(b"".join((SOURCE / name).read_bytes() for name in FILES)).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"faceup-programs-{os.getuid()}" / f"boardgameio-{key}"
    if not folder.exists():
        folder.parent.mkdir(exist_ok=True)
        making = Path(tempfile.mkdtemp(dir=folder.parent))
        for name in FILES:
            shutil.copy(SOURCE / name, making)
        subprocess.run(
            (shutil.which("npm") or "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"),
            cwd=making,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        making.replace(folder)
    return folder


def serve(core: int | None, folder: Path) -> Server:
    """Start the server."""
    port = free_port()
    command = ("node", str(installed() / "server.js"), str(port))
    return Server(command, port, core, folder, {"NODE_ENV": "production"})


class _Players(msgspec.Struct):
    hand: list[int] = []
    choice: int | None = None


class _G(msgspec.Struct):
    players: dict[str, _Players]
    waiting: list[tuple[int, int]]


class _Ctx(msgspec.Struct):
    gameover: Any = None  # whatever ends a game


class _State(msgspec.Struct):
    G: _G
    ctx: _Ctx
    number: int = msgspec.field(name="_stateID")


class _Sync(msgspec.Struct):
    state: _State


class Client:
    """The client side of boardgame.io: see `benchmarks.online_load.Dialect`."""

    def __init__(self, port: int, match: str, seat: int, credentials: str) -> None:
        self.port = port
        self.path = PATH
        self.headers: dict[str, str] = {}
        self._match, self._seat, self._credentials = match, seat, credentials
        self._state: _State | None = None
        self._unread = b""

    def count_updates(self, message: bytes) -> int:
        """See `Dialect.count_updates`."""
        if message.startswith(_SENT):
            self._unread = message  # decoded only when there is something to choose
            return 1
        if message.startswith(b'42/nimmt,["sync"'):
            self._state = msgspec.convert(msgspec.json.decode(message[9:])[2], _Sync).state
        return 0

    def ready(self) -> bool:
        """See `Dialect.ready`."""
        return self._state is not None

    def reply(self, message: bytes) -> bytes | None:
        """See `Dialect.reply`: pings, and the two steps to subscribe to a match."""
        if message == b"2":
            return b"3"
        if message.startswith(b"0"):
            return b"40/nimmt,"
        if message.startswith(b"40/nimmt,"):
            return b"42/nimmt," + msgspec.json.encode(["sync", self._match, str(self._seat), self._credentials, SEATS])
        return None

    def move(self) -> bytes | None:
        """See `Dialect.move`: the lowest card, the first row."""
        if self._unread:
            self._state = _update.decode(self._unread[9:])[2]
            self._unread = b""
        state = self._state
        assert state
        game = state.G
        if state.ctx.gameover is not None or (game.waiting and game.waiting[0][1] != self._seat):
            return None
        kind, value = ("take", 0) if game.waiting else ("choose", game.players[str(self._seat)].hand[0])
        payload = {"type": kind, "args": [value], "playerID": str(self._seat), "credentials": self._credentials}
        action = {"type": "MAKE_MOVE", "payload": payload}
        return b"42/nimmt," + msgspec.json.encode(["update", action, state.number, self._match, str(self._seat)])


_update = msgspec.json.Decoder(tuple[str, str, _State, Any])  # Any: a log entry


def tables(port: int, count: int, deals: int) -> list[list[Client]]:
    """Create matches of ten, with everyone joined through its lobby."""
    wire = HTTPConnection("127.0.0.1", port)
    made = []
    for _ in range(count):
        match = _post(wire, "/games/nimmt/create", {"numPlayers": SEATS, "setupData": {"deals": deals}})["matchID"]
        join = f"/games/nimmt/{match}/join"
        seats = [
            _post(wire, join, {"playerID": str(seat), "playerName": f"P{seat}"})["playerCredentials"]
            for seat in range(SEATS)
        ]
        made.append([Client(port, match, seat, credentials) for seat, credentials in enumerate(seats)])
    wire.close()
    return made


def _post(wire: HTTPConnection, path: str, body: object) -> dict[str, str]:
    wire.request("POST", path, msgspec.json.encode(body), {"content-type": "application/json"})
    answer = wire.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status} {body[:200]!r}")
    return msgspec.json.decode(body, type=dict[str, str])
