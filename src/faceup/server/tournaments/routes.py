"""Routes of tournaments: create, view, join and lead them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

import msgspec
from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency as Given
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import ForbiddenError, NotFoundError
from faceup.server.accounts.shared_limits import SharedLimit
from faceup.server.http.bot_kinds import check_kind
from faceup.server.http.long_poll import preferred_wait
from faceup.server.http.schemas import Name
from faceup.server.http.services import (
    AnyRequest,
    Requester,
    Services,
    count_connection,
    while_connected,
)
from faceup.server.http.static import content_coding
from faceup.server.pictures import PicturePlayer, PictureRequest
from faceup.server.pictures.routes import PNG, PictureLanguage, PictureShape, own_picture
from faceup.server.tables.routes import SVG, idempotent_id, identity_or_guest, link_to_page, qr_code_response
from faceup.server.tournaments.queries import StoredTournament, TournamentEntry, tournaments_of
from faceup.server.tournaments.settings import TournamentSettings
from faceup.server.tournaments.state import IDLE, AnyTournamentCommand, JoinTournament, LeaveTournament
from faceup.server.tournaments.tables import SeatedPlayer
from faceup.server.tournaments.views import (
    EntrantView,
    MyEntry,
    PublicTournament,
    my_entry,
    public_view,
    waiting_entrants,
)

_WAIT: Final = 25.0
"""Seconds for which a request waits for a change. Proxies close connections that are idle for longer."""


class NewTournament(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new tournament.

    Attributes:
        settings: the settings.
        name: the name of the guest that is created without a session.
    """

    settings: TournamentSettings
    name: Name | None = None


