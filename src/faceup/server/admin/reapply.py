"""Repeat the bans, deletions and erasures on a restored backup that were done after it was made.

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

from faceup.core import RulesError
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
    set_complete_since,
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
"""Milliseconds by which the last change of a source may come before that of a backup that was made at the same time."""


class ActSource(NamedTuple):
    """Where acts come from.

    Attributes:
        name: a file, a URL, or "the previous database".
        journal: what it contains; None if it is missing.
        until: until when it was kept, in milliseconds since 1970; None if that is not known.
    """

    name: str
    journal: Journal | None
    until: int | None = None


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
        complete: whether all acts since the backup are known.
        warnings: why they are not known, as sentences.
    """

    acts: tuple[RepeatedAct, ...]
    complete: bool
    warnings: tuple[str, ...]


def previous_database(url: str) -> ActSource:
    """Return the acts in the database that a restore replaces. Without one, or if it cannot be read, there are none."""
    file, journal, until = sqlite_path(url), None, None
    if file is not None and not file.is_file():  # opening it would create it
        return ActSource(_PREVIOUS, None)
    with suppress(SQLAlchemyError, sqlite3.Error):
        database = Database(url)
        try:
            with database.readers.connect() as connection, connection.begin():
                now = database.clock(connection)
                acts = [msgspec.json.decode(text, type=RestorableAct) for text in restorable_acts(connection).values()]
                until = _made_at(connection)
                by_id = {act.id: act for act in acts}
                journal = Journal(database_id(connection), complete_since(connection, now), by_id)
        finally:
            database.close()
    return ActSource(_PREVIOUS, journal, until)


def journal_file(path: Path) -> ActSource:
    """Return the acts in a file. Raises `Malformed` if it cannot be read."""
    journal = read_journal(path)
    return ActSource(str(path), journal, None if journal is None else int(path.stat().st_mtime * 1000))


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
    made_at, kept_acts = await store.query(lambda connection: (_made_at(connection), restorable_acts(connection)))
    new = sorted((act for act in acts.values() if act.id not in kept_acts), key=lambda act: (act.at, act.id))
    warnings, is_complete = _completeness(sources, own, made_at)
    repeated = [
        await _repeat(store, act, repeat=repeat) for act in _last_acts(acts.values()) if act.id not in kept_acts
    ]
    now = store.now()

    def finish(connection: sa.Connection) -> tuple[str, int, dict[str, str]]:
        add_restorable_acts(connection, new)
        connection.execute(research_consents.delete())  # some may have been withdrawn since the backup
        if not is_complete:
            set_complete_since(connection, now)
        server_key(connection)
        return database_id(connection), complete_since(connection, now), restorable_acts(connection)

    database, since, texts = await store.write(finish)
    all_acts = [msgspec.json.decode(text, type=RestorableAct) for text in texts.values()]
    moderation = Moderation(acts=tuple(repeated), complete=is_complete, warnings=warnings)
    return moderation, journal_text(database, since, all_acts)


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


def _completeness(sources: Sequence[ActSource], own: Sequence[ActSource], made_at: int) -> tuple[tuple[str, ...], bool]:
    """Return the faults of sources, and whether one of the `own` ones has all acts after the time of the backup.

    Acts that are missing in a source do not matter if another one is complete, but damage is always reported.
    """
    damage, gaps, is_complete = list[str](), list[str](), False
    for source in sources:
        name, journal, until = source
        if source not in own:
            gaps.append(f"{name} is about another database")
        elif journal is None:
            gaps.append(f"{name} is missing or cannot be read")
        elif journal.damaged:
            damage.append(f"{name} is damaged (line {', '.join(map(str, journal.damaged))}), and was read without that")
        elif journal.since is None or journal.since > made_at:
            gaps.append(f"{name} starts after the backup was made")
        elif until is not None and until < made_at - _LATE:
            gaps.append(f"{name} ends before the backup was made")
        else:
            is_complete = True
    return tuple(damage if is_complete else [*damage, *gaps]), is_complete


def _made_at(connection: sa.Connection) -> int:
    """Return the time of the last change in a backup, in milliseconds since 1970."""
    columns = (server_clock.c.last_heartbeat, rooms.c.changed_at, players.c.created_at, sessions.c.seen_at)
    times = [connection.execute(sa.select(sa.func.max(column))).scalar() for column in (*columns, audit_log.c.at)]
    return max(time or 0 for time in times)


def _last_acts(acts: Iterable[RestorableAct]) -> list[RestorableAct]:
    """Return the acts, the oldest first, without bans and their ends that a later act on the same target replaces."""
    last: dict[object, RestorableAct] = {}
    ordered = sorted(acts, key=lambda act: (act.at, act.id))
    erased = {target for act in ordered if act.act == "erase" for target in act.targets}
    for act in ordered:
        if act.act != "erase" and act.targets and erased.issuperset(act.targets):
            continue
        is_ban = act.act in {"ban", "unban"}
        for target in (act.address,) if act.address is not None else act.targets:
            last.pop((is_ban, target), None)
            last[is_ban, target] = act
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
    """Repeat an act. A ban that is over is like the end of a ban, and a repeated ban has no reason."""
    now = store.now()
    if act.act == "erase":
        await erase_players(store, ids, by="restore")
    elif act.act == "delete_table":
        await delete_tables(store, ids, by="restore")
    elif act.act == "unban" or (act.until is not None and act.until <= now):
        await store.write(lambda connection: _remove_bans(connection, now, act, ids))
    elif not await store.query(lambda connection: _is_banned(connection, act, ids)):
        if act.address is not None:
            address = act.address
            add = partial(ban_address, now=now, address=address, until=act.until, by="restore")
            await store.write(add)
        for player in ids:
            with suppress(RulesError):  # a table that cannot be read; servers try again for a while
                await ban(store, player, term=None if act.until is None else act.until - now, by="restore")


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


def _remove_bans(connection: sa.Connection, now: int, act: RestorableAct, ids: Sequence[str]) -> None:
    for identifier in connection.execute(sa.select(bans.c.id).where(_same(act, ids))).scalars().all():
        with suppress(NotFoundError):
            remove_ban(connection, now, identifier, by="restore")


def _is_banned(connection: sa.Connection, act: RestorableAct, ids: Sequence[str]) -> bool:
    """Return whether the same ban is in the backup, which then keeps its reason."""
    rows = connection.execute(sa.select(bans.c.until).where(_same(act, ids))).scalars().all()
    return len(rows) >= max(1, len(ids)) and all(until == act.until for until in rows)
