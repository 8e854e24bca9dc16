"""The limit: a C program that stores each choice durably, and sends the bytes of a recorded game of our server.

It needs the development files of libwebsockets and SQLite, as in Debian's `libwebsockets-dev` and `libsqlite3-dev`.
"""

import asyncio
import itertools
import shutil
import struct
import subprocess
from pathlib import Path

from tests.server.server_process import free_port

from benchmarks import online_faceup
from benchmarks.native_build import PEERS, built
from benchmarks.online_load import SEATS
from benchmarks.online_processes import Server
from benchmarks.online_sockets import connect

READY = "/"
_STEPS = 200
"""Choices in the recording: about 18 turns with choices of rows."""


def version() -> str | None:
    """Return the version of libwebsockets; None if it cannot be built here."""
    if not (program := shutil.which("pkg-config")):
        return None
    asked = subprocess.run(
        [program, "--modversion", "libwebsockets", "sqlite3"], capture_output=True, text=True, check=False
    )
    return None if asked.returncode else asked.stdout.splitlines()[0].rstrip("-")


def serve(core: int | None, folder: Path) -> Server:
    """Record a game of our server, and start the program with the recording."""
    recording = folder / "recording"
    with online_faceup.serve(None, folder) as server:
        server.ready(online_faceup.READY)
        recording.write_bytes(asyncio.run(_record(server.port)))
    program = built(PEERS / "fanout.c", libraries=("websockets", "sqlite3"))
    port = free_port()
    return Server((program, str(port), str(folder / "choices.sqlite"), str(recording)), port, core, folder, {})


class Client(online_faceup.Client):
    """A client of our server that connects to the program."""

    def __init__(self, port: int, table: int, seat: int) -> None:
        super().__init__(port, "", "")
        self.path = f"/{table}/{seat}"


_TABLES = itertools.count()  # the program keeps the position of each table


def tables(port: int, count: int, _deals: int) -> list[list[Client]]:
    """Return clients of tables that no client has used before."""
    return [[Client(port, table, seat) for seat in range(SEATS)] for table in itertools.islice(_TABLES, count)]


class _Recorder:
    """A seat's client that keeps what it receives."""

    def __init__(self, client: online_faceup.Client, news: asyncio.Event) -> None:
        self.client = client
        self.choices = 0
        self._received: list[bytes] = []
        self._news = news

    def take(self, message: bytes) -> bytes | None:
        """Keep a message without its ping, to which the program would get an answer."""
        reply = self.client.reply(message)
        self.choices += self.client.count_updates(message)
        self._received += [line for line in message.splitlines() if not line.startswith(b'{"ping":')]
        self._news.set()
        return reply

    def received(self) -> bytes:
        """Return what was received since the last call."""
        received = b"\n".join(filter(None, self._received))
        self._received.clear()
        return struct.pack("<I", len(received)) + received


async def _record(port: int) -> bytes:
    """Play at one table as fast as it goes. Return what each seat receives before the answer to each choice."""
    [clients] = online_faceup.tables(port, 1, _STEPS)
    news = asyncio.Event()
    seats = [_Recorder(client, news) for client in clients]
    sockets = [await connect(port, seat.client.path, seat.client.headers, seat.take) for seat in seats]
    while not all(client.ready() for client in clients):
        await _next(news)
    steps = [[seat.received() for seat in seats]]
    while True:
        deciders = [number for number, client in enumerate(clients) if client.move() is not None]
        if len(steps) > _STEPS and len(deciders) == SEATS:  # the first step can follow
            break
        for number in deciders:
            move = clients[number].move()
            assert move is not None
            sockets[number].send(move)
            # The other seats may receive the choice with a later one, except the last one of a turn.
            waiting = seats if number == deciders[-1] else [seats[number]]
            while any(seat.choices < len(steps) for seat in waiting):
                await _next(news)
            steps.append([seat.received() for seat in seats])
    for socket in sockets:
        socket.close()
    return struct.pack("<I", len(steps)) + b"".join(map(b"".join, steps))


async def _next(news: asyncio.Event) -> None:
    news.clear()
    await asyncio.wait_for(news.wait(), 30)
