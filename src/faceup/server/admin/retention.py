"""Deletion of expired data."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import sqlalchemy as sa

from faceup.server.accounts.one_time_codes import delete_expired_codes
from faceup.server.accounts.revocations import delete_revocations
from faceup.server.accounts.schema import players, sessions, tokens
from faceup.server.accounts.sessions import delete_expired_sessions
from faceup.server.accounts.shared_limits import delete_full
from faceup.server.admin.deletion import DAY, delete_tables, delete_tombstones, resume, start_erasures
from faceup.server.admin.moderation_journal import set_complete_since
from faceup.server.audit.log import delete_acts
from faceup.server.audit.schema import audit_log
from faceup.server.friends.invitations import delete_expired_invitations
from faceup.server.http.idempotency_keys import delete_expired_keys
from faceup.server.moderation.bans import delete_expired_bans
from faceup.server.moderation.reports import delete_reports
from faceup.server.moderation.schema import reports
from faceup.server.process.periodic import FailureIsolation
from faceup.server.results.schema import results
from faceup.server.retention_periods import retention_periods
from faceup.server.store import Store
from faceup.server.store.heartbeat import downtime
from faceup.server.store.schema import rooms
from faceup.server.tables.quick_match import delete_old_seats
from faceup.server.tables.schema import player_tables
from faceup.server.tournaments.queries import delete_tournaments
from faceup.server.turns.mail_addresses import delete_expired_addresses

_AT_ONCE: Final = 200
"""The maximum number of tables, guests, reports or acts that are searched and then deleted."""


async def sweep(store: Store) -> dict[str, int]:
    """Delete expired tables, tournaments, guests, reports, sessions, bans, invitations, codes and so on.

    Afterwards, reclaim the space. Several processes may sweep at the same time.

    If a part fails, the others are done before its error is raised.

    Returns:
        How many tables, guests, reports, acts and sessions were deleted.
    """
    await resume(store)
    now = store.now()
    times = await store.query(retention_periods)
    deleted, failures, errors = dict.fromkeys(times, 0), FailureIsolation("deletion of expired data", store.metrics), []
    for name, time in times.items():
        with failures.isolate(name) as attempt:
            deleted[name] = 0 if time is None else await _sweep(store, name, now - time)
        errors += [attempt.error] if attempt.error is not None else []
    await resume(store)
    # All servers have read revocations that are a day old.
    await store.write(lambda connection: delete_revocations(connection, now - DAY))
    await store.write(partial(delete_tombstones, now=now))
    await store.write(lambda connection: delete_full(connection, now))
    await store.write(lambda connection: delete_expired_bans(connection, now))
    await store.write(lambda connection: delete_expired_addresses(connection, now))
    if (time := times["finished"]) is not None:
        await store.write(partial(delete_tournaments, before=now - time))
    await store.write(lambda connection: delete_expired_invitations(connection, now))
    await store.write(lambda connection: delete_expired_codes(connection, now))
    await store.write(lambda connection: delete_old_seats(connection, now))
    await store.write(lambda connection: delete_expired_keys(connection, now))
    deleted["sessions"] = await store.write(lambda connection: delete_expired_sessions(connection, now))
    await store.reclaim()
    if errors:
        raise errors[0]
    return deleted


async def _sweep(store: Store, name: str, before: int) -> int:
    deleted = 0
    if name.startswith("guests"):
        before -= await store.query(partial(downtime, since=before))
    while ids := await store.query(partial(_expired, name=name, before=before)):
        if name.startswith("guests"):  # a guest may have returned since the query
            deleted += await start_erasures(store, ids, _is_expired_guest(name, before), by="server")
            continue
        if name == "reports":
            await store.write(partial(delete_reports, ids=ids))
        elif name == "log":
            await store.write(partial(_delete_acts, ids=ids, before=before))
        else:
            await delete_tables(store, ids, by="server")
        deleted += len(ids)
    return deleted


def _expired(connection: sa.Connection, *, name: str, before: int) -> list[str]:
    """Return some IDs of tables, guests, reports or acts that have expired, given a retention period and its start."""
    match name:
        case "finished" | "unfinished":
            status = "finished" if name == "finished" else "closed"
            query = sa.select(rooms.c.id).where(rooms.c.status == status, rooms.c.ended_at < before)
        case "reports":
            query = sa.select(reports.c.id).where(reports.c.at < before)
        case "log":
            query = sa.select(audit_log.c.id).where(audit_log.c.at < before)
        case _:
            query = sa.select(players.c.id).where(_is_expired_guest(name, before))
    return list(connection.execute(query.limit(_AT_ONCE)).scalars())


def _delete_acts(connection: sa.Connection, *, ids: Sequence[str], before: int) -> None:
    """Delete acts. Also if acts are kept for longer again, a restore must not believe that it knows these."""
    delete_acts(connection, ids=ids)
    set_complete_since(connection, before)


def _is_expired_guest(name: str, before: int) -> sa.ColumnElement[bool]:
    """Return whether a player is a guest created before `before` with no token, and no session that was used since."""
    alive = sa.union_all(
        sa.select(tokens.c.player), sa.select(sessions.c.player).where(sessions.c.seen_at >= before)
    ).subquery()
    return sa.and_(
        sa.true() if name == "guests" else ~_PLAYED,
        players.c.account_at.is_(None),
        players.c.erased_at.is_(None),
        players.c.merged_into.is_(None),
        players.c.created_at < before,
        players.c.id.not_in(sa.select(alive.c.player)),
    )


_OTHER: Final = players.alias()

_PLAYED: Final = sa.or_(
    sa.exists().where(results.c.who == players.c.id),
    sa.exists().where(player_tables.c.player == players.c.id),
    sa.exists().where(_OTHER.c.merged_into == players.c.id),
)
"""Whether a player has a result or a table that is not deleted, or another player was merged into the player."""
