"""Players as whoever runs the server sees them."""

import msgspec
import sqlalchemy as sa

from faceup.core import Malformed
from faceup.server.admin.tables import leave
from faceup.server.people.erasing import players_named
from faceup.server.people.once import issue
from faceup.server.people.players import find_player
from faceup.server.people.revocations import announce, player_subject
from faceup.server.people.schema import players, sessions, tokens
from faceup.server.store import Store
from faceup.server.store.schema import log, rooms


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A player in the list.

    Attributes:
        id: the same for ever.
        name: as others read it.
        login: None for a guest, or where passkeys alone open the account.
        account: whether it is one, and no guest.
        since: when the player was made, in milliseconds since 1970.
        seen: when a session of the player was last used.
        banned: since when the player may not play here.
    """

    id: str
    name: str
    login: str | None
    account: bool
    since: int
    seen: int | None
    banned: int | None


def list_people(connection: sa.Connection, find: str = "", limit: int = 200) -> list[Person]:
    """Players whose name or login has this in it, the last seen first; those who were erased or merged are none."""
    seen = (
        sa.select(sessions.c.player, sa.func.max(sessions.c.seen_at).label("seen"))
        .group_by(sessions.c.player)
        .subquery()
    )
    asked = (
        sa.select(players, seen.c.seen)
        .join(seen, seen.c.player == players.c.id, isouter=True)
        .where(players.c.erased_at.is_(None), players.c.merged_into.is_(None))
        .order_by(sa.func.coalesce(seen.c.seen, players.c.made_at).desc(), players.c.id)
        .limit(limit)
    )
    if find:
        wanted = find.casefold()
        asked = asked.where(
            sa.func.lower(players.c.name).contains(wanted, autoescape=True)
            | players.c.login.contains(wanted, autoescape=True)
            | (players.c.id == find)
        )
    return [
        Person(
            id=row.id,
            name=row.name,
            login=row.login,
            account=row.account_at is not None,
            since=row.made_at,
            seen=row.seen,
            banned=row.banned_at,
        )
        for row in connection.execute(asked)
    ]


def the_one(connection: sa.Connection, person: str) -> str:
    """The id of the player with this id, this login, or alone with this name.

    Raises:
        Malformed: there is none, or there are several; says how to name one.
    """
    found = players_named(connection, person)
    if len(found) == 1:
        return found[0]
    if not found:
        raise Malformed(
            f"there is no player {person!r}: `faceup admin people list` has all of them", what=person, where="person"
        )
    raise Malformed(
        f"{len(found)} players are called {person!r}: name one by its id, {', '.join(sorted(found)[:5])}",
        what=person,
        where="person",
    )


def password_key(connection: sa.Connection, now: int, player: str) -> str:
    """What sets the player a new password, once, within a day.

    Raises:
        Malformed: the player has no login that a password would go with.
    """
    found = find_player(connection, player)
    if found.login is None:
        raise Malformed(f"{found.name} has no login that a password would go with", what=found.id, where="person")
    return issue(connection, now, "password", found.id)


async def remove(store: Store, person: str) -> list[str]:
    """Log a player out everywhere and take it from its seats, where bots or the stand-in go on; says at which tables.

    It may come back, as anybody may: `ban` lets it in no more.

    Raises:
        Malformed: as `the_one`.
    """
    now = await store.now()

    def log_out(connection: sa.Connection) -> str:
        player = the_one(connection, person)
        for keys in (sessions, tokens):
            connection.execute(sa.delete(keys).where(keys.c.player == player))
        announce(connection, now, player_subject(player))
        return player

    player = await store.write(log_out)
    tables = await store.query(lambda connection: _sat_at(connection, player))
    return [table for table in tables if await leave(store, table, player)]


def _sat_at(connection: sa.Connection, player: str) -> list[str]:
    """The tables that are not over and whose logs name the player."""
    asked = (
        sa.select(log.c.room)
        .distinct()
        .join(rooms, rooms.c.id == log.c.room)
        .where(rooms.c.ended_at.is_(None), log.c.entries.contains(f'"{player}"', autoescape=True))
    )
    return list(connection.execute(asked).scalars())
