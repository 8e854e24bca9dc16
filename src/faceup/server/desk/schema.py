"""The database's table of who is connected to which process."""

from typing import Final

from sqlalchemy import Column, Index, Integer, PrimaryKeyConstraint, Table, Text

from faceup.server.store import metadata

connections: Final = Table(
    "connections",
    metadata,
    Column("room", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("process", Text, nullable=False),
    PrimaryKeyConstraint("room", "seat", "process"),
    Index("ix_connections_process", "process"),
)
"""The seats that have a live connection, each with the process that it is connected to."""
