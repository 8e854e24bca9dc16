"""Tournaments."""

from typing import Final

from sqlalchemy import Connection

from faceup.server.accounts.player_ids import rows_about
from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.tournaments import routes
from faceup.server.tournaments.player_data import erase_from_tournaments, merge_tournament_players
from faceup.server.tournaments.queries import tournaments_of
from faceup.server.tournaments.schema import tournament_players, tournament_removals, tournament_tables, tournaments

_TABLES: Final = (
    PersonalTable(
        tournaments,
        ("host", "named_by", "source", "state"),
        what="the host, a keyed hash of the address of the host, the name and who gave it",
        why="to run the tournament, and for limits",
        until="as long as finished tables are kept; with the player, host and hash, and a name that the player gave",
        exported="tournaments",
    ),
    PersonalTable(
        tournament_players,
        ("player", "name", "face"),
        what="names and faces of entrants",
        why="to show the standings",
        until="the tournament; the player",
        exported="tournaments",
    ),
    PersonalTable(
        tournament_removals,
        ("player",),
        what="who was removed from which tournament",
        why="so that the player cannot enter again",
        until="the tournament; the player",
        exported="tournament_removals",
    ),
    PersonalTable(tournament_tables),
)


def _export(connection: Connection, player: str) -> dict[str, object]:
    return {
        "tournaments": tournaments_of(connection, player),
        "tournament_removals": rows_about(connection, tournament_removals.c.player, player),
    }


FEATURE: Final = Feature(
    "tournaments",
    routes=routes_in(routes),
    tasks=lambda services: (services.tournaments.task,),
    tables=_TABLES,
    merge=merge_tournament_players,
    export=_export,
    erase=erase_from_tournaments,
)
