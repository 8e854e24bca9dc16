"""The texts of the terminal and the command line: none missing or unused, and their language."""

import re
from pathlib import Path

import pytest

import faceup
from faceup.terminal.playback import SPEEDS
from faceup.terminal.screens.dialogs import KEYS
from faceup.terminal.words import text
from faceup.translations import LANGUAGES, Language, base_key, catalogue
from faceup.translations.environment import environment_language

PACKAGE = Path(faceup.__file__).parent

DYNAMIC = {
    "terminal": {
        *(f"hint.{column}" for column in ("heads", "wins", "risk", "cause")),
        *(f"keys.{name}" for name, _ in KEYS),
        *(f"keys.{name}.keys" for name, keys in KEYS if not keys),
        *(f"playback.speed.{speed.name}" for speed in SPEEDS),
    },
    "cli": {
        *(f"bots.{heading}" for heading in ("chance", "title")),
        *(f"verify.{sentence}" for sentence in ("compare", "left_out", "seen", "server_only", "silent")),
    },
}
"""Keys that the code forms."""

CONTEXTS = re.compile("_(active|clock|deal|finished|leave|pending|people|range)$")

NAMED = re.compile(r"terminal\.(bot|game|option)\.")
"""The start of keys that end in the name of a bot, a game or an option."""


@pytest.mark.parametrize("namespace", ["terminal", "cli"])
def test_no_text_is_missing_or_unused(namespace: str) -> None:
    source = "\n".join(path.read_text("utf-8") for path in sorted((PACKAGE / namespace).rglob("*.py")))
    calls = re.findall(r"\btext\(([^()]*)", re.sub(r'== "\w+"|context=.*', "", source))
    used = {key for call in calls for key in re.findall(r'["\']([a-z_.]+)["\']', call)} | DYNAMIC[namespace]
    keys = [base_key(key) for key in catalogue("en", namespace) if not NAMED.match(key)]
    assert {CONTEXTS.sub("", key.removeprefix(f"{namespace}.")) for key in keys} == used


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "C"}, "en"),
        ({"LANG": "fry_NL.UTF-8"}, "en"),
        ({"LANG": "it_IT.UTF-8", "LANGUAGE": "it:fr:en"}, "fr"),
        ({"LANG": "C", "LANGUAGE": "fr"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "FACEUP_LANGUAGE": "de"}, "de"),
        ({"LANG": "fr_FR.UTF-8", "FACEUP_LANGUAGE": "klingon"}, "fr"),
        ({"FACEUP_LANGUAGE": "zh-Hans"}, "zh"),
    ],
)
def test_the_language_is_that_of_the_environment(variables: dict[str, str], language: str) -> None:
    assert environment_language(variables) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_in_the_language(language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEUP_LANGUAGE", language)
    assert text("seat", number=2) == catalogue(language, "terminal")["terminal.seat"].replace("{{number}}", "2")
