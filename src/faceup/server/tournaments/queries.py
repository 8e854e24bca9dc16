"""Tournaments in the database: their states, who plays in them, and the tables that are awaited.

Several processes may serve the database. A change reads the state and writes it in one transaction that locks the row,
and a round is stored only if the tournament has not changed since it was drawn. So every change happens once.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.server.accounts.errors import ForbiddenError, LimitReachedError, NotFoundError
from faceup.server.accounts.player_ids import current_ids, lock_players
from faceup.server.accounts.schema import players
from faceup.server.accounts.shared_limits import Bucket, take_all
from faceup.server.audit.log import ActorKind, record
from faceup.server.moderation.bans_in_force import in_force
from faceup.server.moderation.schema import bans
from faceup.server.process.settings import Settings
from faceup.server.rooms.errors import TableClosedError
from faceup.server.rooms.names import name_among
from faceup.server.rooms.succession import successor
from faceup.server.store.heartbeat import outages_since
from faceup.server.store.queries import insert_new, is_unseen, lock
from faceup.server.store.schema import rooms
from faceup.server.tournaments.schema import tournament_players, tournament_removals, tournament_tables, tournaments
from faceup.server.tournaments.state import (
    EndTournament,
    HostCommand,
    RemoveEntrant,
    TournamentState,
    after_outage,
    apply_host_command,
    enter,
    with_status,
)
from faceup.server.tournaments.tables import SeatedPlayer, table_id
from faceup.tournament import next_number


class _Named(msgspec.Struct):
    """The name in the settings of a tournament."""

    name: str


class _NamedState(msgspec.Struct):
    """The part of a `TournamentState` that lists show."""

    settings: _Named


_DECODER: Final = msgspec.json.Decoder(TournamentState)
_NAMES: Final = msgspec.json.Decoder(_NamedState)


class StoredTournament(NamedTuple):
    """A tournament, as it is stored.

    Attributes:
        id: its id.
        host: the id of the host; None if the host was erased before anyone joined.
        source: a keyed hash of the host's address; "" if there is none.
        version: the number of changes.
        state: the state. Its times are moved by the outages since its last change.
        players: the entrants by number, without those who were erased.
        missing: the ids of the rooms of the current round that are not created yet.
        outdated: whether the stored times are not moved yet.
    """

    id: str
    host: str | None
    source: str
    version: int
    state: TournamentState
    players: Mapping[int, SeatedPlayer]
    missing: frozenset[str]
    outdated: bool = False

    @property
    def erased(self) -> frozenset[int]:
        """The numbers of the entrants who were erased."""
        return frozenset(range(1, len(self.state.tournament.entrants) + 1)) - self.players.keys()

    def number_of(self, player: str | None) -> int | None:
        """Return the number of a player; None if the player has not joined."""
        return next((number for number, entrant in self.players.items() if entrant.id == player), None)


class AwaitedTable(NamedTuple):
    """A table with a result that is not known yet.

    Attributes:
        room: the id of its room.
        number: the table of the current round, from 0.
        created: whether its room was created.
        over: whether the game is over or closed, or the room was deleted.
        countable: whether it is over, and its spectators have seen it.
    """

    room: str
    number: int
    created: bool
    over: bool
    countable: bool


class TournamentEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament of a player, for the export of the player's data.

    Attributes:
        id: the id of the tournament.
        tournament: its name.
        name: the player's name in it; None if the player does not play.
        host: whether the player is the host.
        named: whether the player gave the tournament its name.
    """

    id: str
    tournament: str
    name: str | None
    host: bool
    named: bool


