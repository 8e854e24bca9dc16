"""The games of parties: the running table as a member sees it, and new tables with seats for the members here."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final, Literal, TypeAlias

import msgspec
from sqlalchemy import Connection

from faceup.core import RulesError
from faceup.server.accounts.player_ids import current_handles
from faceup.server.live.hub import Admit, TableHub
from faceup.server.live.programs import mark_program, sit_down
from faceup.server.parties.countdown import Countdown, seating
from faceup.server.parties.queries import HERE, Party, party_of
from faceup.server.parties.tables import add_first_table, seats_for
from faceup.server.rooms import Sit, TableConfig
from faceup.server.rooms.errors import TableNotFoundError
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.room import RoomStatus
from faceup.server.rooms.summary import TableSummary
from faceup.server.rooms.view import RoomView
from faceup.server.store import Store, TableRow
from faceup.server.tables.quick_match import TakenError

AFTERWARDS: Final = 600_000
"""Milliseconds after the end of a game for which its players count as here, because they look at the result."""

Place: TypeAlias = Literal["seat", "reserved", "free"]


class PartyTable(msgspec.Struct, frozen=True, kw_only=True):
    """The last table of a party, as a member sees it.

    Attributes:
        id: its id.
        status: its status.
        summary: a description of the table, as in lists of tables.
        place: "seat" if the member has a seat, "reserved" if a seat is reserved for the member, and "free" if there is
            a free seat that no one has reserved; null if the member can only watch.
        present: the handles of the people with seats who are not away, in the order of their seats.
        ended_at: when it ended, in milliseconds since 1970; null while it is running.
    """

    id: str
    status: RoomStatus
    summary: TableSummary
    place: Place | None
    present: tuple[str, ...]
    ended_at: int | None

    @property
    def running(self) -> bool:
        """Whether its game has not ended."""
        return self.status in {"pending", "active"}


async def running_table(hub: TableHub, store: Store, table: str | None, players: Sequence[str]) -> PartyTable | None:
    """Return the last table of a party as the member with these ids sees it; None if there is none.

    Only what lists of tables show of a table is shown of one that the member may not watch, or that cannot be read.
    """
    row = None if table is None else await store.room(table)
    if row is None:
        return None
    with suppress(RulesError):  # the member may not watch it, or it cannot be read
        view = await hub.view(row.id, players)
        present_handles = [
            seat.handle
            for number, seat in enumerate(view.seats)
            if seat is not None and seat.handle and number not in view.away
        ]
        current = await store.query(partial(current_handles, handles=present_handles))
        return PartyTable(
            id=row.id,
            status=view.status,
            summary=msgspec.json.decode(row.summary, type=TableSummary),
            place=_place(view, players),
            present=(
                *(handle for handle in present_handles if handle in current),
                *sorted(current.difference(present_handles)),
            ),
            ended_at=None if view.status in {"pending", "active"} else row.ended_at,
        )
    return PartyTable(
        id=row.id,
        status=msgspec.convert(row.public_status(now := store.now()), RoomStatus),
        summary=msgspec.json.decode(row.summary, type=TableSummary),
        place=None,
        present=(),
        ended_at=row.public_end(now),
    )


def members_here(party: Party, table: PartyTable | None, now: int) -> frozenset[str]:
    """Return the handles of the members who have the page open, or sit at the running or just finished table."""
    present_handles = {member.handle for member in party.members if member.seen_at > now - HERE}
    if table is not None and (table.running or (table.ended_at or 0) > now - AFTERWARDS):
        present_handles |= set(table.present) & {member.handle for member in party.members}
    return frozenset(present_handles)


async def start_table_of_countdown(
    hub: TableHub,
    party: Party,
    countdown: Countdown,
    *,
    last: Sequence[str],
    table: str,
    source: str,
    admit: Admit,
) -> list[str]:
    """Start the table of a countdown that has ended, with a seat for everyone who plays. Return their IDs.

    Bots get the other seats, as at every table with reserved seats. If another request has started the table, nothing
    happens.

    Args:
        hub: the tables.
        party: the party.
        countdown: the countdown.
        last: the handles of those who had seats at the last table, in the order of the seats.
        table: ID for the new table.
        source: as for `TableHub.create`.
        admit: as for `TableHub.create`.

    Raises:
        StoreError: the table could not be stored.
    """
    players = {member.handle: member for member in party.players_at(countdown)}
    config = seats_for(countdown.config, len(players))
    seats = config.rules().seats
    handles = seating([*players], last, seats)
    reserved = (*handles, *("",) * (seats - len(handles))) if len(handles) > 1 else ()
    seated = msgspec.structs.replace(config, reserved=reserved, listed=False)
    starter = players.get(countdown.by) or players[handles[0]]

    def admit_first(connection: Connection, row: TableRow) -> None:
        admit(connection, row)
        stored_config = msgspec.structs.replace(countdown.config, listed=False)
        add_first_table(connection, row, party.id, countdown.room, stored_config)

    try:
        await hub.create(seated, starter.player, None, table=table, source=source, admit=admit_first)
    except TakenError:
        return []
    for handle in handles:
        member = players[handle]
        with suppress(RulesError):  # such as a member who was banned in this second
            sit = Sit(member.name, face=member.face)
            await sit_down(hub, table, sit, (member.player,), program=member.program)
    return [players[handle].player for handle in handles]


async def start_table(
    hub: TableHub,
    store: Store,
    party: Party,
    config: TableConfig,
    ids: Sequence[str],
    *,
    name: str,
    face: str,
    program: bool = False,
    instead: str | None,
    present_handles: frozenset[str],
    table: str,
    source: str,
    admit: Admit,
) -> str:
    """Start a table of a party, and give the player a seat. Return the table's ID.

    If another member has started one since the player saw the table `instead`, this one is returned.

    Args:
        hub: the tables.
        store: the database.
        party: the party.
        config: the settings that the player asked for.
        ids: all IDs of the member who starts the table, the current one first.
        name: the player's name.
        face: the player's face.
        program: whether the player is a program.
        instead: the table of the party that the player saw; None for none.
        present_handles: the handles of the members who get reserved seats.
        table: ID for the new table.
        source: as for `TableHub.create`.
        admit: as for `TableHub.create`.

    Raises:
        Malformed: the settings are invalid.
        StoreError: the table could not be stored.
    """
    player = ids[0]
    own = handle_of(player)
    others = [member.handle for member in party.members if member.handle in present_handles and member.handle != own]
    seated = seats_for(config, 1 + len(others))
    handles = ("", *others)[: seated.rules().seats]
    reserved = (*handles, *("",) * (seated.rules().seats - len(handles))) if others else ()
    seated = msgspec.structs.replace(seated, reserved=reserved, listed=False)

    def admit_first(connection: Connection, row: TableRow) -> None:
        admit(connection, row)
        add_first_table(connection, row, party.id, instead, msgspec.structs.replace(config, listed=False))

    with suppress(TakenError):
        await hub.create(seated, player, name, face=face, table=table, source=source, admit=admit_first)
        if program:
            await mark_program(hub, table, ids)
        return table
    running = (await store.query(partial(party_of, party=party.id, player=player))).room
    if running is None:  # this cannot happen, because only another table can have taken the place
        raise TableNotFoundError("there is no such table", where="party")
    with suppress(RulesError):  # the game has started, or there is no seat: then the player watches
        await sit_down(hub, running, Sit(name, face=face), ids, program=program)
    return running


def _place(view: RoomView, players: Sequence[str]) -> Place | None:
    if view.seat is not None:
        return "seat"
    if view.status != "pending" or view.removed:
        return None
    if any(handle_of(player) in view.reserved for player in players):
        return "reserved"
    free = any(seat is None and not reserved for seat, reserved in zip(view.seats, view.reserved, strict=True))
    return "free" if free else None
