"""Fixtures of all tests of the server."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Protocol

import pytest
from sqlalchemy import Connection, create_engine, event
from tests.server.app_server import AppServer, ListeningServer, listening_server, opened
from tests.server.migrated import create_file
from tests.server.postgresql import PostgreSQL

import faceup.server.features
from faceup.server.http.rate_limits import ServerLimits
from faceup.server.process.settings import Settings
from faceup.server.store import metadata


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server for all tests of this process."""
    server = PostgreSQL()
    try:
        yield server.start()
    finally:
        server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database with this version's schema and no rows, of each kind."""
    if request.param == "sqlite":
        yield create_file(f"sqlite:///{tmp_path / 'tables.db'}")
        return
    with request.getfixturevalue("postgresql").shared_database() as address:
        yield address


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ListeningServer]:
    """A server that listens, for one test."""
    async with listening_server(tmp_path / "tables.sqlite") as running:
        yield running


class Serve(Protocol):
    """Start an application, which stops after the test."""

    async def __call__(self, settings: Settings | None = ..., limits: ServerLimits | None = ...) -> AppServer: ...


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Serve]:
    """Return a function that starts applications on one database."""
    async with AsyncExitStack() as stack:

        async def start(settings: Settings | None = None, limits: ServerLimits | None = None) -> AppServer:
            return await stack.enter_async_context(opened(tmp_path / "tables.sqlite", settings, limits))

        yield start


@pytest.fixture
async def app(serve: Serve) -> AppServer:
    """Start an application with default settings."""
    return await serve()


@pytest.fixture
def people() -> Iterator[Connection]:
    """Return a connection to an empty database with foreign keys enforced."""
    assert faceup.server.features.FEATURES, "their tables are in the metadata"
    engine = create_engine("sqlite://")
    event.listen(engine, "connect", lambda driver, _: driver.execute("PRAGMA foreign_keys = ON"))
    with engine.connect() as connection:
        metadata.create_all(connection)
        yield connection
    engine.dispose()
