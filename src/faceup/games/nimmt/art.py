"""Our own 6 nimmt! card and bull's head."""

from typing import Final

from faceup.games.nimmt.cards import HEADS, Card
from faceup.games.svg import back, card, icon, path, text

BULL: Final = (
    "M2.1 2.2C.8 6.6 2.5 9.7 6 10.4L2.6 11.3C3.4 13.9 5.2 14.8 7.2 14.2C7.6 16.8 8.3 18.7 9 20.1"
    "C9.9 22.3 14.1 22.3 15 20.1C15.7 18.7 16.4 16.8 16.8 14.2C18.8 14.8 20.6 13.9 21.4 11.3L18 10.4"
    "C21.5 9.7 23.2 6.6 21.9 2.2C20.8 5.2 18.9 6.7 15.9 6.8C13.6 5.9 10.4 5.9 8.1 6.8C5.1 6.7 3.2 5.2 2.1 2.2Z"
    "M9 11.6A1.05 1.05 0 1 0 9 13.7A1.05 1.05 0 1 0 9 11.6ZM15 11.6A1.05 1.05 0 1 0 15 13.7A1.05 1.05 0 1 0 15 11.6Z"
    "M10.5 18.2A.8.8 0 1 0 10.5 19.8A.8.8 0 1 0 10.5 18.2ZM13.5 18.2A.8.8 0 1 0 13.5 19.8A.8.8 0 1 0 13.5 18.2Z"
)
"""A bull's head in a square of 24."""

SYMBOLS: Final = {"bull": BULL}
"""What `draw_card` and `draw_back` need on their page."""

CARD: Final = (56.0, 80.0)
"""The size of a card on the table."""

SMALL: Final = (35.0, 46.0)
"""The size of a card in an open hand."""

TONES: Final = {1: "one", 2: "two", 3: "three", 5: "five", 7: "seven"}


def draw_card(x: float, y: float, number: Card, *, ringed: bool = False) -> str:
    """A card face up: its number, and as many bulls' heads as it counts, on a band whose colour says so again."""
    width, height = CARD
    heads = HEADS[number]
    tone = TONES[heads]
    band = 30.0
    top = y + height - band
    lines = {1: (1,), 2: (2,), 3: (3,), 5: (3, 2), 7: (4, 3)}[heads]
    size = 17.0 if len(lines) == 1 else 12.5
    bulls = ""
    for index, count in enumerate(lines):
        left = x + (width - count * size) / 2
        line = top + (band - len(lines) * size * 0.98) / 2 + index * size * 0.98
        bulls += "".join(icon("bull", left + each * size, line, size * 0.96, "face") for each in range(count))
    return (
        card(x, y, width, height, ringed=ringed)
        + _band(x, top, width, band, tone)
        + text(
            x + width / 2, y + 35, str(number), "figure", tone=tone, anchor="middle", size=28 if number < 100 else 25
        )
        + bulls
    )


def draw_small(x: float, y: float, number: Card) -> str:
    """A card in small: its number, and its heads as a numeral beside one bull's head."""
    width, height = SMALL
    heads = HEADS[number]
    tone = TONES[heads]
    band = 17.0
    top = y + height - band
    return (
        card(x, y, width, height)
        + _band(x, top, width, band, tone)
        + text(x + width / 2, y + 21, str(number), "name", tone=tone, anchor="middle", size=17)
        + text(x + width / 2 - 2, top + 12.8, str(heads), "tiny", tone="face", anchor="end")
        + icon("bull", x + width / 2, top + 2.5, 12, "face")
    )


def draw_back(x: float, y: float) -> str:
    """A card face down."""
    return back(x, y, *CARD, "bull")


def _band(x: float, y: float, width: float, height: float, tone: str) -> str:
    """A band that ends in a card's lower corners."""
    r = width / 8
    corners = f"a{r:g} {r:g} 0 0 1 {-r:g} {r:g}h{2 * r - width:g}a{r:g} {r:g} 0 0 1 {-r:g} {-r:g}z"
    return path(f"M{x:g} {y:g}h{width:g}v{height - r:g}{corners}", tone)
