"""Formatting, and singular and plural nouns in all messages of every game with its smallest settings."""

import re
from collections.abc import Iterator

import pytest

from faceup.core import AnyRules, SeededGenerator, find_game, make, play_game
from faceup.formatting import format_duration, plural, strip_control_characters

WRONG = re.compile(r"(?<![\w.,-])1 (rounds|cards|heads|hands|turns|wars|throws|dice|seats|deals|rows|points)\b")


@pytest.mark.parametrize(("count", "words"), [(0, "0 dice"), (1, "1 die"), (2, "2 dice"), (1000, "1,000 dice")])
def test_one_alone_is_singular(count: int, words: str) -> None:
    assert plural(count, "die", "dice") == words


def sentences(rules: AnyRules, seed: int) -> Iterator[str]:
    """Yield all sentences and text drawings of a game in which each seat takes its first legal action."""
    names = ("Ann", "Bo", "Cem")[: rules.seats]
    drawings = find_game(rules.game).drawings
    for _, step in play_game(rules, [lambda _, view, __: view.legal[0]] * rules.seats, SeededGenerator(seed)):
        yield from (event.words(names) for event in step.events)
        yield drawings["text"](rules.view(step.state, 0), names=names, rules=rules)
        yield drawings["svg"](step.state, names=names, rules=rules)


@pytest.mark.parametrize(
    "spec",
    [
        "war cap=1",
        "war cap=1 sudden_death=false",
        "war cap=2 reshuffle=1",
        "war per_suit=1 suits=2 redeal=false",
        "war per_suit=2 suits=1",
        "niuniu seats=2 throws=1",
        "niuniu seats=3 throws=2",
        "nimmt seats=2 hand=1",
        "nimmt seats=2 hand=2 rows=1 capacity=1",
        "nimmt seats=2 hand=1 cards=7",
    ],
)
def test_no_game_uses_the_plural_for_one(spec: str) -> None:
    rules = make(spec)
    for seed in range(20):
        for words in sentences(rules, seed):
            assert not WRONG.search(words), words


def test_format_duration_of_edge_values() -> None:
    assert format_duration(0) == "0 s"
    assert format_duration(3599.6) == "1 h 0 min"


@pytest.mark.parametrize("char", ["\x00", "\x1b", "\x7f", "\x9b", "\r", "\n", "\u2028", "\u202e", "\ud800", "\uffff"])
def test_characters_that_change_a_terminal_are_replaced(char: str) -> None:
    assert strip_control_characters(f"a{char}b") == "a\ufffdb"
    assert strip_control_characters(f"a{char}b", keep=char) == f"a{char}b"


@pytest.mark.parametrize("text", ["Zoë", "中文", "👩‍🚀", "a\N{NO-BREAK SPACE}b"])
def test_letters_of_any_language_and_joined_emoji_stay(text: str) -> None:
    assert strip_control_characters(text) == text
