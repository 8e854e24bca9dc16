"""`faceup war play`."""

import json
import subprocess
import sys

import msgspec
import pytest

from faceup.cli.war import Options, Request, answer
from faceup.core import Malformed, Seeded
from faceup.core.record import Record, replay
from faceup.games.war.cards import WORDS
from faceup.games.war.shuffle import arranged

DECK = [WORDS[card] for card in arranged(range(52), [Seeded(11).below(52 - place) for place in range(51)])]


def play(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "faceup", "war", "play", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_deck_and_a_seed_always_play_the_same_game() -> None:
    first = answer(Request(DECK, seed=7))
    assert answer(Request(DECK, seed=7)) == first
    assert set(first) == {"winner", "by", "rounds", "wars", "redeals"}


def test_halves_that_change_seats_change_the_winner() -> None:
    options = Options(reshuffle=0)
    here = answer(Request(DECK, options=options))
    there = answer(Request(DECK[26:] + DECK[:26], options=options))
    assert {**there, "winner": 1 - there["winner"]} == here


def test_the_record_replays_to_the_same_end() -> None:
    result = answer(Request(DECK, seed=3, options=Options(collect="shuffled", cap=30), record=True))
    record = msgspec.convert(result["record"], Record)
    last = list(replay(record))[-1].state
    assert record.result is not None
    assert record.options == {"seats": 2, "collect": "shuffled", "cap": 30}
    assert (last.rounds, last.by) == (result["rounds"], result["by"])  # type: ignore[attr-defined]  # War's own state


def test_a_drawn_game_has_no_winner() -> None:
    # Equal pairs all the way: an undecided round, that nothing decides.
    half = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "CH"]
    other = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "DS"]
    result = answer(Request([*half, *other], options=Options(redeal=False)))
    assert (result["winner"], result["by"], result["rounds"]) == (None, "draw", 1)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (Request([*DECK[:51], "XX"]), r"deck\[51\]: 'XX' is not a card"),
        (Request(DECK[:51]), "the deck is 52 different cards; it has 51; missing: "),
        (Request([*DECK[:51], DECK[0]]), f"twice: {DECK[0]}; missing: {DECK[51]}"),
        (Request(DECK, seed=-1), "a seed is 0 to"),
        (Request(DECK, options=Options(cap=0)), "cap is 1 to"),
    ],
)
def test_a_wrong_request_says_what_is_wrong(request_: Request, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        answer(request_)


def test_it_answers_line_by_line() -> None:
    lines = [json.dumps({"deck": DECK, "seed": seed}) for seed in range(3)]
    lines.insert(1, json.dumps({"deck": DECK, "options": {"colect": "shuffled"}}))
    answers = [json.loads(line) for line in play("--ndjson", given="\n".join(lines)).stdout.splitlines()]
    assert [answers[0], *answers[2:]] == [answer(Request(DECK, seed=seed)) for seed in range(3)]
    assert "colect" in answers[1]["error"]["message"]
    assert answers[1]["error"]["line"] == 2


def test_it_answers_flags() -> None:
    flags = ("--deck", " ".join(DECK), "--seed", "7", "-o", "cap=20", "-o", "sudden_death=false")
    expected = answer(Request(DECK, 7, Options(cap=20, sudden_death=False)))
    assert json.loads(play(*flags, "--json").stdout) == expected
    assert play(*flags).stdout.startswith(f"seat {expected['winner']} wins by cap; rounds 20")
    assert "record" in json.loads(play(*flags, "--json", "--record").stdout)


@pytest.mark.parametrize("option", ["cap", "cap=x", "cop=3"])
def test_a_wrong_option_is_refused_with_status_2(option: str) -> None:
    refused = play("-o", option)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert option.partition("=")[0] in refused.stderr
