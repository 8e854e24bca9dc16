"""One-time codes: for logins on other devices and with OpenID, new passwords, mail addresses and passkeys."""

from typing import Final, Literal, TypeAlias

from sqlalchemy import Connection, delete, insert, select

from faceup.server.accounts.credentials import digest, new_code, new_key
from faceup.server.accounts.errors import UnauthenticatedError
from faceup.server.accounts.player_ids import lock_players
from faceup.server.accounts.schema import one_time_codes

MINUTE: Final = 60 * 1000

Purpose: TypeAlias = Literal["device", "password", "passkey", "mail", "openid"]

LIFETIMES: Final[dict[Purpose, int]] = {
    "device": 5 * MINUTE,
    "password": 24 * 60 * MINUTE,
    "passkey": 5 * MINUTE,
    "mail": 60 * MINUTE,
    "openid": 10 * MINUTE,
}
"""The time for which a code is valid, in milliseconds."""


def issue(connection: Connection, now: int, purpose: Purpose, player: str | None) -> str:
    """Create and store a code. Codes for another device and for a mail address have eight characters; others are keys.

    The new code replaces the player's earlier codes for the same purpose. Earlier passkey challenges and
    logins with OpenID remain valid.
    """
    if player is not None:
        (player,) = lock_players(connection, player)
    key = new_code() if purpose in {"device", "mail"} else new_key()
    delete_expired_codes(connection, now)
    if purpose not in {"passkey", "openid"}:
        connection.execute(
            delete(one_time_codes).where(one_time_codes.c.player == player, one_time_codes.c.purpose == purpose)
        )
    connection.execute(
        insert(one_time_codes).values(
            digest=digest(key), purpose=purpose, player=player, until=now + LIFETIMES[purpose]
        )
    )
    return key


def delete_expired_codes(connection: Connection, now: int) -> None:
    """Delete the codes that have expired."""
    connection.execute(delete(one_time_codes).where(one_time_codes.c.until <= now))


def find_holder(connection: Connection, now: int, purpose: Purpose, key: str) -> str | None:
    """Return the player of a code that `redeem` would accept; None if there is none."""
    valid = one_time_codes.c.digest == digest(key), one_time_codes.c.purpose == purpose, one_time_codes.c.until > now
    holder: str | None = connection.execute(select(one_time_codes.c.player).where(*valid)).scalar_one_or_none()
    return holder


def redeem(connection: Connection, now: int, purpose: Purpose, key: str) -> str | None:
    """Redeem a code, which can then not be used again. Return its player, or None if the code belongs to no player.

    Raises:
        UnauthenticatedError: the code is wrong, expired or already used.
    """
    spent = one_time_codes.c.digest == digest(key), one_time_codes.c.purpose == purpose, one_time_codes.c.until > now
    row = connection.execute(select(one_time_codes.c.player).where(*spent)).one_or_none()
    if row is None or not connection.execute(delete(one_time_codes).where(*spent)).rowcount:
        raise UnauthenticatedError("the code is wrong, has expired, or was already used: request a new code")
    player: str | None = row.player
    return player


def normalize_code(code: str) -> str:
    """Normalize a typed code by removing spaces and dashes and converting it to upper case.

    >>> normalize_code("abcd-2345")
    'ABCD2345'
    """
    return "".join(code.split()).replace("-", "").upper()
