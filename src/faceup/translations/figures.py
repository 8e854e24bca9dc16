"""Numbers and percentages as a language writes them."""

from typing import Final

from faceup.translations import Language

_SIGNS: Final[dict[Language, dict[int, str]]] = {
    "de": str.maketrans({".": ",", ",": ".", "%": "\N{NO-BREAK SPACE}%"}),
    "fr": str.maketrans({".": ",", ",": "\N{NARROW NO-BREAK SPACE}", "%": "\N{NARROW NO-BREAK SPACE}%"}),
}
"""What replaces the signs of English numbers."""


def localize(language: Language, figures: str) -> str:
    r"""Return English figures as a language writes them.

    >>> localize("de", "1,234.50 ±0.25"), localize("de", "30%"), localize("zh", "30%")
    ('1.234,50 ±0,25', '30\xa0%', '30%')
    """
    return figures.translate(_SIGNS.get(language, {}))
