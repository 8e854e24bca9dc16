"""Players: create, find and rename guests and accounts.

A guest who creates an account keeps the id, and therefore also the history. `faceup.server.rooms.names` validates the
names of players.
"""

import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, update

from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.player_ids import current_id, lock_players
from faceup.server.accounts.schema import account_deletions, players, sessions, unlisted_players
from faceup.server.rooms.faces import check_face
from faceup.server.rooms.names import ERASED_NAME, GUEST_NAME, handle_of, normalize_name
from faceup.server.store import new_id
from faceup.server.store.queries import insert_new


class StoredPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A guest or an account.

    Attributes:
        id: the secret id, which owns seats. Other players see only the handle, which is derived from the id.
        name: the displayed name.
        guest: whether the player has no account, so that only the session of a device identifies the player.
        login: the normalized login; None if the player has no password.
        face: the animal and colour that the player chose; "" for none.
        listed: whether the player is in the list of people online.
        since: when the player was created, in milliseconds since 1970.
        deletion_requested_at: when the player asked for the deletion of the account; None if not.
    """

    id: str
    name: str
    guest: bool
    login: str | None = None
    face: str = ""
    listed: bool = True
    since: int
    deletion_requested_at: int | None = None

    @property
    def handle(self) -> str:
        """The public handle of the player. It is derived from the id."""
        return handle_of(self.id)


def create_guest(connection: Connection, now: int, name: str | None = None) -> StoredPlayer:
    """Create a guest. Raises `Malformed` for an invalid name."""
    player = StoredPlayer(
        id=new_id(),
        name=GUEST_NAME if name is None else normalize_name(name),
        guest=True,
        login=None,
        since=now,
    )
    connection.execute(insert(players).values(id=player.id, handle=player.handle, name=player.name, created_at=now))
    return player


def delete_unused_guest(connection: Connection, _: int, player: str) -> None:
    """Delete a guest after a refused first request, unless another request has used the guest's session."""
    used = select(sessions.c.id).where(sessions.c.player == player, sessions.c.seen_at != sessions.c.created_at)
    connection.execute(delete(players).where(players.c.id == player, players.c.account_at.is_(None), ~used.exists()))


def find_player(connection: Connection, identifier: str) -> StoredPlayer:
    """Return the player with this id. The id of a merged player finds the player that remains.

    Raises:
        NotFoundError: there is no such player, or the player is erased.
    """
    row = _row(connection, identifier)
    for _ in range(10):  # follow a chain of merges; the limit ends the loop if there is a cycle
        if row.merged_into is None:
            break
        row = _row(connection, row.merged_into)
    return _player(row)


def find_by_handle(connection: Connection, handle: str) -> StoredPlayer:
    """Return the player with this handle. Raises `NotFoundError`."""
    identifier = connection.execute(select(players.c.id).where(players.c.handle == handle)).scalar_one_or_none()
    return find_player(connection, identifier or "")


def find_by_name(connection: Connection, name: str) -> list[str]:
    """Return the ids of the players with this name, login or id. Only the server's operator may see the ids.

    The id of a merged player finds the player that remains.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    same = (players.c.name == unicodedata.normalize("NFC", name)) | (players.c.login == folded)
    matching = (same & players.c.merged_into.is_(None)) | (players.c.id == name)
    query = select(current_id()).where(matching, players.c.erased_at.is_(None)).distinct()
    return list(connection.execute(query).scalars())


def update_profile(
    connection: Connection,
    identifier: str,
    *,
    name: str | None = None,
    face: str | None = None,
    listed: bool | None = None,
) -> StoredPlayer:
    """Change a player's name or face, which future tables show, or whether the player is listed. None changes nothing.

    Raises:
        Malformed: the name or the face is invalid.
        NotFoundError: there is no such player.
    """
    (identifier,) = lock_players(connection, identifier)  # another device may change another setting
    player = find_player(connection, identifier)
    after = msgspec.structs.replace(
        player,
        name=player.name if name is None else normalize_name(name),
        face=player.face if face is None else check_face(face),
        listed=player.listed if listed is None else listed,
    )
    _set_listed(connection, after)
    connection.execute(update(players).where(players.c.id == player.id).values(name=after.name, face=after.face))
    return after


def _row(connection: Connection, identifier: str) -> Row[tuple[object, ...]]:
    unlisted = unlisted_players.c.player.is_not(None).label("unlisted")
    query = (
        select(players, unlisted, account_deletions.c.requested_at)
        .outerjoin(unlisted_players, unlisted_players.c.player == players.c.id)
        .outerjoin(account_deletions, account_deletions.c.player == players.c.id)
    )
    row = connection.execute(query.where(players.c.id == identifier)).one_or_none()
    if row is None or row.erased_at is not None:
        raise NotFoundError("there is no such player")
    return row


def _player(row: Row[tuple[object, ...]]) -> StoredPlayer:
    return StoredPlayer(
        id=row.id,
        name=row.name,
        guest=row.account_at is None,
        login=row.login,
        face=row.face,
        listed=not row.unlisted,
        since=row.created_at,
        deletion_requested_at=row.requested_at,
    )


def _set_listed(connection: Connection, player: StoredPlayer) -> None:
    """Store whether a player is listed."""
    if player.listed:
        connection.execute(delete(unlisted_players).where(unlisted_players.c.player == player.id))
    else:
        insert_new(connection, unlisted_players, player=player.id)


class Erasure(NamedTuple):
    """Erasures of players that were started at one time.

    Attributes:
        now: when they started, in milliseconds since 1970.
        pseudonyms: the random ids that replace the ids of the players, by these; all guests of a player are in it.
    """

    now: int
    pseudonyms: Mapping[str, str]


def add_erased_players(connection: Connection, erased_at: Mapping[str, int]) -> None:
    """Add players for pseudonyms that logs or results contain, with the times of their erasures."""
    ids = set(erased_at)
    stored = set(connection.execute(select(players.c.id).where(players.c.id.in_(ids))).scalars())
    for pseudonym in sorted(ids - stored):
        row = insert(players).values(id=pseudonym, handle=handle_of(pseudonym), name=ERASED_NAME)
        connection.execute(row.values(created_at=erased_at[pseudonym], erased_at=erased_at[pseudonym]))


def remember_program(connection: Connection, now: int, player: str) -> None:  # noqa: ARG001 -- as all writes
    """Remember that a guest has declared to be a program. Accounts are marked where their tokens play."""
    connection.execute(
        update(players).where(players.c.id == player, players.c.account_at.is_(None)).values(program=True)
    )
