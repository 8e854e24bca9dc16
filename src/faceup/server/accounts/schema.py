"""Database tables of players, credentials and finished games. Times are in milliseconds since 1970 by the database.

The keys of sessions and tokens, one-time codes and recovery codes are stored as SHA-256 hashes. Passwords are stored as
argon2 hashes. Results are computed from the logs of rooms, and remain when a log is deleted, as long as they name a
player who is not erased.
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
    LargeBinary,
    PrimaryKeyConstraint,
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

player_tables: Final = Table(  # the tables at which a player has sat
    "player_tables",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("room", Text, ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("at", BigInteger, nullable=False),
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

bans: Final = Table(  # of a player or an address; expired ones are deleted once an hour
    "bans",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), unique=True),
    Column("address", Text, unique=True),  # as the operator entered it; an IPv6 address as its /64 network
    Column("reason", Text, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, index=True),  # null: until it is removed
)

reports: Final = Table(  # of players about each other; only the operator sees them
    "reports",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),  # what was reported, a `ReportKind`
    Column("place", Text, nullable=False),  # the id of the table, invitation, party or tournament
    Column("room", Text, ForeignKey("rooms.id", ondelete="CASCADE")),  # the table; null for the other kinds
    Column("reporter", Text, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("reported", Text, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),  # the reported name: of the player at the table, of the party and so on
    Column("reason", Text, nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
    Column("closed_at", BigInteger),  # when the operator closed it; null while it is open
    UniqueConstraint("place", "reporter", "reported", "reason"),
)

erasures: Final = Table(  # players who are being erased, until no log has their ids any more
    "erasures",
    metadata,
    Column("player", Text, primary_key=True),
    Column("pseudonym", Text, nullable=False),  # the random id that replaces the player's id
    Column("at", BigInteger, nullable=False),
)

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
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("room", Text, nullable=False, unique=True),  # has no foreign key: the attempt is stored before its table
    Column("started_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False),  # when the day has ended everywhere
)

puzzle_answers: Final = Table(  # the first answer of each player to each puzzle
    "puzzle_answers",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
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

quick_tables: Final = Table(  # the open quick match of each kind
    "quick_tables",
    metadata,
    Column("kind", Text, primary_key=True),  # the game, the variant and the number of seats
    Column("room", Text, nullable=False),  # has no foreign key: it is stored before the table
)

quick_seats: Final = Table(  # the last quick match of a player, for an hour
    "quick_seats",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("room", Text, nullable=False),
    Column("request", Text, nullable=False),  # the id that the client chose for its request
    Column("at", BigInteger, nullable=False, index=True),
)

online_players: Final = Table(  # the players who are online at each process
    "online_players",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("process", Text, primary_key=True, index=True),
    Column("room", Text, primary_key=True),  # a public table at which the player has a seat; "" for being online
)

unlisted_players: Final = Table(  # players who do not want to be in the list of people online
    "unlisted_players",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
)

tournaments: Final = Table(
    "tournaments",
    metadata,
    Column("id", Text, primary_key=True),
    Column("host", Text, ForeignKey("players.id", ondelete="SET NULL"), index=True),
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
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("face", Text, nullable=False),
    UniqueConstraint("tournament", "player"),
)

tournament_removals: Final = Table(  # players that the host removed, and whose numbers other players got
    "tournament_removals",
    metadata,
    Column("tournament", Text, ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, index=True),
)

tournament_tables: Final = Table(  # the tables of running rounds whose results are not known yet
    "tournament_tables",
    metadata,
    Column("room", Text, primary_key=True),  # has no foreign key: it is stored before the table
    Column("tournament", Text, ForeignKey("tournaments.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("number", Integer, nullable=False),  # the table of the current round, from 0
    Column("created", Boolean, nullable=False),  # whether the table was created
)

push_subscriptions: Final = Table(  # the browsers that get messages by Web Push; deleted with their sessions
    "push_subscriptions",
    metadata,
    Column("session", Text, ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("endpoint", Text, nullable=False, unique=True),  # the URL at the browser's push service
    Column("p256dh", Text, nullable=False),  # the browser's public key, base64url
    Column("auth", Text, nullable=False),  # the shared secret, base64url
    Column("language", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("failing_since", BigInteger),  # when the first of the last failures was; null after a success
)

mail_addresses: Final = Table(  # the mail addresses of players who want notices of their turns
    "mail_addresses",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("address", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("rejected_at", BigInteger),  # when the mail server said that it does not exist; null if it accepts mails
)

new_mail_addresses: Final = Table(  # addresses with codes that their players have not entered yet
    "new_mail_addresses",
    metadata,
    Column("player", Text, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("address", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("since", BigInteger, nullable=False, index=True),
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
    Column("hands", Text),  # the seat's `HandTotals` as JSON; null in games that do not score hands
    PrimaryKeyConstraint("number", "seat"),
    Index("ix_results_who", "who", "number"),
)
"""The result of each seat. `who` is the id of a player, or the id of a bot from `results_ingest.bot_id`."""

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

idempotency_keys: Final = Table(  # requests that clients may repeat; everything is hashed or encrypted with the key
    "idempotency_keys",
    metadata,
    Column("key", Text, primary_key=True),  # a hash
    Column("fingerprint", Text, nullable=False),  # a hash of the key and the request
    Column("process", Text, nullable=False),  # the process that executes the request
    Column("answer", LargeBinary),  # null while the request is executed
    Column("at", BigInteger, nullable=False, index=True),
)
