"""The database schema. Times are milliseconds since 1970 on the database's clock, unless stated otherwise.

Other packages add their own tables to `metadata` and use them with `Store.write` and `Store.query`.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
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
"""All tables. Constraints are named, so that migrations can drop them."""


def _partial_index(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    return Index(name, *columns, unique=unique, sqlite_where=text(where))


def add_postgresql_options() -> None:
    """Give the partial indexes of `metadata` their conditions on PostgreSQL, too, before they are created from it.

    Migrations create the tables, so servers need no such options. With them, this module would import SQLAlchemy's
    support of PostgreSQL, which takes some 60 ms at each start.
    """
    for table in metadata.tables.values():
        for index in table.indexes:
            if (where := index.dialect_options["sqlite"]["where"]) is not None:
                index.dialect_options["postgresql"]["where"] = where


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
    Column("source", Text, nullable=False),
    Column("creator", Text, nullable=False),
    Column("cost", Integer, nullable=False),
    Column("bot_only", Boolean, nullable=False),
    Column("correspondence", Boolean, nullable=False, server_default=text("false")),
    Column("spectator_delay", BigInteger, nullable=False, server_default="0"),
    _partial_index("ix_rooms_wake", "wake", where="wake IS NOT NULL"),
    # A code can be reused when its table is over.
    _partial_index("uq_rooms_code", "code", unique=True, where="ended_at IS NULL"),
    _partial_index("ix_rooms_listed", "opened_at", where="listed AND ended_at IS NULL"),
    Index("ix_rooms_ended_at", "ended_at"),
    _partial_index("ix_rooms_delayed", "ended_at", "spectator_delay", where="spectator_delay > 0"),
    _partial_index("ix_rooms_source", "source", where="ended_at IS NULL"),
    Index("ix_rooms_creator", "creator", "ended_at"),
    sqlite_with_rowid=False,
)
"""One row for each table that players sit at, for queries that do not read its log.

The columns `source`, `creator`, `cost`, `bot_only` and `correspondence` are those of `TableOrigin`.
"""

log: Final = Table(
    "log",
    metadata,
    Column("room", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("command", Text),
    Column("entries", Text, nullable=False),
    PrimaryKeyConstraint("room", "seq"),
    _partial_index("uq_log_command", "room", "command", unique=True, where="command IS NOT NULL"),
)
"""The event log, the source of truth. `at` is milliseconds since the table was opened.

There is no foreign key to `rooms`, because the append statement itself checks that the table exists.
"""

turns: Final = Table(
    "turns",
    metadata,
    Column("room", Text, ForeignKey("rooms.id", ondelete="CASCADE"), nullable=False),
    Column("player", Text, nullable=False),
    Column("decision", Integer, nullable=False),
    Column("waiting", Boolean, nullable=False),
    Column("due", BigInteger),
    Column("since", BigInteger, nullable=False),
    Column("pushed", Integer, nullable=False, server_default="-1"),
    Column("push_lease", BigInteger, nullable=False, server_default="0"),
    Column("mailed", Integer, nullable=False, server_default="-1"),
    Column("mail_lease", BigInteger, nullable=False, server_default="0"),
    PrimaryKeyConstraint("room", "player"),
    Index("ix_turns_player", "player"),
)
"""The players of running correspondence games, and whether the table waits for them; see `CorrespondenceTurn`.

The transaction that appends to a log updates this table, so that it always agrees with the log. `pushed` is the last
decision of which the player was notified by Web Push, and `push_lease` the time until which a process is doing so;
`mailed` and `mail_lease` are the same for mail.
"""

deleted_tables: Final = Table(
    "deleted_tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False, index=True),
    Column("purged", Boolean, nullable=False),
    _partial_index("ix_deleted_tables_purged", "id", where="NOT purged"),
)
"""The IDs of deleted tables, which a new table cannot have. `purged` is set when the log is deleted, too.

A long log is deleted in several transactions, so that choices at other tables do not wait.
"""

erasures: Final = Table(  # players who are being erased, until no log has their ids any more
    "erasures",
    metadata,
    Column("player", Text, primary_key=True),
    Column("pseudonym", Text, nullable=False),  # the random id that replaces the player's id
    Column("at", BigInteger, nullable=False),
)

processes: Final = Table(
    "processes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("started_at", BigInteger, nullable=False),
    Column("heartbeat_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
)
"""The processes that serve this database, with their last heartbeats."""

server_clock: Final = Table(
    "server_clock",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("last_heartbeat", BigInteger, nullable=False),
    Column("offset_ms", BigInteger, nullable=False),
)
"""A single row with the last heartbeat of any process, and the correction for a database clock that was set back."""

outages: Final = Table(
    "outages",
    metadata,
    Column("start", BigInteger, primary_key=True, autoincrement=False),
    Column("end", BigInteger, nullable=False),
    Column("done", BigInteger),
)
"""Periods without a heartbeat of any process. `done` is set when all open deadlines have been extended."""

connections: Final = Table(
    "connections",
    metadata,
    Column("room", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("process", Text, nullable=False),
    Column("silent", Boolean, nullable=False),
    PrimaryKeyConstraint("room", "seat", "process"),
    Index("ix_connections_process", "process"),
)
"""The seats with live connections, and the processes that they are connected to. A silent client does not answer."""
