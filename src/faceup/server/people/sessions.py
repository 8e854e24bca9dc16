"""Sessions: what a browser shows in its cookie."""

from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from faceup.server.people.identity import EVERYTHING, Identity
from faceup.server.people.keys import digest, new_key
from faceup.server.people.refusals import Missing
from faceup.server.people.revocations import announce, session_subject
from faceup.server.people.schema import sessions
from faceup.server.people.showing import shown
from faceup.server.store import new_id

DAY: Final = 24 * 60 * 60 * 1000

LASTS: Final = 400 * DAY
"""How long after it was last used a session opens anything; browsers keep no cookie for longer."""


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A session in the list of a player's own. `current` is the one that asked."""

    id: str
    device: str
    since: int
    seen: int
    current: bool = False


class Opened(NamedTuple):
    """A session that was opened, and its key, which is told this once."""

    id: str
    key: str


def open_session(connection: Connection, now: int, player: str, device: str) -> Opened:
    """Let a device in as the player. `device` is what its browser calls itself, for the list."""
    opened = Opened(new_id(), new_key())
    connection.execute(
        insert(sessions).values(
            digest=digest(opened.key), id=opened.id, player=player, made_at=now, seen_at=now, device=device[:80]
        )
    )
    return opened


def whose_session(connection: Connection, now: int, key_digest: str) -> Identity | None:
    """Who shows this session; None if it opens nothing (any more). Raises `Forbidden` for a ban."""
    found = shown(connection, sessions, key_digest, sessions.c.seen_at > now - LASTS)
    return found and found.identity(session_subject(found.key.id), EVERYTHING, seen=found.key.seen_at)


def see_session(connection: Connection, now: int, key_digest: str) -> None:
    """Note that the session was used, so that it lasts on."""
    connection.execute(update(sessions).where(sessions.c.digest == key_digest).values(seen_at=now))


def list_sessions(connection: Connection, player: str, current: str = "") -> list[Session]:
    """The player's sessions, the last used first; `current` is the subject that asks."""
    rows = connection.execute(select(sessions).where(sessions.c.player == player).order_by(sessions.c.seen_at.desc()))
    return [
        Session(
            id=row.id,
            device=row.device,
            since=row.made_at,
            seen=row.seen_at,
            current=session_subject(row.id) == current,
        )
        for row in rows
    ]


def end_session(connection: Connection, now: int, player: str, identifier: str) -> None:
    """End one of the player's sessions, wherever it is connected. Raises `Missing`."""
    gone = connection.execute(delete(sessions).where(sessions.c.player == player, sessions.c.id == identifier))
    if not gone.rowcount:
        raise Missing("there is no such session of yours")
    announce(connection, now, session_subject(identifier))


def end_sessions(connection: Connection, now: int, player: str, *, but: str = "") -> list[str]:
    """End all of the player's sessions, but perhaps the one of this subject; says which subjects open nothing now."""
    ended = [each.id for each in list_sessions(connection, player) if session_subject(each.id) != but]
    for identifier in ended:
        end_session(connection, now, player, identifier)
    return [session_subject(each) for each in ended]


def tidy_sessions(connection: Connection, now: int) -> int:
    """Delete the sessions that open nothing any more; says how many."""
    return connection.execute(delete(sessions).where(sessions.c.seen_at <= now - LASTS)).rowcount
