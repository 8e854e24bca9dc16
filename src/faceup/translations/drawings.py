"""The text inside the drawings of games, in all languages.

Drawings ask for their text in English. The catalogue `drawings` has the same texts in every language; those of plain
text drawings are in `text_drawings`, because pictures need a font for all characters in `drawings`.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from inspect import signature

from faceup.translations import Language, base_key, catalogue, translate


def drawn_text(language: Language, text: str, **values: object) -> str:
    """Return a text of a drawing in a language. A text without a translation stays English.

    >>> drawn_text("de", "{name} takes row {row}", name="Ann", row=2)
    'Ann nimmt Reihe 2'
    """
    key = _keys().get(text)
    return translate(language, key, **values) if key else text.format(**values)


def translate_drawing(drawing: Callable[..., str], language: Language) -> Callable[..., str]:
    """Return a drawing with its text in a language. A game of another package can have an English drawing only."""
    return partial(drawing, say=partial(drawn_text, language)) if "say" in signature(drawing).parameters else drawing


def is_translated(text: str) -> bool:
    """Return whether a text of a drawing has translations, or is a number."""
    return text in _keys() or text.isdecimal()


@cache
def _keys() -> Mapping[str, str]:
    """Return the keys of the texts of drawings. Drawings have the singular and the plural as two texts of one key."""
    english = {**catalogue("en", "text_drawings"), **catalogue("en", "drawings")}
    return {text.replace("{{", "{").replace("}}", "}"): base_key(key) for key, text in english.items()}
