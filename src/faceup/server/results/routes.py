"""Routes of results, ratings and ladders."""

from typing import Annotated, Literal

import msgspec
from litestar import get
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, QueryParameter
from sqlalchemy import Connection

from faceup.core import find_game
from faceup.server.accounts.credentials import Identity
from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.players import StoredPlayer, find_by_handle, find_player
from faceup.server.http.server_info import LadderOrder, ladder_order
from faceup.server.http.services import Requester, Services
from faceup.server.results.history import (
    MAX_ROWS,
    MIN_HANDS,
    GameView,
    HandRung,
    HandStanding,
    LadderRow,
    PlayerRating,
    VariantTotals,
    hand_ladder,
    hand_standings,
    history,
    ladder,
    ratings_of,
    totals,
)
from faceup.server.results.seat_reviews import CoachFindings, coach_findings
from faceup.server.results.standing_ids import bot_id
from faceup.server.results.statistics import Statistics, finished_games, statistics_of

Before = Annotated[int | None, QueryParameter(ge=1, le=2**53, description="Return only games with a smaller number")]
Limit = Annotated[int, QueryParameter(ge=1, le=MAX_ROWS, description="The maximum number of rows")]
LadderPlayers = Annotated[Literal["people", "programs"], QueryParameter(description="The ladder to get")]
NameParameter = Annotated[str, QueryParameter(max_length=100)]


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a player.

    Attributes:
        handle: the public handle.
        name: the current name.
        guest: whether the player has no account.
        since: when the player was created, in milliseconds since 1970.
        ratings: the rating in each variant of each game.
        hands: the hand statistics in each variant of each game that scores hands.
        totals: the numbers of finished and won games in each variant of each game.
        games: the latest games. `GET /api/players/{handle}/games` also returns older games.
    """

    handle: str
    name: str
    guest: bool
    since: int
    ratings: tuple[PlayerRating, ...]
    hands: tuple[HandStanding, ...]
    totals: tuple[VariantTotals, ...]
    games: tuple[GameView, ...]


class OwnStatistics(Statistics, frozen=True, kw_only=True):
    """The statistics of the requesting player.

    Attributes:
        coach: what the coach found in the player's games, which no one else gets.
    """

    coach: CoachFindings


class LadderView(msgspec.Struct, frozen=True, kw_only=True):
    """The ladder of a variant.

    Attributes:
        by: "hands" (the mean statistics points of hands) in games that score hands, and "rating" in all other games.
        min_hands: the minimum number of hands for a place, if the ladder is by hands; else null.
        ladder_rows: the players, if the ladder is by rating. Those with provisional ratings follow, without places.
        hands: the places, if the ladder is by hands.
    """

    game: str
    variant: str
    by: LadderOrder
    min_hands: int | None = None
    ladder_rows: tuple[LadderRow, ...] = ()
    hands: tuple[HandRung, ...] = ()


class BotResults(msgspec.Struct, frozen=True, kw_only=True):
    """The ratings and hand statistics of a bot in each variant of each game."""

    bot: str
    ratings: tuple[PlayerRating, ...]
    hands: tuple[HandStanding, ...]


@get("/api/players/{handle:str}/results", tags=["history"])
async def player_results(handle: FromPath[str], services: Given[Services], requester: Given[Requester]) -> Results:
    """Get the ratings, totals and latest games of a player."""
    await services.results_ingest.ingest()
    player = await services.query(find_by_handle, handle[:40])
    return await services.list_query(requester, _results, player)


@get("/api/me/results", tags=["history"])
async def my_results(services: Given[Services], requester: Given[Requester], reader: Given[Identity]) -> Results:
    """Get the ratings, totals and latest games of the requesting player."""
    await services.results_ingest.ingest()
    return await services.list_query(requester, _results, await services.query(find_player, reader.player))


@get("/api/players/{handle:str}/games", tags=["history"])
async def player_games(
    handle: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    before: Before = None,
    limit: Limit = 20,
) -> tuple[GameView, ...]:
    """List a player's finished games, the latest first. Their records are at `/api/tables/{table}/record`."""
    await services.results_ingest.ingest()
    return await services.list_query(
        requester, lambda connection: tuple(history(connection, find_by_handle(connection, handle[:40]), before, limit))
    )


@get("/api/players/{handle:str}/statistics", tags=["history"])
async def player_statistics(
    handle: FromPath[str], services: Given[Services], requester: Given[Requester]
) -> Statistics:
    """Get the wins, scores, trends and records of a player by game, variant and number of seats.

    They follow from the finished games that `GET /api/players/{handle}/games` lists, and count the latest 5,000.
    """
    await services.results_ingest.ingest()
    player = await services.query(find_by_handle, handle[:40])
    return await services.list_query(requester, _statistics, player)


@get("/api/me/statistics", tags=["history"])
async def my_statistics(
    services: Given[Services], requester: Given[Requester], reader: Given[Identity]
) -> OwnStatistics:
    """Get the statistics of the requesting player, with what the coach found in the latest games."""
    await services.results_ingest.ingest()
    player = await services.query(find_player, reader.player)
    return await services.list_query(requester, _own_statistics, player)


@get("/api/ladder", tags=["history"])
async def get_ladder(
    services: Given[Services],
    requester: Given[Requester],
    *,
    game: NameParameter = "nimmt",
    variant: NameParameter = "",
    limit: Limit = MAX_ROWS,
    players: LadderPlayers = "people",
) -> LadderView:
    """Get the ladder of a variant, by rating or by hands. The default is the first variant of the game.

    It has people and the server's bots, or programs of people and the server's bots.
    """
    programs = players == "programs"
    entry = find_game(game)
    chosen = entry.variant(variant) if variant else entry.variants[0]
    await services.results_ingest.ingest()
    by, name, variant = ladder_order(entry), entry.name, chosen.name
    if by == "hands":
        hands = await services.list_query(requester, hand_ladder, name, variant, limit, programs=programs)
        return LadderView(game=name, variant=variant, by=by, min_hands=MIN_HANDS, hands=tuple(hands))
    ladder_rows = await services.list_query(requester, ladder, name, variant, limit, programs=programs)
    return LadderView(game=name, variant=variant, by=by, ladder_rows=tuple(ladder_rows))


@get("/api/bots/{bot:str}/results", tags=["history"])
async def bot_results(bot: FromPath[str], services: Given[Services], requester: Given[Requester]) -> BotResults:
    """Get the ratings and hand statistics of a bot on this server."""
    await services.results_ingest.ingest()
    who = bot_id(bot[:40])
    async with services.list_turn(requester):
        ratings, hands = await services.query(ratings_of, who), await services.query(hand_standings, who)
    if not (ratings or hands):
        raise NotFoundError("this bot has no rated games and no hand statistics on this server")
    return BotResults(bot=bot, ratings=tuple(ratings), hands=tuple(hands))


def _results(connection: Connection, player: StoredPlayer) -> Results:
    return Results(
        handle=player.handle,
        name=player.name,
        guest=player.guest,
        since=player.since,
        ratings=tuple(ratings_of(connection, player.id)),
        hands=tuple(hand_standings(connection, player.id)),
        totals=tuple(totals(connection, player)),
        games=tuple(history(connection, player)),
    )


def _statistics(connection: Connection, player: StoredPlayer) -> Statistics:
    return statistics_of(finished_games(connection, player.id))


def _own_statistics(connection: Connection, player: StoredPlayer) -> OwnStatistics:
    own = msgspec.structs.asdict(_statistics(connection, player))
    return OwnStatistics(**own, coach=coach_findings(connection, player.id))
