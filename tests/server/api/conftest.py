"""The application in this process, over a database of its own."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Protocol

import pytest
from tests.server.inside import House, opened

from faceup.server.api import Limits
from faceup.server.settings import Settings


class Serve(Protocol):
    """Starts an application; it ends with the test."""

    async def __call__(self, settings: Settings | None = ..., limits: Limits | None = ...) -> House: ...


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Serve]:
    """Starts applications, all over the same database."""
    async with AsyncExitStack() as stack:

        async def start(settings: Settings | None = None, limits: Limits | None = None) -> House:
            return await stack.enter_async_context(opened(tmp_path / "tables.sqlite", settings, limits))

        yield start


@pytest.fixture
async def house(serve: Serve) -> House:
    """An application as it is by default."""
    return await serve()
