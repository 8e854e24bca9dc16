"""Revocations of sessions and tokens, and news of changes. All server processes poll the database for new ones.

The subject of a revocation is a session, a token, or a player. A player as the subject includes all sessions and
tokens of the player. An address is the subject if it was banned, or its ban was removed. A table is the subject if it
was deleted, its log was rewritten, or an administrator changed it. A party is the subject if its members or its tables
changed, and an inbox if the player has received something, so that requests that wait for a change continue. The bans
are the subject if a player was banned, who then leaves all tables.
"""

from functools import lru_cache
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from sqlalchemy import Connection, Table, bindparam, delete, insert, select

from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.schema import revocations, sessions, tokens

Kind: TypeAlias = Literal["session", "token"]

_TABLES: dict[Kind, Table] = {"session": sessions, "token": tokens}


def subject_of(
    kind: Literal["session", "token", "player", "address", "table", "log", "party", "inbox", "tournament", "bans"],
    identifier: str = "",
) -> str:
    """Return the subject by which revocations name something. A log has grown; an inbox has a player's invitations.

    The secret id of a player is hashed, because revocations are kept for a day, also after the player is erased.

    >>> subject_of("session", "NpWVb1"), subject_of("player", "NpWVb1")
    ('session:NpWVb1', 'player:e68e50ddf65f730f0b81b6750fd6f37f')
    """
    return f"{kind}:{_hashed(identifier) if kind in {'player', 'inbox'} else identifier}"


@lru_cache(maxsize=4096)
def _hashed(player: str) -> str:
    return sha256(f"faceup revocation\n{player}".encode()).hexdigest()[:32]


def revoke(connection: Connection, now: int, player: str, kind: Kind, identifier: str) -> str:
    """Delete a session or token of the player, and publish its revocation. Return the revoked subject.

    Raises:
        NotFoundError: the player has no session or token with this id.
    """
    keys = _TABLES[kind]
    if not connection.execute(delete(keys).where(keys.c.player == player, keys.c.id == identifier)).rowcount:
        raise NotFoundError(f"you have no {kind} with this id")
    return publish(connection, now, subject_of(kind, identifier))


def revoke_all(connection: Connection, now: int, player: str) -> str:
    """Delete all sessions and tokens of the player, and publish their revocation. Return the revoked subject."""
    for keys in _TABLES.values():
        connection.execute(delete(keys).where(keys.c.player == player))
    return publish(connection, now, subject_of("player", player))


def publish(connection: Connection, now: int, revoked: str) -> str:
    """Publish to all server processes that a subject is revoked. Return the subject."""
    connection.execute(insert(revocations).values(subject=revoked, at=now))
    return revoked


# This query is built only once, because it runs every second and is executed faster than it is built.
_REVOKED: Final = select(revocations.c.number, revocations.c.subject).where(revocations.c.at >= bindparam("since"))


def revoked_since(connection: Connection, since: int) -> tuple[tuple[int, str], ...]:
    """Return the numbers and subjects of all revocations from the time `since` on."""
    rows = connection.execute(_REVOKED, {"since": since})
    return tuple((number, subject) for number, subject in rows)


def delete_revocations(connection: Connection, before: int) -> None:
    """Delete the revocations from before the time `before`, which all server processes have read."""
    connection.execute(delete(revocations).where(revocations.c.at < before))
