"""The texts of the terminal, in the language of the environment if it is translated, else in English."""

import os
from functools import cache

from faceup.translations import LANGUAGES, Language, translate


def text(key: str, **values: object) -> str:
    """Return a message of the catalogue `terminal`.

    >>> text("seat", number=2)
    'Seat 2'
    """
    return translate(language(), f"terminal.{key}", **values)


@cache
def language() -> Language:
    """Return the language of messages that the locale variables of the environment set."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return next(
        (language for language in LANGUAGES if locale.lower().replace("_", ".").split(".")[0] == language), "en"
    )
