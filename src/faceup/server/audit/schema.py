"""Database table of the audit log."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Table, Text

from faceup.server.accounts.schema import players
from faceup.server.store.schema import metadata

audit_log: Final = Table(
    "audit_log",
    metadata,
    Column("id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False, index=True),
    Column("act", Text, nullable=False),  # an `Act`
    Column("by", Text, nullable=False),  # an `ActorKind`
    Column("actor", Text, ForeignKey(players.c.id, ondelete="SET NULL"), index=True),  # the host, or the player
    Column("player", Text, ForeignKey(players.c.id, ondelete="SET NULL"), index=True),  # on whom it was done
    Column("place", Text, nullable=False),  # a kind and an id, such as "table:ID", or an address; "" for none
    Column("restore", Text),  # a `RestorableAct` as JSON: what the moderation journal has about it
)
