"""Moderation: bans and reports."""

from typing import Final

from sqlalchemy import Connection

from faceup.server.accounts.player_ids import ids_of, rows_about
from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.moderation import routes
from faceup.server.moderation.reports import merge_reports, reports_by
from faceup.server.moderation.schema import bans, reports

_TABLES: Final = (
    PersonalTable(
        bans,
        ("player", "address", "reason"),
        what="ids of banned players; banned addresses, as the operator entered them; reasons",
        why="to keep them away",
        until="an hour after its end; the player",
        guest="a ban of any id of a person bans the person",
        exported="bans",
    ),
    PersonalTable(
        reports,
        ("place", "reporter", "reported", "name"),
        what="ids of both players, the reported name, the reason, the id of the table, invitation, party or tournament",
        why="for the operator, who decides about it",
        until="90 days; the table; either player",
        exported="reports",
    ),
)


def _export(connection: Connection, player: str) -> dict[str, object]:
    return {
        "bans": [
            row
            for identifier in ids_of(connection, player)
            for row in rows_about(connection, bans.c.player, identifier)
        ],
        "reports": reports_by(connection, player),
    }


FEATURE: Final = Feature("moderation", routes=routes_in(routes), tables=_TABLES, merge=merge_reports, export=_export)
