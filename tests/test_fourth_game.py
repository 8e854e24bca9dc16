"""A game from outside, a module and an entry point, has everything that ours have, with nothing changed elsewhere."""

import json
from pathlib import Path

import pytest
from highcard import Deal, HighCard, Prize, Seen, Table
from tests.cli.in_process import run_faceup

from faceup.core import Rules, make
from faceup.core.record import loads, replay


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "fourth_game"))


def test_its_rules_are_rules() -> None:
    rules: Rules[Table, Seen, Deal | Prize] = HighCard()  # the type checker holds it to the protocol
    assert rules == make("highcard")


def test_it_is_listed_with_its_variants_and_options(tmp_path: Path) -> None:
    text = run_faceup(tmp_path, "games")
    for words in ("highcard", "High Card", "strict", "prize"):
        assert words in text


def test_it_plays_line_by_line_to_the_end_and_replays(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    every_card = "".join(f"play {card}\n" for _ in range(4) for card in range(1, 10))
    words = ("--plain", "--seed", "7", "-p", "Ann", "--bots", "highest", "--record", str(record))
    played = run_faceup(tmp_path, "play", "highcard", *words, stdin=every_card)
    assert "Ann is dealt" in played
    assert "takes the prize" in played
    assert "Review:" not in played  # there is no coach for this game
    frames = list(replay(loads(record.read_text("utf-8"))))
    assert make("highcard").to_act(frames[-1].state) == ()
    again = run_faceup(tmp_path, "replay", str(record), "--plain")
    assert again.count("takes the prize") == played.count("takes the prize") == 2


@pytest.mark.parametrize("variant", ["open", "strict"])
def test_bots_play_it_while_one_looks_on(tmp_path: Path, variant: str) -> None:
    assert "takes the prize" in run_faceup(tmp_path, "watch", f"highcard:{variant}", "--plain", "--seed", "1")


def test_it_is_played_as_json_too(tmp_path: Path) -> None:
    lines = run_faceup(tmp_path, "watch", "highcard", "--json", "--seed", "1").splitlines()
    assert all(json.loads(line) for line in lines)


def test_its_positions_are_drawn(tmp_path: Path) -> None:
    rules = make("highcard")
    line = f"highcard:open seats=2 | {rules.to_text(rules.view(rules.start(), 0))}"
    assert "<svg" in run_faceup(tmp_path, "draw", line)
