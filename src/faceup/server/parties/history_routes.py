"""Routes of the statistics and the finished games of a party, for its members."""

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, QueryParameter
from sqlalchemy import Connection

from faceup.core.record import PERSON
from faceup.server.accounts.errors import NotFoundError
from faceup.server.http.services import AnyRequest, Requester, Services
from faceup.server.parties.evening import MAX_GAMES, PartyEvening, evening_of
from faceup.server.parties.queries import party_of
from faceup.server.parties.statistics import PartyGame, PartyVariantStatistics, party_games, party_statistics
from faceup.server.pictures import PictureAward, PicturePlayer, PictureRequest
from faceup.server.pictures.routes import PNG, PictureLanguage, PictureShape, own_picture
from faceup.server.results.history import MAX_ROWS
from faceup.server.results.routes import Before, Limit

Since = Annotated[
    int,
    QueryParameter(ge=0, le=2**53, description="Count only games that ended since then, in milliseconds since 1970"),
]

Awards = Annotated[bool, QueryParameter(description="Whether to compute the awards, too")]


class PartyStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """The statistics of a party: the number of finished games, and those of each variant."""

    games: int
    variants: tuple[PartyVariantStatistics, ...]


@get("/api/parties/{party:str}/statistics", tags=["parties"])
async def get_party_statistics(
    party: FromPath[str], services: Given[Services], requester: Given[Requester], since: Since = 0
) -> PartyStatistics:
    """Get wins, places, scores and records of everyone who has played at the tables of a party. Only its members can.

    Members count also after they have left, until they are erased. With `since`, only later games count, such as those
    of today.
    """
    await services.results_ingest.ingest()
    player = requester.may("read").player

    def read(connection: Connection) -> list[PartyGame]:
        return party_games(connection, party_of(connection, party, player).id, since=since)

    games = await services.list_query(requester, read)
    return PartyStatistics(games=len(games), variants=party_statistics(games))


@get("/api/parties/{party:str}/evening", tags=["parties"])
async def get_party_evening(
    party: FromPath[str], services: Given[Services], requester: Given[Requester], *, awards: Awards = False
) -> PartyEvening:
    """Get the score of the last evening of a party, over all its games. Only its members can."""
    _, evening = await read_evening(services, requester, party, awards=awards)
    return evening


async def read_evening(
    services: Services, requester: Requester, party: str, *, awards: bool
) -> tuple[str, PartyEvening]:
    """Return a party's name and its last evening. Raises `NotFoundError` if the requester is not a member."""
    await services.results_ingest.ingest()
    player = requester.may("read").player

    def read(connection: Connection) -> tuple[str, PartyEvening]:
        stored_party = party_of(connection, party, player)
        games = party_games(connection, stored_party.id, limit=MAX_GAMES)
        return stored_party.name, evening_of(connection, games, with_awards=awards)

    return await services.list_query(requester, read)


@get("/api/parties/{party:str}/evening.png", tags=["parties"], media_type=PNG)
async def evening_picture(
    request: AnyRequest,
    party: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    *,
    shape: PictureShape = "wide",
    language: PictureLanguage = "en",
) -> Response[bytes]:
    """Draw the podium of the last evening of a party, with its awards (PNG). Only its members can."""
    name, evening = await read_evening(services, requester, party, awards=True)
    if not evening.standings or evening.ended_at is None:
        raise NotFoundError("the party has no finished game yet")
    people = [standing.who.handle for standing in evening.standings]
    picture_request = PictureRequest(
        shape=shape,
        language=language,
        event="party",
        heading=name,
        day=datetime.fromtimestamp(evening.ended_at / 1000, UTC).date().isoformat(),
        players=tuple(
            PicturePlayer(
                standing.who.name, PERSON, standing.who.handle, standing.who.face, program=standing.who.program
            )
            for standing in evening.standings
        ),
        scores=tuple(standing.wins for standing in evening.standings),
        ranks=tuple(standing.place for standing in evening.standings),
        awards=tuple(
            PictureAward(award.kind, tuple(people.index(handle) for handle in award.who), award.value)
            for award in evening.awards
        ),
    )
    return await own_picture(request, services, requester, picture_request)


@get("/api/parties/{party:str}/games", tags=["parties"])
async def list_party_games(
    party: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    before: Before = None,
    limit: Limit = 20,
) -> list[PartyGame]:
    """List the finished games of a party, the latest first. Only its members can."""
    await services.results_ingest.ingest()
    player = requester.may("read").player

    def read(connection: Connection) -> list[PartyGame]:
        stored_party = party_of(connection, party, player)
        return party_games(connection, stored_party.id, before=before, limit=min(limit, MAX_ROWS))

    return await services.list_query(requester, read)
