"""WebSocket frames: fragmented, several in one packet, and invalid."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import pytest_asyncio
from tests.server.app_server import ListeningServer, listening_server

from faceup.server.rooms.wire import SESSION_COOKIE

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT, CONT, PING, CLOSE = 0x1, 0x0, 0x9, 0x8


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ListeningServer]:
    """A server for all tests of this module, which use separate tables."""
    async with listening_server(tmp_path_factory.mktemp("lines") / "t.sqlite") as serving:
        yield serving


class Raw:
    """A WebSocket client that sends raw bytes after the handshake."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer
        self._lines: list[dict[str, Any]] = []

    async def frame(self) -> tuple[int, bytes]:
        """Read the next frame: its opcode and payload."""
        kind, length = await self._reader.readexactly(2)
        if length > 125:
            length = int.from_bytes(await self._reader.readexactly(2 if length == 126 else 8), "big")
        return kind & 15, await self._reader.readexactly(length)

    async def answer(self) -> dict[str, Any]:
        """Return the next acknowledgement or rejection."""
        while not self._lines:
            kind, data = await asyncio.wait_for(self.frame(), 20)
            assert kind == TEXT
            lines = [json.loads(line) for line in data.splitlines()]
            self._lines += [line for line in lines if "ack" in line or "rejected" in line]
        return self._lines.pop(0)

    async def closed(self) -> int:
        """Wait for the end and return the close code."""
        while True:
            kind, data = await asyncio.wait_for(self.frame(), 20)
            if kind == CLOSE:
                return int.from_bytes(data[:2], "big")


def framed(data: bytes, kind: int = TEXT, *, last: bool = True, mask: bytes = b"\x05\xfe\x00\x71") -> bytes:
    """Encode a frame of a client."""
    length = len(data)
    size = bytes([0x80 | length]) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))
    return bytes([0x80 * last | kind]) + size + mask + masked


def reaction(identifier: str, seat: int = 0, **more: str) -> bytes:
    """Return a command that is always accepted."""
    data = {"id": identifier, "command": "react", "seat": seat, "reaction": "bravo", **more}
    return json.dumps(data, ensure_ascii=False).encode()


@asynccontextmanager
async def raw(server: ListeningServer, player: httpx.AsyncClient, table: str) -> AsyncIterator[Raw]:
    """Open a WebSocket to a table and read its first frame."""
    client_socket = socket.socket()
    client_socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # small, so that a slow reader fills it
    client_socket.connect(("127.0.0.1", int(server.base.rpartition(":")[2])))
    reader, writer = await asyncio.open_connection(sock=client_socket, limit=4096)
    head = [
        f"GET /api/tables/{table}/live HTTP/1.1",
        f"Host: {server.base.partition('//')[2]}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        f"Cookie: {SESSION_COOKIE}={player.cookies[SESSION_COOKIE]}",
    ]
    writer.write("\r\n".join([*head, "", ""]).encode())
    assert b" 101 " in (await reader.readuntil(b"\r\n\r\n")).splitlines()[0]
    wire = Raw(reader, writer)
    await wire.frame()
    try:
        yield wire
    finally:
        writer.close()


@pytest.mark.parametrize("size", [1, 7, 10_000])
async def test_frames_are_read_in_order_for_all_packet_sizes(server: ListeningServer, size: int) -> None:
    async with server.guest("Ann") as ann, raw(server, ann, await server.table(ann)) as wire:
        sent = b"".join(
            (
                framed(reaction("one")),
                framed(reaction("two", more="Ä")),  # not ASCII, and rejected because of an unknown field
                framed(b"x" * 300),
                framed(b"", PING),
                framed(reaction("three")[:9], last=False),
                framed(b"there?", PING),
                framed(reaction("three")[9:], CONT),
                framed(reaction("four")),
            )
        )
        for at in range(0, len(sent), size):
            wire.writer.write(sent[at : at + size])
            if size < 10 and not at % 64:
                await asyncio.sleep(0)
        pongs = []
        answers: list[str | None] = []
        while len(answers) < 5:
            kind, data = await asyncio.wait_for(wire.frame(), 20)
            if kind != TEXT:
                pongs.append(data)
                continue
            for line in map(json.loads, data.splitlines()):
                answers += [line[key] for key in ("ack", "rejected") if key in line]
        assert answers == ["one", "two", None, "three", "four"]
        assert pongs == [b"", b"there?"]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"\x81\x02{}", 1002),  # not masked
        (framed(b"{}", 0x3), 1002),  # an unknown opcode
        (framed(b"{}", CONT), 1002),  # a continuation without a first frame
        (framed(b"{", last=False) + framed(b"{}"), 1002),  # a new message inside a fragmented one
        (b"\xc1" + framed(b"{}")[1:], 1002),  # marked as compressed
        (framed(b'{"id":"\xff"}'), 1007),  # not UTF-8
        (framed(b'{"id":"\xc3', last=False) + framed(b'"}', CONT), 1007),
        (b"\x81\xfe\xff\xff" + b"\0" * 100, 1009),  # larger than any command
        (b"\x81\xff" + b"\x7f" * 8, 1009),
        (framed((1000).to_bytes(2, "big"), CLOSE), 1000),
    ],
)
async def test_an_invalid_frame_closes_the_connection(server: ListeningServer, sent: bytes, code: int) -> None:
    async with server.guest("Ann") as ann, raw(server, ann, await server.table(ann)) as wire:
        wire.writer.write(framed(reaction("one")))
        assert await wire.answer() == {"ack": "one"}
        wire.writer.write(sent + framed(reaction("two")))
        assert await wire.closed() == code


async def test_a_slow_reader_receives_all_messages_in_order_or_is_disconnected(
    server: ListeningServer,
) -> None:
    async with server.guest("Ann") as ann, raw(server, ann, await server.table(ann)) as wire:
        for number in range(20):
            server.hub.broadcast(b'{"number":%d,"more":"%b"}\n' % (number, b"x" * 40_000))
            await asyncio.sleep(0.001)
        numbers: list[int] = []
        while len(numbers) < 20:
            _, data = await asyncio.wait_for(wire.frame(), 20)
            numbers += [line["number"] for line in map(json.loads, data.splitlines()) if "number" in line]
        assert numbers == list(range(20))
        for _ in range(200):
            server.hub.broadcast(b'{"more":"%b"}\n' % (b"x" * 80_000))
            await asyncio.sleep(0.001)
        last = b""
        while True:
            kind, data = await asyncio.wait_for(wire.frame(), 20)
            if kind == CLOSE:
                break
            last = data.splitlines()[-1]
        assert last == b'{"end":"slow"}'
        assert int.from_bytes(data[:2], "big") == 4008


async def test_commands_are_completed_after_a_disconnect(server: ListeningServer) -> None:
    async with server.guest("Ann") as ann:
        table = await server.table(ann)
        async with raw(server, ann, table) as wire:
            for number in range(2):
                wire.writer.write(framed(reaction(f"r{number}")))
            assert [await wire.answer() for _ in range(2)] == [{"ack": f"r{number}"} for number in range(2)]
            before = server.store.metrics.value("faceup_commands_total", command="react")
            wire.writer.write(framed(reaction("last")))
            await wire.writer.drain()
        async with asyncio.timeout(20):
            while server.store.metrics.value("faceup_commands_total", command="react") == before:  # noqa: ASYNC110 -- no client is connected to wait for
                await asyncio.sleep(0.01)
