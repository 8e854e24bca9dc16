"""Database tables of finished games, results, ratings and statistics.

Results are computed from the logs of rooms, and remain when a log is deleted, as long as they name a player who is not
erased.
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
    Column("number", BigInteger, primary_key=True, autoincrement=False),  # counts games in the order of ingestion
    Column("room", Text, nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger, nullable=False, index=True),
    Column("rated", Boolean, nullable=False),
    Column("comparable", Boolean, nullable=False),  # whether the hands of the game count for the statistics of players
)
"""All finished games."""

results: Final = Table(
    "results",
    metadata,
    Column("number", BigInteger, ForeignKey("games.number", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("who", Text, nullable=False),
    Column("score", BigInteger, nullable=False),
    Column("place", Integer, nullable=False),
    Column("away", Boolean, nullable=False),
    Column("program", Boolean, nullable=False),  # whether a program of the player played
    Column("hands", Text),  # the seat's `HandTotals` as JSON; null in games that do not score hands
    PrimaryKeyConstraint("number", "seat"),
    Index("ix_results_who", "who", "number"),
)
"""The result of each seat. `who` is the id of a player, or the id of a bot from `standing_ids.bot_id`."""

seat_reviews: Final = Table(  # what the coach found in the choices of a person
    "seat_reviews",
    metadata,
    Column("number", BigInteger, ForeignKey("games.number", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("reserved_at", BigInteger, nullable=False),  # when a server process started to review it
    Column("tries", Integer, nullable=False),
    Column("findings", Text),  # a `SeatFindings` as JSON; null until the review is done
    PrimaryKeyConstraint("number", "seat"),
)

ratings: Final = Table(
    "ratings",
    metadata,
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("mean", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("wins", Double, nullable=False),
    PrimaryKeyConstraint("game", "variant", "who"),
    Index("ix_ratings_mean", "game", "variant", "mean"),
    Index("ix_ratings_who", "who"),
)
"""The ratings after all games, applied in the order of their numbers. `wins` is a fraction after shared wins."""

hand_totals: Final = Table(
    "hand_totals",
    metadata,
    Column("game", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("hands", BigInteger, nullable=False),
    Column("sum", BigInteger, nullable=False),
    Column("baozi", BigInteger, nullable=False),
    Column("points", Text, nullable=False),  # a JSON list: how many hands had 0 points, 1 point and so on
    Column("mean", Double, nullable=False),
    PrimaryKeyConstraint("game", "variant", "who"),
    Index("ix_hand_totals_mean", "game", "variant", "mean"),
    Index("ix_hand_totals_who", "who"),
)
"""For each player and bot, the sums of `results.hands` over all games that are `comparable`."""
