"""Deletion of tables and erasure of players, with everything that is derived from them.

Everything that deletes a table or a player uses this module: the retention periods, `faceup admin tables delete` and
`faceup admin people erase`. Each step is one short transaction. If a process is killed between two steps, the next call
of `resume` does the rest.

Servers learn of a deletion by a revocation with the table as its subject. They then drop the table from memory.
"""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeVar, get_args

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from faceup.core import RulesError
from faceup.server.accounts.account_deletion import DELETION_DELAY, requested_deletions, wants_deletion
from faceup.server.accounts.players import Erasure, add_erased_players
from faceup.server.accounts.revocations import publish, revoke_all, subject_of
from faceup.server.accounts.schema import players
from faceup.server.admin.log_append import remove_people
from faceup.server.admin.traces import find_traces, identifiers, texts_in
from faceup.server.audit.log import ActorKind, forget_tables, record_lasting, target_of
from faceup.server.daily.schema import daily_attempts
from faceup.server.player_data import erase
from faceup.server.process.periodic import FailureIsolation
from faceup.server.results.schema import games, results
from faceup.server.rooms import dumps, fold_log, loads
from faceup.server.rooms.anonymize import anonymize, people_of
from faceup.server.rooms.entries import EntryBatch, LogRewritten, RoomEntry
from faceup.server.rooms.summary import list_summary
from faceup.server.store import ConflictError, LogRow, Store, StoreError, new_id
from faceup.server.store.heartbeat import downtime, live_processes
from faceup.server.store.queries import log_values
from faceup.server.store.schema import connections, deleted_tables, erasures, log, rooms, turns

T = TypeVar("T")

DAY: Final = 86_400_000

TOMBSTONES: Final = 30 * DAY
"""How long the ID of a deleted table cannot be used again, in milliseconds."""

_TABLES_AT_ONCE: Final = 20
_PLAYERS_AT_ONCE: Final = 20
_ROWS_AT_ONCE: Final = 200
"""Maximum number of tables, players or log rows in one transaction, so that choices wait only a few milliseconds."""

_LATE_COMMANDS: Final = 60_000
"""Milliseconds after the start of an erasure in which a server may still store a command of the player.

The player's sessions are revoked at the start, and every server reads revocations each second.
"""

_TRIES: Final = 20
"""Maximum number of attempts to rewrite a log. An attempt fails if a server appends to the log at the same time."""

_LOG: Final = logging.getLogger(__name__)


async def delete_tables(
    store: Store, tables: Collection[str], *, by: ActorKind = "operator", at: int | None = None
) -> int:
    """Delete tables with their logs, and return how many existed.

    `by` is who deletes them, and `at` the time of this act, in milliseconds since 1970; by default now.

    A result is deleted, too, unless it names a player who is not erased. The results of daily deals are always deleted,
    because they belong to the attempt.
    """
    count = 0
    for chunk in _chunks(sorted(set(tables)), _TABLES_AT_ONCE):
        now = store.now() if at is None else at
        count += await store.write(partial(_delete_rows, now=now, tables=chunk, by=by))
    await _purge(store)
    return count


def _chunks(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]


def _delete_rows(connection: sa.Connection, *, now: int, tables: Sequence[str], by: ActorKind) -> int:
    """Delete everything about tables except their logs, which `_purge` deletes. Return how many tables existed."""
    # The lock lets appends and deletions by other processes finish first.
    locked = sa.select(rooms.c.id).where(rooms.c.id.in_(tables)).order_by(rooms.c.id).with_for_update()
    existing = list(connection.execute(locked).scalars())
    if not existing:
        return 0
    connection.execute(deleted_tables.insert(), [{"id": table, "at": now, "purged": False} for table in existing])
    connection.execute(rooms.delete().where(rooms.c.id.in_(existing)))
    connection.execute(connections.delete().where(connections.c.room.in_(existing)))
    _delete_results(connection, existing)
    forget_tables(connection, existing)
    connection.execute(daily_attempts.delete().where(daily_attempts.c.room.in_(existing)))
    for table in existing:
        publish(connection, now, subject_of("table", table))
        targets = [target_of("table", table)]
        record_lasting(connection, now, "delete_table", by=by, place="table", targets=targets)
    return len(existing)


