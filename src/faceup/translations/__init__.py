"""Translations: all text that people read, and its lookup for the server and the terminal.

A folder for each language has one catalogue for each namespace, as i18next JSON (version 4), which the tools of
translators read: flat keys that start with the namespace, `{{values}}`, the plural categories of CLDR as key endings
(`_one`, `_other`), and other endings that the value `context` selects. `faceup.web.assets` turns the catalogues of
the page into JavaScript modules, and `faceup/web/i18n/translate.js` looks messages up in the same way.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

Language: TypeAlias = Literal["en", "de", "fr", "zh"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""The languages, English first. It is the source of all translations."""

PLURAL_ENDINGS: Final = re.compile(r"_(zero|one|two|few|many|other)$")
"""The endings of keys by which messages differ for a count."""

_PLACEHOLDER: Final = re.compile(r"(?:\b([Dd]|[Qq]u)e )?\{\{(\w+)\}\}")
"""A placeholder, with the word *de* or *que* before it, which French elides."""

_VOWELS: Final = frozenset("aàâæeéèêëiîïoôœuùû")


def translate(language: Language, key: str, /, **values: object) -> str:
    """Return a message in a language. The value `context` selects a variant, and `count` the plural form.

    >>> translate("de", "site.wins", names="Ann"), translate("en", "site.players", count=5)
    ('Ann gewinnt', '5 players')
    >>> translate("en", "nimmt.event.opened", cards="3 9", context="first")
    'The rows start with 3 9.'
    >>> translate("fr", "drawings.hand_of", name="Bo")
    'Main de Bo'

    Raises:
        KeyError: there is no such message, or it needs another value.
    """
    messages = catalogue(language, key.partition(".")[0])
    message = messages[next((form for form in _forms(language, key, values) if form in messages), key)]
    return _PLACEHOLDER.sub(lambda placeholder: _fill(language, placeholder, values), message)


def _fill(language: Language, placeholder: re.Match[str], values: Mapping[str, object]) -> str:
    """Return the value of a placeholder, with the French word before it, which loses its e before a vowel."""
    elided, name = placeholder.groups()
    value = str(values[name])
    if not elided:
        return value
    is_elided = language == "fr" and value[:1].lower() in _VOWELS
    return f"{elided}\N{RIGHT SINGLE QUOTATION MARK}{value}" if is_elided else f"{elided}e {value}"


def _forms(language: Language, key: str, values: Mapping[str, object]) -> Iterator[str]:
    """Yield the keys that a message can have, the most special one first."""
    count = values.get("count")
    for base in (f"{key}_{values['context']}", key) if values.get("context") else (key,):
        if isinstance(count, int):
            yield from (f"{base}_{plural_category(language, count)}", f"{base}_other")
        yield base


def join_names(language: Language, names: Sequence[str]) -> str:
    """Join names to a list.

    >>> join_names("de", ["Ann", "Bo", "Cy"]), join_names("zh", ["Ann", "Bo", "Cy"])
    ('Ann, Bo und Cy', 'Ann、Bo和Cy')
    """
    comma, last = translate(language, "site.list"), translate(language, "site.list.last")
    return last.join([comma.join(names[:-1]), names[-1]] if len(names) > 1 else names)


def has_message(key: str) -> bool:
    """Return whether there is a message for a key.

    >>> has_message("nimmt.event.placed"), has_message("nimmt.event.lost")
    (True, False)
    """
    namespace = key.partition(".")[0]
    return namespace in namespaces() and any(form in catalogue("en", namespace) for form in (key, f"{key}_other"))


def translate_or(language: Language, key: str, english: str) -> str:
    """Return a message, or an English text if there is no such message. Games of other packages have no messages.

    >>> translate_or("de", "table.game.war", "War"), translate_or("de", "table.game.fourth", "Fourth")
    ('Krieg', 'Fourth')
    """
    return translate(language, key) if has_message(key) else english


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
