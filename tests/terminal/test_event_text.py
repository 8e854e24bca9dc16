"""Every event has a sentence in every language, and a game of another package keeps its English ones."""

from collections.abc import Iterator

import pytest

from faceup.bots import policy
from faceup.core import Event, SeededGenerator, make, play_game
from faceup.games.nimmt.events import Out, Placed, SetAside
from faceup.games.niuniu.state import MatchWon
from faceup.table.events import AutoplayChose, DeadlineExtended, PaceChanged, PledgesListed, TimeUp
from faceup.terminal.event_text import event_text
from faceup.translations import LANGUAGES, Language

NAMES = ("Ann", "Émile", "张三")


def events_of(spec: str) -> Iterator[Event]:
    """Yield the events of random games."""
    rules = make(spec)
    for seed in range(4):
        for _, step in play_game(rules, [policy(rules.game, "random")] * rules.seats, SeededGenerator(seed)):
            yield from step.events


@pytest.mark.sample(7)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "spec",
    ["nimmt seats=3 hand=4", "nimmt:classic seats=2 target=20", "niuniu seats=3 throws=3", "war per_suit=4 cap=30",
     "war per_suit=1", "war per_suit=2 reshuffle=3 cap=6"],
)  # fmt: skip
def test_every_event_has_a_sentence(spec: str, language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEUP_LANGUAGE", language)
    for event in events_of(spec):
        sentence = event_text(spec.partition(" ")[0].partition(":")[0], event, NAMES)
        assert sentence.endswith(
            ("\N{IDEOGRAPHIC FULL STOP}", "\N{FULLWIDTH EXCLAMATION MARK}") if language == "zh" else (".", "!")
        )
        assert "{" not in sentence


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "event", "english"),
    [
        ("nimmt", Out((0, 1)), "Ann and Émile are out."),
        ("nimmt", SetAside(0, 7), "Ann: 7 is set aside and counts for no one."),
        ("niuniu", MatchWon((0, 2), 1, 2), "Ann and 张三 share the match with 1 throw won and 2 drawn each."),
        ("nimmt", TimeUp(1), "Time is up: autoplay chooses for Émile."),
        ("nimmt", AutoplayChose(1), "Émile is away: autoplay chooses."),
        ("nimmt", DeadlineExtended(1500), "1.5 s added to the timer."),
        ("nimmt", PaceChanged(0, 2), "Ann has double think time from now on."),
        ("nimmt", PaceChanged(0, None), "Ann has unlimited think time from now on."),
        ("nimmt", PledgesListed(()), "Contributors to the deal: server only."),
        ("nimmt", PledgesListed((0,)), "Contributors to the deal: Ann."),
    ],
)
def test_rare_events_have_a_sentence(
    game: str, event: Event, english: str, language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACEUP_LANGUAGE", language)
    sentence = event_text(game, event, NAMES)
    assert sentence == english if language == "en" else sentence not in {"", english}


def test_an_event_without_a_message_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEUP_LANGUAGE", "de")
    assert event_text("highcard", Placed(0, 7, 1), NAMES) == "Ann's 7 goes to row 2."
