"""Repeat the bans, deletions, erasures and requests for them on a restored backup that came after it was made.

What they were comes from the moderation journal, from its copy at the place of the backup, and from the previous
database if it can be read.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from faceup.core import Malformed, RulesError
from faceup.server.accounts.account_deletion import repeat_request
from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.player_ids import current_ids
from faceup.server.accounts.schema import players, sessions
from faceup.server.accounts.server_state import server_key
from faceup.server.admin.deletion import delete_tables, erase_players
from faceup.server.admin.moderation_journal import (
    Journal,
    complete_since,
    database_id,
    journal_text,
    parse_journal,
    read_journal,
    restored_at,
    set_complete_since,
    set_restored_at,
    write_journal,
)
from faceup.server.admin.players import ban
from faceup.server.audit.log import RestorableAct, add_restorable_acts, restorable_acts, target_of
from faceup.server.audit.schema import audit_log
from faceup.server.moderation.bans import ban_address, remove_ban
from faceup.server.moderation.schema import bans
from faceup.server.process.settings import sqlite_path
from faceup.server.research.schema import research_consents
from faceup.server.store import Store
from faceup.server.store.database import Database
from faceup.server.store.schema import rooms, server_clock

_PREVIOUS: Final = "the previous database"

_LATE: Final = 120_000
"""Milliseconds by which the last change of a database may come before the time of its journal."""


class ActSource(NamedTuple):
    """Where acts come from.

    Attributes:
        name: a file, a URL, or "the previous database".
        journal: what it contains; None if it is missing.
    """

    name: str
    journal: Journal | None


class RepeatedAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act after the backup, which the restore has repeated or not.

    Attributes:
        at: when it was done, in milliseconds since 1970.
        act: what was done.
        what: the player's name, the table's code or the address; "" for an erased player, and for what is unknown.
        until: when the ban ends; None if it has no end.
        in_backup: whether the backup has the player or the table.
        repeated: whether the act was repeated.
    """

    at: int
    act: str
    what: str
    until: int | None
    in_backup: bool
    repeated: bool


class Moderation(msgspec.Struct, frozen=True, kw_only=True):
    """What a restore knows of the acts after the backup.

    Attributes:
        acts: those that it has repeated; with `--without-journal`, those that it has not.
        known_until: until when all acts are known, in milliseconds since 1970.
        complete: whether this is the last change of the previous database, so that no later act can be missing.
        warnings: why later acts are not known, and what is damaged, as sentences.
    """

    acts: tuple[RepeatedAct, ...]
    known_until: int
    complete: bool
    warnings: tuple[str, ...]


def previous_database(url: str) -> ActSource:
    """Return the acts in the database that a restore replaces. Without one, or if it cannot be read, there are none."""
    file, journal = sqlite_path(url), None
    if file is not None and not file.is_file():  # opening it would create it
        return ActSource(_PREVIOUS, None)
    with suppress(SQLAlchemyError, sqlite3.Error):
        database = Database(url)
        try:
            with database.readers.connect() as connection, connection.begin():
                now = database.clock(connection)
                acts = [msgspec.json.decode(text, type=RestorableAct) for text in restorable_acts(connection).values()]
                since, until = complete_since(connection, now), _last_change(connection)
                journal = Journal(database_id(connection), since, until, {act.id: act for act in acts})
        finally:
            database.close()
    return ActSource(_PREVIOUS, journal)


def require_no_new_acts(connection: sa.Connection, sources: Sequence[ActSource]) -> None:
    """Raise `Malformed` if the previous database has acts that it did not have before, because it is still in use."""
    previous = next((source.journal for source in sources if source.name == _PREVIOUS), None)
    if previous is not None and not previous.acts.keys() >= restorable_acts(connection).keys():
        raise Malformed(
            "the database was changed during the restore, so nothing was restored: restore again", where="database"
        )


def journal_file(path: Path) -> ActSource:
    """Return the acts in a file. Raises `Malformed` if it cannot be read."""
    return ActSource(str(path), read_journal(path))


