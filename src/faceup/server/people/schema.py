"""The tables in which people are kept. Times are milliseconds since 1970 on the database's clock.

Nothing here opens a door by itself: of every key (session, token, code) the SHA-256 is kept, of every password its
argon2 hash.
"""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, Table, Text

from faceup.server.store.schema import metadata

players: Final = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("handle", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("login", Text, unique=True),  # folded, so that two cannot look alike by case; none: a guest, or passkeys
    Column("password", Text),
    Column("account_at", BigInteger),  # since when it is an account; none: a guest
    Column("banned_at", BigInteger),
    Column("ban_reason", Text),
    Column("merged_into", Text, ForeignKey("players.id"), index=True),
    Column("erased_at", BigInteger),
)

sessions: Final = Table(
    "sessions",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("id", Text, nullable=False, unique=True),  # its name in lists, which opens nothing
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("made_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False, index=True),
    Column("device", Text, nullable=False),
)

tokens: Final = Table(
    "tokens",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("label", Text, nullable=False),
    Column("scopes", Text, nullable=False),  # words with spaces between
    Column("made_at", BigInteger, nullable=False),
)

passkeys: Final = Table(
    "passkeys",
    metadata,
    Column("credential", Text, primary_key=True),  # base64url of at most 1,023 bytes
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("key", LargeBinary, nullable=False),
    Column("uses", BigInteger, nullable=False),  # the authenticator's own counter
    Column("label", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
)

sittings: Final = Table(  # at which tables a player has sat down, to find them again
    "sittings",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("room", Text, ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("at", BigInteger, nullable=False),
)

once: Final = Table(  # what may be used a single time, and not for long
    "once",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("purpose", Text, nullable=False),
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE")),
    Column("until", BigInteger, nullable=False, index=True),
)

revoked: Final = Table(  # told to every process: whoever is connected by this key, or as this player, is cut off
    "revoked",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("subject", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_revoked_at", "at"),
)

house: Final = Table(  # what whoever runs the server has decided, for all of its processes
    "house",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
