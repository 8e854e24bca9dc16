"""The log and what follows from it: tables, turns, connections, deletions. It has no routes."""

from typing import Final

from sqlalchemy import Connection

from faceup.server.accounts.players import Erasure
from faceup.server.feature import Feature, PersonalTable
from faceup.server.store.schema import (
    connections,
    deleted_tables,
    erasures,
    log,
    outages,
    processes,
    rooms,
    server_clock,
    turns,
)

_TABLES: Final = (
    PersonalTable(
        log,
        ("entries", "command"),
        what="names, ids, handles, hands, choices, secrets of fair deals",
        why="it is the game",
        until="the table; with the player, names and ids are replaced",
        guest="seats, hosts and results keep the id under which they were taken, which readers resolve",
        exported="choices",
    ),
    PersonalTable(
        rooms,
        ("summary", "source", "creator"),
        what="names, who created the table, a keyed hash of the address",
        why="for lists of tables, and for limits",
        until="the table; with the player, names and the id are replaced, and the hash is deleted",
        guest="seats, hosts and results keep the id under which they were taken, which readers resolve",
        not_exported="it says what the log says, also about other players",
    ),
    PersonalTable(
        turns,
        ("player",),
        what="whose turn it is in games with days per move",
        why="for notices, and the list of own turns",
        until="the table; the player",
        guest="seats, hosts and results keep the id under which they were taken, which readers resolve",
        exported="turns",
    ),
    PersonalTable(connections),
    PersonalTable(
        deleted_tables,
        ("id",),
        what="ids of tables",
        why="so that a repeated request does not create the table again",
        until="30 days",
        not_exported="about no player",
    ),
    PersonalTable(
        erasures,
        ("player", "pseudonym"),
        what="ids of players who are being erased",
        why="to finish the erasure",
        until="two minutes after the erasure",
        not_exported="the player is erased",
    ),
    PersonalTable(processes),
    PersonalTable(server_clock),
    PersonalTable(outages),
)


def _erase(connection: Connection, erasure: Erasure) -> None:
    """Delete the turns of players, and who created their tables. Their logs are rewritten later."""
    connection.execute(turns.delete().where(turns.c.player.in_(tuple(erasure.pseudonyms))))
    for player, pseudonym in erasure.pseudonyms.items():
        connection.execute(rooms.update().where(rooms.c.creator == player).values(creator=pseudonym, source=""))


FEATURE: Final = Feature("store", tables=_TABLES, erase=_erase)