def create_tournament(
    connection: Connection,
    now: int,
    identifier: str,
    *,
    host: str,
    source: str,
    state: TournamentState,
    limits: Settings,
) -> None:
    """Store a new tournament, unless one with this id exists. Raises `LimitReachedError`.

    Args:
        connection: database connection.
        now: milliseconds since 1970.
        identifier: the id of the tournament.
        host: the current id of the host.
        source: a keyed hash of the host's address.
        state: the state.
        limits: the settings with the limits on open tournaments.
    """
    (host,) = lock_players(connection, host)
    lock(connection, f"tournaments of address {source}")
    if connection.execute(sa.select(tournaments.c.id).where(tournaments.c.id == identifier)).first() is not None:
        return
    for column, value, limit, owner in (
        (tournaments.c.host, host, limits.tournaments_per_player, "you have"),
        (tournaments.c.source, source, limits.tournaments_per_address, "your network has"),
    ):
        query = sa.select(sa.func.count()).where(column == value, tournaments.c.ended_at.is_(None))
        if limit and connection.execute(query).scalar_one() >= limit:
            raise LimitReachedError(f"{owner} too many open tournaments: end one, or wait until one is over")
    values = {"id": identifier, "host": host, "named_by": host, "source": source, "version": 1, "created_at": now}
    insert_new(connection, tournaments, **values, **_columns(state, now))


def find_tournament(connection: Connection, identifier: str, *, lock: bool = False) -> StoredTournament:
    """Return a tournament. With `lock`, no other process can change it in this transaction. Raises `NotFoundError`."""
    query = sa.select(tournaments).where(tournaments.c.id == identifier)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFoundError("there is no such tournament")
    in_tournament = tournament_players.c.tournament == identifier
    entrants = connection.execute(
        sa.select(tournament_players).where(in_tournament).order_by(tournament_players.c.number)
    )
    players = {
        entrant.number: SeatedPlayer(entrant.player, entrant.name, entrant.face, entrant.program)
        for entrant in entrants
    }
    stored = state = _DECODER.decode(row.state)
    for outage in outages_since(connection, stored.changed_at):
        state = after_outage(state, outage.start, outage.end)
    outdated = state is not stored
    table = tournament_tables.c
    missing = connection.execute(sa.select(table.room).where(table.tournament == identifier, ~table.created)).scalars()
    return StoredTournament(
        row.id, row.host, row.source, row.version, state, players, missing=frozenset(missing), outdated=outdated
    )


def find_newer(connection: Connection, identifier: str, last: StoredTournament | None) -> StoredTournament:
    """Return a tournament, which is `last` itself if nothing of it has changed since. Raises `NotFoundError`.

    Commands, results and merges of players change the version. Erased players are missing.
    """
    if last is not None:
        entrants = sa.select(sa.func.count()).where(tournament_players.c.tournament == identifier).scalar_subquery()
        query = sa.select(tournaments.c.version, tournaments.c.host, entrants).where(tournaments.c.id == identifier)
        if tuple(connection.execute(query).one_or_none() or ()) == (last.version, last.host, len(last.players)):
            return last
    return find_tournament(connection, identifier)


def find_host(connection: Connection, identifier: str) -> tuple[str, str]:
    """Return the id of the host and the name of a tournament. Raises `NotFoundError`, also without a host."""
    stored = find_tournament(connection, identifier)
    if stored.host is None:
        raise NotFoundError("the host of this tournament was deleted")
    return stored.host, stored.state.settings.name


def change_tournament(
    connection: Connection, now: int, identifier: str, change: Callable[[StoredTournament], TournamentState]
) -> StoredTournament:
    """Change the state of a tournament, and return it. An unchanged state is not stored. Raises errors of `change`."""
    stored = find_tournament(connection, identifier, lock=True)
    after = change(stored)
    return stored if after is stored.state and not stored.outdated else _store(connection, now, stored, after)


