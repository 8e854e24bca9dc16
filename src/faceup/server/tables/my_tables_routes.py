"""Route of the unfinished tables of a player."""

import math
from collections.abc import Sequence
from typing import Literal

import msgspec
from litestar import get
from litestar.di import NamedDependency as Given

from faceup.server.accounts.credentials import Identity
from faceup.server.http.services import Requester, Services
from faceup.server.results.history import find_open_tables
from faceup.server.rooms.errors import SpectatorsOffError, TableNotFoundError
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.summary import TableSummary
from faceup.server.store import TableRow
from faceup.server.tables.routes import ListedTable, link_to, listed_table
from faceup.server.turns.queries import OpenTurn, find_turns


class MyTable(ListedTable, frozen=True, kw_only=True):
    """An unfinished table of the player.

    Attributes:
        waits_for: "choice" if the player has to choose now, "seat" if a seat is reserved for the player who has not
            taken it, as in a rematch; else null.
        time_left: the time left for the choice, in milliseconds; null if there is no time limit.
    """

    waits_for: Literal["choice", "seat"] | None
    time_left: int | None


@get("/api/me/tables", tags=["tables"])
async def list_my_tables(
    services: Given[Services], requester: Given[Requester], reader: Given[Identity]
) -> list[MyTable]:
    """List the unfinished tables of the player.

    Tables that wait for a choice of the player come first, the most urgent one before the others, then those with a
    reserved seat, and then all others. Among these, the table that the player joined last comes first.
    """
    ids = reader.ids
    async with services.list_turn(requester):
        tables = await services.query(find_open_tables, *ids)
        rows = [await _my_table(services, requester, table, ids) for table in tables]
        turns = await services.query(find_turns, *ids)
    rows += [_my_correspondence_game(services, requester, turn) for turn in turns]
    return sorted([table for table in rows if table is not None], key=_urgency)


def _my_correspondence_game(services: Services, requester: Requester, turn: OpenTurn) -> MyTable:
    """Return a running correspondence game of the player, without loading its room."""
    return MyTable(
        id=turn.table,
        code=turn.code,
        link=link_to(services, requester, turn.table),
        status="active",
        since=turn.opened_at,
        summary=msgspec.json.decode(turn.summary, type=TableSummary),
        waits_for="choice" if turn.waiting else None,
        time_left=None if turn.due is None or not turn.waiting else max(0, turn.due - services.hub.now()),
    )


async def _my_table(services: Services, requester: Requester, row: TableRow, ids: Sequence[str]) -> MyTable | None:
    """Return a table of the player with these ids; None if it is over, or the player has nothing to do with it now."""
    try:
        room_view = await services.hub.view(row.id, ids)
        now = await services.hub.time(row.id, ids)
    except (SpectatorsOffError, TableNotFoundError):
        return None
    reserved = room_view.status == "pending" and any(handle_of(identifier) in room_view.reserved for identifier in ids)
    if room_view.status not in {"pending", "active"} or not (
        room_view.seat is not None or room_view.is_host or reserved
    ):
        return None
    asked = room_view.status == "active" and room_view.paused is None and room_view.seat is not None
    choice = asked and bool(room_view.actions) and room_view.choice is None
    listed = msgspec.structs.asdict(listed_table(services, requester, row))
    return MyTable(
        **listed,
        waits_for="choice" if choice else "seat" if reserved else None,
        time_left=max(0, room_view.due - now) if choice and room_view.due is not None else None,
    )


def _urgency(table: MyTable) -> tuple[int, float]:
    """Return the sort key of a table in the list of a player's tables."""
    left = math.inf if table.time_left is None else table.time_left
    return ("choice", "seat", None).index(table.waits_for), left
