"""The mail addresses of players who want notices of their turns. Nothing else is sent to them."""

import re
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Select, Table, delete, insert, select, update

from faceup.core import Malformed
from faceup.server.accounts.errors import UnauthenticatedError
from faceup.server.accounts.one_time_codes import LIFETIMES, issue, normalize_code, redeem
from faceup.server.accounts.player_ids import current_ids, lock_players
from faceup.server.store.schema import turns
from faceup.server.turns.schema import mail_addresses, new_mail_addresses
from faceup.translations import Language

_ADDRESS: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
"""The addresses that HTML's `input type=email` accepts, with a dot in the domain."""


class MailAddress(msgspec.Struct, frozen=True, kw_only=True):
    """A confirmed address of a player.

    Attributes:
        address: the address.
        language: the language of the mails.
        since: when the player entered the address, in milliseconds since 1970.
        rejected_at: when the mail server last reported that the address does not exist; None if it has accepted a mail
            since then.
    """

    address: str
    language: Language
    since: int
    rejected_at: int | None = None


def check_address(address: str) -> None:
    """Raise `Malformed` if an address is invalid."""
    if len(address) > 254 or not _ADDRESS.fullmatch(address):
        raise Malformed("a mail address must have a form such as ann@example.org", what=address[:100], where="address")


def limit_key(address: str) -> str:
    """Return what all addresses of one inbox have in common, as far as their form shows it, for rate limits.

    Many mail services ignore dots and what follows a plus. Where they do not, similar addresses share a limit.

    >>> limit_key("Ann.Lee+cards@GoogleMail.com"), limit_key("+@example.org")
    ('annlee@gmail.com', '+@example.org')
    """
    local, _, domain = address.casefold().rpartition("@")
    inbox = local.partition("+")[0].replace(".", "")
    return f"{inbox or local}@{_SAME_DOMAINS.get(domain, domain)}"


_SAME_DOMAINS: Final = {"googlemail.com": "gmail.com"}


def set_address(connection: Connection, now: int, player: str, address: str, language: Language) -> str:
    """Store an address that `check_address` accepts, and return the code that confirms it.

    Until then, the player's confirmed address stays, and afterwards, the new one replaces it.
    """
    (player,) = lock_players(connection, player)
    cancel_address(connection, player)
    connection.execute(insert(new_mail_addresses).values(player=player, address=address, language=language, since=now))
    return issue(connection, now, "mail", player)


def cancel_address(connection: Connection, player: str) -> None:
    """Forget the player's address that is not confirmed."""
    connection.execute(delete(new_mail_addresses).where(new_mail_addresses.c.player == player))


def confirm_address(connection: Connection, now: int, player: str, code: str, player_ids: tuple[str, ...]) -> None:
    """Confirm a player's new address by its code. Turns that already wait are not notified of.

    Raises:
        UnauthenticatedError: the code is wrong, expired or already used.
    """
    lock_players(connection, player)
    address = find_new_address(connection, now, player)
    if redeem(connection, now, "mail", normalize_code(code)) != player or address is None:
        raise UnauthenticatedError("the code is wrong, has expired, or was already used: request a new code")
    remove_addresses(connection, player)
    row = insert(mail_addresses).values(player=player, address=address.address, language=address.language)
    connection.execute(row.values(since=address.since))
    waiting = turns.c.player.in_(player_ids), turns.c.waiting, turns.c.mailed < turns.c.decision
    connection.execute(update(turns).where(*waiting).values(mailed=turns.c.decision))


def record_result(
    connection: Connection, now: int, player: str, address: str, *, started: int, delivered: bool
) -> None:
    """Record whether a mail was accepted, or its address does not exist. The second mail in a row deletes the address.

    Mails that were sent at the same time as the first one do not count.

    Args:
        connection: a database connection.
        now: milliseconds since 1970.
        player: the player.
        address: the address.
        started: when sending the mail started.
        delivered: whether it was accepted.
    """
    same = mail_addresses.c.player == player, mail_addresses.c.address == address
    if delivered:
        connection.execute(update(mail_addresses).where(*same).values(rejected_at=None))
        return
    connection.execute(delete(mail_addresses).where(*same, mail_addresses.c.rejected_at < started))
    connection.execute(
        update(mail_addresses).where(*same, mail_addresses.c.rejected_at.is_(None)).values(rejected_at=now)
    )


def remove_addresses(connection: Connection, player: str) -> None:
    """Delete a player's addresses."""
    cancel_address(connection, player)
    connection.execute(delete(mail_addresses).where(mail_addresses.c.player == player))


def delete_expired_addresses(connection: Connection, now: int) -> None:
    """Delete the addresses with codes that have expired."""
    connection.execute(delete(new_mail_addresses).where(new_mail_addresses.c.since <= now - LIFETIMES["mail"]))


def find_address(connection: Connection, player: str) -> MailAddress | None:
    """Return the confirmed address of a player, also if the player was merged into another one; None without one."""
    row = connection.execute(_of(connection, mail_addresses, player)).one_or_none()
    if row is None:
        return None
    return MailAddress(address=row.address, language=row.language, since=row.since, rejected_at=row.rejected_at)


def find_new_address(connection: Connection, now: int, player: str) -> MailAddress | None:
    """Return the address of a player that is not confirmed, while its code is valid; None if there is none."""
    row = connection.execute(_of(connection, new_mail_addresses, player)).one_or_none()
    if row is None or row.since <= now - LIFETIMES["mail"]:
        return None
    return MailAddress(address=row.address, language=row.language, since=row.since)


def _of(connection: Connection, table: Table, player: str) -> Select[Any]:  # Any: columns are untyped
    return select(table).where(table.c.player.in_(current_ids(connection, (player,))))
