"""What there is to play: whatever is registered, and nothing of it is known here."""

from functools import cache
from typing import Any, Final

import msgspec
from litestar import get
from litestar.handlers import HTTPRouteHandler

from faceup.bots import levels
from faceup.bots.describing import Bot, describe
from faceup.core import Game, find_game, list_games
from faceup.core.registry import OptionValue


class GameVariant(msgspec.Struct, frozen=True, kw_only=True):
    """A named setting: `seats` are the fewest and the most, `clock` is in seconds, `options` what it sets."""

    name: str
    title: str
    summary: str
    seats: tuple[int, int]
    clock: int | None
    options: dict[str, OptionValue]


class GameOption(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a table may set, the JSON Schema of its values, and its value where nobody sets it."""

    name: str
    summary: str
    schema: dict[str, Any]  # Any: JSON
    usual: OptionValue | None


class PlayableGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game.

    Attributes:
        chooses: whether anybody decides anything in it.
        levels: bots for people to play against, the easiest first; of `bots`, if it has any.
        bots: all that can be seated.
        drawings: the names of its pictures.
        guide: its rules for people, in Markdown.
    """

    name: str
    title: str
    summary: str
    variants: tuple[GameVariant, ...]
    options: tuple[GameOption, ...]
    chooses: bool
    levels: tuple[str, ...]
    bots: tuple[Bot, ...]
    drawings: tuple[str, ...]
    guide: str


@get("/api/games", tags=["house"], sync_to_thread=False)
def games() -> list[PlayableGame]:
    """The games, with their variants, the options of a table, and the bots to play against."""
    return [_playable(game.name) for game in list_games()]


@cache  # all of it is known when the server starts, and describing bots takes milliseconds
def _playable(name: str) -> PlayableGame:
    game: Game = find_game(name)
    bots = describe(game)
    fields = {field.name: field for field in msgspec.structs.fields(game.rules)}
    return PlayableGame(
        name=game.name,
        title=game.title,
        summary=game.summary,
        variants=tuple(
            GameVariant(
                name=each.name,
                title=each.title,
                summary=each.summary,
                seats=each.seats,
                clock=each.clock,
                options=dict(each.preset),
            )
            for each in game.variants
        ),
        options=tuple(
            GameOption(
                name=name,
                summary=summary,
                schema=msgspec.json.schema(fields[name].type),
                usual=None if fields[name].default is msgspec.NODEFAULT else fields[name].default,
            )
            for name, summary in {"seats": "how many play", **game.options}.items()
        ),
        chooses=bots.chooses,
        levels=tuple(levels(game.name)),
        bots=bots.bots,
        drawings=tuple(game.drawings),
        guide=game.guide,
    )


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (games,)
