"""Connections that exceed the size or time limits are closed, and slow ones within the limits are served."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
import pytest_asyncio
import uvicorn

from faceup.server.process import http_limits
from faceup.server.process.http_limits import MAX_HEADER_BYTES, LimitedHttpProtocol
from faceup.server.process.uvicorn_server import _Server


async def _echo(scope: dict[str, Any], receive: Any, send: Any) -> None:
    body = b""
    more = scope["type"] == "http"
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    if scope["type"] == "http":
        length = str(len(body)).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
        await send({"type": "http.response.body", "body": body})


@pytest_asyncio.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    monkeypatch.setattr(http_limits, "REQUEST_TIMEOUT", 0.5)
    started = asyncio.Event()
    config = uvicorn.Config(_echo, port=0, http=LimitedHttpProtocol, lifespan="off", log_config=None)
    server = _Server(config, lambda: asyncio.sleep(0), started.set, 1)
    serving = asyncio.create_task(server.serve())
    await started.wait()
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await serving


async def _send(port: int, *parts: bytes, pause: float = 0.0) -> bytes:
    """Send the parts with pauses between, and read until the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            writer.write(part)
            with suppress(ConnectionError):
                await writer.drain()
            await asyncio.sleep(pause)
        async with asyncio.timeout(20):
            with suppress(ConnectionError):
                return await reader.read()
        return b""
    finally:
        writer.close()


async def test_a_request_in_several_packets_is_served(port: int) -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 6\r\n\r\n"
    assert (await _send(port, head[:30], head[30:] + b"abc", b"def", pause=0.02)).endswith(b"abcdef")


async def test_a_long_body_does_not_count_as_headers(port: int) -> None:
    body = b"b" * (3 * MAX_HEADER_BYTES)
    head = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
    assert (await _send(port, head + body)).endswith(body)


@pytest.mark.parametrize("line", [b"GET /%b", b"GET / HTTP/1.1\r\nX: %b"])
async def test_endless_headers_are_rejected(line: bytes, port: int) -> None:
    answer = await _send(port, line % (b"a" * MAX_HEADER_BYTES), b"b" * 100, pause=0.02)
    assert answer.startswith(b"HTTP/1.1 400 ") or not answer  # closed before the answer could be read


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHo", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"]
)
async def test_an_incomplete_request_times_out(sent: bytes, port: int) -> None:
    assert b" 200 " not in await _send(port, sent)
