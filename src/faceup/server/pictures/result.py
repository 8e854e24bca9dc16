"""The picture of a result: who won, a podium with the three best, and a list of all others."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from faceup.core import read
from faceup.server.pictures import PicturePlayer, PictureRequest, Shape
from faceup.server.pictures.frame import (
    EMBLEMS,
    INK,
    SOFT,
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
from faceup.server.pictures.words import day_text, game_title, winners, word

_INK: Final = "#2a251d"
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
    rules, _ = read(request.position)
    shape, language = request.shape, request.language
    layout = _LAYOUTS[shape]
    width = 1200 if shape == "wide" else 1080
    margin = 48 if shape == "wide" else 64
    order = sorted(range(len(names)), key=lambda seat: (request.ranks[seat], seat))
    listed = order[3:]
    left, _, right, bottom = layout.list
    row = min(380 / max(len(listed), 4), 60)
    if shape == "tall":
        row = min(418 / max(len(listed), 4), 96)
    area = (left, bottom - row * len(listed), right, bottom)
    floor = layout.floor if shape == "wide" else area[1] - 40
    middle = 400 if listed and shape == "wide" else width / 2
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
    facts = [game_title(language, rules.game), word(language, "players", count=len(names))]
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
        + confetti(width, top + 60, 110, [(0, 0, width, below + 12), *([area] if listed else [])])
        + title
        + _podium(request, names, order[:3], (middle, floor))
        + (_list(request, names, listed, area) if listed else "")
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
        score = str(request.scores[seat])
        letters, row = width * 0.22, top + width * 0.56
        small = width * 0.135 * max(0.72, min(1.0, (width - 20) / max(1.0, width_of(names[seat], width * 0.135))))
        mark = letters * 0.95 if path else 0
        wide = width_of(score, letters) * 0.92
        drawn += (
            _box(x - width / 2, top, width, height, 14, _METAL[min(rank, 3)])
            + _box(x - width / 2, top, width, 10, 5, "#ffffff", 0.55)
            + face(_player(request, seat), seat, (x, top - size * 0.47), size)
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
    request: PictureRequest, names: Sequence[str], seats: Sequence[int], area: tuple[float, float, float, float]
) -> str:
    """Draw the seats that are not on the podium, one in a row."""
    path, (left, y, right, bottom) = _emblem(request), area
    height = (bottom - y) / len(seats)
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
            + face(_player(request, seat), seat, (left + height * 1.3, middle), size)
            + label(
                left + height * 1.85, middle + letters * 0.35, names[seat], letters, width=right - left - height * 3.5
            )
            + label(
                right - height * 0.95,
                middle + letters * 0.35,
                str(request.scores[seat]),
                letters * 1.1,
                weight=800,
                anchor="end",
            )
            + (emblem(path, right - height * 0.52, middle, height * 0.44, INK, opacity=0.8) if path else "")
        )
        y += height
    return drawn


def _box(x: float, y: float, width: float, height: float, radius: float, fill: str, opacity: float = 1) -> str:  # noqa: PLR0917 -- the attributes of a rectangle
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{fill}" '
        f'opacity="{opacity:g}"/>'
    )


def _emblem(request: PictureRequest) -> str:
    """Return the symbol of the game; "" if it has none."""
    return EMBLEMS.get(request.position.partition(":")[0], "")


def _player(request: PictureRequest, seat: int) -> PicturePlayer:
    return request.players[seat] if seat < len(request.players) else PicturePlayer("", "person")
