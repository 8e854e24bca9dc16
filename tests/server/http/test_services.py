"""Work stops when the client that asked for it has disconnected."""

import asyncio
from typing import Any, cast

import pytest

from faceup.server.http.errors import RequestError
from faceup.server.http.services import AnyRequest, while_connected


class Client:
    """A request whose client can disconnect."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.messages.put_nowait({"type": "http.request", "body": b""})

    async def receive(self) -> dict[str, Any]:
        return await self.messages.get()


async def test_work_is_dropped_when_the_client_disconnects() -> None:
    client, cancelled = Client(), asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    asked = asyncio.create_task(while_connected(cast("AnyRequest", client), work()))
    await asyncio.sleep(0)
    client.messages.put_nowait({"type": "http.disconnect"})
    with pytest.raises(RequestError, match="the client has disconnected"):
        await asked
    await cancelled.wait()


async def test_a_connected_client_gets_the_result_or_the_error() -> None:
    async def work(divisor: int) -> int:
        return 6 // divisor

    client = cast("AnyRequest", Client())
    assert await while_connected(client, work(2)) == 3
    with pytest.raises(ZeroDivisionError):
        await while_connected(client, work(0))
