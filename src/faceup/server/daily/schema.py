"""Database tables of daily deals and attempts at them."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Table, Text

from faceup.server.accounts.schema import players
from faceup.server.store.schema import metadata

daily_deals: Final = Table(  # the secrets of daily deals, drawn before their days start
    "daily_deals",
    metadata,
    Column("date", Text, primary_key=True),  # "2026-11-23"
    Column(
        "secret", Text, nullable=False
    ),  # 32 bytes in hexadecimal digits; revealed when the day has ended everywhere
    Column("config", Text, nullable=False),  # the `TableConfig` of the day's tables, as JSON
    Column("created_at", BigInteger, nullable=False),
    Column("par", Text),  # what the strongest bot makes of the deal, a `Par` as JSON; null until it is computed
)

daily_attempts: Final = Table(  # who started which daily deal, and the table on which they play it
    "daily_attempts",
    metadata,
    Column("date", Text, ForeignKey("daily_deals.date", ondelete="CASCADE"), primary_key=True),
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True, index=True),
    Column("room", Text, nullable=False, unique=True),  # has no foreign key: the attempt is stored before its table
    Column("started_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False),  # when the day has ended everywhere
)
