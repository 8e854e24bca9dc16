"""What may be used a single time: the code that moves a seat to another device, the link for a new password."""

from typing import Final, Literal, TypeAlias

from sqlalchemy import Connection, delete, insert, select

from faceup.server.people.keys import digest, new_code, new_key
from faceup.server.people.refusals import Unknown
from faceup.server.people.schema import once

MINUTE: Final = 60 * 1000

Purpose: TypeAlias = Literal["device", "password", "passkey"]

LASTS: Final[dict[Purpose, int]] = {"device": 5 * MINUTE, "password": 24 * 60 * MINUTE, "passkey": 5 * MINUTE}
"""Milliseconds for which each may be used."""


def issue(connection: Connection, now: int, purpose: Purpose, player: str | None) -> str:
    """A key for the purpose: eight characters to type for another device, else a long one."""
    key = new_code() if purpose == "device" else new_key()
    keep(connection, now, purpose, player, key)
    return key


def keep(connection: Connection, now: int, purpose: Purpose, player: str | None, key: str) -> None:
    """Remember a key that was made elsewhere; of a player's earlier ones for a device or a password none stays."""
    connection.execute(delete(once).where(once.c.until <= now))
    if purpose != "passkey":
        connection.execute(delete(once).where(once.c.player == player, once.c.purpose == purpose))
    connection.execute(
        insert(once).values(digest=digest(key), purpose=purpose, player=player, until=now + LASTS[purpose])
    )


def use(connection: Connection, now: int, purpose: Purpose, key: str) -> str | None:
    """Use the key up; says whose it is, None if it was made for nobody yet.

    Raises:
        Unknown: it is wrong, over, or was used already.
    """
    spent = once.c.digest == digest(key), once.c.purpose == purpose, once.c.until > now
    row = connection.execute(select(once.c.player).where(*spent)).one_or_none()
    if row is None or not connection.execute(delete(once).where(*spent)).rowcount:
        raise Unknown("this code is wrong, was used already, or its time is over: ask for a new one")
    player: str | None = row.player
    return player


def as_typed(code: str) -> str:
    """A code as people type it: in small letters, with spaces or dashes.

    >>> as_typed("abcd-2345")
    'ABCD2345'
    """
    return "".join(code.split()).replace("-", "").upper()
