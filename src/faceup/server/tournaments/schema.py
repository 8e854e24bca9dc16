"""Database tables of tournaments."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, Table, Text, UniqueConstraint

from faceup.server.accounts.schema import players
from faceup.server.store.schema import metadata

tournaments: Final = Table(
    "tournaments",
    metadata,
    Column("id", Text, primary_key=True),
    Column("host", Text, ForeignKey(players.c.id, ondelete="SET NULL"), index=True),
    Column("named_by", Text, ForeignKey(players.c.id, ondelete="SET NULL"), index=True),  # who typed the name
    Column("source", Text, nullable=False),  # a keyed hash of the address of the host, for the limits of an address
    Column("version", Integer, nullable=False),  # counts changes, so that clients can wait for the next one
    Column("state", Text, nullable=False),  # a `TournamentState` as JSON, in which players have only numbers
    Column("wake", BigInteger, index=True),  # when a process must visit it; null if it is over
    Column("created_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger, index=True),
)

tournament_players: Final = Table(
    "tournament_players",
    metadata,
    Column("tournament", Text, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # the number in the state
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("face", Text, nullable=False),
    Column("program", Boolean, nullable=False, default=False),  # whether a program joined or played
    UniqueConstraint("tournament", "player"),
)

tournament_removals: Final = Table(  # players that the host removed, and whose numbers other players got
    "tournament_removals",
    metadata,
    Column("tournament", Text, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True, index=True),
)

tournament_tables: Final = Table(  # the tables of running rounds whose results are not known yet
    "tournament_tables",
    metadata,
    Column("room", Text, primary_key=True),  # has no foreign key: it is stored before the table
    Column("tournament", Text, ForeignKey("tournaments.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("number", Integer, nullable=False),  # the table of the current round, from 0
    Column("created", Boolean, nullable=False),  # whether the table was created
)
