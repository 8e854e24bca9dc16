"""Database table of the consent of players to give their games for research."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, Table, Text

from faceup.server.accounts.schema import players
from faceup.server.store.schema import metadata

research_consents: Final = Table(  # a player without a row does not consent
    "research_consents",
    metadata,
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),  # of the text that the player saw
    Column("at", BigInteger, nullable=False),
    Column("earlier", Boolean, nullable=False),  # whether games that ended before are given, too
)
