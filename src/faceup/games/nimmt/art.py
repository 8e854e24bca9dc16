"""Our own 6 nimmt! card and bull's head."""

from typing import Final

from faceup.games.nimmt.cards import HEADS, Card
from faceup.games.svg import back, card, icon, path, text

BULL: Final = (
    "M4.6 1.6C1.2 2.9.6 7.3 3.6 8.9C4.5 9.4 5.5 9.6 6.5 9.5C5.3 10.1 3.4 10.2 2.1 11.2C2.6 13.6 4.6 14.6 6.7 13.9"
    "C6.9 15.6 7.2 16.6 7.2 17.8C7.2 21 9 22.6 12 22.6C15 22.6 16.8 21 16.8 17.8C16.8 16.6 17.1 15.6 17.3 13.9"
    "C19.4 14.6 21.4 13.6 21.9 11.2C20.6 10.2 18.7 10.1 17.5 9.5C18.5 9.6 19.5 9.4 20.4 8.9C23.4 7.3 22.8 2.9 19.4 1.6"
    "C20.8 3.6 20.4 5.9 18.4 6.3C17.4 6.5 16.4 6.3 15.4 6.2C13.4 5.6 10.6 5.6 8.6 6.2C7.6 6.3 6.6 6.5 5.6 6.3"
    "C3.6 5.9 3.2 3.6 4.6 1.6Z"
    "M9.3 11A1.1 1.1 0 1 0 9.3 13.2A1.1 1.1 0 1 0 9.3 11ZM14.7 11A1.1 1.1 0 1 0 14.7 13.2A1.1 1.1 0 1 0 14.7 11Z"
    "M10.2 18.1A.95.95 0 1 0 10.2 20A.95.95 0 1 0 10.2 18.1ZM13.8 18.1A.95.95 0 1 0 13.8 20A.95.95 0 1 0 13.8 18.1Z"
)
"""A bull's head in a square of 24."""

SYMBOLS: Final = {"bull": BULL}
"""What `draw_card` and `draw_back` need on their page."""

CARD: Final = (56.0, 80.0)
"""The size of a card on the table."""

SMALL: Final = (35.0, 46.0)
"""The size of a card in an open hand."""

_TONES: Final = {1: "one", 2: "two", 3: "three", 5: "five", 7: "seven"}
# The cards that matter have bands in full colour; those of one head stay back.
_BANDS: Final = {**_TONES, 1: "pale"}


def draw_card(x: float, y: float, number: Card, *, ringed: bool = False) -> str:
    """A card face up: its number, and as many bulls' heads as it counts, on a band whose colour says so again."""
    width, height = CARD
    heads = HEADS[number]
    tone = _TONES[heads]
    upon = "one" if heads == 1 else "face"
    band = 30.0
    top = y + height - band
    lines = {1: (1,), 2: (2,), 3: (3,), 5: (3, 2), 7: (4, 3)}[heads]
    size = 17.0 if len(lines) == 1 else 12.5
    bulls = ""
    for index, count in enumerate(lines):
        left = x + (width - count * size) / 2
        line = top + (band - len(lines) * size * 0.98) / 2 + index * size * 0.98
        bulls += "".join(icon("bull", left + each * size, line, size * 0.96, upon) for each in range(count))
    return (
        card(x, y, width, height, ringed=ringed)
        + _band(x, top, width, band, _BANDS[heads])
        + text(
            x + width / 2, y + 35, str(number), "figure", tone=tone, anchor="middle", size=28 if number < 100 else 25
        )
        + bulls
    )


def draw_small(x: float, y: float, number: Card) -> str:
    """A card in small: its number, and its heads as a numeral beside one bull's head."""
    width, height = SMALL
    heads = HEADS[number]
    tone = _TONES[heads]
    upon = "one" if heads == 1 else "face"
    band = 17.0
    top = y + height - band
    return (
        card(x, y, width, height)
        + _band(x, top, width, band, _BANDS[heads])
        + text(x + width / 2, y + 21, str(number), "name", tone=tone, anchor="middle", size=17)
        + text(x + width / 2 - 2, top + 12.8, str(heads), "tiny", tone=upon, anchor="end")
        + icon("bull", x + width / 2, top + 2.5, 12, upon)
    )


def draw_back(x: float, y: float) -> str:
    """A card face down."""
    return back(x, y, *CARD, "bull")


def _band(x: float, y: float, width: float, height: float, tone: str) -> str:
    """A band that ends in a card's lower corners."""
    r = width / 8
    corners = f"a{r:g} {r:g} 0 0 1 {-r:g} {r:g}h{2 * r - width:g}a{r:g} {r:g} 0 0 1 {-r:g} {-r:g}z"
    return path(f"M{x:g} {y:g}h{width:g}v{height - r:g}{corners}", tone)
