"""What has been played: players with their results and ratings, and ladders of people and bots."""

from typing import Annotated, Final

import msgspec
from litestar import get
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter
from sqlalchemy import Connection

from faceup.core import find_game
from faceup.server.api.services import Asker, Services
from faceup.server.people.history import (
    LEAST,
    MOST,
    GameView,
    Rung,
    Standing,
    Tally,
    bot_standings,
    history,
    ladder,
    standings,
    tallies,
)
from faceup.server.people.players import Player, find_handle, find_player
from faceup.server.people.refusals import Missing

Before = Annotated[int | None, QueryParameter(ge=1, le=2**53, description="Only games with a smaller number")]
Limit = Annotated[int, QueryParameter(ge=1, le=MOST, description="How many at most")]
Named = Annotated[str, QueryParameter(max_length=100)]


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """A player's page.

    Attributes:
        handle: by which the player is known.
        name: as it is now.
        guest: whether it is no account.
        since: when the player came first, in milliseconds since 1970.
        ratings: how strong the player is, by game and variant.
        tallies: how many games it has finished and won, by game and variant.
        games: the last of them; `GET /api/players/{handle}/games` goes on.
    """

    handle: str
    name: str
    guest: bool
    since: int
    ratings: tuple[Standing, ...]
    tallies: tuple[Tally, ...]
    games: tuple[GameView, ...]


class LadderView(msgspec.Struct, frozen=True, kw_only=True):
    """Who is how strong in a variant of a game; `least` rated games are needed to stand here."""

    game: str
    variant: str
    least: int
    rungs: tuple[Rung, ...]


class BotResults(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's ratings, by game and variant."""

    bot: str
    ratings: tuple[Standing, ...]


@get("/api/players/{handle:str}/results", tags=["history"])
async def player_results(handle: FromPath[str], services: Given[Services]) -> Results:
    """What a player has played: ratings, how many games of what, and the last of them."""
    await services.counting.count()
    player = await services.store.query(lambda connection: find_handle(connection, handle[:40]))
    return await _results(services, player)


@get("/api/me/results", tags=["history"])
async def my_results(services: Given[Services], asker: Given[Asker]) -> Results:
    """What I have played."""
    identity = asker.may("read")
    await services.counting.count()
    return await _results(
        services, await services.store.query(lambda connection: find_player(connection, identity.player))
    )


@get("/api/players/{handle:str}/games", tags=["history"])
async def player_games(
    handle: FromPath[str], services: Given[Services], before: Before = None, limit: Limit = 20
) -> tuple[GameView, ...]:
    """The games that a player has finished, the last one first; their records are at `/api/tables/{table}/record`."""
    await services.counting.count()
    return await services.store.query(
        lambda connection: tuple(history(connection, find_handle(connection, handle[:40]), before, limit))
    )


@get("/api/ladder", tags=["history"])
async def see_ladder(
    services: Given[Services], game: Named = "nimmt", variant: Named = "", limit: Limit = MOST
) -> LadderView:
    """People and bots in the order of their ratings in a variant of a game: of the game's first, if none is named."""
    found = find_game(game)
    chosen = found.variant(variant) if variant else found.variants[0]
    await services.counting.count()
    rungs = await services.store.query(lambda connection: ladder(connection, found.name, chosen.name, limit))
    return LadderView(game=found.name, variant=chosen.name, least=LEAST, rungs=tuple(rungs))


@get("/api/bots/{bot:str}/results", tags=["history"])
async def bot_results(bot: FromPath[str], services: Given[Services]) -> BotResults:
    """How strong a bot is among those who play here."""
    await services.counting.count()
    found = await services.store.query(lambda connection: bot_standings(connection, bot[:40]))
    if not found:
        raise Missing("no rated game with this bot was finished here")
    return BotResults(bot=bot, ratings=tuple(found))


async def _results(services: Services, player: Player) -> Results:
    def work(connection: Connection) -> Results:
        return Results(
            handle=player.handle,
            name=player.name,
            guest=player.guest,
            since=player.since,
            ratings=tuple(standings(connection, player)),
            tallies=tuple(tallies(connection, player)),
            games=tuple(history(connection, player)),
        )

    return await services.store.query(work)


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (player_results, my_results, player_games, see_ladder, bot_results)
