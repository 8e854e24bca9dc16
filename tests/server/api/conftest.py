"""Fixtures that run the application in this process, with a new database."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Protocol

import pytest
from tests.server.app_server import AppServer, opened

from faceup.server.api import Limits
from faceup.server.settings import Settings


class Serve(Protocol):
    """Start an application, which stops after the test."""

    async def __call__(self, settings: Settings | None = ..., limits: Limits | None = ...) -> AppServer: ...


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Serve]:
    """Return a function that starts applications on one database."""
    async with AsyncExitStack() as stack:

        async def start(settings: Settings | None = None, limits: Limits | None = None) -> AppServer:
            return await stack.enter_async_context(opened(tmp_path / "tables.sqlite", settings, limits))

        yield start


@pytest.fixture
async def app(serve: Serve) -> AppServer:
    """Start an application with default settings."""
    return await serve()
