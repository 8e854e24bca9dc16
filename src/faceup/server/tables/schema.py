"""Database tables of who sits at which table, of quick matches and of who is online."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Table, Text

from faceup.server.accounts.schema import players
from faceup.server.store.schema import metadata

player_tables: Final = Table(  # the tables at which a player has sat
    "player_tables",
    metadata,
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True),
    Column("room", Text, ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("at", BigInteger, nullable=False),
)

quick_tables: Final = Table(  # the open quick match of each kind
    "quick_tables",
    metadata,
    Column("kind", Text, primary_key=True),  # the game, the variant and the number of seats
    Column("room", Text, nullable=False),  # has no foreign key: it is stored before the table
)

quick_seats: Final = Table(  # the last quick match of a player, for an hour
    "quick_seats",
    metadata,
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("room", Text, nullable=False),
    Column("request", Text, nullable=False),  # the id that the client chose for its request
    Column("at", BigInteger, nullable=False, index=True),
)

online_players: Final = Table(  # the players who are online at each process
    "online_players",
    metadata,
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True),
    Column("process", Text, primary_key=True, index=True),
    Column("room", Text, primary_key=True),  # a public table at which the player has a seat; "" for being online
    Column("program", Boolean, nullable=False),  # whether a program plays for the player there
)
