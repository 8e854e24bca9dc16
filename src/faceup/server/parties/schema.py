"""Database tables of parties."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Table, Text

from faceup.server.accounts.schema import players
from faceup.server.store.schema import metadata

parties: Final = Table(  # the member who joined first is the host; a party without members is deleted
    "parties",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),  # "" if it was given no name
    Column("named_by", Text, ForeignKey(players.c.id, ondelete="SET NULL"), index=True),  # who typed the name
    Column("key", Text, nullable=False, unique=True),  # the secret part of the link with which people join
    Column("created_at", BigInteger, nullable=False),
    Column("room", Text),  # the last table; has no foreign key, because the table may be deleted
    Column("config", Text),  # the `TableConfig` with which the last table was requested, as JSON
    Column("countdown", Text),  # the last `Countdown` to a game, as JSON
)

party_members: Final = Table(
    "party_members",
    metadata,
    Column("party", Text, ForeignKey("parties.id", ondelete="CASCADE"), primary_key=True),
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True, index=True),
    Column("joined_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),  # when the member last had the page of the party open
    Column("program", Boolean, nullable=False, default=False),  # whether it was a program then
)

party_removals: Final = Table(  # players that the host removed, and who cannot join again
    "party_removals",
    metadata,
    Column("party", Text, ForeignKey("parties.id", ondelete="CASCADE"), primary_key=True),
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True, index=True),
)

party_tables: Final = Table(  # all tables of a party; their results remain when a table is deleted
    "party_tables",
    metadata,
    Column("room", Text, primary_key=True),
    Column("party", Text, ForeignKey("parties.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("at", BigInteger, nullable=False),
)
