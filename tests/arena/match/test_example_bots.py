"""Example bots in all languages play complete matches without a fault."""

import subprocess
from pathlib import Path

import pytest
from tests.arena.example_bots import BOTS, cpp, python

from faceup.arena import Bot, Match, MatchTerms
from faceup.arena.match.referee import Referee
from faceup.arena.run.roster import read_roster

PATIENCE = 5.0  # only the protocol is tested, on machines of any speed


def play(terms: MatchTerms, lineup: list[Bot], matches: int) -> None:
    """Play matches with different deals in rotating seats, without faults."""
    names = tuple(bot.name for bot in lineup)
    with Referee(terms, {bot.name: bot for bot in lineup}) as referee:
        for number in range(matches):
            result, transcript = referee.play(Match(number, number, names, number % len(names)), 7)
            assert result.faults == ()
            assert all(answers for answers in transcript.answers)
            assert min(result.places) == 1


def arena(matches: int) -> None:
    first, last = cpp("nimmt_first"), python("nimmt_last", phase_last=True)
    play(MatchTerms(first=PATIENCE, turn=PATIENCE), [first, last, first, last], matches)


def any_game(bots: list[Bot], matches: int) -> None:
    for game, seats in (("nimmt", 7), ("nimmt:arena", 4), ("niuniu", 3), ("highcard:strict", 3)):
        terms = MatchTerms(f"{game} seats={seats}", "json", PATIENCE, PATIENCE)
        play(terms, (bots * seats)[:seats], matches)


@pytest.mark.slow
def test_cpp_and_python_examples_play_with_phase_first_and_last() -> None:
    arena(20)


@pytest.mark.long
def test_examples_play_a_thousand_matches() -> None:
    arena(1000)


@pytest.mark.slow
def test_bots_in_cpp_and_python_play_any_game() -> None:
    any_game([python("any_game"), cpp("any_game")], 2)


@pytest.mark.long
def test_rust_and_javascript_examples_play_any_game(tmp_path: Path) -> None:
    rust = tmp_path / "any_game_rs"
    subprocess.run(["rustc", "-O", "-D", "warnings", "-o", rust, BOTS / "any_game.rs"], check=True)  # noqa: S607 -- found on the path
    any_game([Bot("rust", (str(rust),)), Bot("javascript", ("node", str(BOTS / "any_game.js")))], 10)


@pytest.mark.parametrize("name", ["any_game.py", "any_game.cpp", "any_game.rs", "any_game.js"])
def test_any_game_example_has_at_most_twenty_lines(name: str) -> None:
    lines = (BOTS / name).read_text("utf-8").splitlines()
    assert len([line for line in lines if line.strip() and not line.startswith(("//", '"""'))]) <= 20


def test_example_bots_toml_lists_examples() -> None:
    roster = read_roster(BOTS / "bots.toml")
    assert list(roster.bots) == ["first", "last"]
    assert roster.entrant("last").bot.phase_last