def _delete_results(connection: sa.Connection, tables: Sequence[str]) -> None:
    """Delete the results of deleted tables that are results of daily deals, or name only bots and erased players."""
    has_players = (
        sa.select(results.c.number)
        .join(players, players.c.id == results.c.who)
        .where(results.c.number == games.c.number, _NOT_ERASED)
        .exists()
    )
    daily = sa.select(daily_attempts.c.room).where(daily_attempts.c.room == games.c.room).exists()
    connection.execute(games.delete().where(games.c.room.in_(tables), daily | ~has_players))


async def _purge(store: Store) -> None:
    """Delete the logs of deleted tables."""
    while tables := await store.query(_unpurged):
        await store.write(partial(_purge_some, tables=tables))


def _unpurged(connection: sa.Connection) -> list[str]:
    """Return deleted tables that still have logs."""
    query = sa.select(deleted_tables.c.id).where(~deleted_tables.c.purged).order_by(deleted_tables.c.id)
    return list(connection.execute(query.limit(_TABLES_AT_ONCE)).scalars())


def _purge_some(connection: sa.Connection, *, tables: Sequence[str]) -> None:
    """Delete some rows of the logs of deleted tables."""
    budget, purged = _ROWS_AT_ONCE, list[str]()
    for table in tables:
        first = sa.select(sa.func.min(log.c.seq)).where(log.c.room == table).scalar_subquery()
        budget -= connection.execute(log.delete().where(log.c.room == table, log.c.seq < first + budget)).rowcount
        if connection.execute(sa.select(log.c.seq).where(log.c.room == table).limit(1)).first() is not None:
            break
        purged.append(table)
        if budget <= 0:
            break
    connection.execute(deleted_tables.update().where(deleted_tables.c.id.in_(purged)).values(purged=True))


def delete_tombstones(connection: sa.Connection, now: int) -> None:
    """Delete the IDs of tables that were deleted longer ago than `TOMBSTONES`."""
    connection.execute(deleted_tables.delete().where(deleted_tables.c.at < now - TOMBSTONES, deleted_tables.c.purged))


async def erase_players(
    store: Store, people: Collection[str], *, by: ActorKind = "operator", at: int | None = None
) -> None:
    """Erase players: end their sessions, delete their data, and replace their names and ids at their tables.

    Tables at which there was no other player are deleted. In all other logs and results, a random id replaces the id.
    See `start_erasures`.
    """
    await start_erasures(store, people, by=by, at=at)
    await resume(store)


async def start_erasures(
    store: Store,
    people: Collection[str],
    condition: sa.ColumnElement[bool] | None = None,
    *,
    by: ActorKind = "operator",
    at: int | None = None,
) -> int:
    """Erase players, except from the logs of tables, and return how many. Afterwards, call `resume`.

    With a condition of their rows, only those are erased who still meet it in the transaction that erases them. `by` is
    who erases them, and `at` the time of this act, in milliseconds since 1970; by default now.
    """
    count = 0
    for chunk in _chunks(sorted(people), _PLAYERS_AT_ONCE):
        now = store.now() if at is None else at
        start = partial(_start_erasures, now=now, people=chunk, condition=condition, by=by)
        count += await store.write(start)
    return count


async def erase_requested(store: Store) -> None:
    """Erase the players who asked for it a day ago and have not cancelled. Outages do not count, as no one can cancel.

    Several processes may call this at the same time.
    """
    now, due = store.now(), dict[str, int]()
    for player, at in await store.query(requested_deletions):
        if now - at - await store.query(partial(downtime, since=at)) >= DELETION_DELAY:
            due[player] = at
    if due:
        await start_erasures(store, due, wants_deletion(max(due.values())), by="player")
        await resume(store)


