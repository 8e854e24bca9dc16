"""Routes of tournaments: create, view, join and lead them."""

from hashlib import sha256
from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody, QueryParameter

from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import ForbiddenError
from faceup.server.accounts.tournaments import StoredTournament, TournamentEntry, tournaments_of
from faceup.server.api.routes.tables import SVG, identity_or_guest, link_to_page, qr_code_response
from faceup.server.api.schemas import CommandId, Name
from faceup.server.api.services import (
    AnyRequest,
    Requester,
    Services,
    check_kind,
    count_connection,
    while_connected,
)
from faceup.server.api.tournament_views import MyEntry, PublicTournament, my_entry
from faceup.server.rooms.tournament_settings import TournamentSettings
from faceup.server.rooms.tournament_state import AnyTournamentCommand, JoinTournament, LeaveTournament
from faceup.server.rooms.tournament_tables import SeatedPlayer
from faceup.server.store import new_id

_WAIT: Final = 25.0
"""Seconds for which a request waits for a change. Proxies close connections that are idle for longer."""


class NewTournament(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new tournament.

    Attributes:
        settings: the settings.
        id: the id that the client chose for this request. A retry with the same id returns the tournament already
            created.
        name: the name of the guest that is created without a session.
    """

    settings: TournamentSettings
    id: CommandId | None = None
    name: Name | None = None


class TournamentResponse(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament, as the requester sees it.

    Attributes:
        now: the time of the server, in milliseconds since 1970.
        link: the link to share.
        is_host: whether the requester is the host.
        me: the requester's part; null if the requester has not joined.
        tournament: what everyone sees.
    """

    now: int
    link: str
    is_host: bool
    me: MyEntry | None
    tournament: PublicTournament


@post("/api/tournaments", tags=["tournaments"])
async def create_tournament(
    data: JSONBody[NewTournament], services: Given[Services], requester: Given[Requester]
) -> Response[TournamentResponse]:
    """Create a tournament with the player as its host, who does not play without the command `join`.

    Without a session or token, the server creates a guest as host.
    """
    for kind in data.settings.table.bots:
        check_kind(kind)
    identity, headers = await identity_or_guest(services, requester, data.name)
    services.tables.take(identity.player)
    identifier = _tournament_id(identity.player, data.id) if data.id else new_id()
    source = services.source_hash(requester.caller.source)
    await services.tournaments.create(data.settings, identifier, identity.player, source, services.settings)
    found = await services.tournaments.get(identifier)
    return Response(_response(services, requester, found, identity.player), headers=headers)


@get("/api/tournaments/{tournament:str}", tags=["tournaments"])
async def get_tournament(
    request: AnyRequest,
    tournament: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    after: Annotated[
        int | None,
        QueryParameter(ge=0, le=2**53, description="Wait up to 25 seconds for a version greater than this one"),
    ] = None,
) -> TournamentResponse:
    """Get a tournament: players, standings, tables of all rounds, and the requester's table."""
    player = None if requester.identity is None else requester.may("read").player
    if after is None:
        found = await services.tournaments.get(tournament)
    else:
        with count_connection(services, requester):
            found = await while_connected(request, services.tournaments.changed(tournament, after, _WAIT))
    return _response(services, requester, found, player)


@post("/api/tournaments/{tournament:str}/commands", status_code=200, tags=["tournaments"])
async def send_tournament_command(
    tournament: FromPath[str],
    data: JSONBody[AnyTournamentCommand],
    services: Given[Services],
    requester: Given[Requester],
) -> Response[TournamentResponse]:
    """Join or leave a tournament, or lead it as its host. A repeated command changes nothing (idempotent).

    Without a session or token, the command `join` creates a guest.
    """
    before = await services.tournaments.get(tournament)  # no guest is created for a tournament that does not exist
    headers: dict[str, str] = {}
    if isinstance(data, JoinTournament):
        identity, headers = await identity_or_guest(services, requester, data.name)
    else:
        identity = requester.may("play")
    services.commands.take(identity.player)
    if isinstance(data, JoinTournament):
        who = SeatedPlayer(identity.player, data.name or identity.name, identity.face)
        found = await services.tournaments.join(tournament, who)
    elif isinstance(data, LeaveTournament):
        found = await services.tournaments.leave(tournament, identity.player)
    else:
        if before.host != identity.player:
            raise ForbiddenError("only the host of the tournament may do this")
        found = await services.tournaments.obey(tournament, data)
    return Response(_response(services, requester, found, identity.player), headers=headers)


@get("/api/me/tournaments", tags=["tournaments"])
async def list_my_tournaments(
    services: Given[Services], requester: Given[Requester], reader: Given[Identity]
) -> list[TournamentEntry]:
    """List the tournaments in which the player plays or of which the player is the host, the newest first."""
    return await services.list_query(requester, tournaments_of, reader.player)


@get("/api/tournaments/{tournament:str}/link.svg", tags=["tournaments"], media_type=SVG)
async def tournament_qr_code(
    request: AnyRequest, tournament: FromPath[str], services: Given[Services], requester: Given[Requester]
) -> Response[bytes]:
    """Draw the tournament's link as a QR code (SVG). The response has an entity tag."""
    found = await services.tournaments.get(tournament)
    return await qr_code_response(request, services, requester, _link(services, requester, found.id), found.id)


def _tournament_id(player: str, request: str) -> str:
    """Derive a tournament's id from the player's secret id and the id of the request, so that a retry finds it."""
    return sha256(f"faceup tournament of\n{player}\n{request}".encode()).hexdigest()[:22]


def _link(services: Services, requester: Requester, identifier: str) -> str:
    return link_to_page(services, requester, f"/tournaments/{identifier}")


def _response(
    services: Services, requester: Requester, found: StoredTournament, player: str | None
) -> TournamentResponse:
    return TournamentResponse(
        now=services.hub.now(),
        link=_link(services, requester, found.id),
        is_host=player is not None and player == found.host,
        me=my_entry(found, player),
        tournament=services.tournament_views.view(found),
    )