def lead_tournament(
    connection: Connection, now: int, identifier: str, command: HostCommand, *, by: ActorKind = "host"
) -> StoredTournament:
    """Carry out a command of the host or the operator, and return the tournament. Raises errors of the command."""
    before: list[StoredTournament] = []

    def change(stored: StoredTournament) -> TournamentState:
        before.append(stored)
        return apply_host_command(stored.state, command, now)

    after, place = change_tournament(connection, now, identifier, change), f"tournament:{identifier}"
    actor = before[0].host if by == "host" else None
    if after.state is not before[0].state and isinstance(command, EndTournament):
        record(connection, now, "end_tournament", by=by, actor=actor, place=place)
    elif after.state is not before[0].state and isinstance(command, RemoveEntrant):
        removed = before[0].players.get(command.number)
        player = None if removed is None else removed.id
        record(connection, now, "remove_player", by=by, actor=actor, player=player, place=place)
    return after


def hand_over_tournament(connection: Connection, now: int, identifier: str, host: str) -> None:
    """Make a player the host of a tournament, as the operator. Raises `NotFoundError`."""
    (host,) = lock_players(connection, host)
    stored = find_tournament(connection, identifier, lock=True)
    record(connection, now, "hand_over", player=host, place=f"tournament:{identifier}")
    _store(connection, now, _set_host(connection, stored, host), stored.state)


def join_tournament(
    connection: Connection,
    now: int,
    identifier: str,
    who: SeatedPlayer,
    *,
    source: str = "",
    bucket: Bucket | None = None,
) -> StoredTournament:
    """Let a player join a tournament or return to it, and return it. If it has no host, the player is its host.

    Args:
        connection: the connection of a write transaction.
        now: milliseconds since 1970.
        identifier: the id of the tournament.
        who: the player.
        source: a keyed hash of the player's address.
        bucket: from which a new player takes a token, unless the address is that of the host.

    Raises:
        NotFoundError: there is no such tournament.
        ForbiddenError: the tournament is only for players with accounts.
        Malformed: the name is invalid, or looks like that of another entrant.
        LimitReachedError: too many players of the address have joined.
        TableClosedError, StaleCommandError: the player cannot join; see `enter`.
    """
    who = who._replace(id=lock_players(connection, who.id)[0])
    stored = find_tournament(connection, identifier, lock=True)
    number, host = stored.number_of(who.id), stored.host == who.id
    if number is not None:
        after = enter(stored.state, number, now, host=host)
        new_program = who.program and not stored.players[number].program
        if new_program:
            mark_programs(connection, identifier, [who.id])
            marked = stored.players[number]._replace(program=True)
            stored = stored._replace(players={**stored.players, number: marked})
        if stored.host is None:
            return _store(connection, now, _set_host(connection, stored, who.id), after)
        return stored if after is stored.state and not new_program else _store(connection, now, stored, after)
    _require_admitted(connection, stored, who.id)
    number = next_number(stored.state.tournament, stored.erased)
    after = enter(stored.state, number, now, host=host, new=True)
    taken = [entrant.name for other, entrant in stored.players.items() if other != number]
    shown = who._replace(name=name_among(who.name, taken))
    if bucket is not None and source != stored.source:
        take_all(
            connection,
            now,
            (bucket,),
            "many people of your network have joined: ask the host to open a tournament there",
        )
    _free_number(connection, stored, number)
    row = tournament_players.insert().values(tournament=identifier, number=number)
    connection.execute(row.values(player=shown.id, name=shown.name, face=shown.face, program=shown.program))
    if stored.host is None:
        stored = _set_host(connection, stored, who.id)
    return _store(connection, now, stored._replace(players={**stored.players, number: shown}), after)


def mark_programs(connection: Connection, identifier: str, ids: Collection[str]) -> None:
    """Mark entrants that programs play for, given by their ids or those of guests who were merged into them."""
    current = current_ids(connection, list(ids))
    entrants = tournament_players.c.tournament == identifier, tournament_players.c.player.in_(current)
    connection.execute(tournament_players.update().where(*entrants).values(program=True))


