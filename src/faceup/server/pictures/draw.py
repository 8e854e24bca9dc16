"""Draw the picture of a request."""

from collections.abc import Sequence

import msgspec

from faceup.core import AnyRules, View
from faceup.core.record import loads
from faceup.server.pictures import PicturePlayer, PictureRequest
from faceup.server.pictures.png import printable, render_png
from faceup.server.pictures.position import draw_page, draw_position, draw_view
from faceup.server.pictures.result import draw_result
from faceup.server.pictures.words import player_name, word
from faceup.server.rooms.replay import room_at_step
from faceup.server.rooms.room import Viewer
from faceup.server.rooms.view import require_may_watch
from faceup.server.site import SITE
from faceup.translations import Language


def draw_picture(text: bytes, viewer: Viewer, step: int) -> bytes:
    """Return the picture of a request (`PictureRequest` as JSON) as PNG.

    Args:
        text: the request.
        viewer: the seat of the view to draw, of a step of a record; None is a spectator.
        step: the step of a record; 0 is the first decision.

    Raises:
        Malformed: the record is invalid or has no such step.
        WrongSeatError: there is no such seat.
    """
    request = msgspec.json.decode(text, type=PictureRequest)
    SITE.set(request.site)
    return render_png(draw_svg(request, viewer, step))


def draw_svg(request: PictureRequest, viewer: Viewer = None, step: int = 0) -> str:
    """Return the picture of a request as SVG; see `draw_picture`."""
    if request.page:
        return draw_page(request)
    if request.position or request.event:
        names = shown_names(request.language, request.players)
        return (draw_result if request.scores else draw_position)(request, names)
    rules, view, players = _at_step(request, viewer, step)
    return draw_view(request, rules, view, shown_names(request.language, players))


def shown_names(language: Language, players: Sequence[PicturePlayer]) -> list[str]:
    """Return the names to draw: those of bots translated, without characters that no font has; "" for an empty seat.

    Args:
        language: the language.
        players: for each seat, its player.
    """
    names = [player_name(language, player.name, player.kind, program=player.program) for player in players]
    return [name and (printable(name) or word(language, "seat", number=seat + 1)) for seat, name in enumerate(names)]


def _at_step(request: PictureRequest, viewer: Viewer, step: int) -> tuple[AnyRules, View, list[PicturePlayer]]:
    room = room_at_step(loads(request.record), step)
    require_may_watch(room, viewer)
    rules = room.table.rules
    players = [
        PicturePlayer(player.name, player.kind) if player else PicturePlayer("", "") for player in room.table.players
    ]
    return rules, rules.view(room.table.state, viewer), players
