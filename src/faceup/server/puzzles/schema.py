"""Database tables of the answers to puzzles."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Integer, Table, Text

from faceup.server.accounts.schema import players
from faceup.server.store.schema import metadata

puzzle_answers: Final = Table(  # the first answer of each player to each puzzle
    "puzzle_answers",
    metadata,
    Column("player", Text, ForeignKey(players.c.id, ondelete="CASCADE"), primary_key=True),
    Column("puzzle", Text, primary_key=True),
    Column("action", Text, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("points", Double, nullable=False),  # by how much it changed the rating of the player
    Column("puzzle_points", Double, nullable=False, server_default="0"),  # ... of the puzzle
    Column("at", BigInteger, nullable=False),
)

puzzle_totals: Final = Table(  # the answers of all players to a puzzle, also of erased ones
    "puzzle_totals",
    metadata,
    Column("puzzle", Text, primary_key=True),
    Column("tries", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("points", Double, nullable=False),  # by how much the answers changed the rating of the puzzle
)
