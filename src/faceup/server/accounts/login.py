"""Functions to create accounts with a login and a password, and to log in on a device."""

from collections.abc import Callable
from contextlib import suppress
from typing import IO, NamedTuple, TypeAlias

from sqlalchemy import Connection, select, update
from sqlalchemy.exc import IntegrityError

from faceup.server.accounts.account_deletion import forget_request
from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import AlreadyTakenError, NotFoundError
from faceup.server.accounts.player_ids import lock_players
from faceup.server.accounts.players import StoredPlayer, find_player
from faceup.server.accounts.revocations import revoke, revoke_all, subject_of
from faceup.server.accounts.schema import openid_links, passkeys, players
from faceup.server.accounts.sessions import NewSession, create_session
from faceup.server.moderation.bans import require_not_banned
from faceup.server.rooms.names import normalize_login
from faceup.server.turns.push_subscriptions import move_subscription, session_of

Merge: TypeAlias = Callable[[Connection, str, str], None]
"""Gives the data of a guest, by id, to an account; see `player_data.merge`, which knows all features."""

Export: TypeAlias = Callable[[Connection, str], IO[bytes]]
"""Returns a file with all data about a player, by id; see `player_data.export`."""


class PasswordLogin(NamedTuple):
    """The id of the player with a login, and the stored password hash; None if the player has no password."""

    player: str
    password: str | None


def create_account(connection: Connection, now: int, player: str, login: str, password: str) -> StoredPlayer:
    """Turn a guest into an account with a login and a password hash. The player keeps the id and the history.

    If the player already has an account with only passkeys, the login and the password hash are added to the account.

    Raises:
        AlreadyTakenError: the login is taken, or the player already has a login.
        Malformed: the login is invalid.
        NotFoundError: there is no such player.
    """
    (player,) = lock_players(connection, player)
    account, folded = require_free_login(connection, player, login)
    try:
        with connection.begin_nested():
            connection.execute(
                update(players)
                .where(players.c.id == account.id)
                .values(login=folded, password=password, account_at=players.c.account_at if not account.guest else now)
            )
    except IntegrityError:  # another process took the login first
        raise AlreadyTakenError(f"the login {folded!r} is taken: choose another login") from None
    return find_player(connection, account.id)


def require_free_login(connection: Connection, player: str, login: str) -> tuple[StoredPlayer, str]:
    """Return the player and the normalized login, if `create_account` can give it to the player. Raises its errors."""
    folded = normalize_login(login)
    account = find_player(connection, player)
    if account.login is not None:
        raise AlreadyTakenError(f"you already have the login {account.login!r}")
    if find_by_login(connection, login) is not None:
        raise AlreadyTakenError(f"the login {folded!r} is taken: choose another login")
    return account, folded


def find_by_login(connection: Connection, login: str) -> PasswordLogin | None:
    """Return the player and the password hash for a login; None if the login is unknown.

    Raises:
        Malformed: the login is not a valid name.
    """
    row = connection.execute(
        select(players.c.id, players.c.password).where(
            players.c.login == normalize_login(login), players.c.erased_at.is_(None)
        )
    ).one_or_none()
    return None if row is None else PasswordLogin(row.id, row.password)


def get_password_hash(connection: Connection, player: str) -> str | None:
    """Return the stored hash of the player's password; None if the player has no password."""
    stored: str | None = connection.execute(
        select(players.c.password).where(players.c.id == player)
    ).scalar_one_or_none()
    return stored


def set_password(connection: Connection, player: str, password: str) -> None:
    """Replace the password hash of a player. Raises `NotFoundError` if the player has no login."""
    done = connection.execute(
        update(players).where(players.c.id == player, players.c.login.is_not(None)).values(password=password)
    )
    if not done.rowcount:
        raise NotFoundError("a player without a login cannot have a password: create an account first")


def mark_account(connection: Connection, now: int, player: str) -> None:
    """Turn a guest into an account. If the player already has an account, do nothing."""
    connection.execute(
        update(players).where(players.c.id == player, players.c.account_at.is_(None)).values(account_at=now)
    )


def unmark_account(connection: Connection, player: str) -> None:
    """Turn a player back into a guest if the player has neither a login nor a passkey nor a link to OpenID."""
    unused = [~select(table).where(table.c.player == player).exists() for table in (passkeys, openid_links)]
    connection.execute(
        update(players).where(players.c.id == player, players.c.login.is_(None), *unused).values(account_at=None)
    )


class LoginResult(NamedTuple):
    """The player who logged in, the new session, and the subjects that were revoked."""

    player: StoredPlayer
    session: NewSession
    ended: tuple[str, ...]


def log_in_as(
    connection: Connection,
    now: int,
    player: str,
    device: str,
    before: Identity | None,
    *,
    merge: Merge,
    proved: bool = True,
) -> LoginResult:
    """Log in on a device, and end the previous session of the device.

    If the previous session belonged to a guest, the guest is merged into the player, who gets the guest's tables,
    results, ratings and hand totals. All sessions and tokens of the guest are revoked, because they never proved access
    to the account.

    Args:
        connection: database connection.
        now: milliseconds since 1970.
        player: id of the authenticated player.
        device: name of the browser.
        before: the identity of the device before this login; None if the device had no session.
        merge: gives the data of a guest to the account.
        proved: whether the player has just entered a password, used a passkey, or the like.

    Raises:
        BannedError: the player is banned.
        NotFoundError: there is no such player.
    """
    lock_players(connection, player, *(() if before is None else before.ids))
    account = find_player(connection, player)
    require_not_banned(connection, now, account.id)
    session, ended = create_session(connection, now, account.id, device, proved=proved), tuple[str, ...]()
    if before is not None and before.subject.startswith(subject_of("session", "")):
        with suppress(NotFoundError):
            ended = (_leave(connection, now, before, account, session, merge=merge),)
    return LoginResult(account, session, ended)


def rotate_session(
    connection: Connection, now: int, identity: Identity, device: str, *, proved: bool = True
) -> LoginResult:
    """Give a device a new session, and end the one with which it sent the request.

    Call this when a guest becomes an account: a key from before, which others may know, must not open the account.

    Args:
        connection: database connection.
        now: milliseconds since 1970.
        identity: the identity of the session that ends.
        device: name of the browser.
        proved: as in `log_in_as`.

    Raises:
        NotFoundError: the session has already ended.
    """
    player = find_player(connection, identity.player)
    before, after = session_of(identity.subject), create_session(connection, now, player.id, device, proved=proved)
    move_subscription(connection, before, after.id)
    return LoginResult(player, after, (revoke(connection, now, player.id, "session", before),))


def _leave(
    connection: Connection, now: int, before: Identity, account: StoredPlayer, session: NewSession, *, merge: Merge
) -> str:
    """End the previous session of the device, and merge a guest into the player `here`. Return the revoked subject.

    The browser stays subscribed to messages if it belongs to the same person.
    """
    was = find_player(connection, before.player)
    if was.guest or was.id == account.id:
        move_subscription(connection, session_of(before.subject), session.id)
    if not was.guest or was.id == account.id:
        return revoke(connection, now, was.id, "session", session_of(before.subject))
    revoked = revoke_all(connection, now, was.id)
    forget_request(connection, now, was.id)
    merge(connection, was.id, account.id)
    return revoked
