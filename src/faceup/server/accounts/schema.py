"""Database tables of players and credentials. Times are in milliseconds since 1970 by the database.

The keys of sessions and tokens, one-time codes and recovery codes are stored as SHA-256 hashes. Passwords are stored as
argon2 hashes.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
)

from faceup.server.store.schema import metadata

players: Final = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("handle", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("face", Text, nullable=False, server_default=""),  # the chosen animal and colour, as in "fox-3"
    Column("created_at", BigInteger, nullable=False),
    Column("login", Text, unique=True),  # normalized; null for guests and for accounts that have only passkeys
    Column("password", Text),
    Column("account_at", BigInteger),  # when the account was created; null for guests
    Column("program", Boolean, nullable=False, default=False),  # whether the guest has declared a program
    Column("merged_into", Text, ForeignKey("players.id"), index=True),
    Column("erased_at", BigInteger),
)

sessions: Final = Table(
    "sessions",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("id", Text, nullable=False, unique=True),  # names the session in lists, and gives no access
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False, index=True),
    Column("device", Text, nullable=False),
    Column("proved_at", BigInteger, nullable=False, server_default="0"),  # when a password or passkey was entered
)

account_deletions: Final = Table(  # deletions that players have asked for, and can still cancel
    "account_deletions",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("requested_at", BigInteger, nullable=False, index=True),
)

consents: Final = Table(  # the terms that players have accepted
    "consents",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("terms", Text, primary_key=True),  # the minimum age and the address of the terms, as the player saw them
    Column("at", BigInteger, nullable=False),
)

tokens: Final = Table(
    "tokens",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("label", Text, nullable=False),
    Column("scopes", Text, nullable=False),  # the names of the scopes, separated by spaces
    Column("created_at", BigInteger, nullable=False),
)

passkeys: Final = Table(
    "passkeys",
    metadata,
    Column("credential", Text, primary_key=True),  # base64url of at most 1,023 bytes
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("key", LargeBinary, nullable=False),
    Column("uses", BigInteger, nullable=False),  # the authenticator's signature counter
    Column("label", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

openid_links: Final = Table(  # people at OpenID providers, who can log in to the accounts
    "openid_links",
    metadata,
    Column("issuer", Text, primary_key=True),
    Column("subject", Text, primary_key=True),  # the provider's id of the person, at most 255 characters
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("player", "issuer"),
)

totp: Final = Table(  # the authenticator apps of players, as a second factor of their passwords
    "totp",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("secret", Text, nullable=False),  # base32; the server needs it to compute one-time passwords
    Column("last_step", BigInteger, nullable=False),  # the time step of the last password that was used
    Column("confirmed", Boolean, nullable=False),  # false until the player has entered the first password
)

recovery_codes: Final = Table(  # codes that have not been used
    "recovery_codes",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("digest", Text, primary_key=True),
)

one_time_codes: Final = Table(  # codes that can be used once, until they expire
    "one_time_codes",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("purpose", Text, nullable=False),
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE")),
    Column("until", BigInteger, nullable=False, index=True),
)

revocations: Final = Table(  # every server process polls this table and ends the connections of revoked subjects
    "revocations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("subject", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_revocations_at", "at"),
)

unlisted_players: Final = Table(  # players who do not want to be in the list of people online
    "unlisted_players",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
)

server_state: Final = Table(  # settings that the operator changed while the server runs, for all processes
    "server_state",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

shared_limits: Final = Table(  # token buckets that all processes share; full buckets have no row
    "shared_limits",
    metadata,
    Column("key", Text, primary_key=True),  # a keyed hash, so that no address and no login is stored
    Column("full_at", BigInteger, nullable=False, index=True),  # when the bucket will be full
)

idempotency_keys: Final = Table(  # requests that clients may repeat; everything is hashed or encrypted with the key
    "idempotency_keys",
    metadata,
    Column("key", Text, primary_key=True),  # a hash
    Column("fingerprint", Text, nullable=False),  # a hash of the key and the request
    Column("process", Text, nullable=False),  # the process that executes the request
    Column("answer", LargeBinary),  # null while the request is executed
    Column("at", BigInteger, nullable=False, index=True),
)
