"""Routes of the lobby: quick matches, people online, and games to watch."""

from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from faceup.server.accounts.player_ids import ids_of
from faceup.server.http.address_limits import admit_table
from faceup.server.http.idempotency import request_id
from faceup.server.http.schemas import Name
from faceup.server.http.services import Requester, Services, record_seat_taken
from faceup.server.tables.online import Online
from faceup.server.tables.quick_match_tasks import quick_config
from faceup.server.tables.routes import TableFound, found_table, identity_or_guest, row_of
from faceup.server.tables.watch_list_tasks import GameToWatch


class QuickMatchRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The kind of game that a player wants to play now.

    Attributes:
        game: the game.
        variant: the variant; by default, the first one of the game.
        seats: the number of seats; by default, that of the variant.
        name: the name to show at the table; by default, the name of the player.
    """

    game: str
    variant: str = ""
    seats: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None
    name: Name | None = None


@post("/api/quick-match", tags=["tables"])
async def join_quick_match(
    data: JSONBody[QuickMatchRequest], services: Given[Services], requester: Given[Requester]
) -> Response[TableFound]:
    """Take the next free seat of a public table of this kind, or the first seat of a new one.

    Ten seconds after the first person sat down, bots fill the empty seats, and the game starts. Connect to the table:
    before the start, a player without a connection loses the seat after five seconds. A player has a seat at only one
    quick match that has not started. Without a session or token, the server creates a guest.
    """
    config = quick_config(data.game, data.variant, data.seats)
    identity, headers = await identity_or_guest(services, requester, data.name)
    services.tables.take(identity.player)
    source = services.source_hash(requester.caller.source)
    table = await services.quick_matches.join(
        config,
        await services.query(ids_of, identity.player),
        data.name or identity.name,
        face=identity.face,
        program=identity.program,
        source=source,
        request=request_id(),
        admit=partial(admit_table, services, source, listed=True, bot_only=False),
    )
    await record_seat_taken(services, table, identity.player)
    return Response(found_table(services, requester, await row_of(services, table)), headers=headers)


@get("/api/online", tags=["tables"])
async def list_people_online(services: Given[Services], requester: Given[Requester]) -> Online:  # noqa: ARG001 -- refuses banned addresses
    """Count the players who are online, and list those who play or wait at public tables.

    Players are online while they have a connection to a table, and for a minute after each request. Those who do not
    want to be listed are only counted. Tables with a spectator delay are left out. The response is some seconds old.
    """
    return await services.online.get()


@get("/api/watch", tags=["tables"])
async def list_games_to_watch(services: Given[Services], requester: Given[Requester]) -> tuple[GameToWatch, ...]:  # noqa: ARG001 -- refuses banned addresses
    """List public games in progress that everyone may watch, as spectators see them, the best one to watch first.

    Running games come before paused ones, and those that are nearly over come later. The game with the most people is
    the best, then the one with the highest mean rating of its people. The response is some seconds old.
    """
    return await services.watch_list.get()
