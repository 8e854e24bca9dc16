"""The mail addresses of players who want notices of their turns. Nothing else is sent to them."""

import re
from typing import Final

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from faceup.core import Malformed
from faceup.server.accounts.errors import UnauthenticatedError
from faceup.server.accounts.one_time_codes import issue, normalize_code, redeem
from faceup.server.accounts.push_subscriptions import Language
from faceup.server.accounts.schema import mail_addresses, players
from faceup.server.store.schema import turns

_ADDRESS: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
"""The addresses that HTML's `input type=email` accepts, with a dot in the domain."""


class MailAddress(msgspec.Struct, frozen=True, kw_only=True):
    """The address of a player.

    Attributes:
        address: the address.
        language: the language of the mails.
        confirmed: whether the player has entered the code that was sent to the address.
        since: when the player entered the address, in milliseconds since 1970.
    """

    address: str
    language: Language
    confirmed: bool
    since: int


def check_address(address: str) -> None:
    """Raise `Malformed` if an address is invalid."""
    if len(address) > 254 or not _ADDRESS.fullmatch(address):
        raise Malformed("a mail address must have a form such as ann@example.org", what=address[:100], where="address")


def set_address(connection: Connection, now: int, player: str, address: str, language: Language) -> str:
    """Store an address that `check_address` accepts, and return the code that confirms it.

    It replaces the player's earlier address.
    """
    remove_address(connection, player)
    connection.execute(
        insert(mail_addresses).values(player=player, address=address, language=language, confirmed=False, since=now)
    )
    return issue(connection, now, "mail", player)


def confirm_address(connection: Connection, now: int, player: str, code: str, player_ids: tuple[str, ...]) -> None:
    """Confirm a player's address by its code. Turns that already wait are not notified of.

    Raises:
        UnauthenticatedError: the code is wrong, expired or already used.
    """
    if redeem(connection, now, "mail", normalize_code(code)) != player:
        raise UnauthenticatedError("the code is wrong, has expired, or was already used: request a new code")
    connection.execute(update(mail_addresses).where(mail_addresses.c.player == player).values(confirmed=True))
    waiting = turns.c.player.in_(player_ids), turns.c.waiting, turns.c.mailed < turns.c.decision
    connection.execute(update(turns).where(*waiting).values(mailed=turns.c.decision))


def remove_address(connection: Connection, player: str) -> None:
    """Delete a player's address."""
    connection.execute(delete(mail_addresses).where(mail_addresses.c.player == player))


def find_address(connection: Connection, player: str) -> MailAddress | None:
    """Return the address of a player, also if the player was merged into another one; None if there is none."""
    query = (
        select(mail_addresses)
        .join(players, (players.c.id == mail_addresses.c.player) | (players.c.merged_into == mail_addresses.c.player))
        .where(players.c.id == player)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return MailAddress(address=row.address, language=row.language, confirmed=row.confirmed, since=row.since)
