"""Administration of players: list and find players, remove them from tables, erase them, and reset passwords."""

import unicodedata

import msgspec
import sqlalchemy as sa

from faceup.core import Malformed
from faceup.server.accounts import bans, second_factor
from faceup.server.accounts.bans import in_force, list_bans, parse_address
from faceup.server.accounts.one_time_codes import issue
from faceup.server.accounts.players import find_by_name, find_player
from faceup.server.accounts.revocations import revoke_all
from faceup.server.accounts.schema import bans as ban_table
from faceup.server.accounts.schema import players, sessions
from faceup.server.admin.deletion import erase_players
from faceup.server.admin.tables import leave
from faceup.server.store import Store
from faceup.server.store.schema import log, rooms


class PlayerSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A player in a list. Times are milliseconds since 1970.

    Attributes:
        id: the player's ID.
        name: the display name.
        login: the login; None for guests and for accounts that have only passkeys.
        account: whether the player has an account. A player without an account is a guest.
        since: when the player was created.
        seen: when a session of the player was last used; None if the player has no session.
        banned: when the player was banned; None if the player is not banned.
    """

    id: str
    name: str
    login: str | None
    account: bool
    since: int
    seen: int | None
    banned: int | None


def list_players(
    connection: sa.Connection, find: str = "", limit: int = 200, *, offset: int = 0
) -> list[PlayerSummary]:
    """Return the players whose name or login contains `find`, or whose ID is `find`, without the first `offset`.

    The player who was last seen comes first. Erased and merged players are left out.
    """
    seen = (
        sa.select(sessions.c.player, sa.func.max(sessions.c.seen_at).label("seen"))
        .group_by(sessions.c.player)
        .subquery()
    )
    query = (
        sa.select(players, seen.c.seen, ban_table.c.since.label("banned"))
        .join(seen, seen.c.player == players.c.id, isouter=True)
        .join(ban_table, (ban_table.c.player == players.c.id) & in_force(), isouter=True)
        .where(players.c.erased_at.is_(None), players.c.merged_into.is_(None))
        .order_by(sa.func.coalesce(seen.c.seen, players.c.created_at).desc(), players.c.id)
        .limit(limit)
        .offset(offset)
    )
    if find:
        wanted = unicodedata.normalize("NFC", find).casefold()
        query = query.where(
            sa.func.lower(players.c.name).contains(wanted, autoescape=True)
            | players.c.login.contains(wanted, autoescape=True)
            | (players.c.id == find)
        )
    return [
        PlayerSummary(
            id=row.id,
            name=row.name,
            login=row.login,
            account=row.account_at is not None,
            since=row.created_at,
            seen=row.seen,
            banned=row.banned,
        )
        for row in connection.execute(query)
    ]


def find_one_player(connection: sa.Connection, person: str) -> str:
    """Return the ID of the one player whose ID, login or name is `person`.

    Raises:
        Malformed: no player matches, or several do. For several players, the message lists up to five IDs.
    """
    found = find_by_name(connection, person)
    if len(found) == 1:
        return found[0]
    if not found:
        raise Malformed(
            f"there is no player {person!r}: `faceup admin people list` lists all players", what=person, where="person"
        )
    raise Malformed(
        f"{len(found)} players match {person!r}: use the ID of one player, such as {', '.join(sorted(found)[:5])}",
        what=person,
        where="person",
    )


def remove_ban(connection: sa.Connection, now: int, what: str) -> None:
    """Remove the ban with this ID, or of this player or address.

    Raises:
        Malformed: there is no such ban, or several players match.
    """
    by_name = {name: ban for ban in list_bans(connection, now) for name in (ban.id, ban.address, ban.player) if name}
    ban = by_name.get(what)
    if ban is None:
        ban = by_name.get(parse_address(what) or find_one_player(connection, what))
    if ban is None:
        raise Malformed(f"{what!r} is not banned: `faceup admin bans list` lists all bans", what=what, where="ban")
    bans.remove_ban(connection, now, ban.id)


def create_password_reset(connection: sa.Connection, now: int, player: str) -> str:
    """Issue a one-time code with which the player can set a new password within a day.

    Raises:
        Malformed: the player has no login.
    """
    found = find_player(connection, player)
    if found.login is None:
        raise Malformed(f"{found.name} has no login, and therefore no password to reset", what=found.id, where="person")
    return issue(connection, now, "password", found.id)


def remove_second_factor(connection: sa.Connection, player: str) -> None:
    """Remove a player's second factor. Raises `Malformed` if the player has none."""
    found = find_player(connection, player)
    if not second_factor.remove_second_factor(connection, found.id):
        raise Malformed(f"{found.name} has no second factor", what=found.id, where="person")


async def erase(store: Store, person: str) -> None:
    """Erase a player; see `deletion.erase_players`.

    Raises:
        Malformed: no player matches `person`, or several do.
    """
    player = await store.query(lambda connection: find_one_player(connection, person))
    await erase_players(store, [player])
    await store.reclaim()


async def remove(store: Store, person: str) -> list[str]:
    """Log a player out on all devices and remove the player from all seats. Return the tables of these seats.

    Autoplay takes over the seats. The player can log in again, unless the player is banned.

    Raises:
        Malformed: no player matches `person`, or several do.
    """
    now = store.now()

    def log_out(connection: sa.Connection) -> str:
        player = find_one_player(connection, person)
        revoke_all(connection, now, player)
        return player

    player = await store.write(log_out)
    tables = await store.query(lambda connection: _sat_at(connection, player))
    return [table for table in tables if await leave(store, table, player)]


def _sat_at(connection: sa.Connection, player: str) -> list[str]:
    """Return the unfinished tables with logs that contain the player's ID."""
    query = (
        sa.select(log.c.room)
        .distinct()
        .join(rooms, rooms.c.id == log.c.room)
        .where(rooms.c.ended_at.is_(None), log.c.entries.contains(f'"{player}"', autoescape=True))
    )
    return list(connection.execute(query).scalars())
