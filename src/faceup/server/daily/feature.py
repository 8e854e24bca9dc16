"""The daily deal."""

from typing import Final

from sqlalchemy import Connection

from faceup.server.accounts.player_ids import ids_of, rows_about
from faceup.server.daily import routes
from faceup.server.daily.schema import daily_attempts, daily_deals
from faceup.server.feature import Feature, PersonalTable, routes_in

_TABLES: Final = (
    PersonalTable(
        daily_deals,
        ("secret",),
        what="the secret of each day, which names no one",
        why="so that all players of a day get the same deal",
        until="never",
        not_exported="about no player",
    ),
    PersonalTable(
        daily_attempts,
        ("player",),
        what="who played which daily deal",
        why="so that a player has one attempt a day",
        until="the table; the player",
        guest="seats, hosts and results keep the id under which they were taken, which readers resolve",
        exported="daily",
    ),
)


def _export(connection: Connection, player: str) -> dict[str, object]:
    column = daily_attempts.c.player
    return {
        "daily": [
            row for identifier in ids_of(connection, player) for row in rows_about(connection, column, identifier)
        ]
    }


FEATURE: Final = Feature(
    "daily", routes=routes_in(routes), tasks=lambda services: (services.daily.task,), tables=_TABLES, export=_export
)
