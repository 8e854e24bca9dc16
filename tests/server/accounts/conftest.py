"""An empty database in memory."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, create_engine, event

import faceup.server.accounts.schema
from faceup.server.store import metadata


@pytest.fixture
def people() -> Iterator[Connection]:
    """Return a connection to an empty database with foreign keys enforced."""
    assert faceup.server.accounts.schema.players.metadata is metadata
    engine = create_engine("sqlite://")
    event.listen(engine, "connect", lambda driver, _: driver.execute("PRAGMA foreign_keys = ON"))
    with engine.connect() as connection:
        metadata.create_all(connection)
        yield connection
    engine.dispose()
