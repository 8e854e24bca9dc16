"""Pictures to share, as PNG: the result of a game, a position of it, and one for pages without a game.

`PictureRequest` is all that a picture shows. The server process builds it from the view of the person who asks, and a
worker process draws it, so that a picture cannot show what its viewer must not see. The other modules are imported only
there, because they import the drawings of games.
"""

from typing import Final, Literal, TypeAlias

import msgspec

from faceup.extras import require
from faceup.server.site import Site
from faceup.translations import Language

Shape: TypeAlias = Literal["wide", "tall"]
"""The shape of a picture: "wide" for previews of links, "tall" for phones. Only results are drawn tall."""

SIZES: Final[dict[Shape, tuple[int, int]]] = {"wide": (1200, 630), "tall": (1080, 1350)}
"""Width and height in pixels."""

PAGES: Final = ("daily", "home", "replay", "table")
"""The pages that have a picture without a game."""

require("server", __name__)


class PicturePlayer(msgspec.Struct, frozen=True):
    """The player of a seat, as in a room view. `kind` is "person", the name of a bot, or "" for an empty seat.

    `program` is whether a program of the person plays.
    """

    name: str
    kind: str
    handle: str | None = None
    face: str | None = None
    program: bool = False


class PictureAward(msgspec.Struct, frozen=True):
    """An award of an evening: its kind, the seats that share it, and the number it is for."""

    kind: str
    seats: tuple[int, ...]
    value: int


class PictureRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that a picture shows.

    Attributes:
        shape: the shape of the picture.
        language: the language of its text.
        page: the page to draw a picture for; "" for a game.
        position: the view to draw, in notation; "" to draw a step of `record`.
        players: the players by seat.
        scores: the final scores by seat; empty to draw the position instead of the result.
        ranks: the final ranks by seat.
        event: "party" or "tournament" for a result of several games, whose `players` are people and not seats.
        heading: the name of the party or tournament; "" if it has none.
        awards: the awards of an evening.
        day: the day of the game, such as "2026-11-23"; "" if it is unknown.
        record: a finished game as JSON, to draw one of its steps.
        site: the site that the picture names.
    """

    shape: Shape = "wide"
    language: Language = "en"
    page: str = ""
    position: str = ""
    players: tuple[PicturePlayer, ...] = ()
    scores: tuple[float, ...] = ()
    ranks: tuple[int, ...] = ()
    event: Literal["", "party", "tournament"] = ""
    heading: str = ""
    awards: tuple[PictureAward, ...] = ()
    day: str = ""
    record: str = ""
    site: Site = Site()
