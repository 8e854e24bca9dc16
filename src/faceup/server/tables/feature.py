"""Tables: create, list, watch and find them, and hints."""

from typing import Final

from sqlalchemy import Connection

from faceup.server.accounts.player_ids import ids_of, rows_about
from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.tables import hint_routes, lobby_routes, my_tables_routes, routes
from faceup.server.tables.own_choices import own_choices
from faceup.server.tables.quick_match import merge_quick_seats
from faceup.server.tables.schema import online_players, player_tables, quick_seats, quick_tables

_TABLES: Final = (
    PersonalTable(
        player_tables,
        ("player",),
        what="who has sat at which table",
        why="for the list of own tables and of people met",
        until="the table; the player",
        guest="seats, hosts and results keep the id under which they were taken, which readers resolve",
        exported="tables",
    ),
    PersonalTable(quick_tables),
    PersonalTable(
        quick_seats,
        ("player", "request"),
        what="the last quick match of a player",
        why="so that a repeated request finds the same seat",
        until="an hour; the player",
        exported="quick_match",
    ),
    PersonalTable(
        online_players,
        ("player",),
        what="who is online, and at which public table",
        why="to show who is online",
        until="when the connection ends; the player",
        guest="the connection of the guest ends",
        exported="online",
    ),
)


def _export(connection: Connection, player: str) -> dict[str, object]:
    return {
        "tables": [
            row
            for identifier in ids_of(connection, player)
            for row in rows_about(connection, player_tables.c.player, identifier)
        ],
        "choices": own_choices(connection, ids_of(connection, player)),
        "quick_match": rows_about(connection, quick_seats.c.player, player),
        "online": rows_about(connection, online_players.c.player, player),
    }


FEATURE: Final = Feature(
    "tables",
    routes=routes_in(routes, my_tables_routes, lobby_routes, hint_routes),
    tasks=lambda services: (services.online,),
    tables=_TABLES,
    merge=merge_quick_seats,
    export=_export,
)
