"""Sessions of browsers. A cookie with a key identifies the session."""

from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from faceup.server.accounts.account_deletion import forget_request
from faceup.server.accounts.credentials import ALL_SCOPES, Identity, digest, find_credential, new_key
from faceup.server.accounts.revocations import revoke, subject_of
from faceup.server.accounts.schema import sessions
from faceup.server.store import new_id

DAY: Final = 24 * 60 * 60 * 1000

SESSION_LIFETIME: Final = 400 * DAY
"""Milliseconds from the last use of a session to its expiry. Browsers, too, keep cookies for at most 400 days."""


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A session in the list of a player's sessions.

    Attributes:
        device: the name of the browser.
        since: when the session was created, in milliseconds since 1970.
        seen: when the session was last used, in milliseconds since 1970.
        current: whether the request for the list came from this session.
    """

    id: str
    device: str
    since: int
    seen: int
    current: bool = False


class NewSession(NamedTuple):
    """A new session and its key. The database stores only a hash of the key."""

    id: str
    key: str


def create_session(
    connection: Connection, now: int, player: str, device: str, key: str | None = None, *, proved: bool = False
) -> NewSession:
    """Create a session for a device, and cancel a deletion that the player has asked for.

    Args:
        connection: database connection.
        now: milliseconds since 1970.
        player: id of the player.
        device: name of the browser.
        key: the key of the session; by default a new one.
        proved: whether the player has just entered a password, used a passkey, or the like.
    """
    opened = NewSession(new_id(), key or new_key())
    forget_request(connection, now, player)
    connection.execute(
        insert(sessions).values(
            digest=digest(opened.key),
            id=opened.id,
            player=player,
            created_at=now,
            seen_at=now,
            device=device[:80],
            proved_at=now if proved else 0,
        )
    )
    return opened


def resolve_session(connection: Connection, now: int, key_digest: str) -> Identity | None:
    """Return the identity for the hash of a session key; None if the session does not exist or has expired.

    Raises:
        BannedError: the player is banned.
    """
    credential = find_credential(connection, now, sessions, key_digest, sessions.c.seen_at > now - SESSION_LIFETIME)
    return credential and credential.identity(
        subject_of("session", credential.key.id), ALL_SCOPES, seen=credential.key.seen_at
    )


def reuse_session(connection: Connection, now: int, key: str) -> str | None:
    """Return the player of a session that was created in the last day, and record its use; None if there is none."""
    recent = update(sessions).where(sessions.c.digest == digest(key), sessions.c.created_at > now - DAY)
    used = recent.values(seen_at=now + 1).returning(sessions.c.player)  # differs from the time of its creation
    return connection.execute(used).scalar_one_or_none()


def touch_session(connection: Connection, now: int, key_digest: str) -> None:
    """Record that the session was used now, so that it expires later."""
    connection.execute(update(sessions).where(sessions.c.digest == key_digest).values(seen_at=now))


def list_sessions(connection: Connection, player: str, current: str = "") -> list[Session]:
    """Return the player's sessions, the last used first. `current` is the subject of the session that asks for them."""
    rows = connection.execute(select(sessions).where(sessions.c.player == player).order_by(sessions.c.seen_at.desc()))
    return [
        Session(
            id=row.id,
            device=row.device,
            since=row.created_at,
            seen=row.seen_at,
            current=subject_of("session", row.id) == current,
        )
        for row in rows
    ]


def end_sessions(connection: Connection, now: int, player: str, *, but: str = "") -> list[str]:
    """End all sessions of the player except the session with the subject `but`. Return the revoked subjects."""
    others = [session.id for session in list_sessions(connection, player, but) if not session.current]
    return [revoke(connection, now, player, "session", identifier) for identifier in others]


def delete_expired_sessions(connection: Connection, now: int) -> int:
    """Delete the expired sessions, and return how many were deleted."""
    return connection.execute(delete(sessions).where(sessions.c.seen_at <= now - SESSION_LIFETIME)).rowcount