async def resume(store: Store) -> None:
    """Finish deletions and erasures that were started, possibly by a process that was killed."""
    await _purge(store)
    now = store.now()
    pending = await store.query(_pending_erasures)
    if not pending:
        return
    settled = await store.query(partial(_settled, now=now))
    for erasure in pending:
        for chunk in _chunks(list(erasure.pseudonyms.items()), _PLAYERS_AT_ONCE):
            await store.write(partial(erase, erasure=erasure._replace(pseudonyms=dict(chunk))))
    people = {player for erasure in pending for player in erasure.pseudonyms}
    tables = await store.query(partial(_tables_that_name, names=identifiers(people)))
    rewritten, failures = list[bool](), FailureIsolation("erasure", store.metrics)
    for table in tables:
        with failures.isolate(f"the table {table}") as attempt:
            rewritten.append(await _rewrite_log(store, table, pending))
        if isinstance(attempt.error, StoreError):
            raise attempt.error
    done = settled & people
    if not (done and len(rewritten) == len(tables) and all(rewritten)):
        return
    if traces := await store.query(partial(find_traces, people=done)):
        _LOG.error("erasures cannot end, because these columns still name the players: %s", ", ".join(traces))
        return
    for ended in _chunks(sorted(done), _PLAYERS_AT_ONCE):
        await store.write(partial(_end_erasures, done=ended))


def _end_erasures(connection: sa.Connection, *, done: Collection[str]) -> None:
    connection.execute(erasures.delete().where(erasures.c.player.in_(done)))


def _pending_erasures(connection: sa.Connection) -> list[Erasure]:
    """Return the erasures that have not ended, one for each time at which some were started."""
    pseudonyms_by_time: dict[int, dict[str, str]] = {}
    for row in connection.execute(sa.select(erasures).order_by(erasures.c.at, erasures.c.player)):
        pseudonyms_by_time.setdefault(row.at, {})[row.player] = row.pseudonym
    return [Erasure(at, pseudonyms) for at, pseudonyms in pseudonyms_by_time.items()]


def _settled(connection: sa.Connection, *, now: int) -> frozenset[str]:
    """Return the players with ids that no server can add to a log any more."""
    served = connection.execute(live_processes(now).limit(1)).first() is not None
    query = sa.select(erasures.c.player).where(erasures.c.at < now - _LATE_COMMANDS if served else sa.true())
    return frozenset(connection.execute(query).scalars())


def _start_erasures(
    connection: sa.Connection,
    *,
    now: int,
    people: Collection[str],
    condition: sa.ColumnElement[bool] | None,
    by: ActorKind,
) -> int:
    """Delete all data of players, and of those merged into them, except in logs. Return how many players these were."""
    root = sa.func.coalesce(players.c.merged_into, players.c.id)
    # The lock lets erasures of the same players by other processes finish first.
    connection.execute(sa.select(root).where(players.c.id.in_(people)).order_by(players.c.id).with_for_update())
    conditions = (_NOT_ERASED,) if condition is None else (_NOT_ERASED, condition)
    roots = set(connection.execute(sa.select(root).where(players.c.id.in_(people), *conditions)).scalars())
    pseudonyms = {root: new_id() for root in sorted(roots)}
    if not pseudonyms:
        return 0
    for erased_root in roots:
        revoke_all(connection, now, erased_root)
    merged = sa.select(players.c.id, players.c.merged_into).where(players.c.merged_into.in_(roots))
    pseudonyms |= {row.id: pseudonyms[row.merged_into] for row in connection.execute(merged)}
    rows = [{"player": player, "pseudonym": name, "at": now} for player, name in pseudonyms.items()]
    connection.execute(erasures.insert(), rows)
    for erased_root in roots:
        ids = [player for player, name in pseudonyms.items() if name == pseudonyms[erased_root]]
        record_lasting(connection, now, "erase", by=by, targets=[target_of("player", player) for player in ids])
    erase(connection, Erasure(now, pseudonyms))
    return len(roots)


_NOT_ERASED: Final = players.c.erased_at.is_(None)


def _tables_that_name(connection: sa.Connection, *, names: frozenset[str]) -> list[str]:
    """Return the tables with logs that contain one of the ids or handles."""
    of_room = (log.c.entries.contains(f'"entry":"{kind.__struct_config__.tag}"') for kind in get_args(RoomEntry))
    query = sa.select(log.c.room, log.c.entries).where(sa.or_(*of_room))  # the entries of a game contain none
    return sorted({row.room for row in connection.execute(query) if not names.isdisjoint(texts_in(row.entries))})


