from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.server.app_server import ListeningServer, listening_server
from tests.server.postgresql import PostgreSQL


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
    """The URL of an empty database, of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'tables.db'}"
        return
    with request.getfixturevalue("postgresql").database() as address:
        yield address


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ListeningServer]:
    """A server that listens, for one test."""
    async with listening_server(tmp_path / "tables.sqlite") as running:
        yield running
