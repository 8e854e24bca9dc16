"""Catalogues: what is missing, superfluous or inconsistent in each language, in lines for its translator."""

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files

import pytest
from babel import Locale

from faceup.translations import (
    LANGUAGES,
    PLURAL_ENDINGS,
    Language,
    base_key,
    guide,
    namespaces,
    plural_category,
    translate,
)
from faceup.web.assets import GUIDES, web

FIXED = re.compile(r"(?<![\w{])1(?![\w}])")
"""The number one in a text."""

FOLDER = files("faceup.translations")


def written(language: str, namespace: str) -> dict[str, str]:
    """Return the messages in a file of a language, without those that are taken from English."""
    file = FOLDER / language / f"{namespace}.json"
    messages: dict[str, str] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return messages


def placeholders(messages: Mapping[str, str], key: str) -> set[str]:
    """Return the placeholders of a message without `count`, which forms for a fixed count can lack.

    English writes a place as an ordinal number, which other languages need not do.
    """
    forms = [text for form, text in messages.items() if base_key(form) == key]
    return {name for text in forms for name in re.findall(r"\{\{(\w+)\}\}", text)} - {"count", "ordinal", "place"}


def todo(language: Language, namespace: str, messages: Mapping[str, str]) -> Iterator[str]:
    """Yield what a translator has to do in a file of a language, in a line for each key."""
    english = written("en", namespace)
    translated = {base_key(key) for key in messages}
    for key in {base_key(key): None for key in english if base_key(key) not in translated}:
        yield f"translate {key}: {json.dumps(english.get(key) or english[f'{key}_other'], ensure_ascii=False)}"
    for key in sorted(translated):
        if any(base_key(form) == key for form in english):
            yield from form_faults(language, key, messages, english)
            yield from placeholder_faults(key, messages, english)
        elif not any(key.startswith(f"{base_key(form)}_") for form in english):  # a language can add contexts
            yield f"remove {key}, which English does not have"
    for key, text in messages.items():
        yield from text_faults(language, key, text, messages)


def form_faults(language: Language, key: str, messages: Mapping[str, str], english: Mapping[str, str]) -> Iterator[str]:
    """Yield which plural forms a message lacks, and which it has in vain."""
    categories = {*Locale.parse(language).plural_form.tags, "other"}
    required = {f"{key}_{category}" for category in categories} if f"{key}_other" in english else {key}
    forms = {form for form in messages if base_key(form) == key}
    for form in sorted(required - forms):
        yield f"add {form}, a plural form of this language"
    for form in sorted(forms - required):
        yield f"remove {form}, which is no plural form of this language"


def placeholder_faults(key: str, messages: Mapping[str, str], english: Mapping[str, str]) -> Iterator[str]:
    """Yield which values a message leaves out, and which it does not get."""
    own, original = placeholders(messages, key), placeholders(english, key)
    for name in sorted(original - own):
        yield f"use {{{{{name}}}}} in {key}"
    for name in sorted(own - original):
        yield f"{key} has no value {{{{{name}}}}}"


