"""Links between accounts and people at OpenID providers. Only the provider's id of a person counts, no mail address."""

import msgspec
from sqlalchemy import Connection, delete, select

from faceup.server.accounts.errors import AlreadyTakenError, NotFoundError
from faceup.server.accounts.login import mark_account, unmark_account
from faceup.server.accounts.player_ids import lock_players
from faceup.server.accounts.schema import openid_links
from faceup.server.store.queries import insert_new


class OpenIdLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link of an account, with the provider's id of the person."""

    issuer: str
    subject: str
    since: int


def find_linked(connection: Connection, issuer: str, subject: str) -> str | None:
    """Return the player with an account that is linked to a person; None if there is none."""
    same = openid_links.c.issuer == issuer, openid_links.c.subject == subject
    player: str | None = connection.execute(select(openid_links.c.player).where(*same)).scalar_one_or_none()
    return player


def link(connection: Connection, now: int, player: str, issuer: str, subject: str) -> None:
    """Link a player to a person. If the player is a guest, the guest becomes an account.

    Raises:
        AlreadyTakenError: the person is linked to another account, or the account to another person.
    """
    (player,) = lock_players(connection, player)
    if find_linked(connection, issuer, subject) == player:
        return
    if not insert_new(connection, openid_links, issuer=issuer, subject=subject, player=player, created_at=now):
        raise AlreadyTakenError("this login is linked to another account, or your account to another login")
    mark_account(connection, now, player)


def unlink(connection: Connection, player: str, issuer: str) -> None:
    """Remove the link of a player. Raises `NotFoundError` if there is none."""
    (player,) = lock_players(connection, player)
    removal = delete(openid_links).where(openid_links.c.player == player, openid_links.c.issuer == issuer)
    if not connection.execute(removal).rowcount:
        raise NotFoundError("your account is not linked")
    unmark_account(connection, player)


def list_links(connection: Connection, player: str) -> list[OpenIdLink]:
    """Return the links of a player."""
    rows = connection.execute(select(openid_links).where(openid_links.c.player == player))
    return [OpenIdLink(issuer=row.issuer, subject=row.subject, since=row.created_at) for row in rows]
