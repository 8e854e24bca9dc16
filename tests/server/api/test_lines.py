"""Frames of WebSocket as they come over a network: in pieces, several at once, and wrong."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import pytest_asyncio
from tests.server.inside import Wired, wired

from faceup.server.api.cookies import NAME

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT, CONT, PING, CLOSE = 0x1, 0x0, 0x9, 0x8


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wired]:
    """One for all: their tables never touch each other."""
    async with wired(tmp_path_factory.mktemp("lines") / "t.sqlite") as serving:
        yield serving


class Raw:
    """A client that sends what bytes it likes, once the connection is a WebSocket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer
        self._lines: list[dict[str, Any]] = []

    async def frame(self) -> tuple[int, bytes]:
        """The next one: its kind, and what is in it."""
        kind, length = await self._reader.readexactly(2)
        if length > 125:
            length = int.from_bytes(await self._reader.readexactly(2 if length == 126 else 8), "big")
        return kind & 15, await self._reader.readexactly(length)

    async def answer(self) -> dict[str, Any]:
        """The next acknowledgement or refusal."""
        while not self._lines:
            kind, said = await asyncio.wait_for(self.frame(), 20)
            assert kind == TEXT
            lines = [json.loads(line) for line in said.splitlines()]
            self._lines += [line for line in lines if "ack" in line or "refused" in line]
        return self._lines.pop(0)

    async def closed(self) -> int:
        """The code with which the server ends it."""
        while True:
            kind, said = await asyncio.wait_for(self.frame(), 20)
            if kind == CLOSE:
                return int.from_bytes(said[:2], "big")


def framed(said: bytes, kind: int = TEXT, *, last: bool = True, mask: bytes = b"\x05\xfe\x00\x71") -> bytes:
    """A frame as a client sends it."""
    length = len(said)
    size = bytes([0x80 | length]) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(said))
    return bytes([0x80 * last | kind]) + size + mask + masked


def reaction(identifier: str, seat: int = 0, **more: str) -> bytes:
    """A command that is always taken."""
    said = {"id": identifier, "do": "react", "seat": seat, "reaction": "bravo", **more}
    return json.dumps(said, ensure_ascii=False).encode()


@asynccontextmanager
async def raw(server: Wired, player: httpx.AsyncClient, table: str) -> AsyncIterator[Raw]:
    """A live connection, of which the first frame has come."""
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # little is on its way to whoever does not read
    door.connect(("127.0.0.1", int(server.base.rpartition(":")[2])))
    reader, writer = await asyncio.open_connection(sock=door, limit=4096)
    head = [
        f"GET /api/tables/{table}/live HTTP/1.1",
        f"Host: {server.base.partition('//')[2]}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        f"Cookie: {NAME}={player.cookies[NAME]}",
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
async def test_frames_are_read_in_order_however_the_network_cuts_them(server: Wired, size: int) -> None:
    async with server.guest("Ann") as ann, raw(server, ann, await server.table(ann)) as wire:
        sent = b"".join(
            (
                framed(reaction("one")),
                framed(reaction("two", more="Ä")),  # beyond ASCII, and refused for what it does not know
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
            kind, said = await asyncio.wait_for(wire.frame(), 20)
            if kind != TEXT:
                pongs.append(said)
                continue
            for line in map(json.loads, said.splitlines()):
                answers += [line[key] for key in ("ack", "refused") if key in line]
        assert answers == ["one", "two", None, "three", "four"]
        assert pongs == [b"", b"there?"]


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"\x81\x02{}", 1002),  # not masked
        (framed(b"{}", 0x3), 1002),  # of no kind there is
        (framed(b"{}", CONT), 1002),  # goes on with nothing
        (framed(b"{", last=False) + framed(b"{}"), 1002),  # begins before the last has ended
        (b"\xc1" + framed(b"{}")[1:], 1002),  # as if it were compressed
        (framed(b'{"id":"\xff"}'), 1007),  # not UTF-8
        (framed(b'{"id":"\xc3', last=False) + framed(b'"}', CONT), 1007),
        (b"\x81\xfe\xff\xff" + b"\0" * 100, 1009),  # larger than any command
        (b"\x81\xff" + b"\x7f" * 8, 1009),
        (framed((1000).to_bytes(2, "big"), CLOSE), 1000),
    ],
)
async def test_a_frame_that_breaks_the_protocol_ends_the_connection(server: Wired, sent: bytes, code: int) -> None:
    async with server.guest("Ann") as ann, raw(server, ann, await server.table(ann)) as wire:
        wire.writer.write(framed(reaction("one")))
        assert await wire.answer() == {"ack": "one"}
        wire.writer.write(sent + framed(reaction("two")))
        assert await wire.closed() == code


async def test_whoever_reads_late_gets_all_of_it_in_order_and_whoever_reads_too_late_is_told_so(server: Wired) -> None:
    async with server.guest("Ann") as ann, raw(server, ann, await server.table(ann)) as wire:
        for number in range(20):
            server.desk.tell_everybody(b'{"number":%d,"more":"%b"}\n' % (number, b"x" * 40_000))
            await asyncio.sleep(0.001)
        numbers: list[int] = []
        while len(numbers) < 20:
            _, said = await asyncio.wait_for(wire.frame(), 20)
            numbers += [line["number"] for line in map(json.loads, said.splitlines()) if "number" in line]
        assert numbers == list(range(20))
        for _ in range(200):
            server.desk.tell_everybody(b'{"more":"%b"}\n' % (b"x" * 80_000))
            await asyncio.sleep(0.001)
        last = b""
        while True:
            kind, said = await asyncio.wait_for(wire.frame(), 20)
            if kind == CLOSE:
                break
            last = said.splitlines()[-1]
        assert last == b'{"end":"slow"}'
        assert int.from_bytes(said[:2], "big") == 4008


async def test_what_was_sent_is_done_although_the_client_hangs_up(server: Wired) -> None:
    async with server.guest("Ann") as ann:
        table = await server.table(ann)
        async with raw(server, ann, table) as wire:
            for number in range(2):
                wire.writer.write(framed(reaction(f"r{number}")))
            assert [await wire.answer() for _ in range(2)] == [{"ack": f"r{number}"} for number in range(2)]
            before = server.desk.figures.commands["react"]
            wire.writer.write(framed(reaction("last")))
            await wire.writer.drain()
        async with asyncio.timeout(20):
            while server.desk.figures.commands["react"] == before:  # noqa: ASYNC110 -- nobody is left to be told
                await asyncio.sleep(0.01)
