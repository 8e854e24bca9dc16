"""A database of people in memory."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, create_engine, event

import faceup.server.people.schema
from faceup.server.store import metadata


@pytest.fixture
def people() -> Iterator[Connection]:
    """A connection to an empty database that holds to its foreign keys."""
    assert faceup.server.people.schema.players.metadata is metadata
    engine = create_engine("sqlite://")
    event.listen(engine, "connect", lambda driver, _: driver.execute("PRAGMA foreign_keys = ON"))
    with engine.connect() as connection:
        metadata.create_all(connection)
        yield connection
    engine.dispose()
