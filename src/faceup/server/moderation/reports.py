"""Reports of players about others, and about invitations and names. Only the operator of the server sees them.

No message to players, and no log of a table, shows that there is a report.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec
from sqlalchemy import Connection, delete, func, select, update

from faceup.server.accounts.errors import ForbiddenError, NotFoundError
from faceup.server.accounts.player_ids import lock_players, move_rows
from faceup.server.accounts.schema import players
from faceup.server.audit.log import record
from faceup.server.moderation.schema import reports
from faceup.server.store import new_id
from faceup.server.store.queries import insert_new
from faceup.server.store.schema import rooms

ReportReason: TypeAlias = Literal["name", "stalling", "leaving", "reactions", "cheating"]
"""Why a player is reported: an offensive name, stalling, leaving games, annoying reactions, or cheating."""

ReportKind: TypeAlias = Literal["player", "invitation", "party", "tournament"]
"""The subject of a report: a player at a table, an invitation, or the name of a party or of a tournament."""

NameReason: TypeAlias = Literal["name", "unwanted"]
"""Why an invitation or a name is reported: an offensive name, or an invitation that annoys."""

_REPORTER: Final = players.alias("by")
_REPORTED: Final = players.alias("about")


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A report. Times are milliseconds since 1970.

    Attributes:
        id: the report's ID.
        kind: what is reported.
        table: ID of the table; of the invitation, party or tournament for the other kinds.
        code: code of the table; "" for the other kinds.
        handle: handle of the reported player, who sent the invitation or is the host.
        name: the reported name: of the player at the table, of the party or of the tournament.
        reason: the reason, a `ReportReason` or a `NameReason`.
        by: the name of the player who reported.
        by_handle: the handle of the player who reported.
        reporters: how many people have open reports about the reported player.
        at: when the player reported.
        closed: when the operator closed the report; None while it is open.
    """

    id: str
    kind: ReportKind
    table: str
    code: str
    handle: str
    name: str
    reason: str
    by: str
    by_handle: str
    reporters: int
    at: int
    closed: int | None


def add_report(
    connection: Connection,
    now: int,
    *,
    kind: ReportKind = "player",
    place: str,
    reporter: str,
    reported: str,
    name: str,
    reason: ReportReason | NameReason,
) -> None:
    """Store a report. If the reporter has reported the same before, nothing changes.

    Args:
        connection: the connection of a write transaction.
        now: milliseconds since 1970.
        kind: what is reported.
        place: the id of the table, invitation, party or tournament.
        reporter: the id of the player who reports.
        reported: the id of the player who sits at the table, sent the invitation or is the host.
        name: the reported name.
        reason: the reason.

    Raises:
        NotFoundError: the table or one of the players was deleted.
        ForbiddenError: the invitation, party or tournament is that of the reporter.
    """
    by, about = lock_players(connection, reporter, reported)
    if by == about and kind != "player":
        raise ForbiddenError("this is yours: you can report only others")
    row = {"place": place, "reporter": by, "reported": about, "reason": reason}
    room = place if kind == "player" else None
    if not insert_new(connection, reports, **row, kind=kind, room=room, id=new_id(), name=name, at=now):
        same = select(reports.c.id).where(*(reports.c[column] == value for column, value in row.items()))
        if connection.execute(same).first() is None:
            raise NotFoundError("there is no such table")


def list_reports(connection: Connection, *, closed: bool = False, limit: int = 200, offset: int = 0) -> list[Report]:
    """Return the open reports, or with `closed` all reports, without the first `offset`. The newest comes first."""
    reporters = (
        select(reports.c.reported, func.count(reports.c.reporter.distinct()).label("reporters"))
        .where(reports.c.closed_at.is_(None))
        .group_by(reports.c.reported)
        .subquery()
    )
    query = (
        select(
            reports.c.id,
            reports.c.kind,
            reports.c.place.label("table"),
            func.coalesce(rooms.c.code, "").label("code"),
            _REPORTED.c.handle,
            reports.c.name,
            reports.c.reason,
            _REPORTER.c.name.label("by"),
            _REPORTER.c.handle.label("by_handle"),
            func.coalesce(reporters.c.reporters, 0).label("reporters"),
            reports.c.at,
            reports.c.closed_at.label("closed"),
        )
        .join(rooms, rooms.c.id == reports.c.room, isouter=True)
        .join(_REPORTER, _REPORTER.c.id == reports.c.reporter)
        .join(_REPORTED, _REPORTED.c.id == reports.c.reported)
        .join(reporters, reporters.c.reported == reports.c.reported, isouter=True)
        .order_by(reports.c.at.desc(), reports.c.id)
        .limit(limit)
        .offset(offset)
    )
    if not closed:
        query = query.where(reports.c.closed_at.is_(None))
    return [Report(**row) for row in connection.execute(query).mappings()]


def count_open_reports(connection: Connection) -> int:
    """Return the number of open reports."""
    query = select(func.count()).select_from(reports).where(reports.c.closed_at.is_(None))
    count: int = connection.execute(query).scalar_one()
    return count


def close_report(connection: Connection, now: int, identifier: str) -> None:
    """Close a report. Raises `NotFoundError` if there is no open report with this ID."""
    still_open = reports.c.id == identifier, reports.c.closed_at.is_(None)
    if not connection.execute(update(reports).where(*still_open).values(closed_at=now)).rowcount:
        raise NotFoundError(f"there is no open report {identifier[:40]!r}")
    record(connection, now, "close_report", place=f"report:{identifier}")


def reports_by(connection: Connection, player: str) -> list[dict[str, object]]:
    """Return the reports of a player about others, for the export of the player's data."""
    columns = reports.c.kind, reports.c.place.label("table"), reports.c.name, reports.c.reason, reports.c.at
    rows = connection.execute(select(*columns).where(reports.c.reporter == player).order_by(reports.c.at))
    return [dict(row) for row in rows.mappings()]


def merge_reports(connection: Connection, source: str, target: str) -> None:
    """Give the reports by and about the player `source` to the player `target`."""
    move_rows(connection, reports.c.reporter, source, target)
    move_rows(connection, reports.c.reported, source, target)
    connection.execute(delete(reports).where(reports.c.reporter == reports.c.reported))


def forget_names(connection: Connection, kind: ReportKind, places: Sequence[str]) -> None:
    """Remove the names of parties or tournaments from the reports about them. The reports remain."""
    about = reports.c.kind == kind, reports.c.place.in_(places)
    connection.execute(update(reports).where(*about).values(name=""))


def delete_reports(connection: Connection, *, ids: Sequence[str]) -> None:
    """Delete reports."""
    connection.execute(delete(reports).where(reports.c.id.in_(ids)))
