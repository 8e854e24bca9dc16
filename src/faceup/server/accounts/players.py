"""Players: create, find, rename and merge guests and accounts.

A guest who creates an account keeps the id, and therefore also the history. `faceup.server.rooms.names` validates the
names of players.
"""

import secrets
import unicodedata

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, update

from faceup.core import Malformed
from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.player_ids import current_id, lock_players, move_rows
from faceup.server.accounts.schema import (
    one_time_codes,
    passkeys,
    players,
    recovery_codes,
    sessions,
    tokens,
    totp,
    unlisted_players,
)
from faceup.server.friends.player_data import merge_friends
from faceup.server.moderation.reports import merge_reports
from faceup.server.parties.queries import merge_parties
from faceup.server.puzzles.queries import merge_puzzle_answers
from faceup.server.rooms.faces import check_face
from faceup.server.rooms.names import handle_of, normalize_name
from faceup.server.store import new_id
from faceup.server.store.queries import insert_new
from faceup.server.tables.quick_match import merge_quick_seats
from faceup.server.tournaments.queries import merge_tournament_players
from faceup.server.turns.schema import mail_addresses, new_mail_addresses


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A guest or an account.

    Attributes:
        id: the secret id, which owns seats. Other players see only the handle, which is derived from the id.
        name: the displayed name.
        guest: whether the player has no account, so that only the session of a device identifies the player.
        login: the normalized login; None if the player has no password.
        face: the animal and colour that the player chose; "" for none.
        listed: whether the player is in the list of people online.
        since: when the player was created, in milliseconds since 1970.
    """

    id: str
    name: str
    guest: bool
    login: str | None = None
    face: str = ""
    listed: bool = True
    since: int

    @property
    def handle(self) -> str:
        """The public handle of the player. It is derived from the id."""
        return handle_of(self.id)


def create_guest(connection: Connection, now: int, name: str | None = None) -> Player:
    """Create a guest. Raises `Malformed` for an invalid name."""
    player = Player(
        id=new_id(),
        name=random_guest_name() if name is None else normalize_name(name),
        guest=True,
        login=None,
        since=now,
    )
    connection.execute(insert(players).values(id=player.id, handle=player.handle, name=player.name, created_at=now))
    return player


def delete_unused_guest(connection: Connection, _: int, player: str) -> None:
    """Delete a guest whose first request was refused, unless another request has used the guest's session."""
    used = select(sessions.c.id).where(sessions.c.player == player, sessions.c.seen_at != sessions.c.created_at)
    connection.execute(delete(players).where(players.c.id == player, players.c.account_at.is_(None), ~used.exists()))


def find_player(connection: Connection, identifier: str) -> Player:
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


def find_by_handle(connection: Connection, handle: str) -> Player:
    """Return the player with this handle. Raises `NotFoundError`."""
    identifier = connection.execute(select(players.c.id).where(players.c.handle == handle)).scalar_one_or_none()
    return find_player(connection, identifier or "")


def find_by_name(connection: Connection, name: str) -> list[str]:
    """Return the ids of the players with this name, login or id. Only the server's operator may see the ids.

    The id of a merged player finds the player that remains.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    same = (players.c.name == unicodedata.normalize("NFC", name)) | (players.c.login == folded)
    named = (same & players.c.merged_into.is_(None)) | (players.c.id == name)
    query = select(current_id()).where(named, players.c.erased_at.is_(None)).distinct()
    return list(connection.execute(query).scalars())


def update_profile(
    connection: Connection,
    identifier: str,
    *,
    name: str | None = None,
    face: str | None = None,
    listed: bool | None = None,
) -> Player:
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
    query = select(players, unlisted).outerjoin(unlisted_players, unlisted_players.c.player == players.c.id)
    row = connection.execute(query.where(players.c.id == identifier)).one_or_none()
    if row is None or row.erased_at is not None:
        raise NotFoundError("there is no such player")
    return row


def _player(row: Row[tuple[object, ...]]) -> Player:
    return Player(
        id=row.id,
        name=row.name,
        guest=row.account_at is None,
        login=row.login,
        face=row.face,
        listed=not row.unlisted,
        since=row.created_at,
    )


def _set_listed(connection: Connection, player: Player) -> None:
    """Store whether a player is listed."""
    if player.listed:
        connection.execute(delete(unlisted_players).where(unlisted_players.c.player == player.id))
    else:
        insert_new(connection, unlisted_players, player=player.id)


def random_guest_name() -> str:
    """Return a random name for a guest who chose no name."""
    return f"Guest {1000 + secrets.randbelow(9000)}"


def merge(connection: Connection, source: str, target: str) -> None:
    """Merge the player `source` into the player `target`.

    Sessions, tokens, passkeys, answers to puzzles, tournaments, memberships of parties, friends, invitations, quick
    matches and reports go to `target`, and so do mail addresses if `target` has none. It is listed only if both were.
    The login of `source` ends, with its second factor and codes. Seats, hosts and results keep the id of `source`,
    which readers resolve with `player_ids`.

    Raises:
        Malformed: `source` and `target` are the same player.
        NotFoundError: one of the players does not exist.
    """
    ids = lock_players(connection, source, target)
    first, second = (find_player(connection, player) for player in ids)
    if first.id == second.id:
        raise Malformed("the two players must be different, but are the same player", what=source, where="players")
    for table in (sessions, tokens, passkeys):
        move_rows(connection, table.c.player, first.id, second.id)
    _merge_mail_addresses(connection, first.id, second.id)
    # Whoever has a code of a guest has not proved access to the account.
    for table in (totp, recovery_codes, one_time_codes):
        connection.execute(delete(table).where(table.c.player == first.id))
    merge_puzzle_answers(connection, first.id, second.id)
    merge_tournament_players(connection, first.id, second.id)
    _set_listed(connection, msgspec.structs.replace(second, listed=first.listed and second.listed))
    _set_listed(connection, msgspec.structs.replace(first, listed=True))
    merge_parties(connection, first.id, second.id)
    merge_friends(connection, first.id, second.id)
    merge_quick_seats(connection, first.id, second.id)
    merge_reports(connection, first.id, second.id)
    connection.execute(
        update(players).where(players.c.id == first.id).values(merged_into=second.id, login=None, password=None)
    )
    connection.execute(update(players).where(players.c.merged_into == first.id).values(merged_into=second.id))


def _merge_mail_addresses(connection: Connection, source: str, target: str) -> None:
    """Give the addresses of `source`, with the code for a new one, to `target`, as far as that one has none."""
    if connection.execute(select(new_mail_addresses).where(new_mail_addresses.c.player == target)).first() is None:
        code = one_time_codes.c.purpose == "mail"
        connection.execute(delete(one_time_codes).where(one_time_codes.c.player == target, code))
        connection.execute(update(one_time_codes).where(one_time_codes.c.player == source, code).values(player=target))
    for table in (mail_addresses, new_mail_addresses):
        move_rows(connection, table.c.player, source, target)
