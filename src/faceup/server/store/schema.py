"""The tables of the database. Times are milliseconds since 1970 on the database's clock, unless it says otherwise.

Other parts add tables of their own to `metadata`, and use them with `Store.write` and `Store.query`.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    text,
)

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""All tables. Constraints have names, by which migrations can take them away again."""

rooms: Final = Table(
    "rooms",
    metadata,
    Column("id", Text, primary_key=True),
    Column("code", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("status", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("wake", BigInteger),
    Column("changed_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("summary", Text, nullable=False),
    Index("ix_rooms_wake", "wake", sqlite_where=text("wake IS NOT NULL"), postgresql_where=text("wake IS NOT NULL")),
    # A code can be given again when its table is over.
    Index(
        "uq_rooms_code",
        "code",
        unique=True,
        sqlite_where=text("ended_at IS NULL"),
        postgresql_where=text("ended_at IS NULL"),
    ),
    Index(
        "ix_rooms_listed",
        "opened_at",
        sqlite_where=text("listed AND ended_at IS NULL"),
        postgresql_where=text("listed AND ended_at IS NULL"),
    ),
    Index("ix_rooms_ended_at", "ended_at"),
    sqlite_with_rowid=False,
)
"""One row for each table of players: what is looked for without reading logs."""

log: Final = Table(
    "log",
    metadata,
    Column("room", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("command", Text),
    Column("entries", Text, nullable=False),
    PrimaryKeyConstraint("room", "seq"),
    Index(
        "uq_log_command",
        "room",
        "command",
        unique=True,
        sqlite_where=text("command IS NOT NULL"),
        postgresql_where=text("command IS NOT NULL"),
    ),
)
"""The log of appends: the truth. `at` is milliseconds since the table was opened.

It refers to `rooms` without a foreign key: the one statement that appends finds the table's row itself, and would only
look it up a second time.
"""

processes: Final = Table(
    "processes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("started", BigInteger, nullable=False),
    Column("beat", BigInteger, nullable=False),
    Column("ended", BigInteger),
)
"""The processes that serve this database, each with its last heartbeat."""

pulse: Final = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("last", BigInteger, nullable=False),
    Column("ahead", BigInteger, nullable=False),
)
"""One row: the last heartbeat of all, and what is added to the database's clock because it was once set back."""

outages: Final = Table(
    "outages",
    metadata,
    Column("start", BigInteger, primary_key=True, autoincrement=False),
    Column("end", BigInteger, nullable=False),
    Column("done", BigInteger),
)
"""Times without a heartbeat of anybody; `done` when all deadlines that were open have been moved."""
