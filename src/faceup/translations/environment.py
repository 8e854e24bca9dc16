"""The language of the terminal and the command line, which variables of the environment set."""

import os
from collections.abc import Iterator, Mapping
from typing import Final

from faceup.translations import LANGUAGES, Language

VARIABLE: Final = "FACEUP_LANGUAGE"
"""The variable that sets the language for faceup alone."""


def environment_language(environ: Mapping[str, str] = os.environ) -> Language:
    """Return the language that the environment sets, or English if it is not translated.

    `FACEUP_LANGUAGE` comes first, then the variables of gettext: `LANGUAGE` with several languages in the order of
    preference, unless the locale is that of C, then `LC_ALL`, `LC_MESSAGES` and `LANG`.

    >>> environment_language({"LANG": "fr_CA.UTF-8"}), environment_language({"LANG": "it_IT.UTF-8"})
    ('fr', 'en')
    """
    return next((language for code in _codes(environ) for language in LANGUAGES if code == language), "en")


def _codes(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the codes of the languages that the environment prefers, such as "fr"."""
    yield _code(environ.get(VARIABLE, ""))
    locale = _code(environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or "c")
    if locale not in {"c", "posix"}:
        yield from map(_code, filter(None, environ.get("LANGUAGE", "").split(":")))
    yield locale


def _code(locale: str) -> str:
    """Return the language of a locale such as "zh_CN.UTF-8"."""
    return locale.lower().replace("_", ".").replace("-", ".").split(".")[0]