async def reapply(store: Store, sources: Sequence[ActSource], *, repeat: bool = True) -> tuple[Moderation, bytes]:
    """Repeat what was done after a backup was made. Return it, and the new contents of the journal.

    Args:
        store: the restored database.
        sources: where the acts come from.
        repeat: whether to repeat the acts.
    """
    database = await store.query(database_id)
    own = [source for source in sources if _may_be_of(source, database)]
    acts = {identifier: act for source in own if source.journal for identifier, act in source.journal.acts.items()}
    made_at, kept_acts = await store.query(lambda connection: (_last_change(connection), restorable_acts(connection)))
    new = sorted((act for act in acts.values() if act.id not in kept_acts), key=lambda act: (act.at, act.id))
    coverage = _coverage(sources, own, made_at)
    await store.write(lambda connection: add_restorable_acts(connection, new, _concerned(connection, new)))
    repeated = [
        await _repeat(store, act, repeat=repeat) for act in _last_acts(acts.values()) if act.id not in kept_acts
    ]
    now = store.now()

    def finish(connection: sa.Connection) -> tuple[str, int, dict[str, str]]:
        connection.execute(research_consents.delete())  # some may have been withdrawn since the backup
        if not coverage.is_complete:
            set_complete_since(connection, now)
        set_restored_at(connection, now)
        server_key(connection)
        return database_id(connection), complete_since(connection, now), restorable_acts(connection)

    database, since, texts = await store.write(finish)
    all_acts = [msgspec.json.decode(text, type=RestorableAct) for text in texts.values()]
    moderation = Moderation(
        acts=tuple(repeated),
        known_until=coverage.until,
        complete=coverage.is_complete,
        warnings=coverage.warnings,
    )
    return moderation, journal_text(database, since, now, all_acts)


def renew_journal(path: Path, content: bytes) -> None:
    """Replace the journal after a restore. A damaged one, or that of another database, is kept. Raises `OSError`."""
    journal = read_journal(path)
    if journal is not None and journal.damaged:
        path.replace(path.with_name(f"{path.name}.damaged"))
    elif journal is not None and journal.database != parse_journal(content).database:
        path.replace(path.with_name(f"{path.name}.{journal.database}"))
    write_journal(path, content)


def _may_be_of(source: ActSource, database: str) -> bool:
    """Return whether a source is about the database of a backup. A backup of a database without a server may be any."""
    return source.journal is None or not database or source.journal.database in {"", database}


class _Coverage(NamedTuple):
    """What sources know together.

    Attributes:
        until: the time until which they have all acts, in milliseconds since 1970.
        is_complete: whether one of them is the previous database, which had all acts to its end.
        warnings: what is damaged, and if they are not complete, the fault of each.
    """

    until: int
    is_complete: bool
    warnings: tuple[str, ...]


def _coverage(sources: Sequence[ActSource], own: Sequence[ActSource], made_at: int) -> _Coverage:
    """Return what sources, of which the `own` ones are about this database, know of the time after a backup was made.

    The backup itself has all acts until then. Each source has all acts of some period, and the next one may continue
    where it ends.
    """
    readable = [source.journal for source in own if source.journal is not None and not source.journal.damaged]
    periods = [(journal.since, journal.until) for journal in readable if journal.since is not None and journal.until]
    until = made_at
    for start, end in sorted(periods):
        until = max(until, end) if start <= until else until
    last_end = max((end for _, end in periods), default=0)
    damage, gaps, is_complete = list[str](), list[str](), False
    for source in sources:
        name, journal = source
        if source not in own:
            gaps.append(f"{name} is about another database")
        elif journal is None:
            gaps.append(f"{name} is missing or cannot be read")
        elif journal.damaged:
            damage.append(f"{name} is damaged (line {', '.join(map(str, journal.damaged))}), and was read without that")
        elif journal.until is None:
            gaps.append(f"{name} has no time until which it is complete")
        elif journal.since is None or journal.since > until:
            gaps.append(f"{name} starts after the backup was made")
        elif journal.until < made_at - _LATE:
            gaps.append(f"{name} ends before the backup was made")
        elif name == _PREVIOUS and journal.until < last_end - _LATE:
            gaps.append(f"{name} ends before other journals, so it was not the last one in use")
        else:
            is_complete |= name == _PREVIOUS
    return _Coverage(until, is_complete, tuple(damage if is_complete else [*damage, *gaps]))


def _last_change(connection: sa.Connection) -> int:
    """Return the time of the last change in a database, in milliseconds since 1970. It has all acts until then."""
    columns = (server_clock.c.last_heartbeat, rooms.c.changed_at, players.c.created_at, sessions.c.seen_at)
    times = [connection.execute(sa.select(sa.func.max(column))).scalar() for column in (*columns, audit_log.c.at)]
    return max(time or 0 for time in (*times, restored_at(connection)))


