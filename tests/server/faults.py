"""A TCP proxy that does to connections what networks do: late, cut, silent on both sides, read by inches."""

import asyncio
import socket
from contextlib import suppress
from typing import Final, Self

_CHUNK: Final = 16 * 1024
_NARROW: Final = 8 * 1024
"""Bytes that the kernel keeps for a reader that is slow."""


class Faults:
    """Listens on a port of its own and passes everything on to another. An asynchronous context manager.

    Args:
        target: the port that is behind it, on this machine.
        narrow: give the server's side a small buffer, so that it notices early when nobody reads.

    Attributes:
        port: to connect to.
        delay: seconds by which every piece is late, each way.
        rate: bytes a second that are passed on to the client; None is as they come.
        connections: how many there have been.
    """

    def __init__(self, target: int, *, narrow: bool = False) -> None:
        self.port = 0
        self.delay = 0.0
        self.rate: float | None = None
        self.connections = 0
        self._target = target
        self._narrow = narrow
        self._flows = asyncio.Event()
        self._flows.set()
        self._open: set[asyncio.StreamWriter] = set()
        self._pumps: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        for pump in tuple(self._pumps):
            pump.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)
        await self._server.wait_closed()

    def cut(self) -> None:
        """Reset all connections, as a router does that was switched off and on."""
        for writer in tuple(self._open):
            writer.transport.abort()

    def fall_silent(self) -> None:
        """Pass nothing on, and tell nobody: both sides believe that the other is there."""
        self._flows.clear()

    def flow(self) -> None:
        """Pass on again, first of all what was kept back."""
        self._flows.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        behind = socket.socket()
        if self._narrow:
            behind.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _NARROW)
        behind.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(behind, ("127.0.0.1", self._target))
        except OSError:
            behind.close()
            writer.transport.abort()
            return
        limit = _NARROW if self._narrow else 64 * 1024
        other_reader, other_writer = await asyncio.open_connection(sock=behind, limit=limit)
        self._open |= {writer, other_writer}
        for task in (
            asyncio.create_task(self._pump(reader, other_writer, down=False)),
            asyncio.create_task(self._pump(other_reader, writer, down=True)),
        ):
            self._pumps.add(task)
            task.add_done_callback(self._pumps.discard)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, down: bool) -> None:
        try:
            while data := await reader.read(_CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if down and self.rate is not None:
                    await asyncio.sleep(len(data) / self.rate)
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            self._open.discard(writer)
            with suppress(OSError):
                writer.close()
