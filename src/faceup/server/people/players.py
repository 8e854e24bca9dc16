"""Players: guests, and those who have made themselves an account. Both keep one id, and with it their history."""

import msgspec
from sqlalchemy import Connection, Row, insert, select, update

from faceup.server.people.names import guest_name
from faceup.server.people.refusals import Forbidden, Missing
from faceup.server.people.revocations import announce, player_subject
from faceup.server.people.schema import players
from faceup.server.rooms.names import handle_of, proper_name
from faceup.server.store import new_id


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A person.

    Attributes:
        id: by which seats are owned; others are told the handle that is made from it.
        name: as others read it.
        guest: whether there is no way back in but this device's session.
        login: what the person gives with a password, as it was folded; none without a password.
        since: when the player was made, in milliseconds since 1970.
    """

    id: str
    name: str
    guest: bool
    login: str | None = None
    since: int

    @property
    def handle(self) -> str:
        """By what others know the player."""
        return handle_of(self.id)


def make_guest(connection: Connection, now: int, name: str | None = None) -> Player:
    """A new player without an account. Raises `Malformed` for a name that cannot be."""
    player = Player(
        id=new_id(), name=guest_name() if name is None else proper_name(name), guest=True, login=None, since=now
    )
    connection.execute(insert(players).values(id=player.id, handle=player.handle, name=player.name, made_at=now))
    return player


def find_player(connection: Connection, identifier: str) -> Player:
    """The player of that id; of two that were merged, the one that stayed. Raises `Missing`."""
    row = _row(connection, identifier)
    for _ in range(10):  # merges of merges; a ring cannot be made, and would end here
        if row.merged_into is None:
            break
        row = _row(connection, row.merged_into)
    return _player(row)


def find_handle(connection: Connection, handle: str) -> Player:
    """The player whom others know by this handle. Raises `Missing`."""
    identifier = connection.execute(select(players.c.id).where(players.c.handle == handle)).scalar_one_or_none()
    return find_player(connection, identifier or "")


def rename(connection: Connection, identifier: str, name: str) -> Player:
    """Give the player another name, for tables from now on. Raises `Malformed`, `Missing`."""
    cleaned = proper_name(name)
    player = find_player(connection, identifier)
    connection.execute(update(players).where(players.c.id == player.id).values(name=cleaned))
    return msgspec.structs.replace(player, name=cleaned)


def ban(connection: Connection, now: int, identifier: str, reason: str = "") -> None:
    """Let the player in no more, and end what it is connected by. Raises `Missing`."""
    _row(connection, identifier)
    connection.execute(update(players).where(players.c.id == identifier).values(banned_at=now, ban_reason=reason[:200]))
    announce(connection, now, player_subject(identifier))


def unban(connection: Connection, identifier: str) -> None:
    """Let the player in again. Raises `Missing`."""
    _row(connection, identifier)
    connection.execute(update(players).where(players.c.id == identifier).values(banned_at=None, ban_reason=None))


def refuse_banned(banned_at: int | None, reason: str | None) -> None:
    """Raise `Forbidden` if there is a ban."""
    if banned_at is not None:
        raise Forbidden(f"you may not play here{f': {reason}' if reason else ''}")


def require_welcome(connection: Connection, identifier: str) -> None:
    """Raise `Forbidden` if the player is banned, `Missing` if there is none."""
    row = _row(connection, identifier)
    refuse_banned(row.banned_at, row.ban_reason)


def _row(connection: Connection, identifier: str) -> Row[tuple[object, ...]]:
    row = connection.execute(select(players).where(players.c.id == identifier)).one_or_none()
    if row is None or row.erased_at is not None:
        raise Missing("there is no such player here")
    return row


def _player(row: Row[tuple[object, ...]]) -> Player:
    return Player(id=row.id, name=row.name, guest=row.account_at is None, login=row.login, since=row.made_at)
