"""A TCP proxy that simulates network faults: delay, disconnection, silence and low throughput."""

import asyncio
import socket
from contextlib import suppress
from typing import Final, Self

_CHUNK: Final = 16 * 1024
_SMALL_BUFFER: Final = 8 * 1024
"""Size of the kernel buffer with `small_buffer`, in bytes."""


class Faults:
    """Listens on a port and forwards to another. An asynchronous context manager.

    Args:
        target: the local port to forward to.
        small_buffer: use small buffers, so that the server soon notices a client that does not read.

    Attributes:
        port: the port to connect to.
        delay: delay of the data in seconds, in each direction.
        rate: bytes per second that are forwarded to the client; None is unlimited.
        connections: number of connections so far.
    """

    def __init__(self, target: int, *, small_buffer: bool = False) -> None:
        self.port = 0
        self.delay = 0.0
        self.rate: float | None = None
        self.connections = 0
        self._target = target
        self._small_buffer = small_buffer
        self._forwarding = asyncio.Event()
        self._forwarding.set()
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.disconnect()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def disconnect(self) -> None:
        """Reset all connections, as a restarted router does."""
        for writer in tuple(self._open):
            writer.transport.abort()

    def stop_forwarding(self) -> None:
        """Forward nothing and close nothing: both sides see an open connection."""
        self._forwarding.clear()

    def resume_forwarding(self) -> None:
        """Forward again, starting with the delayed data."""
        self._forwarding.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        target = socket.socket()
        if self._small_buffer:
            target.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SMALL_BUFFER)
        target.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(target, ("127.0.0.1", self._target))
        except OSError:
            target.close()
            writer.transport.abort()
            return
        limit = _SMALL_BUFFER if self._small_buffer else 64 * 1024
        other_reader, other_writer = await asyncio.open_connection(sock=target, limit=limit)
        self._open |= {writer, other_writer}
        for task in (
            asyncio.create_task(self._forward(reader, other_writer, down=False)),
            asyncio.create_task(self._forward(other_reader, writer, down=True)),
        ):
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, down: bool) -> None:
        try:
            while data := await reader.read(_CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if down and self.rate is not None:
                    await asyncio.sleep(len(data) / self.rate)
                await self._forwarding.wait()
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            self._open.discard(writer)
            with suppress(OSError):
                writer.close()
