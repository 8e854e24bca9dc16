"""Database tables of bans and reports."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Table, Text, UniqueConstraint

from faceup.server.accounts.schema import players
from faceup.server.store.schema import metadata

bans: Final = Table(  # of a player or an address; expired ones are deleted once an hour
    "bans",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), unique=True),
    Column("address", Text, unique=True),  # as the operator entered it; an IPv6 address as its /64 network
    Column("reason", Text, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, index=True),  # null: until it is removed
)

reports: Final = Table(  # of players about each other; only the operator sees them
    "reports",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),  # what was reported, a `ReportKind`
    Column("place", Text, nullable=False),  # the id of the table, invitation, party or tournament
    Column("room", Text, ForeignKey("rooms.id", ondelete="CASCADE")),  # the table; null for the other kinds
    Column("reporter", Text, ForeignKey(players.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("reported", Text, ForeignKey(players.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),  # the reported name: of the player at the table, of the party and so on
    Column("reason", Text, nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
    Column("closed_at", BigInteger),  # when the operator closed it; null while it is open
    UniqueConstraint("place", "reporter", "reported", "reason"),
)
