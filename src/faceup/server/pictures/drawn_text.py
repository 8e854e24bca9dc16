"""The text inside pictures of games, in the languages of the page, with the host's own titles of games."""

from faceup.server.site import SITE
from faceup.translations import Language, catalogue, drawings


def drawn_text(language: Language, text: str, **values: object) -> str:
    """Return a text of a drawing in a language. A text without a translation stays English.

    >>> drawn_text("de", "{name} takes row {row}", name="Ann", row=2)
    'Ann nimmt Reihe 2'
    """
    title = SITE.get().retitled(text)
    return drawings.drawn_text(language, text, **values) if title is None else title


def all_drawn_text(language: Language) -> str:
    """Return all text of a language in one string, for checking that the fonts have its characters."""
    return "".join(catalogue(language, "drawings").values())
