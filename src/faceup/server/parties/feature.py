"""Parties."""

from typing import Final

from sqlalchemy import Connection

from faceup.server.accounts.player_ids import rows_about
from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.parties import history_routes, play_routes, routes
from faceup.server.parties.player_data import erase_from_parties, exported_parties, merge_parties
from faceup.server.parties.schema import parties, party_members, party_removals, party_tables

_TABLES: Final = (
    PersonalTable(
        parties,
        ("name", "named_by", "key", "config", "countdown"),
        what="the name and who gave it, the last settings with the handles of reserved seats, and who started the last "
        "countdown or did not want to play",
        why="to start the next table",
        until="the last member; with a player, the handle, and a name that the player gave",
        guest="reserved seats keep the handle, which readers resolve",
        exported="parties",
    ),
    PersonalTable(
        party_members,
        ("player",),
        what="members",
        why="to show the party to its members",
        until="the party; the player",
        exported="parties",
    ),
    PersonalTable(
        party_removals,
        ("player",),
        what="who was removed",
        why="so that the player cannot join again",
        until="the party; the player",
        exported="party_removals",
    ),
    PersonalTable(party_tables),
)


def _export(connection: Connection, player: str) -> dict[str, object]:
    return {
        "parties": exported_parties(connection, player),
        "party_removals": rows_about(connection, party_removals.c.player, player),
    }


FEATURE: Final = Feature(
    "parties",
    routes=routes_in(routes, history_routes, play_routes),
    tables=_TABLES,
    merge=merge_parties,
    export=_export,
    erase=erase_from_parties,
)
