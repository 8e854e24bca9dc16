"""The texts of the terminal: none missing or unused, and the language of the environment."""

import re
from pathlib import Path

import pytest

import faceup
from faceup.terminal import words
from faceup.translations import catalogue

SOURCES = Path(faceup.__file__).parent / "terminal"


def test_no_text_is_missing_or_unused() -> None:
    source = "\n".join(path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.py")))
    calls = re.findall(r"\btext\(([^()]*)", re.sub(r'== "\w+"', "", source))
    used = {key for call in calls for key in re.findall(r'["\']([a-z_.]+)["\']', call)}
    used |= {f"hint.{column}" for column in ("heads", "wins", "risk", "cause")}
    assert {key.removeprefix("terminal.") for key in catalogue("en", "terminal")} == used


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "C"}, "en"),
        ({"LANG": "fry_NL.UTF-8"}, "en"),
    ],
)
def test_the_language_is_that_of_the_locale(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], language: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    words.language.cache_clear()
    assert words.language() == language
    assert words.text("seat", number=2) == "Seat 2"  # a text without a translation is English
    words.language.cache_clear()