def _require_admitted(connection: Connection, stored: StoredTournament, player: str) -> None:
    """Raise an error of `join_tournament` if the host removed the player, or the player lacks an account."""
    removed = tournament_removals.c.tournament == stored.id, tournament_removals.c.player == player
    if connection.execute(sa.select(tournament_removals).where(*removed)).first() is not None:
        raise TableClosedError("the host removed you from this tournament")
    account = sa.select(players.c.account_at).where(players.c.id == player)
    if stored.state.settings.admission == "account" and connection.execute(account).scalar() is None:
        raise ForbiddenError("only people with an account can join this tournament: create one first")


def _free_number(connection: Connection, stored: StoredTournament, number: int) -> None:
    """Delete an entrant to give the number to a new one, and remember one that the host removed."""
    before = stored.players.get(number)
    if before is None:
        return
    same_entrant = tournament_players.c.tournament == stored.id, tournament_players.c.number == number
    connection.execute(tournament_players.delete().where(*same_entrant))
    if stored.state.tournament.entrants[number - 1].status == "removed":
        connection.execute(tournament_removals.insert().values(tournament=stored.id, player=before.id))


def withdraw(connection: Connection, now: int, people: Collection[str]) -> None:
    """Withdraw players, who were banned or are being erased, from all tournaments that are not over.

    As entrants they have left. Where one of them is the host, another entrant becomes the host.
    """
    entered = sa.select(tournament_players.c.tournament).where(tournament_players.c.player.in_(people))
    role = tournaments.c.host.in_(people) | tournaments.c.id.in_(entered)
    query = sa.select(tournaments.c.id).where(tournaments.c.ended_at.is_(None), role).order_by(tournaments.c.id)
    banned = set(connection.execute(sa.select(bans.c.player).where(in_force(now))).scalars())
    for identifier in list(connection.execute(query).scalars()):
        stored = find_tournament(connection, identifier, lock=True)
        after, candidates = stored.state, list[tuple[str, bool]]()
        for number, player in stored.players.items():
            status = after.tournament.entrants[number - 1].status
            if player.id in people:
                after = with_status(after, number, "left", now)
            elif status not in {"removed", "waiting"} and player.id not in banned:
                candidates.append((player.id, status == "active"))
        if stored.host in people:
            stored = _set_host(connection, stored, successor(candidates))
        elif after is stored.state:  # they have left already
            continue
        _store(connection, now, stored, after)


def _set_host(connection: Connection, stored: StoredTournament, host: str | None) -> StoredTournament:
    # The hash of an address is that of the host before.
    connection.execute(tournaments.update().where(tournaments.c.id == stored.id).values(host=host, source=""))
    return stored._replace(host=host, source="")


def store_round(
    connection: Connection, now: int, before: StoredTournament, after: TournamentState
) -> StoredTournament | None:
    """Store a new round and its tables, unless the tournament has changed since `before`; then return None."""
    current = find_tournament(connection, before.id, lock=True)
    if current.version != before.version:
        return None
    number = len(after.tournament.rounds)
    if number > len(before.state.tournament.rounds):
        rows = [
            {"room": table_id(before.id, number, table + 1), "tournament": before.id, "number": table, "created": False}
            for table in range(len(after.tournament.rounds[-1].tables))
        ]
        connection.execute(tournament_tables.insert(), rows)
    return _store(connection, now, current, after)


def awaited_tables(connection: Connection, now: int, identifier: str) -> list[AwaitedTable]:
    """Return the tables of a tournament that have no known result, in order."""
    columns = tournament_tables.c.room, tournament_tables.c.number, tournament_tables.c.created
    query = (
        sa.select(*columns, _OVER, _is_countable(now))
        .outerjoin(rooms, rooms.c.id == tournament_tables.c.room)
        .where(tournament_tables.c.tournament == identifier)
        .order_by(tournament_tables.c.number)
    )
    return [AwaitedTable(*row) for row in connection.execute(query)]


