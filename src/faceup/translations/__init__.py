"""Translations: all text that people read, and its lookup for the server and the terminal.

A folder for each language has one catalogue for each namespace, as i18next JSON (version 4), which the tools of
translators read: flat keys that start with the namespace, `{{values}}`, the plural categories of CLDR as key endings
(`_one`, `_other`), and other endings that the value `context` selects. `faceup.web.assets` turns the catalogues of
the page into JavaScript modules, and `faceup/web/i18n/translate.js` looks messages up in the same way.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

Language: TypeAlias = Literal["en", "de", "fr", "zh"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""The languages, English first. It is the source of all translations."""

PLURAL_ENDINGS: Final = re.compile(r"_(zero|one|two|few|many|other)$")
"""The endings of keys by which messages differ for a count."""

_PLACEHOLDER: Final = re.compile(r"\{\{(\w+)\}\}")


def translate(language: Language, key: str, **values: object) -> str:
    """Return a message in a language. The value `count` selects the plural form.

    >>> translate("de", "site.wins", names="Ann"), translate("en", "site.players", count=5)
    ('Ann gewinnt', '5 players')

    Raises:
        KeyError: there is no such message, or it needs another value.
    """
    messages = catalogue(language, key.partition(".")[0])
    count = values.get("count")
    forms = (f"{key}_{plural_category(language, count)}", f"{key}_other") if isinstance(count, int) else ()
    message = messages[next((form for form in forms if form in messages), key)]
    return _PLACEHOLDER.sub(lambda placeholder: str(values[placeholder[1]]), message)


@cache
def catalogue(language: Language, namespace: str) -> Mapping[str, str]:
    """Return the messages of a namespace. A message without a translation is English."""
    file = files(__name__) / language / f"{namespace}.json"
    messages: dict[str, str] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    if language != "en":
        translated = {base_key(key) for key in messages}
        english = catalogue("en", namespace)
        messages |= {key: text for key, text in english.items() if base_key(key) not in translated}
    return MappingProxyType(messages)


@cache
def namespaces() -> tuple[str, ...]:
    """Return the names of all namespaces."""
    names = (file.name for file in (files(__name__) / "en").iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def guide(language: Language, game: str) -> str:
    """Return the translated rules of a game as Markdown, or "". English rules are part of the game."""
    file = files(__name__) / language / "guides" / f"{game}.md"
    return file.read_text("utf-8") if file.is_file() else ""


def base_key(key: str) -> str:
    """Return a key without its plural ending.

    >>> base_key("nimmt.heads_other")
    'nimmt.heads'
    """
    return PLURAL_ENDINGS.sub("", key)


def plural_category(language: Language, count: int) -> str:
    """Return the plural category of a count, by the rules of CLDR.

    >>> [plural_category(language, 0) for language in LANGUAGES]
    ['other', 'other', 'one', 'other']
    """
    if language == "zh":
        return "other"
    if language == "fr":
        return "one" if count in {0, 1} else "many" if count % 1_000_000 == 0 else "other"
    return "one" if count == 1 else "other"


def html_language(language: str) -> str:
    """Return the value of the HTML attribute `lang` for a language."""
    return "zh-Hans" if language == "zh" else language
