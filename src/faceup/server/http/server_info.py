"""Routes that describe the server (version, status and health) and the games that it offers."""

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Literal, TypeAlias

import msgspec
from litestar import MediaType, Response, get
from litestar.di import NamedDependency as Given
from litestar.openapi.datastructures import ResponseSpec

from faceup.bots import levels
from faceup.bots.registry import BotDescription, describe, is_playable
from faceup.core import Game, find_game, list_games
from faceup.core.record import FORMAT
from faceup.core.registry import OptionValue
from faceup.games.hand_scores import hand_scores_of
from faceup.server.accounts import server_state
from faceup.server.accounts.players import find_player
from faceup.server.friends.queries import knows_anyone
from faceup.server.http.schemas import Me
from faceup.server.http.services import AnyRequest, Requester, Services
from faceup.server.http.static import asset_response
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.wire import Announcement
from faceup.server.site import SITE, Site
from faceup.server.store import StaleHeartbeatError, UnavailableError
from faceup.server.turns.queries import count_turns
from faceup.web.assets import Asset, make_asset, web


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """The version of the server. A page with another stamp than `page` reloads itself."""

    faceup: str
    record_format: int
    page: str


class ServerInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The information that a page needs when it starts.

    Attributes:
        announcement: the operator's announcement; null if there is none.
        registration: the registration mode for new players.
        page: the stamp of the page's files.
        you: the player of the session or token; null if the request has neither.
        known: whether anyone can send this player invitations or requests, so that the page waits for the inbox.
        turns: how many games with days per move wait for the player.
        handles: all handles of the player, also those from before a login, for which seats may still be reserved.
    """

    announcement: Announcement | None
    registration: server_state.Registration
    page: str
    you: Me | None
    known: bool
    turns: int
    handles: tuple[str, ...]


@get("/api/version", tags=["server"], sync_to_thread=False)
def get_version() -> Version:
    """Get the version of the server."""
    return Version(faceup=version("faceup"), record_format=FORMAT, page=web().stamp)


@get("/api/server-info", tags=["server"])
async def server_info(services: Given[Services], requester: Given[Requester]) -> ServerInfo:
    """Get the announcement, the registration mode and the player of the session."""
    reader = requester.may("read") if requester.identity is not None else None
    return await services.query(
        lambda connection: ServerInfo(
            announcement=server_state.announcement(connection),
            registration=server_state.registration_mode(connection, services.settings),
            page=web().stamp,
            you=None if reader is None else Me.of(find_player(connection, reader.player)),
            known=reader is not None and knows_anyone(connection, reader.ids),
            turns=0 if reader is None else count_turns(connection, *reader.ids),
            handles=() if reader is None else tuple([handle_of(player) for player in reader.ids]),
        )
    )


@get("/api/health", tags=["server"], sync_to_thread=False, media_type=MediaType.TEXT)
def health() -> str:
    """Report that the server process is alive (liveness probe)."""
    return "ok\n"


@get("/api/ready", tags=["server"], media_type=MediaType.TEXT)
async def ready(services: Given[Services]) -> Response[str]:
    """Report whether the process can serve (readiness probe).

    The process can serve if the database answers and is not damaged, and the heartbeat of the process is fresh.
    """
    if damage := services.store.damage:
        raise UnavailableError(f"the database is damaged: {damage}; run `faceup admin check`, and restore a backup")
    if not await services.store.awake():
        raise StaleHeartbeatError("the heartbeat of this server process is too old: try again later")
    return Response("ok\n", media_type=MediaType.TEXT)


LadderOrder: TypeAlias = Literal["rating", "hands"]
"""The order of a ladder, either by rating or by the mean statistics points of hands."""


class GameVariant(msgspec.Struct, frozen=True, kw_only=True):
    """A variant of a game.

    Attributes:
        seats: the minimum and the maximum number of seats.
        clock: the default seconds for a decision at a table of people; null means no clock.
        options: the values of the options that the variant sets.
    """

    name: str
    title: str
    summary: str
    seats: tuple[int, int]
    clock: int | None
    options: dict[str, OptionValue]


class GameOption(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a table, with the JSON Schema of its values and its default value."""

    name: str
    summary: str
    schema: dict[str, Any]  # Any: JSON
    default: OptionValue | None


class PlayableGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game.

    Attributes:
        chooses: whether the game has decisions.
        ladder: how the ladders of this game rank players; null if it has neither decisions nor scored hands.
        levels: the bots that the page offers as opponents, the easiest first; empty if the game has no such bots.
        bots: all bots that can be seated.
        drawings: the names of the drawings of the game.
        guide: the rules of the game in Markdown.
    """

    name: str
    title: str
    summary: str
    variants: tuple[GameVariant, ...]
    options: tuple[GameOption, ...]
    chooses: bool
    ladder: LadderOrder | None
    levels: tuple[str, ...]
    bots: tuple[BotDescription, ...]
    drawings: tuple[str, ...]
    guide: str


@get(
    "/api/games",
    tags=["server"],
    sync_to_thread=False,
    responses={200: ResponseSpec(list[PlayableGame], generate_examples=False)},
)
def list_playable_games(request: AnyRequest) -> Response[bytes]:
    """List the games with their variants, options and bots. The response has an entity tag."""
    games = _playable_games(SITE.get())
    tag = sha256(games.plain).hexdigest()[:20]
    return asset_response(request, games, {"cache-control": "public, no-cache"}, tag=tag)


@cache  # the result does not change while the server runs, and describing the bots takes milliseconds
def _playable_games(site: Site) -> Asset:
    return make_asset("games.json", msgspec.json.encode([_playable(game.name, site) for game in list_games()]))


def _playable(name: str, site: Site) -> PlayableGame:
    game: Game = find_game(name)
    title = site.title(name) or game.title
    bots = describe(game)
    fields = {field.name: field for field in msgspec.structs.fields(game.rules)}
    return PlayableGame(
        name=game.name,
        title=title,
        summary=game.summary,
        variants=tuple(
            GameVariant(
                name=game_info.name,
                title=game_info.title,
                summary=game_info.summary,
                seats=game_info.seats,
                clock=game_info.clock,
                options=dict(game_info.preset),
            )
            for game_info in game.variants
        ),
        options=tuple(
            GameOption(
                name=name,
                summary=summary,
                schema=msgspec.json.schema(fields[name].type),
                default=None if fields[name].default is msgspec.NODEFAULT else fields[name].default,
            )
            for name, summary in {"seats": "how many play", **game.options}.items()
        ),
        chooses=bots.chooses,
        ladder=ladder_order(game) if bots.chooses or hand_scores_of(game) else None,
        levels=tuple(level for level in levels(game.name) if is_playable(game.name, level)),
        bots=tuple(bot for bot in bots.bots if is_playable(game.name, bot.name)),
        drawings=tuple(game.drawings),
        guide=game.guide.replace(f"# {game.title}\n", f"# {title}\n", 1),
    )


def ladder_order(game: Game) -> LadderOrder:
    """Return the order of a game's ladders: "hands" if the game scores hands, or else "rating"."""
    return "rating" if hand_scores_of(game) is None else "hands"