def tables_created(connection: Connection, identifier: str, created: Collection[str]) -> None:
    """Record that rooms of a tournament were created, which clients then learn as a change."""
    find_tournament(connection, identifier, lock=True)
    new = tournament_tables.c.room.in_(created), ~tournament_tables.c.created
    if connection.execute(tournament_tables.update().where(*new).values(created=True)).rowcount:
        change = tournaments.update().where(tournaments.c.id == identifier)
        connection.execute(change.values(version=tournaments.c.version + 1))


def tables_counted(connection: Connection, counted: Collection[str]) -> None:
    """Forget tables, because their results are in the state of their tournament."""
    connection.execute(tournament_tables.delete().where(tournament_tables.c.room.in_(counted)))


def due_tournaments(connection: Connection, now: int) -> list[str]:
    """Return the tournaments that have something to do: a time has come, or a table was not created or has ended."""
    return sorted(connection.execute(_DUE, {"now": now}).scalars())


def open_tournaments(connection: Connection) -> list[str]:
    """Return the tournaments that are not over."""
    query = sa.select(tournaments.c.id).where(tournaments.c.ended_at.is_(None)).order_by(tournaments.c.id)
    return list(connection.execute(query).scalars())


def versions_of(connection: Connection, identifiers: Collection[str]) -> dict[str, int]:
    """Return the current versions of tournaments."""
    query = sa.select(tournaments.c.id, tournaments.c.version).where(tournaments.c.id.in_(identifiers))
    return {row.id: row.version for row in connection.execute(query)}


def tournaments_of(connection: Connection, player: str) -> list[TournamentEntry]:
    """Return the tournaments that a player plays in, is the host of or gave a name, the newest first."""
    table = tournaments.c
    own = (tournament_players.c.tournament == table.id) & (tournament_players.c.player == player)
    query = (
        sa.select(table.id, table.host, table.named_by, table.state, tournament_players.c.name)
        .outerjoin(tournament_players, own)
        .where((table.host == player) | (table.named_by == player) | tournament_players.c.name.is_not(None))
        .order_by(table.created_at.desc(), table.id)
    )
    return [
        TournamentEntry(
            id=row.id,
            tournament=_NAMES.decode(row.state).settings.name,
            name=row.name,
            host=row.host == player,
            named=row.named_by == player,
        )
        for row in connection.execute(query)
    ]


def delete_tournaments(connection: Connection, before: int) -> None:
    """Delete the tournaments that ended before a time."""
    connection.execute(tournaments.delete().where(tournaments.c.ended_at < before))


def people_at(seats: Sequence[int], players: Mapping[int, SeatedPlayer]) -> list[SeatedPlayer | None]:
    """Return the players of the seats of a table; None for bots, and for players who were erased."""
    return [players.get(number) for number in seats]


_OVER: Final = rooms.c.ended_at.is_not(None) | (tournament_tables.c.created & rooms.c.id.is_(None))


def _is_countable(now: int | sa.BindParameter[int]) -> sa.ColumnElement[bool]:
    """Return the condition that a table is over, and that its spectators have seen it, as its result shows it."""
    return _OVER & (rooms.c.id.is_(None) | ~is_unseen(now))


# This query is built only once, because it runs every second and is executed faster than it is built.
_DUE: Final = sa.union(
    sa.select(tournaments.c.id).where(tournaments.c.wake <= sa.bindparam("now")),
    sa.select(tournament_tables.c.tournament)
    .outerjoin(rooms, rooms.c.id == tournament_tables.c.room)
    .where(~tournament_tables.c.created | _is_countable(sa.bindparam("now"))),
)


def _store(connection: Connection, now: int, before: StoredTournament, after: TournamentState) -> StoredTournament:
    stored = before._replace(state=after, version=before.version + 1)
    change = tournaments.update().where(tournaments.c.id == before.id)
    connection.execute(change.values(version=stored.version, **_columns(after, now)))
    return stored


def _columns(state: TournamentState, now: int) -> dict[str, object]:
    text = msgspec.json.encode(state).decode()
    return {"state": text, "wake": state.wake, "ended_at": now if state.over else None}