def _concerned(connection: sa.Connection, acts: Iterable[RestorableAct]) -> dict[str, str]:
    """Return the players of acts who are in the backup, except those who were erased, by the ids of these acts."""
    of_players = [act for act in acts if act.act not in {"erase", "delete_table"} and act.address is None]
    return {act.id: ids[0] for act in of_players if (ids := _find(connection, act=act)[0])}


def _last_acts(acts: Iterable[RestorableAct]) -> list[RestorableAct]:
    """Return the acts, the oldest first, without those that a later act of the same kind on the target replaces.

    A ban and its end are of one kind, and so are a request and its cancellation.
    """
    last: dict[object, RestorableAct] = {}
    ordered = sorted(acts, key=lambda act: (act.at, act.id))
    erased = {target for act in ordered if act.act == "erase" for target in act.targets}
    for act in ordered:
        if act.act != "erase" and act.targets and erased.issuperset(act.targets):
            continue
        kind = {"unban": "ban", "cancel_deletion": "request_deletion"}.get(act.act, act.act)
        for target in (act.address,) if act.address is not None else act.targets:
            last.pop((kind, target), None)
            last[kind, target] = act
    return list({act.id: act for act in last.values()}.values())


async def _repeat(store: Store, act: RestorableAct, *, repeat: bool) -> RepeatedAct:
    """Repeat an act, or only say what it was."""
    ids, name = await store.query(partial(_find, act=act))
    is_known = bool(ids) or act.address is not None
    if repeat and is_known:
        await _carry_out(store, act, ids)
    return RepeatedAct(
        at=act.at, act=act.act, what=name, until=act.until, in_backup=is_known, repeated=repeat and is_known
    )


async def _carry_out(store: Store, act: RestorableAct, ids: Sequence[str]) -> None:
    """Repeat an act, with its own time. A ban that is over is like the end of a ban, and a repeated one has no reason.

    The act is recorded already, as it was.
    """
    if act.act == "erase":
        await erase_players(store, ids, by="server", at=act.at)
    elif act.act == "delete_table":
        await delete_tables(store, ids, by="server", at=act.at)
    elif act.act in {"request_deletion", "cancel_deletion"}:
        requested_at = act.at if act.act == "request_deletion" else None
        for player in ids:
            await store.write(partial(repeat_request, requested_at=requested_at, player=player))
    elif act.act == "unban" or (act.until is not None and act.until <= store.now()):
        await store.write(lambda connection: _remove_bans(connection, act, ids))
    elif not await store.write(lambda connection: _renew_ban(connection, act, ids)):
        if act.address is not None:
            address = act.address
            await store.write(partial(ban_address, now=act.at, address=address, until=act.until, by="server"))
        for player in ids:
            with suppress(RulesError):  # a table that cannot be read
                await ban(store, player, term=None if act.until is None else act.until - act.at, by="server", at=act.at)


def _find(connection: sa.Connection, *, act: RestorableAct) -> tuple[list[str], str]:
    """Return the ids of the players or tables of an act in the backup, and what to show to the operator."""
    if act.address is not None:
        return [], act.address
    is_table = act.act == "delete_table"
    ids, names = (rooms.c.id, rooms.c.code) if is_table else (players.c.id, players.c.name)
    kind: Callable[[str], str] = partial(target_of, "table" if is_table else "player")
    targets = set(act.targets)
    rows = {row[0]: row[1] for row in connection.execute(sa.select(ids, names)) if kind(row[0]) in targets}
    matching = sorted(rows) if is_table else sorted(set(current_ids(connection, sorted(rows))))
    shown = "" if act.act == "erase" else ", ".join(sorted({rows[row] for row in rows}))
    return matching, shown


def _same(act: RestorableAct, ids: Sequence[str]) -> sa.ColumnElement[bool]:
    return bans.c.address == act.address if act.address is not None else bans.c.player.in_(ids)


def _remove_bans(connection: sa.Connection, act: RestorableAct, ids: Sequence[str]) -> None:
    for identifier in connection.execute(sa.select(bans.c.id).where(_same(act, ids))).scalars().all():
        with suppress(NotFoundError):
            remove_ban(connection, act.at, identifier, by="server")


def _renew_ban(connection: sa.Connection, act: RestorableAct, ids: Sequence[str]) -> bool:
    """Return whether a ban with the same end is in the backup. It gets the time of the act, and keeps its reason."""
    rows = connection.execute(sa.select(bans.c.until).where(_same(act, ids))).scalars().all()
    is_banned = len(rows) >= max(1, len(ids)) and all(until == act.until for until in rows)
    if is_banned:
        connection.execute(bans.update().where(_same(act, ids)).values(since=act.at))
    return is_banned
