"""The tables of finished games. Times are milliseconds since 1970 on the database's clock.

They follow from the logs of rooms alone, and outlive them: when a log is deleted, its result stays.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
)

from faceup.server.store.schema import metadata

games: Final = Table(
    "games",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),  # in the order in which they were counted
    Column("room", Text, nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger, nullable=False, index=True),
    Column("rated", Boolean, nullable=False),
)
"""Every finished game, once."""

results: Final = Table(
    "results",
    metadata,
    Column("number", BigInteger, ForeignKey("games.number", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("who", Text, nullable=False),
    Column("score", BigInteger, nullable=False),
    Column("place", Integer, nullable=False),
    Column("away", Boolean, nullable=False),
    PrimaryKeyConstraint("number", "seat"),
    Index("ix_results_who", "who", "number"),
)
"""How each seat did; `who` is a player's id, or what `faceup.server.people.finished.bot_id` makes of a bot's kind."""

ratings: Final = Table(
    "ratings",
    metadata,
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("mean", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("wins", Double, nullable=False),
    PrimaryKeyConstraint("game", "variant", "who"),
    Index("ix_ratings_rating", "game", "variant", "rating"),
    Index("ix_ratings_who", "who"),
)
"""How strong everybody is, after the games with a number in their order; a share of a win counts as that."""
