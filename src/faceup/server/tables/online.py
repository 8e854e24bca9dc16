"""Who is online: the players of all processes, and the public tables at which they play or wait."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec
import sqlalchemy as sa

from faceup.server.accounts.player_ids import current_id
from faceup.server.accounts.schema import players, unlisted_players
from faceup.server.moderation.bans_in_force import is_banned
from faceup.server.rooms.summary import TableSummary
from faceup.server.store.heartbeat import live_processes
from faceup.server.store.schema import rooms
from faceup.server.tables.schema import online_players

MAX_PEOPLE: Final = 100
"""The maximum number of people in the list."""

_FORGOTTEN: Final = 60_000
"""Milliseconds after the last heartbeat of a process after which its players are deleted."""

Access: TypeAlias = Literal["join", "watch"]
"""What everyone can do at a table: take a free seat, or watch."""


class Place(NamedTuple):
    """A public table at which a player has a seat and a connection; "" for a player who is online anywhere.

    `program` is whether a program plays for the player at this table.
    """

    player: str
    room: str = ""
    program: bool = False


class OnlinePerson(msgspec.Struct, frozen=True, kw_only=True):
    """A person who plays or waits at a public table.

    Attributes:
        name: the name of the player.
        handle: the public handle of the player.
        face: the chosen animal and colour, as in "fox-3"; null if the player chose none.
        program: whether a program plays for the person.
        game: the game that the person plays.
        variant: the variant.
        status: "pending" if the game has not started, or "active".
        table: id of the table; null if no one else may join or watch.
        access: what others can do there now; null if `table` is null.
    """

    name: str
    handle: str
    face: str | None
    program: bool
    game: str
    variant: str
    status: Literal["pending", "active"]
    table: str | None
    access: Access | None


class Online(msgspec.Struct, frozen=True, kw_only=True):
    """Who is online.

    Attributes:
        count: the number of players who are online, with those who are not listed.
        people: those who play or wait at public tables and want to be listed, people at waiting tables first. There are
            at most `MAX_PEOPLE`.
    """

    count: int
    people: tuple[OnlinePerson, ...]


class StoredPlaces(NamedTuple):
    """The stored places of the players of a process, and the processes that ended or died long ago, but have some."""

    places: frozenset[Place]
    dead: tuple[str, ...]


def stored_places(connection: sa.Connection, now: int, process: str) -> StoredPlaces:
    """Return the stored places of a process, and the dead processes that have some."""
    table = online_players.c
    query = sa.select(table.player, table.room, table.program).where(table.process == process)
    places = frozenset(Place(*row) for row in connection.execute(query))
    dead = sa.select(table.process).distinct().where(table.process.not_in(live_processes(now, _FORGOTTEN)))
    return StoredPlaces(places, tuple(connection.execute(dead.where(table.process != process)).scalars()))


def change_places(
    connection: sa.Connection,
    process: str,
    *,
    added: Sequence[Place] = (),
    removed: Sequence[Place] = (),
    dead: Sequence[str] = (),
) -> None:
    """Add and remove places of the players of a process, and remove all places of dead processes."""
    table = online_players
    if dead:
        connection.execute(table.delete().where(table.c.process.in_(dead)))
    same_place = table.c.player == sa.bindparam("_player"), table.c.room == sa.bindparam("_room")
    deleted = table.delete().where(table.c.process == process, *same_place)
    # They may be stored already, if the answer to an earlier write was lost.
    if changed := [{"_player": place.player, "_room": place.room} for place in (*removed, *added)]:
        connection.execute(deleted, changed)
    # A player may have been deleted in the meantime.
    existing_players = sa.select(players.c.id).where(players.c.id.in_({place.player for place in added}))
    existing = set(connection.execute(existing_players).scalars())
    rows = [{"process": process, **place._asdict()} for place in added if place.player in existing]
    if rows:
        connection.execute(table.insert(), rows)


def who_is_online(connection: sa.Connection, now: int) -> Online:
    """Return who is online at the processes that are alive."""
    owner = players.alias("owner")
    current = current_id()
    joined = online_players.join(players, players.c.id == online_players.c.player)
    alive = online_players.c.process.in_(live_processes(now))
    count = connection.execute(
        sa.select(sa.func.count(current.distinct())).select_from(joined).where(alive)
    ).scalar_one()
    unlisted = sa.select(unlisted_players.c.player)
    query = (
        sa.select(owner.c.id, owner.c.name, owner.c.handle, owner.c.face, online_players.c.program, rooms)
        .select_from(joined.join(owner, owner.c.id == current).join(rooms, rooms.c.id == online_players.c.room))
        .where(alive, rooms.c.listed, rooms.c.status.in_(("pending", "active")))
        .where(owner.c.id.not_in(unlisted), ~is_banned(owner))
        .order_by(rooms.c.status.desc(), rooms.c.opened_at.desc(), rooms.c.id, owner.c.name, owner.c.id)
        .limit(2 * MAX_PEOPLE)  # some may be at two tables
    )
    people: dict[str, OnlinePerson] = {}
    for row in connection.execute(query):
        if row.id in people or len(people) == MAX_PEOPLE:
            continue
        summary = msgspec.json.decode(row.summary, type=TableSummary)
        access = _access(row.status, summary)
        people[row.id] = OnlinePerson(
            name=row.name,
            handle=row.handle,
            face=row.face or None,
            program=row.program,
            game=summary.game,
            variant=summary.variant,
            status=row.status,
            table=None if access is None else row.id_1,
            access=access,
        )
    return Online(count=count, people=tuple(people.values()))


def _access(status: str, summary: TableSummary) -> Access | None:
    if status == "pending":
        return "join" if None in summary.seats else "watch"
    return "watch" if summary.spectators == "anyone" else None