class TournamentForMe(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a `TournamentResponse` that differs between requesters."""

    now: int
    link: str
    is_host: bool
    me: MyEntry | None
    waiting: tuple[EntrantView, ...]


class TournamentResponse(TournamentForMe, frozen=True, kw_only=True):
    """A tournament, as the requester sees it.

    Attributes:
        now: the time of the server, in milliseconds since 1970.
        link: the link to share.
        is_host: whether the requester is the host.
        me: the requester's part; null if the requester has not joined.
        waiting: for the host, the players who wait to be admitted; empty for everyone else.
        tournament: what everyone sees.
    """

    tournament: PublicTournament


_CREATED: Final = {201: ResponseSpec(TournamentResponse, description="The tournament", generate_examples=False)}
_FOUND: Final = {200: ResponseSpec(TournamentResponse, description="The tournament", generate_examples=False)}


@post("/api/tournaments", tags=["tournaments"], responses=_CREATED)
async def create_tournament(
    request: AnyRequest, data: JSONBody[NewTournament], services: Given[Services], requester: Given[Requester]
) -> Response[bytes]:
    """Create a tournament with the player as its host, who does not play without the command `join`.

    Without a session or token, the server creates a guest as host.
    """
    for kind in data.settings.table.bots:
        check_kind(kind)
    identity, headers = await identity_or_guest(services, requester, data.name)
    services.tables.take(identity.player)
    identifier = idempotent_id(identity.player)
    source = services.source_hash(requester.caller.source)
    await services.tournaments.create(data.settings, identifier, identity.player, source, services.settings)
    stored = await services.tournaments.get(identifier)
    return _response(request, services, requester, stored, identity.player, headers=headers, status=201)


@get("/api/tournaments/{tournament:str}", tags=["tournaments"], responses=_FOUND)
async def get_tournament(
    request: AnyRequest,
    tournament: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    after: Annotated[
        int | None,
        QueryParameter(ge=0, le=2**53, description="Wait up to 25 seconds for a version greater than this one"),
    ] = None,
) -> Response[bytes]:
    """Get a tournament: players, standings, tables of all rounds, and the requester's table."""
    player = None if requester.identity is None else requester.may("read").player
    if after is None:
        stored = await services.tournaments.get(tournament)
    else:
        with count_connection(services, requester):
            stored = await while_connected(
                request, services.tournaments.changed(tournament, after, preferred_wait(request, _WAIT))
            )
    return _response(request, services, requester, stored, player)


@post("/api/tournaments/{tournament:str}/commands", status_code=200, tags=["tournaments"], responses=_FOUND)
async def send_tournament_command(
    request: AnyRequest,
    tournament: FromPath[str],
    data: JSONBody[AnyTournamentCommand],
    services: Given[Services],
    requester: Given[Requester],
) -> Response[bytes]:
    """Join or leave a tournament, or lead it as its host. A repeated command changes nothing (idempotent).

    Without a session or token, the command `join` creates a guest.
    """
    before = await services.tournaments.get(tournament)  # no guest is created for a tournament that does not exist
    headers: dict[str, str] = {}
    if isinstance(data, JoinTournament):
        if requester.identity is None and before.state.settings.admission == "account":
            raise ForbiddenError("only people with an account can join this tournament: create one first")
        identity, headers = await identity_or_guest(services, requester, data.name)
    else:
        identity = requester.may("play")
    services.commands.take(identity.player)
    if isinstance(data, JoinTournament):
        who = SeatedPlayer(identity.player, data.name or identity.name, identity.face, identity.program)
        source, settings = requester.caller.source, services.settings
        places = SharedLimit(settings.tournament_places_per_address, IDLE)
        bucket = services.keyed_hash("tournament", tournament, source), places
        stored = await services.tournaments.join(tournament, who, services.source_hash(source), bucket)
    elif isinstance(data, LeaveTournament):
        stored = await services.tournaments.leave(tournament, identity.player)
    else:
        if before.host != identity.player:
            raise ForbiddenError("only the host of the tournament may do this")
        stored = await services.tournaments.apply_host_command(tournament, data)
    return _response(request, services, requester, stored, identity.player, headers=headers)


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
    stored = await services.tournaments.get(tournament)
    return await qr_code_response(request, services, requester, _link(services, requester, stored.id), stored.id)


@get("/api/tournaments/{tournament:str}/podium.png", tags=["tournaments"], media_type=PNG)
async def podium_picture(
    request: AnyRequest,
    tournament: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    *,
    shape: PictureShape = "wide",
    language: PictureLanguage = "en",
) -> Response[bytes]:
    """Draw the podium of a finished tournament (PNG)."""
    seen = public_view(await services.tournaments.get(tournament))
    if seen.status != "finished":
        raise NotFoundError("the tournament is not over")
    ranked = [(row, seen.players[row.number - 1]) for row in seen.standings]
    shown = [(row, entrant) for row, entrant in ranked if entrant.name]
    picture_request = PictureRequest(
        shape=shape,
        language=language,
        event="tournament",
        heading=seen.settings.name,
        players=tuple(PicturePlayer(who.name, "person", who.handle, who.face, program=who.program) for _, who in shown),
        scores=tuple(row.points for row, _ in shown),
        ranks=tuple(row.place for row, _ in shown),
    )
    return await own_picture(request, services, requester, picture_request)


def _link(services: Services, requester: Requester, identifier: str) -> str:
    return link_to_page(services, requester, f"/tournaments/{identifier}")


def _response(
    request: AnyRequest,
    services: Services,
    requester: Requester,
    stored: StoredTournament,
    player: str | None,
    *,
    headers: Mapping[str, str] = MappingProxyType({}),
    status: int = 200,
) -> Response[bytes]:
    """Return a `TournamentResponse`, of which the large part is encoded once for everyone."""
    is_host = player is not None and player == stored.host
    own_view = TournamentForMe(
        now=services.hub.now(),
        link=_link(services, requester, stored.id),
        is_host=is_host,
        me=my_entry(stored, player),
        waiting=waiting_entrants(stored) if is_host else (),
    )
    shared = services.tournament_views.encoded(stored)
    headers = {**headers, "vary": "accept-encoding"}
    if content_coding(request.headers.get("accept-encoding", ""), ("gzip",)):
        content, headers = shared.compressed(own_view), {**headers, "content-encoding": "gzip"}
    else:
        content = shared.plain(own_view)
    return Response(content, media_type=MediaType.JSON, headers=headers, status_code=status)
