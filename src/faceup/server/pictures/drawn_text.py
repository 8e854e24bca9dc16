"""The text inside the drawings of games, in the languages of the page.

Drawings ask for their text in English. The catalogue `drawings` has the same texts in every language.
"""

from collections.abc import Mapping
from functools import cache

from faceup.server.site import SITE
from faceup.translations import Language, base_key, catalogue, translate


def drawn_text(language: Language, text: str, **values: object) -> str:
    """Return a text of a drawing in a language. A text without a translation stays English.

    >>> drawn_text("de", "{name} takes row {row}", name="Ann", row=2)
    'Ann nimmt Reihe 2'
    """
    if (title := SITE.get().retitled(text)) is not None:
        return title
    key = _keys().get(text)
    return translate(language, key, **values) if key else text.format(**values)


def is_translated(text: str) -> bool:
    """Return whether a text of a drawing has translations, or is a number."""
    return text in _keys() or text.isdecimal()


def all_drawn_text(language: Language) -> str:
    """Return all text of a language in one string, for checking that the fonts have its characters."""
    return "".join(catalogue(language, "drawings").values())


@cache
def _keys() -> Mapping[str, str]:
    """Return the keys of the texts of drawings. Drawings have the singular and the plural as two texts of one key."""
    english = catalogue("en", "drawings")
    return {text.replace("{{", "{").replace("}}", "}"): base_key(key) for key, text in english.items()}
