"""The route of hints."""

from litestar import MediaType, Response, get
from litestar.di import NamedDependency as Given
from litestar.params import FromPath

from faceup.core import WrongSeatError
from faceup.server.accounts.errors import ForbiddenError, NotFoundError
from faceup.server.http.services import AnyRequest, Requester, Services, owner_of, resolve_player, while_connected
from faceup.server.tables.routes import MySeat
from faceup.table.errors import StaleCommandError


@get("/api/tables/{table:str}/hint", tags=["tables"])
async def hint(
    request: AnyRequest,
    table: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    seat: MySeat = None,
) -> Response[bytes]:
    """Get the coach's ranking of your options while you have to choose. It uses only what you see.

    `options` are the actions, best first, with the expected heads, the probability of winning and the risk of taking a
    row in this turn. `lead` is how many heads the first is better than the second, 0 if they are about equally good,
    and null if there is only one. `reason` is what the first does.
    """
    from faceup.coach import has_coach, no_hint  # noqa: PLC0415 -- slow to import, which would delay every start

    identity = requester.may("read")
    player = await resolve_player(services, table, identity, seat=seat)
    room_view = await services.hub.view(table, player)
    rules = room_view.config.rules()
    if room_view.seat is None or (seat is not None and seat != room_view.seat):
        raise WrongSeatError("only a player can get hints, and only for their own seat")
    if not has_coach(rules.game):
        raise NotFoundError(no_hint(rules, allowed=True))
    if not room_view.hints:
        raise ForbiddenError(no_hint(rules, allowed=False))
    if room_view.status != "active" or room_view.paused is not None or not room_view.actions:
        raise StaleCommandError("you have no decision to make now")
    services.hints.take(identity.player)
    work = services.coach.hint(rules, room_view.view, owner=owner_of(requester), table=table)
    answer = await while_connected(request, work)
    return Response(answer, media_type=MediaType.JSON)
