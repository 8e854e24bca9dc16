"""The dark and the light theme of the app, and the colors of cards.

Color is never the only signal, because a number, a sign or a frame always shows the information, too. The five card
colors are from Okabe and Ito's palette for color vision deficiencies; the light theme uses darker versions of them.
"""

import os
from collections.abc import Mapping
from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
    name="faceup-dark",
    primary="#7fb4ca",
    secondary="#98bb6c",
    accent="#e6c384",
    warning="#e69f00",
    error="#e0746a",
    success="#98bb6c",
    foreground="#dcd7ba",
    background="#16161d",
    surface="#1f1f28",
    panel="#2a2a37",
    dark=True,
    variables={
        "heads-1": "#c8c6b8",
        "heads-2": "#56b4e9",
        "heads-3": "#e6c84a",
        "heads-5": "#e69f5a",
        "heads-7": "#d98fc0",
        "card": "#25252f",
        "faint": "#6a6a7a",
        "footer-key-foreground": "#e6c384",
    },
)

LIGHT: Final = Theme(
    name="faceup-light",
    primary="#2a6f97",
    secondary="#4d7a3a",
    accent="#8a5a00",
    warning="#a65e00",
    error="#b3362b",
    success="#3f7d4e",
    foreground="#2b2b33",
    background="#f4f1e8",
    surface="#ebe7da",
    panel="#ddd8c8",
    dark=False,
    variables={
        "heads-1": "#4a4a50",
        "heads-2": "#00639c",
        "heads-3": "#7a6200",
        "heads-5": "#b04a00",
        "heads-7": "#96407c",
        "card": "#fffdf6",
        "faint": "#8d8a80",
        "footer-key-foreground": "#8a5a00",
    },
)


def default_theme(environ: Mapping[str, str] = os.environ) -> str:
    """Return the theme that suits the terminal's background in `COLORFGBG`, or the dark theme if that is not set.

    >>> default_theme({"COLORFGBG": "0;15"})
    'faceup-light'
    """
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT.name if background in {"7", "15"} else DARK.name