async def _rewrite_log(store: Store, table: str, pending: Sequence[Erasure]) -> bool:
    """Replace the names and ids of players in a table's log, after they have left the table.

    Delete the table if no other player was at it. Return False if servers have appended to the log in every attempt.
    """
    pseudonyms = {player: name for erasure in pending for player, name in erasure.pseudonyms.items()}
    erased_at = {name: erasure.now for erasure in pending for name in erasure.pseudonyms.values()}
    for _ in range(_TRIES):
        rows = await store.read(table)
        if not rows:
            return True  # another process has deleted it
        try:
            batches = [loads(row.entries) for row in rows]
            people = people_of(batches)
            others = people - set(pseudonyms)
            rewriting = _rewrite(rows, batches, pseudonyms)
        except RulesError as error:  # the error's message is not logged, because it may contain hands
            _LOG.warning("the table %s of an erased player cannot be read, so it is deleted: %s", table, error.kind)
            others = people = frozenset()
        if not await store.query(partial(_any_exists, people=others)):
            await delete_tables(store, [table], by="server")
            return True
        at = max((erased_at[name] for player, name in pseudonyms.items() if player in people), default=None)
        if await remove_people(store, table, pseudonyms, at):
            continue
        if not rewriting.changed:
            return True  # another process was faster
        try:
            await store.write(partial(_store_rewriting, now=store.now(), rewriting=rewriting, erased_at=erased_at))
        except (ConflictError, IntegrityError):
            continue
        return True
    _LOG.warning("players could not be erased from the table %s, which changes too often", table)
    return False


def _any_exists(connection: sa.Connection, *, people: Collection[str]) -> bool:
    query = sa.select(players.c.id).where(players.c.id.in_(people), _NOT_ERASED)
    return connection.execute(query.limit(1)).first() is not None


class _Rewriting(NamedTuple):
    """New log rows of a table, and a last row that lets servers read the whole log again.

    Attributes:
        changed: the rows that change.
        marker: the row to append.
        summary: the table's new entry for lists of tables.
        pseudonyms: the pseudonyms in the log.
    """

    changed: Sequence[LogRow]
    marker: LogRow
    summary: bytes
    pseudonyms: frozenset[str]


def _rewrite(rows: Sequence[LogRow], batches: Sequence[EntryBatch], pseudonyms: Mapping[str, str]) -> _Rewriting:
    """Return a log without the names and ids of players. Raises `RulesError` if the log cannot be replayed."""
    last = rows[-1]
    after = list(anonymize(zip(batches, [row.command for row in rows], strict=True), pseudonyms))
    new = [
        msgspec.structs.replace(row, entries=dumps(batch), command=command)
        for row, (batch, command) in zip(rows, after, strict=True)
    ]
    people = people_of(batch for batch, _ in after) & set(pseudonyms.values())
    marker = (LogRewritten(last.at, tuple(sorted(people))),)
    return _Rewriting(
        changed=[after for before, after in zip(rows, new, strict=True) if before != after],
        marker=msgspec.structs.replace(last, seq=last.seq + 1, entries=dumps(marker), command=None),
        summary=list_summary(fold_log([*after, (marker, None)])),
        pseudonyms=people,
    )


def _store_rewriting(
    connection: sa.Connection, *, now: int, rewriting: _Rewriting, erased_at: Mapping[str, int]
) -> None:
    """Store a rewritten log. Raises `ConflictError` or `IntegrityError` if the log has grown."""
    marker = rewriting.marker
    table, last = marker.table, marker.seq - 1
    # An append takes its locks in the same order: first its row in the log, then the table.
    connection.execute(log.insert().values(log_values(marker)))
    row = rooms.update().where(rooms.c.id == table, rooms.c.seq == last)
    if not connection.execute(row.values(seq=marker.seq, summary=rewriting.summary.decode())).rowcount:
        raise ConflictError("seq", f"row {marker.seq} of table {table}")
    if rewriting.changed:
        same_row = (log.c.room == table, log.c.seq == sa.bindparam("_seq"))
        connection.execute(
            log.update().where(*same_row).values(entries=sa.bindparam("_entries"), command=sa.bindparam("_command")),
            [{"_seq": row.seq, "_entries": row.entries.decode(), "_command": row.command} for row in rewriting.changed],
        )
    is_erased = turns.c.player.not_in(sa.select(players.c.id))
    connection.execute(turns.delete().where(turns.c.room == table, is_erased))
    add_erased_players(connection, {name: erased_at[name] for name in rewriting.pseudonyms})
    publish(connection, now, subject_of("table", table))
