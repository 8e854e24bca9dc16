"""Administration of players: list and find players, remove them from tables, erase them, and reset passwords."""

import logging
import unicodedata
from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

import msgspec
import sqlalchemy as sa

from faceup.core import Malformed, RulesError
from faceup.server.accounts import second_factor
from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.one_time_codes import issue
from faceup.server.accounts.player_ids import ids_of
from faceup.server.accounts.players import find_by_name, find_player
from faceup.server.accounts.revocations import revoke_all, subject_of
from faceup.server.accounts.schema import players, sessions
from faceup.server.admin.deletion import erase_players
from faceup.server.admin.log_append import remove_people
from faceup.server.audit.log import ActorKind, record
from faceup.server.live.change_listeners import ChangeListeners, wait_for_change
from faceup.server.moderation import bans
from faceup.server.moderation.bans import Ban, list_bans, parse_address
from faceup.server.moderation.bans_in_force import in_force
from faceup.server.moderation.schema import bans as ban_table
from faceup.server.process.periodic import FailureIsolation
from faceup.server.store import Store
from faceup.server.store.schema import log, rooms
from faceup.server.tournaments.queries import withdraw

_INTERVAL: Final = 60.0
"""Seconds after which banned players are removed again from tables to which they may have returned."""

_READ_BY_ALL: Final = 300_000
"""Milliseconds after which all servers have read a ban, which takes them a second or two."""

_LOG: Final = logging.getLogger(__name__)


class PlayerSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A player in a list. Times are milliseconds since 1970.

    Attributes:
        id: the player's ID.
        name: the display name.
        login: the login; None for guests and for accounts that have only passkeys.
        account: whether the player has an account. A player without an account is a guest.
        program: whether the player is a guest that has declared to be a program.
        since: when the player was created.
        seen: when a session of the player was last used; None if the player has no session.
        banned: when the player was banned; None if the player is not banned.
    """

    id: str
    name: str
    login: str | None
    account: bool
    program: bool
    since: int
    seen: int | None
    banned: int | None


def list_players(
    connection: sa.Connection, find: str = "", limit: int = 200, *, offset: int = 0
) -> list[PlayerSummary]:
    """Return the players with `find` in their name or login, or as their ID, without the first `offset`.

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
        folded = unicodedata.normalize("NFC", find).casefold()
        query = query.where(
            sa.func.lower(players.c.name).contains(folded, autoescape=True)
            | players.c.login.contains(folded, autoescape=True)
            | (players.c.id == find)
        )
    return [
        PlayerSummary(
            id=row.id,
            name=row.name,
            login=row.login,
            account=row.account_at is not None,
            program=row.program,
            since=row.created_at,
            seen=row.seen,
            banned=row.banned,
        )
        for row in connection.execute(query)
    ]


