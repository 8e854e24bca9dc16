"""Routes that start the games of a party: a table now, or one for everyone who is there after a countdown."""

import asyncio
from contextlib import suppress

import msgspec
from litestar import delete, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody
from sqlalchemy import Connection

from faceup.core import Malformed
from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import ForbiddenError, NotFoundError
from faceup.server.accounts.player_ids import ids_of
from faceup.server.accounts.revocations import subject_of
from faceup.server.friends.invitations import invite
from faceup.server.http.address_limits import admit_table
from faceup.server.http.bot_kinds import check_kind
from faceup.server.http.services import Requester, Services, record_seat_taken
from faceup.server.parties.countdown_queries import leave_countdown, start_countdown
from faceup.server.parties.queries import Party, party_of
from faceup.server.parties.table_tasks import members_here, running_table, start_table, start_table_of_countdown
from faceup.server.rooms import TableConfig
from faceup.server.store import StoreError
from faceup.server.tables.routes import TableFound, found_table, idempotent_id, row_of


class NewPartyTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new table of a party.

    Attributes:
        config: its settings; by default, those of the last one. Without a number of seats, there is one for each member
            who is here.
        instead: the `room` of the party that the client has seen, so that two requests at the same time start one
            table; null before the first table.
        countdown: whether to wait for the end of the running countdown, and start its game. All who take part get
            their seats.
    """

    config: TableConfig | None = None
    instead: str | None = None
    countdown: bool = False


class NewCountdown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A countdown to a game.

    Attributes:
        config: the settings of the game; by default, those of the last one.
        instead: as for a new table.
    """

    config: TableConfig | None = None
    instead: str | None = None


@post("/api/parties/{party:str}/tables", tags=["parties"])
async def play_in_party(
    party: FromPath[str], data: JSONBody[NewPartyTable], services: Given[Services], requester: Given[Requester]
) -> TableFound:
    """Start a table of a party, with a seat for the requester and reserved seats for all members who are here.

    The table is private. If another member has just started one, the requester gets a seat there.
    """
    identity = requester.may("play")
    if data.countdown:
        return await _play_after_countdown(services, requester, party, identity, instead=data.instead)
    services.tables.take(identity.player)
    stored_party = await services.query(party_of, party, identity.player)
    config = _config_for(stored_party, data.config)
    source, ids = services.source_hash(requester.caller.source), identity.ids
    before = await running_table(services.hub, services.store, stored_party.room, ids)
    present_handles = members_here(stored_party, before, services.store.now())
    new_table = idempotent_id(identity.player)
    table = await start_table(
        services.hub,
        services.store,
        stored_party,
        config,
        await services.query(ids_of, identity.player),
        name=identity.name,
        face=identity.face,
        program=identity.program,
        instead=data.instead,
        present_handles=present_handles,
        table=new_table,
        source=source,
        admit=await admit_table(services, source, listed=False, bot_only=False),
    )
    await record_seat_taken(services, table, identity.player)
    services.changes.notify(subject_of("party", party))
    if table == new_table:
        await _invite_members(services, stored_party, present_handles, ids, table)
    return found_table(services, requester, await row_of(services, table))


@post("/api/parties/{party:str}/countdown", status_code=200, tags=["parties"])
async def count_down(
    party: FromPath[str], data: JSONBody[NewCountdown], services: Given[Services], requester: Given[Requester]
) -> None:
    """Start the countdown to the next game, in which everyone takes part who has the page of the party open.

    If a countdown is running, the requester takes part in its game. At its end, each page sends a request for a new
    table with `countdown`.
    """
    identity = requester.may("play")
    player = identity.player
    services.tables.take(player)
    config = _config_for(await services.query(party_of, party, player), data.config)
    await services.write(start_countdown, party, player, config=config, instead=data.instead, program=identity.program)
    services.changes.notify(subject_of("party", party))


@delete("/api/parties/{party:str}/countdown", status_code=200, tags=["parties"])
async def sit_out(party: FromPath[str], services: Given[Services], requester: Given[Requester]) -> None:
    """Take no part in the game of the running countdown. The member who started it ends it."""
    await services.write(leave_countdown, party, requester.may("play").player)
    services.changes.notify(subject_of("party", party))


def _config_for(party: Party, config: TableConfig | None) -> TableConfig:
    """Return the settings of a new table. Raises `Malformed` if they are invalid, or missing at the first table."""
    config = config or party.config
    if config is None:
        raise Malformed("the settings of the first game are missing: send `config`", where="config")
    for kind in config.bots:
        check_kind(kind)
    return config


async def _play_after_countdown(
    services: Services, requester: Requester, party: str, identity: Identity, *, instead: str | None
) -> TableFound:
    """Start the game of the running countdown at its end, or find the table that another page has started."""
    stored_party = await services.query(party_of, party, identity.player)
    countdown = stored_party.running_countdown(services.store.now())
    if countdown is not None:
        await asyncio.sleep(max(0, countdown.ends_at - services.store.now()) / 1000)
        stored_party = await services.query(party_of, party, identity.player)
        countdown = stored_party.running_countdown(services.store.now())
    if countdown is not None and stored_party.players_at(countdown):
        before = await running_table(services.hub, services.store, stored_party.room, identity.ids)
        source, table = services.source_hash(requester.caller.source), idempotent_id(identity.player)
        players = await start_table_of_countdown(
            services.hub,
            stored_party,
            countdown,
            last=() if before is None else before.present,
            table=table,
            source=source,
            admit=await admit_table(services, source, listed=False, bot_only=False),
        )
        if players:
            await record_seat_taken(services, table, *players)
        services.changes.notify(subject_of("party", party))
        stored_party = await services.query(party_of, party, identity.player)
    if stored_party.room is None or stored_party.room == instead:
        raise NotFoundError("the countdown was stopped")
    return found_table(services, requester, await row_of(services, stored_party.room))


async def _invite_members(
    services: Services, party: Party, present_handles: frozenset[str], ids: tuple[str, ...], table: str
) -> None:
    """Invite the members who are here, also if they have another page open, such as that of the last table."""
    others = [member.player for member in party.members if member.handle in present_handles and member.player != ids[0]]

    def send(connection: Connection, now: int) -> None:
        for other in others:
            with suppress(ForbiddenError):  # the member takes no invitations
                invite(connection, now, ids, other, table=table)

    with suppress(StoreError, NotFoundError):  # the table exists, and members find it on the page of the party
        await services.write(send)
        services.changes.notify(*(subject_of("inbox", other) for other in others))