def text_faults(language: Language, key: str, text: str, messages: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong in a text itself."""
    if re.search(r"[{}]", re.sub(r"\{\{\w+\}\}", "", text)):
        yield f"write placeholders of {key} as {{{{name}}}}"
    for_zero = key.endswith("_one") and Locale.parse(language).plural_form(0) == "one"
    if for_zero and f"{base_key(key)}_none" not in messages and FIXED.search(text):
        yield f"write {{{{count}}}} instead of 1 in {key}, which is for 0, too"


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_to_translate(language: Language) -> None:
    """Each line of the list is something to do in a file of `src/faceup/translations`."""
    lines = [
        f"{language}/{name}.json: {line}"
        for name in namespaces()
        for line in todo(language, name, written(language, name))
    ]
    if lines:
        pytest.fail("\n".join(lines), pytrace=False)


def test_the_list_for_a_translator_has_every_kind_of_fault() -> None:
    messages = dict(written("de", "daily"))
    del messages["daily.title"], messages["daily.heads_one"]
    messages["daily.old"] = "alt"
    messages["daily.against"] = "Gegen {{name}}"
    messages["daily.day.started"] = "begonnen {state}"
    messages["daily.streak_few"] = "ein paar"
    assert sorted(todo("de", "daily", messages)) == [
        "add daily.heads_one, a plural form of this language",
        "daily.against has no value {{name}}",
        "remove daily.old, which English does not have",
        "remove daily.streak_few, which is no plural form of this language",
        'translate daily.title: "Daily deal"',
        "use {{names}} in daily.against",
        "write placeholders of daily.day.started as {{name}}",
    ]


def test_a_form_for_zero_and_one_writes_the_count() -> None:
    messages = {**written("fr", "daily"), "daily.heads_one": "1 tête", "daily.title_long": "La donne du jour"}
    assert list(todo("fr", "daily", messages)) == [
        "write {{count}} instead of 1 in daily.heads_one, which is for 0, too"
    ]


def test_every_folder_is_a_language_of_the_server_and_of_the_page() -> None:
    folders = {entry.name for entry in FOLDER.iterdir() if entry.is_dir() and not entry.name.startswith("__")}
    assert folders == set(LANGUAGES)
    page = re.search(r"LANGUAGES = \{(.*)\}", web().assets["i18n/translate.js"].plain.decode())
    assert page
    assert set(re.findall(r"(\w+): \"", page[1])) == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_have_the_keys_in_the_order_of_english(language: Language) -> None:
    """So that translators can compare two files line by line."""
    for namespace in namespaces():
        english = list(dict.fromkeys(map(base_key, written("en", namespace))))
        keys = list(dict.fromkeys(map(base_key, written(language, namespace))))
        assert [key for key in keys if key in english] == [key for key in english if key in keys], (
            f"{language}/{namespace}"
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_categories_are_those_of_cldr(language: Language) -> None:
    rule = Locale.parse(language).plural_form
    counts = (*range(25), 100, 101, 102, 111, 1000, 999_999, 1_000_000, 1_000_001, 2_000_000)
    assert [plural_category(language, count) for count in counts] == [rule(count) for count in counts]


def test_only_plural_forms_end_like_them() -> None:
    """Tools of translators recognize plural forms by the ending of the key."""
    for namespace in namespaces():
        english = written("en", namespace)
        endings = [key for key in english if PLURAL_ENDINGS.search(key)]
        assert [key for key in endings if f"{base_key(key)}_other" not in english] == []


def test_the_forms_of_a_count_are_selected() -> None:
    assert [translate("en", "drawings.cards", count=count) for count in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert translate("zh", "drawings.cards", count=1) == "1 张牌"


@pytest.mark.parametrize(
    ("name", "title"),
    [("Ann", "Main d'Ann"), ("Émile", "Main d'Émile"), ("Zoé", "Main de Zoé"), ("你", "Main de 你"), ("", "Main de ")],
)
def test_french_elides_before_a_vowel(name: str, title: str) -> None:
    assert translate("fr", "drawings.hand_of", name=name) == title.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")


def test_french_has_thin_no_break_spaces_before_punctuation() -> None:
    wrong = re.compile("[ \N{NO-BREAK SPACE}][!?;:»]|«(?!\N{NARROW NO-BREAK SPACE})|'")
    assert [key for name in namespaces() for key, text in written("fr", name).items() if wrong.search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_shows_an_escape_sequence(language: Language) -> None:
    texts = {key: text for namespace in namespaces() for key, text in written(language, namespace).items()}
    texts |= {game: guide(language, game) for game in GUIDES}
    assert [key for key, text in texts.items() if re.search(r"\\[\\nux`$]|\$\{", text)] == []