def find_one_player(connection: sa.Connection, person: str) -> str:
    """Return the ID of the one player with `person` as ID, login or name.

    Raises:
        Malformed: no player matches, or several do. For several players, the message lists up to five IDs.
    """
    matching = find_by_name(connection, person)
    if len(matching) == 1:
        return matching[0]
    if not matching:
        raise Malformed(
            f"there is no player {person!r}: `faceup admin people list` lists all players", what=person, where="person"
        )
    raise Malformed(
        f"{len(matching)} players match {person!r}: use the ID of one player, "
        f"such as {', '.join(sorted(matching)[:5])}",
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
    account = find_player(connection, player)
    if account.login is None:
        raise Malformed(
            f"{account.name} has no login, and therefore no password to reset", what=account.id, where="person"
        )
    record(connection, now, "reset_password", player=account.id)
    return issue(connection, now, "password", account.id)


def remove_second_factor(connection: sa.Connection, now: int, player: str) -> None:
    """Remove a player's second factor. Raises `Malformed` if the player has none."""
    account = find_player(connection, player)
    if not second_factor.remove_second_factor(connection, account.id):
        raise Malformed(f"{account.name} has no second factor", what=account.id, where="person")
    record(connection, now, "remove_second_factor", player=account.id)


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

    def log_out(connection: sa.Connection) -> tuple[str, ...]:
        player = find_one_player(connection, person)
        revoke_all(connection, now, player)
        record(connection, now, "log_out", player=player)
        return _ids(connection, player)

    return await _leave_tables(store, await store.write(log_out), is_act=True)


async def ban(
    store: Store,
    player: str,
    *,
    term: int | None = None,
    reason: str = "",
    by: ActorKind = "operator",
    at: int | None = None,
) -> Ban:
    """Ban a player for `term` milliseconds, or without an end. The player leaves all tables and tournaments.

    The ban starts at `at`, in milliseconds since 1970; by default now.

    Raises:
        NotFoundError: there is no such player.
        RulesError: the player could not be removed from a table, which cannot be read. The rest is done.
    """
    now = store.now() if at is None else at
    until = None if term is None else now + term

    def add(connection: sa.Connection) -> tuple[Ban, tuple[str, ...]]:
        made = bans.ban_player(connection, now, player, until=until, reason=reason, by=by)
        ids = _ids(connection, player)
        withdraw(connection, now, ids)
        return made, ids

    made, ids = await store.write(add)
    await _leave_tables(store, ids, at)
    return made


async def watch_bans(store: Store, changes: ChangeListeners) -> None:
    """Call `remove_banned` after each ban, and every minute."""
    failures = FailureIsolation("tables of banned players", store.metrics)
    with changes.listen(subject_of("bans")) as changed:
        while True:
            changed.clear()
            with failures.isolate(""):
                await remove_banned(store)
            await wait_for_change(changed, _INTERVAL)


async def remove_banned(store: Store) -> None:
    """Remove the players who were just banned from tables and tournaments.

    They may also have returned to some before all servers had read the ban.
    """
    now = store.now()
    recent = (in_force(now), ban_table.c.since > now - _READ_BY_ALL)
    banned = sa.select(ban_table.c.player).where(ban_table.c.player.is_not(None), *recent)
    for player in await store.query(lambda connection: list(connection.execute(banned).scalars())):
        try:
            ids = await store.query(partial(_ids, player=player))
            await store.write(partial(withdraw, now=now, people=ids))
            await _leave_tables(store, ids)
        except (RulesError, NotFoundError) as error:  # the others continue
            _LOG.warning("a banned player could not be removed from all tables: %s", error)


async def _leave_tables(store: Store, ids: Sequence[str], at: int | None = None, *, is_act: bool = False) -> list[str]:
    """Remove a player, by all IDs with the current one first, from all open tables, and return these tables.

    If that fails at a table, the others are left before its error is raised. If it is an act of its own, and not a part
    of a ban, each table is recorded.
    """
    left, errors = list[str](), list[RulesError]()
    for table in await store.query(partial(_open_tables, people=ids)):
        act = partial(record, act="remove_player", player=ids[0], place=f"table:{table}") if is_act else None
        try:
            if await remove_people(store, table, ids, at, record_act=act):
                left.append(table)
        except RulesError as error:
            errors.append(error)
    if errors:
        raise errors[0]
    return left


def _ids(connection: sa.Connection, player: str) -> tuple[str, ...]:
    """Return the ID of a player, and of those merged into the player."""
    return ids_of(connection, find_player(connection, player).id)


def _open_tables(connection: sa.Connection, *, people: Collection[str]) -> list[str]:
    """Return the tables that are not over, with logs that contain the ID of one of the players."""
    names_player = [log.c.entries.contains(f'"{player}"', autoescape=True) for player in people]
    query = sa.select(log.c.room).distinct().join(rooms, rooms.c.id == log.c.room)
    return list(connection.execute(query.where(rooms.c.ended_at.is_(None), sa.or_(*names_player))).scalars())
