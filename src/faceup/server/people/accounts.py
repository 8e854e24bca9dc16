"""Accounts: what a guest becomes that wants to come back from anywhere."""

from typing import NamedTuple

from sqlalchemy import Connection, select, update
from sqlalchemy.exc import IntegrityError

from faceup.server.people.names import fold_login
from faceup.server.people.players import Player, find_player
from faceup.server.people.refusals import Missing, Taken
from faceup.server.people.schema import passkeys, players


class Login(NamedTuple):
    """Whose login it is, and what is kept of the password."""

    player: str
    password: str | None


def make_account(connection: Connection, now: int, player: str, login: str, password: str) -> Player:
    """Give the player a login and a password (hashed); id and history stay.

    Raises:
        Taken: somebody else has the login, or the player has one already.
        Malformed: a login that cannot be.
        Missing: no such player.
    """
    folded = fold_login(login)
    mine = find_player(connection, player)
    if mine.login is not None:
        raise Taken(f"you are known as {mine.login!r} already")
    if find_login(connection, login) is not None:
        raise Taken(f"somebody else is known as {folded!r}: choose another name to log in by")
    try:
        with connection.begin_nested():
            connection.execute(
                update(players)
                .where(players.c.id == mine.id)
                .values(login=folded, password=password, account_at=players.c.account_at if not mine.guest else now)
            )
    except IntegrityError:  # another process was quicker
        raise Taken(f"somebody else is known as {folded!r}: choose another name to log in by") from None
    return find_player(connection, mine.id)


def find_login(connection: Connection, login: str) -> Login | None:
    """Whose login it is; None if it is nobody's. Raises `Malformed` for one that cannot be."""
    row = connection.execute(
        select(players.c.id, players.c.password).where(
            players.c.login == fold_login(login), players.c.erased_at.is_(None)
        )
    ).one_or_none()
    return None if row is None else Login(row.id, row.password)


def kept_password(connection: Connection, player: str) -> str | None:
    """What is kept of the player's password."""
    kept: str | None = connection.execute(select(players.c.password).where(players.c.id == player)).scalar_one_or_none()
    return kept


def set_password(connection: Connection, player: str, password: str) -> None:
    """Give a player who has a login another password (hashed). Raises `Missing`."""
    done = connection.execute(
        update(players).where(players.c.id == player, players.c.login.is_not(None)).values(password=password)
    )
    if not done.rowcount:
        raise Missing("this player has no login to give a password to")


def become_account(connection: Connection, now: int, player: str) -> None:
    """Note that a guest has a way back in."""
    connection.execute(
        update(players).where(players.c.id == player, players.c.account_at.is_(None)).values(account_at=now)
    )


def no_account_any_more(connection: Connection, player: str) -> None:
    """Note that a player without login and passkey is a guest again."""
    has_passkey = select(passkeys.c.credential).where(passkeys.c.player == player).exists()
    connection.execute(
        update(players).where(players.c.id == player, players.c.login.is_(None), ~has_passkey).values(account_at=None)
    )
