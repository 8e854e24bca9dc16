"""The picture of a result: who won, a podium with the three best, and a list of all others."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from faceup.core.record import PERSON
from faceup.server.pictures import PictureAward, PicturePlayer, PictureRequest, Shape
from faceup.server.pictures.frame import (
    EMBLEMS,
    INK,
    SOFT,
    STAR,
    confetti,
    crown,
    emblem,
    face,
    frame,
    label,
    rays,
    width_of,
    wrap,
)
from faceup.server.pictures.png import printable
from faceup.server.pictures.words import award_titles, day_text, decimal_text, game_title, winners, word
from faceup.translations import join_names

_INK: Final = "#2a251d"
_LISTED: Final = 10
"""The maximum number of players in a picture."""
_AWARDS: Final = 5
"""The maximum number of awards in a picture."""
_AWARD_HEIGHT: Final = 1.4
"""The height of an award, in rows of the list."""
_METAL: Final = {1: "url(#gold)", 2: "url(#step)", 3: "url(#step)"}


class _Layout(NamedTuple):
    """Where things are in a shape.

    Attributes:
        title: baseline and size of the title.
        lines: maximum number of lines of the title.
        step: width of a step of the podium.
        heights: heights of the steps of the first, second and third place.
        floor: the lower edge of the podium; in a tall picture, it depends on the length of the list.
        list: the left, top, right and lower edges of the longest list.
    """

    title: tuple[float, float]
    lines: int
    step: float
    heights: tuple[float, float, float]
    floor: float
    list: tuple[float, float, float, float]


_LAYOUTS: Final[dict[Shape, _Layout]] = {
    "wide": _Layout((158, 62), 1, 196, (216, 172, 138), 630, (758, 226, 1152, 606)),
    "tall": _Layout((218, 82), 2, 284, (276, 226, 188), 860, (90, 900, 990, 1318)),
}


def draw_result(request: PictureRequest, names: Sequence[str]) -> str:
    """Return the SVG of a result. `names` are the names to show, by seat."""
    shape, language = request.shape, request.language
    layout = _LAYOUTS[shape]
    width = 1200 if shape == "wide" else 1080
    margin = 48 if shape == "wide" else 64
    order = sorted(range(len(names)), key=lambda seat: (request.ranks[seat], seat))
    awards = request.awards[:_AWARDS]
    listed = order[3:_LISTED]
    left, _, right, bottom = layout.list
    rows = len(listed) + _AWARD_HEIGHT * len(awards)
    row = min(380 / max(rows, 4), 60)
    if shape == "tall":
        row = min(418 / max(rows, 4), 96)
    area = (left, bottom - row * rows, right, bottom)
    floor = layout.floor if shape == "wide" else area[1] - 40
    middle = 400 if rows and shape == "wide" else width / 2
    top = floor - layout.heights[0]
    size = layout.step * 0.72
    step = 0.5 * (layout.step + 8) if len(order) == 2 else 0
    light = (middle - step, top - size / 2)
    y, letters = layout.title
    words, room = winners(language, names, request.ranks), width - 2 * margin
    letters *= max(0.62, min(1.0, layout.lines * 0.92 * room / width_of(words, letters)))
    lines = wrap(words, room, letters, layout.lines)
    title = "".join(
        label(margin, y + index * letters * 1.1, line, letters, weight=800, fill="#ffdd7d")
        for index, line in enumerate(lines)
    )
    below = y + (len(lines) - 1) * letters * 1.1 + letters * 0.72
    facts = [_occasion(request), *([word(language, "players", count=len(names))] if len(names) > 1 else [])]
    title += label(margin, below, " · ".join(facts), letters * 0.42, fill=SOFT)
    path = _emblem(request)
    back = (
        emblem(path, width * 0.86, 330 if shape == "wide" else 420, 520, "#ffffff", opacity=0.05, turn=12)
        if path
        else ""
    )
    body = (
        back
        + rays(*light, width * 0.62)
        + confetti(width, top + 60, 110, [(0, 0, width, below + 12), *([area] if rows else [])])
        + title
        + _podium(request, names, order[:3], (middle, floor))
        + _list(request, names, listed, area, row)
        + _awards(request, names, awards, (left, area[1] + row * len(listed), right), row * _AWARD_HEIGHT)
    )
    return frame(shape, body, right=day_text(language, request.day) if request.day else "", light=light)


def _podium(request: PictureRequest, names: Sequence[str], best: Sequence[int], at: tuple[float, float]) -> str:
    """Draw up to three seats on steps, with the middle of the lower edge at a point.

    The first place is in the middle, unless there are two seats.
    """
    layout, path, (middle, floor) = _LAYOUTS[request.shape], _emblem(request), at
    width = layout.step
    offsets = {1: (0,), 2: (-0.5, 0.5), 3: (0, -1, 1)}[len(best)]
    drawn = ""
    for seat, offset in sorted(zip(best, offsets, strict=True), key=lambda winner: -request.ranks[winner[0]]):
        rank = request.ranks[seat]
        height = layout.heights[min(rank, 3) - 1]
        x, top = middle + offset * (width + 8), floor - height
        size = width * (0.72 if rank == 1 else 0.58)
        score = _score(request, seat)
        letters, row = width * 0.22, top + width * 0.56
        small = width * 0.135 * max(0.72, min(1.0, (width - 20) / max(1.0, width_of(names[seat], width * 0.135))))
        mark = letters * 0.95 if path else 0
        wide = width_of(score, letters) * 0.92
        drawn += (
            _box(x - width / 2, top, width, height, 14, _METAL[min(rank, 3)])
            + _box(x - width / 2, top, width, 10, 5, "#ffffff", 0.55)
            + face(_player(request, seat), (x, top - size * 0.47), size)
            + (crown(x, top - size * 0.9, size * 0.62) if rank == 1 else "")
            + label(x, top + width * 0.23, names[seat], small, weight=800, fill=_INK, anchor="middle", width=width - 20)
            + label(x - mark * 0.55, row, score, letters, weight=800, fill=_INK, anchor="middle")
            + (emblem(path, x + wide / 2 + mark * 0.02, row - letters * 0.36, mark * 0.86, "#6b5d43") if path else "")
        )
        if height > width * 0.92:
            drawn += label(
                x, floor - width * 0.1, f"{rank}.", width * 0.13, weight=800, fill="#8a7748", anchor="middle"
            )
    return drawn


def _list(
    request: PictureRequest,
    names: Sequence[str],
    seats: Sequence[int],
    area: tuple[float, float, float, float],
    height: float,
) -> str:
    """Draw the seats that are not on the podium, one in a row."""
    path, (left, y, right, _) = _emblem(request), area
    drawn = ""
    for seat in seats:
        rank, size, middle = request.ranks[seat], height * 0.72, y + height / 2
        letters = height * 0.42
        drawn += (
            _box(left, y + 3, right - left, height - 6, height * 0.28, "#000000", 0.22)
            + label(
                left + height * 0.5,
                middle + letters * 0.35,
                f"{rank}.",
                letters,
                weight=800,
                fill=SOFT,
                anchor="middle",
            )
            + face(_player(request, seat), (left + height * 1.3, middle), size)
            + label(
                left + height * 1.85, middle + letters * 0.35, names[seat], letters, width=right - left - height * 3.5
            )
            + label(
                right - height * 0.95,
                middle + letters * 0.35,
                _score(request, seat),
                letters * 1.1,
                weight=800,
                anchor="end",
            )
            + (emblem(path, right - height * 0.52, middle, height * 0.44, INK, opacity=0.8) if path else "")
        )
        y += height
    return drawn


def _awards(
    request: PictureRequest,
    names: Sequence[str],
    awards: Sequence[PictureAward],
    area: tuple[float, float, float],
    height: float,
) -> str:
    """Draw awards, one in a row: a face, the title, the names, and the number."""
    left, y, right = area
    titles = award_titles(request.language)
    drawn = ""
    for award in awards:
        middle, letters = y + height / 2, height * 0.3
        people, width = join_names(request.language, [names[seat] for seat in award.seats]), right - left - height * 2
        drawn += (
            _box(left, y + 3, right - left, height - 6, height * 0.2, "#000000", 0.22)
            + face(_player(request, award.seats[0]), (left + height * 0.55, middle), height * 0.7)
            + label(left + height, middle - height * 0.08, titles[award.kind], letters, fill="#ffdd7d", width=width)
            + label(left + height, middle + height * 0.3, people, letters * 1.1, weight=800, width=width)
            + label(
                right - height * 0.3, middle + letters * 0.5, str(award.value), letters * 1.4, weight=800, anchor="end"
            )
        )
        y += height
    return drawn


def _occasion(request: PictureRequest) -> str:
    """Return what was played: the name of the party or tournament, or the title of the game."""
    if request.event:
        return printable(request.heading) or word(request.language, request.event)
    return game_title(request.language, request.position.partition(":")[0])


def _score(request: PictureRequest, seat: int) -> str:
    score = round(request.scores[seat], 2)
    return decimal_text(request.language, f"{score:g}")


def _box(x: float, y: float, width: float, height: float, radius: float, fill: str, opacity: float = 1) -> str:  # noqa: PLR0917 -- the attributes of a rectangle
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{fill}" '
        f'opacity="{opacity:g}"/>'
    )


def _emblem(request: PictureRequest) -> str:
    """Return the symbol of the game, or of wins; "" if there is none."""
    return STAR if request.event == "party" else EMBLEMS.get(request.position.partition(":")[0], "")


def _player(request: PictureRequest, seat: int) -> PicturePlayer:
    return request.players[seat] if seat < len(request.players) else PicturePlayer("", PERSON)
