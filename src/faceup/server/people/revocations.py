"""Whom every process has to cut off: one row for each, read by all of them."""

from sqlalchemy import Connection, delete, insert, select

from faceup.server.people.schema import revoked


def session_subject(identifier: str) -> str:
    """How a session is named where it is revoked; `identifier` is its name in lists."""
    return f"session:{identifier}"


def token_subject(identifier: str) -> str:
    """How a token is named where it is revoked."""
    return f"token:{identifier}"


def player_subject(player: str) -> str:
    """How everything of a player is named where it is revoked: all sessions and tokens."""
    return f"player:{player}"


def announce(connection: Connection, now: int, *subjects: str) -> None:
    """Tell all processes that these subjects open nothing any more."""
    if subjects:
        connection.execute(insert(revoked), [{"subject": subject, "at": now} for subject in subjects])


def announced_since(connection: Connection, since: int) -> tuple[tuple[int, str], ...]:
    """The numbers and subjects of what was revoked from that time on."""
    rows = connection.execute(select(revoked.c.number, revoked.c.subject).where(revoked.c.at >= since))
    return tuple((number, subject) for number, subject in rows)


def forget_announced(connection: Connection, before: int) -> None:
    """Tidy away what every process has long read."""
    connection.execute(delete(revoked).where(revoked.c.at < before))
